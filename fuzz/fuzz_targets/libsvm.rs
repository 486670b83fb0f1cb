//! Data: libsvm.
#![no_main]

use libfuzzer_sys::fuzz_target;
use treeproof_fuzz::table;

fuzz_target!(|content: &[u8]| table::check("x.libsvm", content));
