//! The features of an input as people see them: a group of columns is one.

use std::collections::BTreeSet;

use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::input::FeatureKind;
use treeproof_language::Groups;

/// A feature, or a group of columns that are one feature to people.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Attribute {
    /// The name of the feature, or of the group.
    pub name: String,
    /// Its places among the model's features, ascending.
    pub columns: Vec<usize>,
    /// True if its values have names: those of a group, or of categories.
    pub is_named: bool,
}

/// The attributes in the order of a witness: a group stands in the place of its first column.
pub fn attributes(ensemble: &Ensemble, groups: &Groups) -> Vec<Attribute> {
    let attribute = |column: usize| match groups.of(column) {
        None => {
            let feature = &ensemble.features()[column];
            let is_named = matches!(&feature.kind, FeatureKind::Category(known) if !known.names.is_empty());
            Some(Attribute { name: feature.name.clone(), columns: vec![column], is_named })
        }
        Some(group) if group.columns[0] == column => {
            Some(Attribute { name: group.name.clone(), columns: group.columns.clone(), is_named: true })
        }
        Some(_) => None,
    };
    (0..ensemble.features().len()).filter_map(attribute).collect()
}

/// Names of the attributes of some columns that no tree tests: no answer depends on them.
pub(crate) fn untested(ensemble: &Ensemble, groups: &Groups, columns: impl IntoIterator<Item = usize>) -> Vec<String> {
    let (tested, columns) = (tested(ensemble), BTreeSet::from_iter(columns));
    let is_untested = |attribute: &Attribute| {
        attribute.columns.iter().any(|column| columns.contains(column))
            && attribute.columns.iter().all(|column| !tested[*column])
    };
    attributes(ensemble, groups).into_iter().filter(is_untested).map(|attribute| attribute.name).collect()
}

/// For each feature of a model, true if some tree tests it.
pub(crate) fn tested(ensemble: &Ensemble) -> Vec<bool> {
    let mut tested = vec![false; ensemble.features().len()];
    for split in ensemble.trees().iter().flat_map(|tree| tree.splits()) {
        tested[split.feature as usize] = true;
    }
    tested
}
