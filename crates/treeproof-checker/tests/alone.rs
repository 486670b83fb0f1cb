//! The crates behind a verdict of the checker: nothing of the search is linked.

/// The crates of this project that a crate's manifest links.
fn linked(name: &str) -> Vec<String> {
    let manifest = format!("{}/../{name}/Cargo.toml", env!("CARGO_MANIFEST_DIR"));
    let manifest = std::fs::read_to_string(manifest).unwrap();
    let mut own = vec![];
    let mut section = "";
    for line in manifest.lines() {
        if line.starts_with('[') {
            section = line;
        }
        let is_linked = section.ends_with("dependencies]") && section != "[dev-dependencies]"
            || section.starts_with("[dependencies.")
            || section.starts_with("[target.");
        if is_linked && line.starts_with("treeproof") {
            own.push(line.replace(".workspace = true", ""));
        }
    }
    own
}

#[test]
fn the_checker_links_models_and_the_format_alone() {
    assert_eq!(linked("treeproof-checker"), ["treeproof-ensemble", "treeproof-proof"]);
    assert_eq!(linked("treeproof-proof"), ["treeproof-ensemble"]);
    assert_eq!(linked("treeproof-ensemble"), [""; 0]);
}
