//! The subject of a question: models, rows and data, read.

use std::sync::Arc;

use treeproof_ensemble::ensemble::Ensemble;

use crate::problem::Observed;
use crate::problem::ObservedInputs;
use crate::problem::Predicate;
use crate::rows::{Rows, TrueLabel};

/// Models, rows and data that a question is asked about.
#[derive(Clone, Debug)]
pub(crate) struct Subject {
    /// One or two models. Conditions and data are about the features of the first.
    pub(crate) models: Vec<Arc<Ensemble>>,
    /// Rows to ask about, one by one.
    pub(crate) rows: Option<Rows>,
    /// True labels of these rows.
    pub(crate) labels: Option<Vec<TrueLabel>>,
    /// Rows by whose standard deviations distances are divided.
    pub(crate) scale: Option<Rows>,
    /// Data that confines each of two inputs, or the only one.
    pub(crate) observed: [Option<Arc<Observed>>; 2],
    /// A condition that is code.
    pub(crate) predicate: Option<Arc<dyn Predicate>>,
}

impl Subject {
    /// Models alone.
    pub(crate) fn of(models: Vec<Arc<Ensemble>>) -> Self {
        Self { models, rows: None, labels: None, scale: None, observed: [None, None], predicate: None }
    }

    /// The first model.
    pub(crate) fn ensemble(&self) -> &Arc<Ensemble> {
        &self.models[0]
    }

    /// All models, in order.
    pub(crate) fn all_models(&self) -> Vec<&Ensemble> {
        self.models.iter().map(|model| &**model).collect()
    }

    /// The data that confines each input.
    pub(crate) fn observed_inputs(&self) -> ObservedInputs<'_> {
        let [first, second] = self.observed.each_ref().map(Option::as_deref);
        ObservedInputs { first, second }
    }
}
