//! Hand-written models for the rules that are easy to get wrong.
