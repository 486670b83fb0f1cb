//! Conditions of `--where`.
#![no_main]

use libfuzzer_sys::fuzz_target;
use treeproof_fuzz::condition;

fuzz_target!(|content: &[u8]| condition::check(content));
