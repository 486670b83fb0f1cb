//! Tables of numbers and texts, read from files.
