//! Questions under conditions of every kind, against brute force: every kind of row that the trees or the conditions can
//! tell apart.

#[expect(dead_code, reason = "the other tests use the rest")]
mod support;

use support::{Random, all_candidates, random_builder, random_feature, random_input, setting};
use treeproof::internals::Domain;
use treeproof::report::{Answer, Finding, Stopped, Verdict};
use treeproof::task::{Enumerate, Method, Question, Task};
use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::exact::Exact;
use treeproof_ensemble::float::Precision;
use treeproof_ensemble::input::{CategoryEncoding, Feature, FeatureKind, Reading};
use treeproof_ensemble::load::{LoadOptions, load_bytes};
use treeproof_ensemble::sum::Aggregate;
use treeproof_language::{Assignment, Condition, Groups, Inputs, ReadRow, Resolved, Side, Variable, Vocabulary};

const CONSTANTS: [f64; 6] = [-0.5, 0.0, 0.5, 1.0, 2.0, 3.0];

/// Two or three numeric features, and perhaps one with categories.
fn random_model(random: &mut Random, is_summed: bool) -> Ensemble {
    let mut input = random_input(random);
    if is_summed {
        // Brute force knows the ends of what other models cannot tell apart.
        input.precision = Precision::F64;
    }
    let num_numeric = 2 + random.below(2);
    let mut features: Vec<Feature> = (0..num_numeric).map(|index| Feature::numeric(format!("x{index}"))).collect();
    if num_numeric == 2 {
        features.push(random_feature(random, &input, 2));
    }
    random_builder(random, input, features, 1).finish().unwrap()
}

fn statement(random: &mut Random, model: &Ensemble) -> String {
    let feature = random.below(model.features().len());
    let known = &model.features()[feature];
    let name = &known.name;
    let number = random.pick(&CONSTANTS);
    if known.is_category() {
        let is_named = Condition::parse(&format!("{name} == a")).is_ok_and(|a| resolve(model, &[a]).is_some());
        let value = if is_named { random.pick(&["a", "c"]) } else { random.pick(&["0", "2"]) };
        return format!("{name} {} {value}", random.pick(&["==", "!="]));
    }
    match random.below(10) {
        0 => format!("missing({name})"),
        1 => format!("{name} in {{0, 1}}"),
        2 => format!("{name} not in {{{number}, 3}}"),
        3 => "onehot(x0, x1)".to_owned(),
        4 => format!("{}(1, x*)", random.pick(&["atmost", "exactly"])),
        5 => format!("atleast({}, x*)", random.below(4)),
        6 => format!("{number} <= {name} < 2"),
        _ => format!("{name} {} {number}", random.pick(&["<", "<=", ">", ">=", "==", "!="])),
    }
}

fn formula(random: &mut Random, model: &Ensemble, depth: usize) -> String {
    if depth == 0 || random.chance(3) {
        return statement(random, model);
    }
    let (left, right) = (formula(random, model, depth - 1), formula(random, model, depth - 1));
    match random.below(4) {
        0 => format!("not ({left})"),
        1 => format!("({left}) and ({right})"),
        2 => format!("({left}) or ({right})"),
        _ => format!("({left}) implies ({right})"),
    }
}

fn condition(random: &mut Random, model: &Ensemble) -> String {
    match random.below(8) {
        0 => "integer(x0)".to_owned(),
        1 => "step(x1, 0.1)".to_owned(),
        2 => "maybemissing(x0)".to_owned(),
        3 => "step(x0, 1.5) and x1 != 0.5".to_owned(),
        _ => formula(random, model, 2),
    }
}

/// A condition with a sum.
fn sum(random: &mut Random) -> String {
    let number = random.pick(&CONSTANTS);
    let sign = random.pick(&["<", "<=", ">", ">="]);
    match random.below(7) {
        0 => format!("x0 + x1 {sign} {number}"),
        1 => format!("2*x0 - x1 {sign} {number}"),
        2 => format!("x0 {sign} x1 + {number}"),
        3 => format!("x0 - 0.5*x1 {sign} {number} or x1 == {number}"),
        4 => "x0 != x1".to_owned(),
        5 => format!("x1 < {number} implies x0 + 3*x1 {sign} 0.5"),
        _ => format!("maybemissing(x0) and x1 {sign} x0"),
    }
}

fn resolve(model: &Ensemble, conditions: &[Condition]) -> Option<Resolved> {
    let groups = Groups::default();
    Resolved::new(conditions, &Vocabulary::new(model, &groups, Inputs::One)).ok()
}

/// Values of a feature, one of each kind that trees or conditions tell apart, or two where sums are of interest.
fn values(model: &Ensemble, feature: usize, text: &str, is_summed: bool) -> Vec<f64> {
    let marks: Vec<f64> =
        CONSTANTS.into_iter().filter(|mark| *mark == 0.0 || text.contains(&mark.to_string())).collect();
    let input = model.input();
    let known = &model.features()[feature];
    let mut raws = all_candidates(model, feature, &Domain::everything(model)[feature]);
    if let FeatureKind::Category(categories) = &known.kind {
        // Categories without names are what the user says.
        if !categories.names.is_empty() || matches!(categories.encoding, CategoryEncoding::Exact(_)) {
            return raws.into_iter().chain(model.input().accepts_missing.then_some(f64::NAN)).collect();
        }
        raws.extend((-3..20).map(|half| f64::from(half) / 2.0));
    } else {
        raws.extend(marks.iter().flat_map(|mark| [*mark, mark.next_up(), mark.next_down()]));
        raws.extend((-30..40).flat_map(|number| [f64::from(number) / 10.0, f64::from(number) * 1.5]));
    }
    raws.push(f64::NAN);
    raws.retain(|raw| input.read(known, *raw).is_ok_and(|reading| reading != Reading::NoCategory));
    let kind_of = |raw: f64| {
        let reading = input.read(known, raw).unwrap();
        let splits = model.trees().iter().flat_map(|tree| {
            let own = tree.splits().iter().filter(|split| split.feature as usize == feature);
            own.map(|split| tree.side(split, reading) == treeproof_ensemble::tree::Side::Left).collect::<Vec<bool>>()
        });
        let mut kind: Vec<bool> = splits.collect();
        kind.extend(marks.iter().flat_map(|mark| [raw < *mark, raw == *mark]));
        kind.push(text.contains("integer") && raw.fract() == 0.0);
        kind.push(text.contains("0.1") && (raw * 10.0).round() / 10.0 == raw);
        kind.push(text.contains("1.5") && (raw / 1.5).fract() == 0.0);
        (kind, if known.is_category() || reading == Reading::Missing { reading } else { Reading::NoCategory })
    };
    let mut kinds: Vec<((Vec<bool>, Reading), f64, f64)> = vec![];
    raws.sort_by(f64::total_cmp);
    for raw in raws {
        let kind = kind_of(raw);
        match kinds.iter_mut().find(|(known, ..)| *known == kind) {
            Some((_, _, greatest)) => *greatest = raw,
            None => kinds.push((kind, raw, raw)),
        }
    }
    // Sums are least and greatest at ends.
    let ends = |(_, least, greatest): &(_, f64, f64)| match is_summed && least != greatest {
        true => vec![*least, *greatest],
        false => vec![*least],
    };
    kinds.iter().flat_map(ends).collect()
}

fn product(choices: &[Vec<f64>]) -> Vec<Vec<f64>> {
    choices.iter().fold(vec![vec![]], |rows, choice| {
        let longer = |row: &Vec<f64>| choice.iter().map(|raw| [row.as_slice(), &[*raw]].concat()).collect::<Vec<_>>();
        rows.iter().flat_map(longer).collect()
    })
}

/// The margins of the rows that meet conditions, the least and the greatest.
fn extremes(model: &Ensemble, rows: &[Vec<f64>], texts: &[String]) -> Option<(Exact, Exact)> {
    let conditions: Vec<Condition> = texts.iter().map(|text| Condition::parse(text).unwrap()).collect();
    let resolved = resolve(model, &conditions).unwrap();
    let is_met = |row: &&Vec<f64>| {
        let input = ReadRow::new(model, row).unwrap();
        let may_be_missing = |feature| resolved.may_be_missing.contains(&Variable { side: Side::Only, feature });
        let is_there = |(feature, reading): (usize, &Reading)| *reading != Reading::Missing || may_be_missing(feature);
        let point = Assignment::One { input: &input, reference: None };
        input.readings().iter().enumerate().all(is_there)
            && resolved.conjuncts.iter().all(|conjunct| conjunct.constraint.holds(point))
    };
    let margins = rows.iter().filter(is_met).map(|row| model.evaluate(row).unwrap().margins[0].exact.clone().unwrap());
    margins.fold(None, |extremes, margin| match extremes {
        None => Some((margin.clone(), margin)),
        Some((least, greatest)) => Some((least.min(margin.clone()), greatest.max(margin))),
    })
}

/// Leaves are rounded up by a little of the largest.
fn widest_gap(model: &Ensemble) -> f64 {
    let Aggregate::Sum(sums) = model.aggregate() else { return f64::INFINITY };
    let is_large = |value: f64| value.abs() > 1e6;
    let is_any_large = model.trees().iter().flat_map(|tree| tree.all_terms()).any(|term| is_large(term.value));
    let is_base_large = sums.base.iter().any(|value| is_large(*value));
    if is_any_large || is_base_large || sums.weights.is_some() { f64::INFINITY } else { 1e-6 }
}

fn assert_answer(answer: &Answer, optimum: &Exact, widest_gap: f64, context: &str) {
    let exact = |bound: Option<f64>| Exact::from_f64(bound.unwrap()).unwrap();
    assert_eq!(answer.verdict, Verdict::Optimal, "{context}");
    assert!(
        exact(answer.lower) <= *optimum && *optimum <= exact(answer.upper),
        "{context}: {answer:?}, but {}",
        optimum.to_f64()
    );
    assert!(answer.witness.is_some() && answer.gap.unwrap() <= widest_gap, "{context}: {answer:?}");
}

#[test]
fn conditions_leave_what_brute_force_finds() {
    assert_right(false);
}

#[test]
fn sums_leave_what_brute_force_finds() {
    assert_right(true);
}

fn assert_right(is_summed: bool) {
    let first = setting("TREEPROOF_SEED", 1);
    let (mut answered, mut infeasible, mut refused) = (0, 0, 0);
    let problems = setting("TREEPROOF_PROBLEMS", 300);
    for seed in first..first + problems {
        let mut random = Random(seed.wrapping_mul(0x1234_5678_9ABC_DEF1));
        let model = random_model(&mut random, is_summed);
        let mut texts: Vec<String> = (0..1 + random.below(3)).map(|_| condition(&mut random, &model)).collect();
        if is_summed {
            texts[0] = sum(&mut random);
        }
        let context = format!("seed {seed}: {texts:?}");
        let mut task = Task::new(Question::Range);
        task.conditions = texts.clone();
        task.limits.threads = Some(1);
        let report = match task.clone().about(&model).run() {
            Ok(report) => report,
            // A model that knows no missing values, or a category that is none.
            Err(error) => {
                assert!(!error.to_string().contains("internal"), "{context}: {error}");
                refused += 1;
                continue;
            }
        };
        let choices: Vec<Vec<f64>> =
            (0..model.features().len()).map(|feature| values(&model, feature, &texts.concat(), is_summed)).collect();
        let rows = product(&choices);
        match (extremes(&model, &rows, &texts), report.finding) {
            (None, Finding::Infeasible(found)) => {
                let named: Vec<String> = texts.iter().filter(|text| found.conflict.contains(text)).cloned().collect();
                assert!(extremes(&model, &rows, &named).is_none(), "{context}: {:?} do not conflict", found.conflict);
                infeasible += 1;
            }
            (Some((least, greatest)), Finding::Range(range)) => {
                assert_answer(&range.min, &least, widest_gap(&model), &context);
                assert_answer(&range.max, &greatest, widest_gap(&model), &context);
                answered += 1;
            }
            (expected, found) => panic!("{context}: {found:?}, but {expected:?}"),
        }
    }
    assert!(answered * 3 > problems && infeasible * 40 > problems, "{answered}, {infeasible}, {refused} refused");
}

/// 4 · [x ≥ 0.5] + 8 · [y ≥ 0.5] + 2 · [z ≥ 0.5]
fn steps() -> Ensemble {
    let tree = |feature: usize, value: f64| {
        format!(
            r#"{{"left": [1, -1, -1], "right": [2, -1, -1], "feature": [{feature}, -1, -1], "test": "<",
            "threshold": [0.5, 0, 0], "missing_left": [1, 0, 0], "output": 0, "value": [0, 0, {value}]}}"#
        )
    };
    let model = format!(
        r#"{{"treeproof": 1, "source": {{"format": "treeproof JSON"}},
        "features": [{{"name": "x", "kind": "numeric"}}, {{"name": "y", "kind": "numeric"}}, {{"name": "z", "kind": "numeric"}}],
        "input": {{"precision": "f64", "accepts_missing": true, "accepts_infinite": true, "absent": "zero"}},
        "num_outputs": 1,
        "aggregate": {{"rule": "sum", "precision": "f64", "base": [0], "base_position": "first", "fixed_order": true}},
        "link": {{"function": "identity"}}, "label": {{"rule": "none"}}, "classes": [],
        "trees": [{}, {}, {}]}}"#,
        tree(0, 4.0),
        tree(1, 8.0),
        tree(2, 2.0)
    );
    load_bytes(model.as_bytes(), &LoadOptions::default()).unwrap()
}

fn ask(question: impl Into<Question>, conditions: &[&str], method: Method) -> Result<Finding, String> {
    let mut task = Task::new(question);
    task.conditions = conditions.iter().map(|text| (*text).to_owned()).collect();
    (task.method, task.limits.threads) = (method, Some(1));
    task.clone().about(steps()).run().map(|report| report.finding).map_err(|error| error.to_string())
}

#[test]
fn a_contradiction_is_named_by_what_it_needs() {
    let conflict = |conditions: &[&str]| match ask(Question::Max, conditions, Method::Auto) {
        Ok(Finding::Infeasible(found)) => found.conflict,
        other => panic!("{other:?}"),
    };
    assert_eq!(
        conflict(&["x < 9", "onehot(x, y)", "z == 1", "x == 1 implies z == 0", "y == 0"]),
        ["onehot(x, y)", "z == 1", "x == 1 implies z == 0", "y == 0"]
    );
    assert_eq!(conflict(&["x + y < 1", "z > 3", "x > 0", "y > 1"]), ["x + y < 1", "x > 0", "y > 1"]);
    assert_eq!(conflict(&["z > 3", "atleast(4, x, y, z)"]), ["atleast(4, x, y, z)"]);
}

#[test]
fn what_a_question_or_method_cannot_use_is_refused() {
    for method in [Method::Veritas, Method::Merge] {
        assert!(ask(Question::Max, &["x in {0, 2}"], method).is_ok());
        let refused = ask(Question::Max, &["onehot(x, y)"], method).unwrap_err();
        assert_eq!(refused, "method must be `auto` where a condition is about several features together");
    }
    for condition in ["onehot(x, y)", "x < y", "x < 1 or y < 1"] {
        assert!(ask(Question::Max, &[condition], Method::Auto).is_ok(), "{condition}");
        let refused = ask(Enumerate::default(), &[condition], Method::Auto).unwrap_err();
        assert_eq!(refused, "where must be about single features for `enumerate`, as no region is bounded by sums");
    }
    for condition in ["x < 1 and y > 2", "x in {0, 2}", "x != 1"] {
        assert!(ask(Enumerate::default(), &[condition], Method::Auto).is_ok(), "{condition}");
    }
}

#[test]
fn witnesses_are_numbers_that_people_like() {
    let witness = |conditions: &[&str]| match ask(Question::Max, conditions, Method::Auto) {
        Ok(Finding::Max(answer)) => serde_json::to_string(&answer.witness.unwrap()).unwrap(),
        other => panic!("{other:?}"),
    };
    assert_eq!(witness(&["onehot(x, y, z)"]), r#"{"x":0.0,"y":1.0,"z":0.0}"#);
    assert_eq!(witness(&["x in {0, 3} and step(y, 0.7)", "z < 0.2 or z > 0.6"]), r#"{"x":3.0,"y":1.4,"z":1.0}"#);
    assert_eq!(witness(&["x + y <= 1"]), r#"{"x":0.5,"y":0.5,"z":1.0}"#);
}

#[test]
fn what_no_double_is_found_for_is_left_open() {
    let answer = |conditions: &[&str]| match ask(Question::Max, conditions, Method::Auto) {
        Ok(Finding::Max(answer)) => answer,
        other => panic!("{other:?}"),
    };
    // Tenths of doubles seldom add up to one: real numbers do, and so the bound is theirs.
    let open = answer(&["0.1*x + 0.7*y + 0.3*z == 1", "1 <= x", "1/3 <= y", "0.6 <= z"]);
    assert_eq!((open.verdict, open.stopped), (Verdict::Undecided, Stopped::Conditions));
    assert!(open.upper.unwrap() >= 6.0 && open.lower.is_none_or(|lower| lower <= open.upper.unwrap()));
    let whole = answer(&["x + 7*y + 3*z == 10", "1 <= x", "0.25 <= y", "0.6 <= z"]);
    assert_eq!((whole.verdict, whole.lower, whole.upper), (Verdict::Optimal, Some(14.0), Some(14.0)));
}
