//! Questions about two models, or two inputs of one: random small models against brute force, and models of the real
//! libraries.
//!
//! `TREEPROOF_PROBLEMS` sets how many, `TREEPROOF_SEED` the random numbers.

#[expect(dead_code, reason = "the other tests use the rest")]
mod pairs;
#[expect(dead_code, reason = "the other tests use the rest")]
mod support;

use std::path::PathBuf;

use pairs::{random_partner, rows};
use support::{Random, random_classifier, random_domains, random_ensemble, setting};
use treeproof::internals::{AdmissibleInputs, Comparison, Setting, diff, fair_difference, fair_label, monotone};
use treeproof::internals::{Domain, Features, Form, InputRows, NumberSet, Space, Tie};
use treeproof::report::{Stopped, Verdict};
use treeproof::task::{TaskError, TaskLimits};
use treeproof::watch::Unwatched;
use treeproof_ensemble::ensemble::{Ensemble, Trend};
use treeproof_ensemble::exact::Exact;
use treeproof_ensemble::load::{LoadOptions, load_path};
use treeproof_ensemble::values::{CategorySet, Present, ValueSet};
use treeproof_language::{Condition, Conjunct, Constraint, Groups, Inputs, Resolved, Side, Variable, Vocabulary};

fn one_thread() -> TaskLimits {
    let mut limits = TaskLimits::default();
    limits.threads = Some(1);
    limits
}

/// All inputs.
fn everything(limits: &TaskLimits) -> Setting<'_> {
    Setting { allowed: AdmissibleInputs::everything(), limits, watcher: &Unwatched }
}

/// What leaves these domains to inputs, of which there are one or two. Values that are no category are shown by data alone,
/// and infinity by nothing.
fn resolved(inputs: &mut [Vec<Domain>]) -> Resolved {
    let mut resolved = Resolved::default();
    let sides = if inputs.len() == 1 { &[Side::Only][..] } else { &[Side::A, Side::B] };
    for (side, domains) in sides.iter().zip(inputs) {
        for (feature, domain) in domains.iter_mut().enumerate() {
            let (present, missing) = match domain {
                Domain::Numbers { numbers, missing } => {
                    // Without its grid, if it has one.
                    *numbers = NumberSet::new(numbers.ranges().to_vec(), vec![]).within(-f64::MAX, f64::MAX);
                    (Present::numbers(numbers.ranges().iter().copied()), *missing)
                }
                Domain::Categories { codes, unknown, missing } => {
                    *unknown = false;
                    (Present::Categories(CategorySet::Only(codes.iter().copied().collect())), *missing)
                }
            };
            let variable = Variable { side: *side, feature };
            let constraint = Constraint::Values(variable, ValueSet { present, missing });
            resolved.conjuncts.push(Conjunct { constraint, condition: 0 });
            resolved.may_be_missing.extend(missing.then_some(variable));
        }
    }
    resolved
}

/// Stands for all conditions in messages.
fn any_condition() -> [Condition; 1] {
    [Condition::parse("all == 1").unwrap()]
}

fn exact(number: f64) -> Exact {
    Exact::from_f64(number).unwrap()
}

/// Asserts that the bounds hold a number, if there is one.
fn assert_bounds(answer: &Comparison, expected: Option<&Exact>, context: &str) {
    let Some(expected) = expected else {
        assert_eq!(answer.verdict, Verdict::Infeasible, "{context}");
        return;
    };
    assert!(exact(answer.lower.unwrap()) <= *expected, "{context}: {:?}", answer.lower);
    // An upper bound that no double holds is none.
    assert!(answer.upper.is_none_or(|upper| *expected <= exact(upper)), "{context}: {:?}", answer.upper);
}

/// Asserts that an answer is open for rounding alone: the bounds leave it open, and the best point is no further from the
/// number asked about than the libraries' sums may be off.
fn assert_open(answer: &Comparison, number: f64, context: &str) {
    assert_eq!((answer.verdict, answer.stopped), (Verdict::Undecided, Stopped::Rounding), "{context}");
    let found = answer.found.as_ref().unwrap();
    assert!(answer.upper.is_none_or(|upper| number < upper), "{context}: {:?}", answer.upper);
    let beyond = found.exact.minus(&exact(number));
    // A sum that overflows in the library may be off by anything.
    let rounding = Exact::from_f64(answer.rounding.unwrap());
    assert!(rounding.is_none_or(|rounding| beyond <= rounding), "{context}: {} beyond", beyond.to_f64());
}

fn margin(model: &Ensemble, row: &[f64], output: usize) -> Exact {
    model.evaluate(row).unwrap().margins[output].exact.clone().unwrap()
}

fn all_rows(models: &[&Ensemble], space: &Space) -> Option<Vec<InputRows>> {
    rows(&Form { models: models.to_vec(), space: space.clone(), cases: vec![] }, 600)
}

#[test]
fn diff_is_the_largest_difference() {
    let first = setting("TREEPROOF_SEED", 1);
    let (mut tried, mut held, mut violated) = (0, 0, 0);
    for seed in first..first + setting("TREEPROOF_PROBLEMS", 1_500) {
        let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        let model = random_ensemble(&mut random);
        let partner = if random.chance(5) { model.clone() } else { random_partner(&mut random, &model) };
        let models = [&model, &partner];
        let answer = diff(models, None, &everything(&one_thread()));
        if model.num_margins() != partner.num_margins() {
            assert!(matches!(answer, Err(TaskError::Margins { .. })), "seed {seed}");
            continue;
        }
        let answer = answer.unwrap();
        let features = Features::matched(&model, &partner).unwrap();
        let space = Space::one(features.clone(), features.everything(&models));
        let Some(rows) = all_rows(&models, &space) else { continue };
        tried += 1;
        let difference = |rows: &InputRows| {
            let apart = |output| margin(&model, &rows[0][0], output).minus(&margin(&partner, &rows[0][1], output));
            (0..model.num_margins()).map(|output| apart(output).magnitude()).max().unwrap()
        };
        let expected = rows.iter().map(difference).max();
        assert_bounds(&answer, expected.as_ref(), &format!("seed {seed}"));
        let Some(expected) = expected else { continue };
        assert_eq!(answer.verdict, Verdict::Optimal, "seed {seed}");
        if model == partner {
            assert_eq!((answer.lower, answer.upper), (Some(0.0), Some(0.0)), "seed {seed}");
        }
        let bound = expected.to_f64();
        for within in [bound * 1.01, bound * 0.5] {
            let answer = diff(models, Some(within), &everything(&one_thread())).unwrap();
            match answer.verdict {
                Verdict::Holds => assert!(expected <= exact(within), "seed {seed}"),
                Verdict::Violated => assert!(expected > exact(within), "seed {seed}"),
                Verdict::Undecided => assert_open(&answer, within, &format!("seed {seed}")),
                other => panic!("seed {seed}: {other:?}"),
            }
            held += usize::from(answer.verdict == Verdict::Holds);
            violated += usize::from(answer.verdict == Verdict::Violated);
        }
    }
    assert!(tried > 300 && held * 3 > tried && violated * 3 > tried, "{tried} tried, {held} hold, {violated} violated");
}

#[test]
fn monotone_finds_the_worst_step() {
    let first = setting("TREEPROOF_SEED", 1);
    let (mut tried, mut held, mut violated) = (0, 0, 0);
    for seed in first..first + setting("TREEPROOF_PROBLEMS", 3_000) {
        let mut random = Random(seed.wrapping_mul(0x2545_F491_4F6C_DD1D));
        let model = random_ensemble(&mut random);
        let domains = random_domains(&mut random, &model);
        let feature = random.below(domains.len());
        let output = random.below(model.num_margins());
        let trend = random.pick(&[Trend::Increasing, Trend::Decreasing]);
        let mut inputs = [domains.clone(), domains];
        let (resolved, conditions, limits) = (resolved(&mut inputs), any_condition(), one_thread());
        let allowed =
            AdmissibleInputs { conditions: &conditions, resolved: &resolved, ..AdmissibleInputs::everything() };
        let setting = Setting { allowed, ..everything(&limits) };
        let answer = monotone(&model, (feature, trend), output, &setting);
        if model.features()[feature].is_category() {
            assert!(answer.is_err(), "seed {seed}");
            continue;
        }
        let answer = answer.unwrap();
        let mut ties = vec![Tie::Same; inputs[0].len()];
        ties[feature] = Tie::NotBelow;
        let space = Space { features: Features::of(&model), inputs: inputs.to_vec(), ties };
        let Some(rows) = all_rows(&[&model], &space) else { continue };
        tried += 1;
        let step = |rows: &InputRows| {
            let [low, high] = [0, 1].map(|input| margin(&model, &rows[input][0], output));
            if trend == Trend::Increasing { low.minus(&high) } else { high.minus(&low) }
        };
        let expected = rows.iter().map(step).max();
        assert_bounds(&answer, expected.as_ref(), &format!("seed {seed}"));
        let Some(expected) = expected else { continue };
        assert!(answer.verdict != Verdict::Holds || expected <= Exact::zero(), "seed {seed}");
        assert!(answer.verdict != Verdict::Violated || expected > Exact::zero(), "seed {seed}");
        if answer.verdict != Verdict::Holds && answer.verdict != Verdict::Violated {
            // Trees that make up for each other are rounded up each, and steps may be lost in the library's sums.
            assert_open(&answer, 0.0, &format!("seed {seed}"));
        }
        held += usize::from(answer.verdict == Verdict::Holds);
        violated += usize::from(answer.verdict == Verdict::Violated);
    }
    assert!(held * 8 > tried && violated * 4 > tried, "{tried} tried, {held} hold, {violated} violated");
}

/// No number on the way to a margin is larger, and errors are in proportion. Some rules add the base to a leaf before it is
/// weighted.
fn largest_sum(model: &Ensemble) -> f64 {
    let summation = model.summation().unwrap();
    let base = summation.base.iter().map(|base| base.abs()).sum::<f64>();
    let largest = |(index, tree): (usize, &treeproof_ensemble::tree::Tree)| {
        let weight = summation.weights.as_ref().map_or(1.0, |weights| weights.per_tree[index].abs());
        weight * (base + tree.all_terms().iter().map(|term| term.value.abs()).sum::<f64>())
    };
    let sum = model.trees().iter().enumerate().map(largest).sum::<f64>();
    (sum + base) * summation.scale.unwrap_or(1.0).abs() / summation.divisor.unwrap_or(1.0).abs().min(1.0)
}

/// Domains of two inputs, which are often the same.
fn random_inputs(random: &mut Random, model: &Ensemble) -> [Vec<Domain>; 2] {
    let domains = random_domains(random, model);
    let others = if random.chance(3) { random_domains(random, model) } else { domains.clone() };
    [domains, others]
}

fn space<'m>(model: &'m Ensemble, inputs: &[Vec<Domain>; 2], protected: &[usize]) -> Space<'m> {
    let tie = |feature| if protected.contains(&feature) { Tie::Free } else { Tie::Same };
    let ties = (0..model.features().len()).map(tie).collect();
    Space { features: Features::of(model), inputs: inputs.to_vec(), ties }
}

/// The first input of one of some pairs, and all pairs that it is the first of.
fn pairs_of_one(random: &mut Random, pairs: &[InputRows]) -> Option<(Vec<f64>, Vec<InputRows>)> {
    let row = pairs.get(random.below(pairs.len().max(1)))?[0][0].clone();
    let is_row = |other: &[f64]| row.iter().zip(other).all(|(a, b)| a == b || (a.is_nan() && b.is_nan()));
    let own = pairs.iter().filter(|pair| is_row(&pair[0][0])).cloned().collect();
    Some((row, own))
}

#[test]
fn fair_models_give_no_two_labels() {
    let first = setting("TREEPROOF_SEED", 1);
    let (mut tried, mut held, mut violated, mut undecided, mut undecided_fixed) = (0, 0, 0, 0, 0);
    let (mut rows_held, mut rows_violated) = (0, 0);
    for seed in first..first + setting("TREEPROOF_PROBLEMS", 3_000) {
        let mut random = Random(seed.wrapping_mul(0xD134_2543_DE82_EF95));
        let model = random_classifier(&mut random);
        let features = [random.below(model.features().len())];
        let mut inputs = random_inputs(&mut random, &model);
        let (resolved, conditions, limits) = (resolved(&mut inputs), any_condition(), one_thread());
        let allowed =
            AdmissibleInputs { conditions: &conditions, resolved: &resolved, ..AdmissibleInputs::everything() };
        let setting = Setting { allowed, ..everything(&limits) };
        let Some(rows) = all_rows(&[&model], &space(&model, &inputs, &features)) else { continue };
        let answer = match fair_label(&model, None, &features, None, &setting) {
            Ok(answer) => answer,
            Err(TaskError::NoLabel { .. }) => continue,
            Err(other) => panic!("seed {seed}: {other}"),
        };
        tried += 1;
        let classes = |rows: &InputRows| [0, 1].map(|input| model.evaluate(&rows[input][0]).unwrap().class);
        let is_flip = |rows: &InputRows| classes(rows)[0] != classes(rows)[1];
        match answer.verdict {
            Verdict::Infeasible => assert!(rows.is_empty(), "seed {seed}"),
            Verdict::Holds => {
                held += 1;
                assert!(!rows.iter().any(is_flip), "seed {seed}");
            }
            Verdict::Violated => {
                violated += 1;
                assert!(is_flip(answer.rows().unwrap()), "seed {seed}");
                assert!(rows.iter().any(is_flip), "seed {seed}");
            }
            Verdict::Undecided => {
                undecided += 1;
                undecided_fixed += usize::from(model.summation().unwrap().fixed_order);
                assert_eq!(answer.stopped, Stopped::Rounding, "seed {seed}");
                // The decision is clear by no more than sums of single precision and the link may be off.
                let reach = largest_sum(&model).max(1.0);
                let (lower, upper) = (answer.lower, answer.upper.unwrap());
                let is_close = lower.is_none_or(|lower| lower <= 1e-4 * reach);
                assert!(upper >= 0.0 && is_close, "seed {seed}: {lower:?} of {reach}");
            }
            other => panic!("seed {seed}: {other:?}"),
        }
        let Some((row, own)) = pairs_of_one(&mut random, &rows) else { continue };
        let of_row = fair_label(&model, Some(&row), &features, None, &setting).unwrap();
        match of_row.verdict {
            Verdict::Holds => assert!(!own.iter().any(is_flip), "seed {seed}"),
            Verdict::Violated => {
                rows_violated += 1;
                let found = of_row.rows().unwrap();
                assert!(is_flip(found) && own.iter().any(is_flip), "seed {seed}");
                assert_eq!(model.read(&found[0][0]), model.read(&row), "seed {seed}");
            }
            other => assert_eq!((other, of_row.stopped), (Verdict::Undecided, Stopped::Rounding), "seed {seed}"),
        }
        rows_held += usize::from(of_row.verdict == Verdict::Holds);
    }
    assert!(rows_held * 5 > tried && rows_violated * 10 > tried, "{rows_held} and {rows_violated} rows of {tried}");
    let summary = format!(
        "{tried} tried, {held} hold, {violated} violated, {undecided} undecided, {undecided_fixed} in a fixed order"
    );
    assert!(held * 5 > tried && violated * 6 > tried && undecided_fixed * 20 < tried, "{summary}");
}

#[test]
fn fair_difference_is_the_largest() {
    let first = setting("TREEPROOF_SEED", 1);
    for seed in first..first + setting("TREEPROOF_PROBLEMS", 1_500) {
        let mut random = Random(seed.wrapping_mul(0xA076_1D64_78BD_642F));
        let model = random_ensemble(&mut random);
        let output = random.below(model.num_margins());
        let features = [random.below(model.features().len())];
        let mut inputs = random_inputs(&mut random, &model);
        let (resolved, conditions, limits) = (resolved(&mut inputs), any_condition(), one_thread());
        let allowed =
            AdmissibleInputs { conditions: &conditions, resolved: &resolved, ..AdmissibleInputs::everything() };
        let setting = Setting { allowed, ..everything(&limits) };
        let Some(rows) = all_rows(&[&model], &space(&model, &inputs, &features)) else { continue };
        let answer = fair_difference(&model, None, &features, output, &setting).unwrap();
        let difference = |rows: &InputRows| {
            let [a, b] = [0, 1].map(|input| margin(&model, &rows[input][0], output));
            a.minus(&b).magnitude()
        };
        let expected = rows.iter().map(difference).max();
        assert_bounds(&answer, expected.as_ref(), &format!("seed {seed}"));
        assert!(expected.is_none() || answer.verdict == Verdict::Optimal, "seed {seed}");
        let Some((row, own)) = pairs_of_one(&mut random, &rows) else { continue };
        let of_row = fair_difference(&model, Some(&row), &features, output, &setting).unwrap();
        assert_bounds(&of_row, own.iter().map(difference).max().as_ref(), &format!("seed {seed}, a row"));
        assert_eq!(of_row.verdict, Verdict::Optimal, "seed {seed}");
        assert_eq!(model.read(&of_row.rows().unwrap()[0][0]), model.read(&row), "seed {seed}");
    }
}

fn fixture(name: &str) -> Ensemble {
    let folder: PathBuf = [env!("CARGO_MANIFEST_DIR"), "../treeproof-ensemble/tests/fixtures", name].iter().collect();
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let is_model = |path: &PathBuf| path.file_name().unwrap().to_str().unwrap().starts_with("model.");
    load_path(&files.into_iter().find(is_model).unwrap(), &LoadOptions::default()).unwrap()
}

#[test]
fn a_model_does_not_differ_from_itself() {
    for name in ["xgboost/reg_d3", "xgboost/softprob", "xgboost/cat", "lightgbm/reg_l60", "scikit_learn/forest_two"] {
        let model = fixture(name);
        let answer = diff([&model, &model], Some(0.0), &everything(&one_thread())).unwrap();
        assert_eq!((answer.lower, answer.upper), (Some(0.0), Some(0.0)), "{name}");
        assert_eq!((answer.verdict, answer.stats.regions <= 2 * 24), (Verdict::Holds, true), "{name}");
    }
}

/// The same model written in two ways, and models of different libraries, which read numbers in different precisions.
#[test]
fn models_of_libraries_are_compared() {
    let same =
        diff([&fixture("xgboost/reg_d3"), &fixture("xgboost/reg_d3_ubj")], Some(0.0), &everything(&one_thread()));
    assert_eq!(same.unwrap().verdict, Verdict::Holds);
    for (first, second) in [
        ("xgboost/reg_d3", "xgboost/reg_exact"),
        ("xgboost/reg_d3", "lightgbm/reg_l7"),
        ("lightgbm/reg_l7", "scikit_learn/forest_regressor"),
        ("catboost/reg_d1", "xgboost/reg_d1"),
    ] {
        let models = [&fixture(first), &fixture(second)];
        let mut limits = one_thread();
        limits.time = Some(treeproof::task::Span(std::time::Duration::from_secs(5)));
        let answer = match diff(models, None, &everything(&limits)) {
            Ok(answer) => answer,
            Err(error) => panic!("{first} and {second}: {error}"),
        };
        let found = answer.found.as_ref().unwrap();
        let rows = &found.rows[0];
        // Both models read the same numbers.
        let matched = Features::matched(models[0], models[1]).unwrap();
        for feature in matched.iter() {
            let raws: Vec<u64> = feature.readers().iter().map(|of| rows[of.model][of.feature].to_bits()).collect();
            assert!(raws.windows(2).all(|pair| pair[0] == pair[1]), "{first} and {second}: {rows:?}");
        }
        let apart = margin(models[0], &rows[0], 0).minus(&margin(models[1], &rows[1], 0)).magnitude();
        assert_eq!(apart, found.exact, "{first} and {second}");
        assert!(answer.lower.unwrap() > 0.0 && answer.upper.unwrap() >= answer.lower.unwrap(), "{first} and {second}");
    }
}

#[test]
fn one_feature_changes_labels_of_real_models() {
    for name in [
        "xgboost/bin",
        "xgboost/softprob",
        "lightgbm/bin",
        "lightgbm/multi",
        "scikit_learn/ada_two",
        "scikit_learn/gradient_two",
        "catboost/bin",
        "scikit_learn/isolation",
    ] {
        let model = fixture(name);
        let mut limits = one_thread();
        limits.time = Some(treeproof::task::Span(std::time::Duration::from_secs(5)));
        // One feature changes some label of each of these models.
        let violated = (0..model.features().len()).any(|feature| {
            let answer = fair_label(&model, None, &[feature], None, &everything(&limits)).unwrap();
            let is_violated = answer.verdict == Verdict::Violated;
            if is_violated {
                let rows = answer.rows().unwrap();
                let [a, b] = [0, 1].map(|input| model.evaluate(&rows[input][0]).unwrap().class);
                assert_ne!(a, b, "{name}");
                let is_same = |other: usize| other == feature || rows[0][0][other] == rows[1][0][other];
                assert!((0..model.features().len()).all(is_same), "{name}: {rows:?}");
            }
            is_violated
        });
        assert!(violated, "{name}");
    }
}

/// Conditions as people write them, on either input or both.
#[test]
fn conditions_are_about_either_input() {
    let model = fixture("xgboost/reg_d3");
    let names: Vec<&str> = model.features().iter().map(|feature| feature.name.as_str()).take(2).collect();
    let [x, y] = names[..] else { panic!("{names:?}") };
    let groups = Groups::default();
    let limits = one_thread();
    let ask = |texts: &[String]| {
        let conditions: Vec<Condition> = texts.iter().map(|text| Condition::parse(text).unwrap()).collect();
        let resolved = Resolved::new(&conditions, &Vocabulary::new(&model, &groups, Inputs::Two)).unwrap();
        let allowed =
            AdmissibleInputs { conditions: &conditions, resolved: &resolved, ..AdmissibleInputs::everything() };
        fair_difference(&model, None, &[0, 1], 0, &Setting { allowed, ..everything(&limits) })
    };
    let free = ask(&[]).unwrap();
    let texts = [format!("a.`{x}` <= -1"), format!("b.`{x}` == 1"), format!("-2 <= `{y}` <= 2")];
    let confined = ask(&texts).unwrap();
    assert_eq!((free.verdict, confined.verdict), (Verdict::Optimal, Verdict::Optimal));
    assert!(confined.upper.unwrap() <= free.upper.unwrap());
    let rows = confined.rows().unwrap();
    assert!(rows[0][0][0] <= -1.0 && rows[1][0][0] == 1.0, "{rows:?}");
    assert!(rows.iter().all(|rows| (-2.0..=2.0).contains(&rows[0][1])), "{rows:?}");

    let conflict = ask(&[format!("a.`{x}` < 1"), format!("a.`{x}` > 2"), format!("b.`{x}` > 2")]).unwrap();
    assert_eq!(conflict.verdict, Verdict::Infeasible);
    assert_eq!(conflict.conflict, [format!("a.`{x}` < 1"), format!("a.`{x}` > 2")]);

    let related = ask(&[format!("a.`{x}` < b.`{x}`"), format!("abs(a.`{y}` - b.`{y}`) <= 0.25")]).unwrap();
    let rows = related.rows().unwrap();
    assert!(rows[0][0][0] < rows[1][0][0] && (rows[0][0][1] - rows[1][0][1]).abs() <= 0.25, "{rows:?}");
    assert_eq!(related.verdict, Verdict::Optimal);
    assert!(related.upper.unwrap() <= free.upper.unwrap());

    let texts =
        ["-9 <= {x} <= 9", "a.{x} + 1 < b.{x}", "a.{y} < 3", "fixed({y})", "b.{x} + b.{y} < a.{x}", "b.{y} >= 0"];
    let texts: Vec<String> =
        texts.iter().map(|text| text.replace("{x}", &format!("`{x}`")).replace("{y}", &format!("`{y}`"))).collect();
    let conflict = ask(&texts).unwrap();
    assert_eq!(
        (conflict.verdict, conflict.conflict),
        (Verdict::Infeasible, vec![texts[1].clone(), texts[4].clone(), texts[5].clone()])
    );
}
