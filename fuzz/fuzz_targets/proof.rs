//! Proofs.
#![no_main]

use libfuzzer_sys::fuzz_target;
use treeproof_fuzz::proof;

fuzz_target!(|content: &[u8]| proof::check(content));
