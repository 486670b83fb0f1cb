//! The README shows commands with their output; `scripts/readme` writes them, this test finds them stale.

use std::path::Path;
use std::process::Command;

#[test]
fn the_readme_shows_what_the_commands_print() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let checked = Command::new("bash")
        .arg(root.join("scripts/readme"))
        .arg("--check")
        .env("TREEPROOF_BIN", assert_cmd::cargo::cargo_bin!("treeproof"))
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&checked.stderr);
    assert!(checked.status.success(), "run scripts/readme: {text}");
}
