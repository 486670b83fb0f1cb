//! The steps of a pipeline with its model.
#![no_main]

use libfuzzer_sys::fuzz_target;
use treeproof_fuzz::model;

fuzz_target!(|content: &[u8]| model::check_if(|start| model::has_key(start, "\"treeproof_pipeline\""), content));
