//! Task files.
#![no_main]

use libfuzzer_sys::fuzz_target;
use treeproof_fuzz::task;

fuzz_target!(|content: &[u8]| task::check(content));
