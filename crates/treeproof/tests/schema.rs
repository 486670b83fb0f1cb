//! The published schema of task files is that of the code. TREEPROOF_WRITE=1 writes it.

use std::path::Path;

use treeproof::task::TaskFile;

#[test]
fn the_schema_is_current() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/task.schema.json");
    let schema = TaskFile::schema();
    if std::env::var_os("TREEPROOF_WRITE").is_some() {
        std::fs::write(&path, &schema).unwrap();
    }
    let published = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(published == schema, "run TREEPROOF_WRITE=1 cargo test -p treeproof --test schema");
}
