//! The README and the manual show commands with their output; `scripts/readme` writes them, this test finds them stale.

use std::path::Path;
use std::process::Command;

#[test]
fn the_pages_show_what_the_commands_print() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let checked = Command::new("python3")
        .arg(root.join("scripts/readme"))
        .args(["--check", "--shell"])
        .env("TREEPROOF_BIN", assert_cmd::cargo::cargo_bin!("treeproof"))
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&checked.stderr);
    assert!(checked.status.success(), "run scripts/readme: {text}");
}
