//! Rename pass: the features of the inputs become coordinates, one for both inputs where they agree, and else one for each.

use std::ops::Range;

use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::input::{Feature, Reading};
use treeproof_ensemble::tree::Tree;
use treeproof_language::{Side, Variable};

use super::domain::{Domain, raw_category, raw_unknown, within_range};
use super::features::{MatchedFeature, ModelFeature};
use super::form::Form;
use super::number_set::NumberSet;
use super::one_or_two::OneOrTwo;
use super::space::Tie;

/// The coordinates of a form.
pub(super) struct Renamed<'a> {
    pub(super) coordinates: Vec<Coordinate<'a>>,
    /// Per input and model, the coordinate of each feature.
    of: Vec<Vec<Vec<CoordinateColumn>>>,
    /// First and second coordinate of each feature in which the second input may not be below the first.
    pub(super) ordered: Vec<(usize, usize)>,
    /// First and second coordinate of each feature in which the inputs may differ: coupled if they are in a ball.
    pub(super) coupled: Vec<[usize; 2]>,
}

/// The coordinate of a model's feature at an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct CoordinateColumn {
    pub(super) coordinate: usize,
    /// Index of the model, and column, among the coordinate's readers.
    pub(super) reader: usize,
}

/// A feature of one input, or of both where they agree: an axis before it is cut into cells. The columns of a group are one
/// coordinate, which says which of them is 1.
pub(super) struct Coordinate<'a> {
    /// The place of the feature among all, or of the first column of a group.
    pub(super) feature: usize,
    /// The inputs whose coordinate it is.
    pub(super) inputs: Range<usize>,
    /// The models that read it, column by column.
    pub(super) readers: OneOrTwo<CoordinateReader<'a>>,
    /// True if values that a reader reads as missing are admissible.
    pub(super) may_be_missing: bool,
    /// The columns of a group that may be the one that is 1.
    pub(super) choices: Option<Vec<usize>>,
}

/// A model that reads a coordinate.
pub(super) struct CoordinateReader<'a> {
    pub(super) model: usize,
    /// Its column of a group.
    pub(super) column: usize,
    /// The place of the feature among its features.
    pub(super) index: usize,
    pub(super) ensemble: &'a Ensemble,
    /// The part of the domain that all readers accept, in this model's codes. Those of all readers are in the same order. A
    /// number may be missing to one reader and not to another, so `missing` is each one's own.
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

    /// Adds a feature, or the columns of a group, of some inputs.
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
            self.coordinates.push(of_group(form, columns, &domains, inputs));
        }
    }

    pub(super) fn num_inputs(&self) -> usize {
        self.of.len()
    }

    /// Coordinates of the features of a model at an input.
    pub(super) fn places(&self, input: usize, model: usize) -> &[CoordinateColumn] {
        &self.of[input][model]
    }

    /// The coordinate of a variable: conditions are about the features of the first model.
    pub(super) fn place(&self, variable: Variable) -> CoordinateColumn {
        let input = usize::from(variable.side == Side::B);
        self.places(input, 0)[variable.feature]
    }

    /// True if a tree tests no feature in which the inputs may differ, so that both reach the same leaf.
    pub(super) fn is_shared(&self, model: usize, tree: &Tree) -> bool {
        let features = || tree.splits().iter().map(|split| split.feature as usize);
        self.of.windows(2).all(|pair| features().all(|feature| pair[0][model][feature] == pair[1][model][feature]))
    }
}

/// The readers of a feature, each with the values that all of them accept.
fn readers<'a>(
    models: &[&'a Ensemble],
    feature: &MatchedFeature<'_>,
    domain: &Domain,
) -> OneOrTwo<CoordinateReader<'a>> {
    let known = |of: &ModelFeature| (&models[of.model].features()[of.feature], models[of.model].input());
    let keep_numbers = |numbers: &NumberSet| {
        let within = |numbers: NumberSet, of: &ModelFeature| within_range(&numbers, known(of).0, known(of).1);
        feature.readers().iter().fold(numbers.clone(), within)
    };
    // A category unknown to one reader is not admissible for both.
    let is_known = |code: u32, of: &ModelFeature| {
        let own = feature.code_in(of.model, code);
        own.is_some_and(|own| raw_category(known(of).0, known(of).1, own).is_some())
    };
    let common = domain.filtered(keep_numbers, |reading| match reading {
        Reading::Category(code) => feature.readers().iter().all(|of| is_known(code, of)),
        _ => true,
    });
    feature.readers.map(|of| {
        let (known, input) = known(of);
        let mut domain = common.filtered(NumberSet::clone, |reading| match reading {
            Reading::NoCategory => raw_unknown(known, input).is_some(),
            Reading::Missing => input.takes_missing(known),
            Reading::Number(_) | Reading::Category(_) => true,
        });
        if let Domain::Categories { codes, .. } = &mut domain {
            *codes = codes.iter().filter_map(|code| feature.code_in(of.model, *code)).collect();
        }
        CoordinateReader { model: of.model, column: 0, index: of.feature, ensemble: models[of.model], domain }
    })
}

/// The coordinate of some columns, each with its domain: which of them is 1.
fn of_group<'a>(form: &Form<'a>, columns: &[usize], domains: &[Domain], inputs: Range<usize>) -> Coordinate<'a> {
    let choices = choices(domains);
    let mut readers = vec![];
    for (column, place) in columns.iter().enumerate() {
        readers.extend(form.space.features.at(*place).readers().iter().map(|of| CoordinateReader {
            model: of.model,
            column,
            index: of.feature,
            ensemble: form.models[of.model],
            domain: Domain::of_column(column, &choices),
        }));
    }
    Coordinate {
        feature: columns[0],
        inputs,
        readers: OneOrTwo::Many(readers),
        may_be_missing: false,
        choices: Some(choices),
    }
}

/// The columns that may be 1 while all others are 0.
fn choices(domains: &[Domain]) -> Vec<usize> {
    let may_be = |column: &usize, number: f64| match &domains[*column] {
        Domain::Numbers { numbers, .. } => numbers.contains(number),
        Domain::Categories { .. } => false,
    };
    let never_0: Vec<usize> = (0..domains.len()).filter(|column| !may_be(column, 0.0)).collect();
    let candidates = match never_0[..] {
        [] => 0..domains.len(),
        [column] => column..column + 1,
        _ => 0..0,
    };
    candidates.filter(|column| may_be(column, 1.0)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_choice_is_1_and_leaves_0_to_all_others() {
        let of = |domains: &[(f64, f64)]| {
            let domains: Vec<Domain> = domains.iter().map(|(low, high)| Domain::between(*low, *high)).collect();
            choices(&domains)
        };
        assert_eq!(of(&[(-9.0, 9.0), (0.0, 1.0), (0.0, 0.5)]), [0, 1]);
        assert_eq!(of(&[(-9.0, 9.0), (0.5, 1.0), (0.0, 1.0)]), [1]);
        assert_eq!(of(&[(-9.0, 9.0), (0.5, 0.7), (0.0, 1.0)]), [0; 0]);
        assert_eq!(of(&[(0.5, 9.0), (0.5, 1.0), (0.0, 1.0)]), [0; 0]);
    }
}
