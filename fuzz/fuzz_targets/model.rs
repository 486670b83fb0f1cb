//! Any model, gzipped or not: what the other targets of models leave out is finding the format.
#![no_main]

use libfuzzer_sys::fuzz_target;
use treeproof_fuzz::model;

fuzz_target!(|content: &[u8]| model::check(content));
