//! Reports in the terms of models: rows, configurations and outputs in the user's terms. Their types are those of
//! `treeproof-report`.

mod configurations;
mod witness;

use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::link::{Link, PairRule};

pub use treeproof_report::*;

pub(crate) use self::configurations::{AskedValues, configuration_domain};
pub(crate) use self::witness::{category_name, witness_of_row};

/// The output of a model that belongs to a margin, and whether it is a probability. `None` where outputs are margins.
pub(crate) fn prediction(ensemble: &Ensemble, margin: usize, outputs: &[f64]) -> Option<(f64, bool)> {
    let mut link = ensemble.link();
    while let Link::Averaged { then, .. } = link {
        link = then;
    }
    let is_probability = match link {
        Link::Identity | Link::Narrow | Link::ClassIndex | Link::VersionDependent => return None,
        Link::LogisticXgboost
        | Link::Logistic { .. }
        | Link::LogisticOnnx
        | Link::SoftmaxXgboost
        | Link::Softmax
        | Link::SoftmaxOnnx
        | Link::PairOnnx { rule: PairRule::Logistic } => true,
        _ => false,
    };
    // Two outputs of one margin: it is the second's.
    let place = if matches!(link, Link::PairOnnx { .. }) { 1 } else { margin };
    outputs.get(place).map(|output| (*output, is_probability))
}
