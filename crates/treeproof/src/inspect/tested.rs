//! Which features matter at all, so that people see those first.

use std::cmp::Reverse;
use std::collections::HashMap;

use treeproof_ensemble::ensemble::Ensemble;
use treeproof_language::Groups;

/// The features that some tree of these models tests, the most tested first. Columns of a group go by its name.
pub fn tested(models: &[&Ensemble], groups: &Groups) -> Vec<String> {
    let group_of = |name: &str| {
        let column = models[0].features().iter().position(|feature| feature.name == name)?;
        Some(groups.of(column)?.name.clone())
    };
    let mut names: Vec<String> = vec![];
    let mut splits: HashMap<String, usize> = HashMap::new();
    for (used, count) in models.iter().flat_map(|model| used(model)) {
        let group = if groups.is_empty() { None } else { group_of(used) };
        let name = group.unwrap_or_else(|| used.to_owned());
        if !splits.contains_key(&name) {
            names.push(name.clone());
        }
        *splits.entry(name).or_default() += count;
    }
    names.sort_by_key(|name| Reverse(splits[name]));
    names
}

/// The features that some tree tests, each with the number of its splits.
fn used(model: &Ensemble) -> Vec<(&str, usize)> {
    let mut counts = vec![0; model.features().len()];
    for split in model.trees().iter().flat_map(|tree| tree.splits()) {
        counts[split.feature as usize] += 1;
    }
    let names = model.features().iter().map(|feature| feature.name.as_str());
    names.zip(counts).filter(|(_, count)| *count > 0).collect()
}
