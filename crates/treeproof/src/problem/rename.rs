//! The features of the inputs as coordinates: one for both inputs where they must agree, and else one for each.

mod group;

use std::ops::Range;

use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::input::Feature;
use treeproof_language::{Side, Variable};

use super::domain::{Domain, within_range};
use super::features::{MatchedFeature, ModelFeature};
use super::form::Form;
use super::number_set::NumberSet;
use super::one_or_two::OneOrTwo;
use super::space::Tie;

/// The coordinates of a form.
pub(super) struct Renamed<'a> {
    pub(super) coordinates: Vec<Coordinate<'a>>,
    /// Per input and model, for each feature where it is.
    of: Vec<Vec<Vec<CoordinateColumn>>>,
    /// First and second coordinate of features in which the second input may not be below the first.
    pub(super) ordered: Vec<(usize, usize)>,
    /// First and second coordinate of features in which the inputs may differ: of two inputs in a ball.
    pub(super) coupled: Vec<[usize; 2]>,
}

/// Where a model's feature at an input is among the coordinates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct CoordinateColumn {
    pub(super) coordinate: usize,
    /// The place of the model, and column, among the coordinate's readers.
    pub(super) reader: usize,
}

/// What becomes an axis: a feature of one input, or of both where they must agree, before it is cut into cells. The columns of
/// a group are one coordinate: which of them is 1.
pub(super) struct Coordinate<'a> {
    /// The place of the feature among all, or of the first column of a group.
    pub(super) feature: usize,
    /// The inputs whose coordinate it is.
    pub(super) inputs: Range<usize>,
    /// The models that look at it, column by column.
    pub(super) readers: OneOrTwo<CoordinateReader<'a>>,
    /// Whether values may be used that a reader sees as missing.
    pub(super) may_be_missing: bool,
    /// Of a group: the columns that may be the one that is 1.
    pub(super) choices: Option<Vec<usize>>,
}

/// A model that looks at a coordinate.
pub(super) struct CoordinateReader<'a> {
    pub(super) model: usize,
    /// Of a group: at which of its columns.
    pub(super) column: usize,
    /// The place of the feature among its features.
    pub(super) index: usize,
    pub(super) ensemble: &'a Ensemble,
    /// The part of the domain that all readers accept, in this model's codes. Those of all readers stand in the same
    /// order. A number may be missing to one reader and not to another, so whether it is, is each one's own.
    pub(super) domain: Domain,
}

impl CoordinateReader<'_> {
    pub(super) fn feature(&self) -> &Feature {
        &self.ensemble.features()[self.index]
    }
}

impl<'a> Renamed<'a> {
    pub(super) fn new(form: &Form<'a>) -> Self {
        let num_inputs = form.space.inputs.len();
        let nowhere =
            |model: &&Ensemble| vec![CoordinateColumn { coordinate: usize::MAX, reader: 0 }; model.features().len()];
        let of = vec![form.models.iter().map(nowhere).collect(); num_inputs];
        let coordinates = Vec::with_capacity(num_inputs * form.space.ties.len());
        let mut renamed = Self { coordinates, of, ordered: vec![], coupled: vec![] };
        for place in 0..form.space.features.iter().count() {
            let own = [place];
            let columns = form.space.features.group_of(place).unwrap_or(&own);
            let tie = if num_inputs == 1 { Tie::Same } else { form.space.ties[place] };
            if columns[0] != place {
                assert!(num_inputs == 1 || tie == form.space.ties[columns[0]], "a group is tied as one");
                continue;
            }
            if tie == Tie::Same {
                renamed.add(form, columns, 0..num_inputs);
                continue;
            }
            let first = renamed.coordinates.len();
            (0..num_inputs).for_each(|input| renamed.add(form, columns, input..input + 1));
            match tie {
                Tie::NotBelow => {
                    assert!(columns.len() == 1, "a group has no order");
                    renamed.ordered.push((first, first + 1));
                }
                Tie::Free => renamed.coupled.push([first, first + 1]),
                Tie::Same => {}
            }
        }
        renamed
    }

    /// Adds a feature, or the columns of a group, as some inputs have it.
    fn add(&mut self, form: &Form<'a>, columns: &[usize], inputs: Range<usize>) {
        let coordinate = self.coordinates.len();
        for input in inputs.clone() {
            let readers = columns.iter().flat_map(|column| form.space.features.at(*column).readers());
            for (reader, of) in readers.enumerate() {
                self.of[input][of.model][of.feature] = CoordinateColumn { coordinate, reader };
            }
        }
        let domain = |place: &usize| {
            let domains = form.space.inputs[inputs.clone()].iter().map(|domains| domains[*place].clone());
            domains.reduce(|a, b| a.intersection(&b)).expect("a form has inputs")
        };
        if let [place] = columns {
            let domain = domain(place);
            let readers = readers(&form.models, form.space.features.at(*place), &domain);
            let may_be_missing = domain.may_be_missing();
            self.coordinates.push(Coordinate { feature: *place, inputs, readers, may_be_missing, choices: None });
        } else {
            let domains: Vec<Domain> = columns.iter().map(domain).collect();
            self.coordinates.push(group::coordinate(form, columns, &domains, inputs));
        }
    }

    pub(super) fn num_inputs(&self) -> usize {
        self.of.len()
    }

    /// Where each feature of a model at an input is.
    pub(super) fn places(&self, input: usize, model: usize) -> &[CoordinateColumn] {
        &self.of[input][model]
    }

    /// Where a variable is: conditions are about the features of the first model.
    pub(super) fn place(&self, variable: Variable) -> CoordinateColumn {
        let input = usize::from(variable.side == Side::B);
        self.places(input, 0)[variable.feature]
    }

    /// Whether both inputs have the same coordinate there.
    pub(super) fn is_shared(&self, model: usize, feature: u32) -> bool {
        self.of.windows(2).all(|pair| pair[0][model][feature as usize] == pair[1][model][feature as usize])
    }
}

/// Those who look at a feature, each with the values that all of them accept.
fn readers<'a>(
    models: &[&'a Ensemble],
    feature: &MatchedFeature<'_>,
    domain: &Domain,
) -> OneOrTwo<CoordinateReader<'a>> {
    let reader = |of: &ModelFeature, domain: Domain| CoordinateReader {
        model: of.model,
        column: 0,
        index: of.feature,
        ensemble: models[of.model],
        domain,
    };
    let accepted = |model: usize, place: usize, domain: &Domain| {
        domain.accepted(&models[model].features()[place], models[model].input())
    };
    match domain {
        Domain::Numbers { numbers, missing } => {
            let within = |numbers: NumberSet, of: &ModelFeature| {
                within_range(&numbers, &models[of.model].features()[of.feature], models[of.model].input())
            };
            let numbers = feature.readers().iter().fold(numbers.clone(), within);
            let own = |of: &ModelFeature| {
                let known = &models[of.model].features()[of.feature];
                let missing = *missing && models[of.model].input().takes_missing(known);
                reader(of, Domain::Numbers { numbers: numbers.clone(), missing })
            };
            feature.of_readers(own)
        }
        Domain::Categories { codes, unknown, missing } => {
            let only = |codes: Vec<u32>| Domain::Categories { codes, unknown: *unknown, missing: *missing };
            // A category that one of them does not know is none that both can be asked about.
            let is_known = |code: &u32| {
                feature.readers().iter().all(|of| {
                    let own = feature.code_in(of.model, *code);
                    own.is_some_and(|own| !accepted(of.model, of.feature, &only(vec![own])).has_no_codes())
                })
            };
            let known: Vec<u32> = codes.iter().copied().filter(is_known).collect();
            let own = |model: usize| only(known.iter().filter_map(|code| feature.code_in(model, *code)).collect());
            let own = |of: &ModelFeature| reader(of, accepted(of.model, of.feature, &own(of.model)));
            feature.of_readers(own)
        }
    }
}
