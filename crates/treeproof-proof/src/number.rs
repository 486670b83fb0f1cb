//! Exact numbers in files.
