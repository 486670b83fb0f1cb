//! Whoever believes the checker need not believe the search: nothing of it is linked.

#[test]
fn the_checker_needs_models_and_nothing_else_of_treeproof() {
    let manifest = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml")).unwrap();
    let mut own = vec![];
    let mut section = "";
    for line in manifest.lines() {
        if line.starts_with('[') {
            section = line;
        }
        let is_linked = section.ends_with("dependencies]") && section != "[dev-dependencies]"
            || section.starts_with("[dependencies.")
            || section.starts_with("[target.");
        if is_linked && line.contains("treeproof") {
            own.push(line);
        }
    }
    assert_eq!(own, ["treeproof-ensemble.workspace = true"]);
    let ensemble = concat!(env!("CARGO_MANIFEST_DIR"), "/../treeproof-ensemble/Cargo.toml");
    let ensemble = std::fs::read_to_string(ensemble).unwrap();
    let linked = ensemble.split("[dev-dependencies]").next().unwrap();
    assert!(!linked.contains("treeproof-search") && !linked.contains("treeproof.workspace"), "nor do models");
}
