//! Data: parquet. The decoder's own panics are errors of the reader.
#![no_main]

use libfuzzer_sys::fuzz_target;
use treeproof_fuzz::table;

fuzz_target!(|content: &[u8]| {
    table::allow_contained_panics();
    table::check("x.parquet", content);
});
