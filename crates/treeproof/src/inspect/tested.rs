//! Which features matter at all, so that people see those first.

use std::cmp::Reverse;
use std::collections::HashMap;

use treeproof_ensemble::ensemble::Ensemble;

use super::inspect;
use crate::language::Groups;

/// The features that some tree of these models tests, the most tested first. Columns of a group go by its name.
pub fn tested(models: &[&Ensemble], groups: &Groups) -> Vec<String> {
    let group_of = |name: &str| {
        let column = models[0].features().iter().position(|feature| feature.name == name)?;
        Some(groups.of(column)?.name.clone())
    };
    let mut names: Vec<String> = vec![];
    let mut splits: HashMap<String, usize> = HashMap::new();
    for used in models.iter().flat_map(|model| inspect(model).features_used) {
        let group = if groups.is_empty() { None } else { group_of(&used.name) };
        let name = group.unwrap_or(used.name);
        if !splits.contains_key(&name) {
            names.push(name.clone());
        }
        *splits.entry(name).or_default() += used.splits;
    }
    names.sort_by_key(|name| Reverse(splits[name]));
    names
}
