//! The values that one or two inputs may take: a domain per feature, and how the two are tied.

use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::input::Reading;

use super::domain::Domain;
use super::features::Features;
use super::form::InputRows;

/// The values that inputs may take.
#[derive(Clone, Debug)]
pub struct Space {
    /// The features of the models, matched.
    pub features: Features,
    /// For each input, one or two, a domain per matched feature, in the codes of the first model that has it.
    pub inputs: Vec<Vec<Domain>>,
    /// How two inputs are tied, per matched feature. One input has no ties: any will do.
    pub ties: Vec<Tie>,
}

/// How the two inputs are tied in a feature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tie {
    /// Both have the same value.
    Same,
    /// Each has any value.
    Free,
    /// The second is not below the first; missing goes with missing alone. For numbers only. A number that means
    /// "missing" to all models is missing.
    NotBelow,
}

impl Space {
    /// One input.
    pub fn one(features: Features, domains: Vec<Domain>) -> Self {
        let ties = vec![Tie::Same; domains.len()];
        Self { features, inputs: vec![domains], ties }
    }

    /// Two inputs with the same domains.
    pub fn two(features: Features, domains: Vec<Domain>, ties: Vec<Tie>) -> Self {
        Self { features, inputs: vec![domains.clone(), domains], ties }
    }

    /// Whether rows are what the space allows, by plain code over the models' own readings. An error says what is not.
    pub fn check(&self, models: &[&Ensemble], rows: &InputRows) -> Result<(), String> {
        for (place, feature) in self.features.iter().enumerate() {
            let raws: Vec<f64> = rows.iter().map(|rows| rows[feature.first().model][feature.first().feature]).collect();
            let mut is_missing = vec![true; rows.len()];
            for (input, rows) in rows.iter().enumerate() {
                for reader in feature.readers() {
                    let raw = rows[reader.model][reader.feature];
                    let known = &models[reader.model].features()[reader.feature];
                    let reading =
                        models[reader.model].input().read(&known.kind, raw).map_err(|error| error.to_string())?;
                    is_missing[input] &= reading == Reading::Missing;
                    let is_same = known.is_category() || raw == raws[input] || (raw.is_nan() && raws[input].is_nan());
                    let is_allowed = match (&self.inputs[input][place], reading) {
                        (Domain::Numbers { missing, .. } | Domain::Categories { missing, .. }, Reading::Missing) => {
                            *missing
                        }
                        (Domain::Numbers { low, high, .. }, _) => *low <= raw && raw <= *high,
                        (Domain::Categories { codes, .. }, Reading::Category(code)) => {
                            codes.iter().any(|first| feature.code_in(reader.model, *first) == Some(code))
                        }
                        (Domain::Categories { unknown, .. }, _) => *unknown,
                    };
                    if !is_same || !is_allowed {
                        return Err(format!("{raw} is not allowed for `{}`", known.name));
                    }
                }
            }
            if let [first, second] = raws[..] {
                let is_tied = match self.ties[place] {
                    Tie::Free => true,
                    Tie::Same => first == second || (first.is_nan() && second.is_nan()),
                    Tie::NotBelow if is_missing.contains(&true) => is_missing == [true, true],
                    Tie::NotBelow => first <= second,
                };
                if !is_tied {
                    return Err(format!("{first} and {second} are not as they should be for `{}`", feature.name()));
                }
            }
        }
        Ok(())
    }

    /// Whether both inputs may take the same values, so that they can be exchanged.
    pub fn is_symmetric(&self) -> bool {
        let is_ordered = self.ties.contains(&Tie::NotBelow);
        !is_ordered && self.inputs.windows(2).all(|pair| pair[0] == pair[1])
    }
}
