//! ONNX.
#![no_main]

use libfuzzer_sys::fuzz_target;
use treeproof_fuzz::model;

fuzz_target!(|content: &[u8]| model::check_if(|start| !matches!(start, [b'{' | b'[' | b't' | 0x1f, ..]), content));
