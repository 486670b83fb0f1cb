//! All rows that can tell something about a form over one or two small models and inputs.

use treeproof::internals::{Domain, Form, InputRows, MatchedFeature, Space, Tie};
use treeproof_ensemble::builder::EnsembleBuilder;
use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::exact::Exact;
use treeproof_ensemble::input::{CategoryEncoding, Feature, FeatureKind, Reading};
use treeproof_ensemble::tree::Side;

use crate::support::{Random, all_candidates, random_builder, random_input};

/// A model with the features of another, in some order and with other rules.
pub(crate) fn random_partner(random: &mut Random, model: &Ensemble) -> Ensemble {
    random_partner_builder(random, model).finish().unwrap()
}

pub(crate) fn random_partner_builder(random: &mut Random, model: &Ensemble) -> EnsembleBuilder {
    let input = random_input(random);
    let mut features: Vec<Feature> = model.features().to_vec();
    if random.chance(2) {
        features.reverse();
    }
    for feature in &mut features {
        if let FeatureKind::Category(categories) = &mut feature.kind {
            if random.chance(3) {
                categories.names.reverse();
            }
            if let CategoryEncoding::Exact(values) = &mut categories.encoding {
                values.iter_mut().for_each(|value| *value = input.precision.round(*value));
            }
        }
    }
    let num_outputs = 1 + random.below(2);
    random_builder(random, input, features, num_outputs)
}

/// A value of a feature: its raw value in each model that has it.
pub(crate) type Choice = Vec<f64>;

/// The values of a feature at an input, one at least of each kind that some split tells apart; of ordered ones the least
/// and the greatest of each kind.
pub(crate) fn choices(
    models: &[&Ensemble],
    feature: &MatchedFeature<'_>,
    domain: &Domain,
    is_ordered: bool,
) -> Vec<Choice> {
    let readers = feature.readers();
    let known = |of: &treeproof::internals::ModelFeature| &models[of.model].features()[of.feature];
    let read = |choice: &Choice| -> Option<Vec<Reading>> {
        let read = |(of, raw): (&treeproof::internals::ModelFeature, &f64)| {
            models[of.model].input().read(known(of), *raw).ok()
        };
        readers.iter().zip(choice).map(read).collect()
    };
    let all: Vec<Choice> = match domain {
        Domain::Numbers { numbers, missing } => {
            // A number that is missing to one model may be a number to the other.
            let marks = |of: &treeproof::internals::ModelFeature| {
                let mut raws = all_candidates(models[of.model], of.feature, domain);
                raws.extend(models.iter().filter_map(|model| model.input().missing_value));
                let more: Vec<f64> = raws.iter().flat_map(|raw| [raw.next_up(), raw.next_down()]).collect();
                raws.extend(more);
                raws
            };
            let mut raws: Vec<f64> = readers.iter().flat_map(marks).collect();
            raws.retain(|raw| raw.is_nan() || numbers.contains(*raw));
            raws.sort_by(f64::total_cmp);
            let is_allowed = |choice: &Choice| {
                read(choice).is_some_and(|readings| *missing || !readings.contains(&Reading::Missing))
            };
            raws.into_iter().map(|raw| vec![raw; readers.len()]).filter(is_allowed).collect()
        }
        Domain::Categories { codes, unknown, missing } => {
            let raws: Vec<f64> = (-3..20).map(|half| f64::from(half) / 2.0).chain([0.1, f64::from(0.1_f32)]).collect();
            let find = |of: &treeproof::internals::ModelFeature, wanted: Reading| {
                let input = models[of.model].input();
                raws.iter().copied().find(|raw| input.read(known(of), *raw) == Ok(wanted))
            };
            let category = |code: &u32| -> Option<Choice> {
                let raw = |of| find(of, Reading::Category(feature.code_in(of.model, *code)?));
                readers.iter().map(raw).collect()
            };
            let mut choices: Vec<Choice> = codes.iter().filter_map(category).collect();
            if *unknown {
                choices.extend(readers.iter().map(|of| find(of, Reading::NoCategory)).collect::<Option<Choice>>());
            }
            let nothing = vec![f64::NAN; readers.len()];
            if *missing && read(&nothing).is_some() {
                choices.push(nothing);
            }
            choices
        }
    };
    let mut kept: Vec<(Vec<Side>, Choice, Choice)> = vec![];
    for choice in all {
        let readings = read(&choice).unwrap();
        let sides = readers.iter().zip(&readings).flat_map(|(of, reading)| {
            models[of.model].trees().iter().flat_map(move |tree| {
                let of_feature = tree.splits().iter().filter(move |split| split.feature as usize == of.feature);
                of_feature.map(move |split| tree.side(split, *reading))
            })
        });
        let mut sides: Vec<Side> = sides.collect();
        // Missing is no number, even where trees treat it like one.
        sides.push(Side::from(readings.iter().all(|reading| *reading == Reading::Missing)));
        match kept.iter_mut().find(|(known, ..)| *known == sides) {
            Some((_, _, last)) => *last = choice,
            None => kept.push((sides, choice.clone(), choice)),
        }
    }
    match is_ordered {
        false => kept.into_iter().map(|(_, first, _)| first).collect(),
        true => kept.into_iter().flat_map(|(_, first, last)| [first, last]).collect(),
    }
}

/// All combinations of values that can tell something; none if there are more than this.
pub(crate) fn rows(form: &Form<'_>, most: usize) -> Option<Vec<InputRows>> {
    let widths = form.models.iter().map(|model| vec![f64::NAN; model.features().len()]);
    let mut all: Vec<InputRows> = vec![vec![widths.collect(); form.space.inputs.len()]];
    for (place, feature) in form.space.features.iter().enumerate() {
        let tie = form.space.ties[place];
        let of_domain = |domain: &Domain| choices(&form.models, feature, domain, tie == Tie::NotBelow);
        let domains: Vec<&Domain> = form.space.inputs.iter().map(|domains| &domains[place]).collect();
        let tuples: Vec<Vec<Choice>> = match (&domains[..], tie) {
            ([only], _) => of_domain(only).into_iter().map(|choice| vec![choice]).collect(),
            ([first, second], Tie::Same) => {
                let both = of_domain(&first.intersection(second));
                both.into_iter().map(|choice| vec![choice.clone(), choice]).collect()
            }
            ([first, second], _) => {
                let [first, second] = [of_domain(first), of_domain(second)];
                let pairs = first.iter().flat_map(|a| second.iter().map(move |b| vec![a.clone(), b.clone()]));
                let is_missing = |choice: &Choice| {
                    let read = |(of, raw): (&treeproof::internals::ModelFeature, &f64)| {
                        let model = form.models[of.model];
                        model.input().read(&model.features()[of.feature], *raw) == Ok(Reading::Missing)
                    };
                    feature.readers().iter().zip(choice).all(read)
                };
                let is_tied = |pair: &Vec<Choice>| match (is_missing(&pair[0]), is_missing(&pair[1])) {
                    _ if tie == Tie::Free => true,
                    (false, false) => pair[0][0] <= pair[1][0],
                    (first, second) => first == second,
                };
                pairs.filter(is_tied).collect()
            }
            _ => unreachable!(),
        };
        if all.len() * tuples.len() > most {
            return None;
        }
        let with = |rows: &InputRows| {
            tuples
                .iter()
                .map(|tuple| {
                    let mut rows = rows.clone();
                    for (of_input, choice) in rows.iter_mut().zip(tuple) {
                        for (of, raw) in feature.readers().iter().zip(choice) {
                            of_input[of.model][of.feature] = *raw;
                        }
                    }
                    rows
                })
                .collect::<Vec<InputRows>>()
        };
        all = all.iter().flat_map(with).collect();
    }
    Some(all)
}

pub(crate) fn brute_force(form: &Form<'_>, rows: &[InputRows]) -> Option<Exact> {
    rows.iter().map(|rows| form.value(&form.evaluate(rows).unwrap()).unwrap()).max()
}

/// Whether rows are what the space allows, by plain code over the models' own readings. An error says what is not.
pub(crate) fn check(space: &Space<'_>, models: &[&Ensemble], rows: &InputRows) -> Result<(), String> {
    for (place, feature) in space.features.iter().enumerate() {
        let raws: Vec<f64> = rows.iter().map(|rows| rows[feature.first().model][feature.first().feature]).collect();
        let mut is_missing = vec![true; rows.len()];
        for (input, rows) in rows.iter().enumerate() {
            for reader in feature.readers() {
                let raw = rows[reader.model][reader.feature];
                let known = &models[reader.model].features()[reader.feature];
                let reading = models[reader.model].input().read(known, raw).map_err(|error| error.to_string())?;
                is_missing[input] &= reading == Reading::Missing;
                let is_same = known.is_category() || raw == raws[input] || (raw.is_nan() && raws[input].is_nan());
                let is_allowed = match (&space.inputs[input][place], reading) {
                    (Domain::Numbers { missing, .. } | Domain::Categories { missing, .. }, Reading::Missing) => {
                        *missing
                    }
                    (Domain::Numbers { numbers, .. }, _) => numbers.contains(raw),
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
            let is_tied = match space.ties[place] {
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
