//! The setting of a search: which inputs are admissible, the limits, and the observer.

use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::input::Reading;
use treeproof_language::Side;

use crate::error::TaskError;
use crate::limits::TaskLimits;
use crate::problem::{AdmissibleInputs, Domain, EmptyDomain, Features, Form, NumberSet, Space, Tie, feature_domains};
use crate::run::SearchRequest;
use crate::watch::Watcher;

/// The admissible inputs of a search, its limits and its observer.
#[derive(Clone, Copy)]
pub struct Setting<'a> {
    /// The admissible inputs.
    pub allowed: AdmissibleInputs<'a>,
    /// The limits of the search.
    pub limits: &'a TaskLimits,
    /// The observer.
    pub watcher: &'a dyn Watcher,
}

/// A space, or one in which some feature has no value.
pub(super) type Confined<'m> = Result<Space<'m>, EmptySpace<'m>>;

/// A space in which some feature has no value.
pub(super) struct EmptySpace<'m> {
    /// The conditions that leave none; none where it is a row that they exclude.
    pub(super) conflict: Vec<String>,
    pub(super) space: Space<'m>,
}

impl<'a> Setting<'a> {
    /// The space of one input, or of two that are tied like this.
    pub(super) fn space<'m>(
        &self,
        models: &[&'m Ensemble],
        features: Features<'m>,
        ties: Option<Vec<Tie>>,
    ) -> Result<Confined<'m>, TaskError> {
        let features = features.grouped(self.allowed.groups);
        let sides = if ties.is_some() { &[Side::A, Side::B][..] } else { &[Side::Only] };
        let mut inputs = vec![];
        let mut conflict = None;
        for side in sides {
            let mut everything = features.everything(models);
            // Conditions are about the features of the first model, which come first.
            let others = everything.split_off(models[0].features().len());
            let domains = feature_domains(models[0], *side, everything, &self.allowed).unwrap_or_else(
                |EmptyDomain { texts, domains }| {
                    conflict.get_or_insert(texts);
                    domains
                },
            );
            inputs.push([domains, others].concat());
        }
        let domains: &Vec<Domain> = &inputs[0];
        let ties = ties.unwrap_or_else(|| vec![Tie::Same; domains.len()]);
        let space = Space { features, inputs, ties };
        Ok(match conflict {
            Some(conflict) => Err(EmptySpace { conflict, space }),
            None => Ok(space),
        })
    }

    /// True if the conditions treat two inputs alike.
    pub(super) fn is_symmetric(&self, space: &Space<'_>) -> bool {
        let across = self.allowed.across();
        space.is_symmetric() && across.iter().all(|one| across.contains(&&one.exchanged()))
    }

    /// The search for the maximum of a form.
    pub(super) fn request<'f>(&'f self, form: &'f Form<'f>, question: &'static str) -> SearchRequest<'f> {
        SearchRequest::maximum(question, form, self.allowed, self.limits, self.watcher)
    }
}

/// A value alone.
pub(super) fn point(reading: Reading, raw: f64, is_category: bool) -> Domain {
    match reading {
        Reading::Missing if is_category => Domain::Categories { codes: vec![], unknown: false, missing: true },
        Reading::Missing => Domain::Numbers { numbers: NumberSet::none(), missing: true },
        Reading::Number(_) => Domain::between(raw, raw),
        Reading::Category(code) => Domain::Categories { codes: vec![code], unknown: false, missing: false },
        Reading::NoCategory => Domain::Categories { codes: vec![], unknown: true, missing: false },
    }
}
