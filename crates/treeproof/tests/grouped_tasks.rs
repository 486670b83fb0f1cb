//! Tasks that declare groups: conditions on groups and on their columns against brute force, and answers by name.

#[expect(dead_code, reason = "other tests use the rest")]
mod support;

use std::sync::Arc;

use serde_json::{Value, json};
use treeproof::internals::Domain;
use treeproof::report::{Finding, Verdict};
use treeproof::rows::{RowOptions, Rows};
use treeproof::task::{Closest, Diff, Enumerate, Fair, GroupColumns, Monotone, Question, Task};
use treeproof::{Model, Query};
use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::exact::Exact;
use treeproof_ensemble::float::Precision;
use treeproof_ensemble::input::{Feature, Reading};
use treeproof_ensemble::load::{LoadOptions, load_bytes};
use treeproof_ensemble::norm::Norm;
use treeproof_language::{Assignment, Condition, Groups, Inputs, ReadRow, Resolved, Vocabulary};

use crate::support::{Random, all_candidates, is_one_hot, random_builder, random_input, setting};

/// Numbers in conditions.
const CONSTANTS: [f64; 6] = [-0.5, 0.0, 0.5, 1.0, 2.0, 3.0];

/// `x`, four columns of a group and two of another.
fn random_model(random: &mut Random) -> Ensemble {
    let mut input = random_input(random);
    // Brute force knows the ends of what other models cannot tell apart.
    (input.precision, input.missing_value) = (Precision::F64, None);
    let names = ["gbit_0", "gbit_1", "x", "gbit_2", "gbit_3", "hbit_0", "hbit_1"];
    random_builder(random, input, names.map(Feature::numeric).to_vec(), 1).finish().unwrap()
}

fn grouped(question: impl Into<Question>) -> Task {
    let mut task = Task::new(question);
    task.limits.threads = Some(1);
    task.groups.insert("g".into(), GroupColumns::Like("gbit_*".into()));
    task.groups.insert("h".into(), GroupColumns::LikeOne(vec!["hbit_0".into(), "hbit_1".into()]));
    task
}

fn statement(random: &mut Random) -> String {
    let (number, column) = (random.pick(&CONSTANTS), random.below(4));
    let sign = random.pick(&["<", "<=", ">", ">=", "==", "!="]);
    match random.below(10) {
        0 => format!("g == {column}"),
        1 => format!("g != {column}"),
        2 => format!("g in {{{column}, 0}}"),
        3 => format!("g not in {{{column}, 'gbit_3'}}"),
        4 => "h == hbit_1".to_owned(),
        5 => format!("gbit_{column} {sign} {number}"),
        6 => format!("{}({}, gbit_0, gbit_1, hbit_1)", random.pick(&["atmost", "atleast", "exactly"]), random.below(3)),
        7 => "onehot(gbit_0, gbit_1, hbit_0)".to_owned(),
        8 => format!("gbit_{column} in {{0.5, 1}}"),
        _ => format!("x {sign} {number}"),
    }
}

fn formula(random: &mut Random, depth: usize) -> String {
    if depth == 0 || random.chance(3) {
        return statement(random);
    }
    let (left, right) = (formula(random, depth - 1), formula(random, depth - 1));
    match random.below(4) {
        0 => format!("not ({left})"),
        1 => format!("({left}) and ({right})"),
        2 => format!("({left}) or ({right})"),
        _ => format!("({left}) implies ({right})"),
    }
}

/// A sum over columns of groups, and of `x` or not.
fn sum(random: &mut Random) -> String {
    let number = random.pick(&CONSTANTS);
    let sign = random.pick(&["<", "<=", ">", ">=", "==", "!="]);
    match random.below(8) {
        5 => format!("x + gbit_0 {sign} {number} and x - 2*gbit_1 + hbit_0 >= 0"),
        6 => "integer(gbit_0) and not step(hbit_1, 0.3)".to_owned(),
        7 => format!("abs(x - gbit_2) <= 1 and (g == 2 or x + hbit_0 {sign} {number})"),
        0 => format!("x + 2*gbit_1 - gbit_2 {sign} {number}"),
        1 => format!("gbit_0 + 2*gbit_1 + 3*gbit_2 + hbit_0 {sign} {number}"),
        2 => format!("x {sign} {number} + gbit_3 - hbit_1"),
        3 => format!("gbit_0 {sign} hbit_0"),
        _ => format!("x - 0.5*hbit_1 {sign} {number} or g == 2"),
    }
}

fn resolve(model: &Ensemble, groups: &Groups, texts: &[String]) -> Resolved {
    let conditions: Vec<Condition> = texts.iter().map(|text| Condition::parse(text).unwrap()).collect();
    Resolved::new(&conditions, &Vocabulary::new(model, groups, Inputs::One)).unwrap()
}

/// Every one-hot row with each number of `x` that trees or conditions may part from others.
fn rows(model: &Ensemble, groups: &Groups) -> Vec<Vec<f64>> {
    let mut xs = all_candidates(model, 2, &Domain::between(-f64::MAX, f64::MAX));
    for sum in -8..=12 {
        let number = f64::from(sum) / 2.0;
        xs.extend([number, number.next_up(), number.next_down()]);
    }
    let bits = |row: &Vec<f64>| [0.0, 1.0].map(|bit| [row.as_slice(), &[bit]].concat()).to_vec();
    let mut rows: Vec<Vec<f64>> = vec![vec![]];
    for feature in 0..7 {
        let with_x = |row: &Vec<f64>| xs.iter().map(|x| [row.as_slice(), &[*x]].concat()).collect::<Vec<_>>();
        rows = rows.iter().flat_map(|row| if feature == 2 { with_x(row) } else { bits(row) }).collect();
        // Early, as there are many.
        if feature == 4 {
            rows.retain(|row| [0, 1, 3, 4].iter().filter(|column| row[**column] == 1.0).count() == 1);
        }
    }
    rows.retain(|row| is_one_hot(groups, row));
    rows
}

/// The least and the greatest margin of the rows that meet conditions.
fn extremes(model: &Ensemble, groups: &Groups, rows: &[Vec<f64>], texts: &[String]) -> Option<(Exact, Exact)> {
    let resolved = resolve(model, groups, texts);
    let is_met = |row: &&Vec<f64>| {
        let input = ReadRow::new(model, row).unwrap();
        let point = Assignment::One { input: &input, reference: None };
        !input.readings().contains(&Reading::Missing)
            && resolved.conjuncts.iter().all(|conjunct| conjunct.constraint.holds(point))
    };
    let margins = rows.iter().filter(is_met).map(|row| model.evaluate(row).unwrap().margins[0].exact.clone().unwrap());
    let margins: Vec<Exact> = margins.collect();
    Some((margins.iter().min()?.clone(), margins.iter().max()?.clone()))
}

/// Leaves are rounded up by a little of the largest.
fn widest_gap(model: &Ensemble) -> f64 {
    let Some(sums) = model.summation() else { return f64::INFINITY };
    let is_large = |value: f64| value.abs() > 1e6;
    let is_any_large = model.trees().iter().flat_map(|tree| tree.all_terms()).any(|term| is_large(term.value));
    let is_base_large = sums.base.iter().any(|value| is_large(*value));
    if is_any_large || is_base_large || sums.weights.is_some() { f64::INFINITY } else { 1e-6 }
}

#[test]
fn conditions_on_groups_leave_what_brute_force_finds() {
    let (first, problems) = (setting("TREEPROOF_SEED", 1), setting("TREEPROOF_PROBLEMS", 400));
    let (mut answered, mut infeasible) = (0, 0);
    for seed in first..first + problems {
        let mut random = Random(seed.wrapping_mul(0x5851_F42D_4C95_7F2D));
        let model = random_model(&mut random);
        let groups = grouped(Question::Max).groups_in(&model).unwrap();
        let mut texts: Vec<String> = (0..1 + random.below(3)).map(|_| formula(&mut random, 2)).collect();
        if random.chance(2) {
            texts[0] = sum(&mut random);
        }
        let mut task = grouped(Question::Range);
        task.conditions.clone_from(&texts);
        let context = format!("seed {seed}: {texts:?}");
        let report = task.clone().about(&model).run().unwrap_or_else(|error| panic!("{context}: {error}"));
        let rows = rows(&model, &groups);
        match (extremes(&model, &groups, &rows, &texts), report.finding) {
            (None, Finding::Infeasible(found)) => {
                let named: Vec<String> = texts.iter().filter(|text| found.conflict.contains(text)).cloned().collect();
                let left = extremes(&model, &groups, &rows, &named);
                assert!(left.is_none(), "{context}: {:?} do not conflict", found.conflict);
                infeasible += 1;
            }
            (Some((least, greatest)), Finding::Range(range)) => {
                for (answer, optimum) in [(&range.min, &least), (&range.max, &greatest)] {
                    let exact = |bound: Option<f64>| Exact::from_f64(bound.unwrap()).unwrap();
                    assert_eq!(answer.verdict, Verdict::Optimal, "{context}");
                    let is_right = exact(answer.lower) <= *optimum && *optimum <= exact(answer.upper);
                    assert!(is_right, "{context}: {answer:?}, but {}", optimum.to_f64());
                    assert!(
                        answer.witness.is_some() && answer.gap.unwrap() <= widest_gap(&model),
                        "{context}: {answer:?}"
                    );
                }
                answered += 1;
            }
            (expected, found) => panic!("{context}: {found:?}, but {expected:?}"),
        }
    }
    assert!(answered * 3 > problems && infeasible * 40 > problems, "{answered} answered, {infeasible} infeasible");
}

/// 1 · [age ≥ 40] + a step for each of three columns; two classes.
fn people() -> Arc<Ensemble> {
    people_with([2.0, 4.0, 8.0])
}

fn people_with(steps: [f64; 3]) -> Arc<Ensemble> {
    let tree = |feature: usize, threshold: f64, value: f64| {
        format!(
            r#"{{"left": [1, -1, -1], "right": [2, -1, -1], "feature": [{feature}, -1, -1], "test": "<",
            "threshold": [{threshold}, 0, 0], "missing_left": [1, 0, 0], "output": 0, "value": [0, 0, {value}]}}"#
        )
    };
    let names = ["age", "job_a", "job_b", "job_c"].map(|name| format!(r#"{{"name": "{name}", "kind": "numeric"}}"#));
    let trees = [tree(0, 40.0, 1.0), tree(1, 0.5, steps[0]), tree(2, 0.5, steps[1]), tree(3, 0.5, steps[2])];
    let model = format!(
        r#"{{"treeproof": 1, "source": {{"format": "treeproof JSON"}}, "features": [{}],
        "input": {{"precision": "f64", "accepts_missing": true, "accepts_infinite": true, "absent": "zero"}},
        "num_outputs": 1,
        "aggregate": {{"rule": "sum", "precision": "f64", "base": [-4.5], "base_position": "first", "fixed_order": true}},
        "link": {{"function": "identity"}}, "label": {{"rule": "margin_above", "threshold": 0}},
        "classes": ["no", "yes"], "trees": [{}]}}"#,
        names.join(", "),
        trees.join(", ")
    );
    Arc::new(load_bytes(model.as_bytes(), &LoadOptions::default()).unwrap())
}

fn jobs(question: impl Into<Question>) -> Task {
    let mut task = Task::new(question);
    task.limits.threads = Some(1);
    task.groups.insert("job".into(), GroupColumns::Like("job_*".into()));
    task
}

fn table(csv: &str) -> Rows {
    let table = treeproof_data::read_bytes("x.csv".as_ref(), csv.as_bytes().to_vec()).unwrap();
    Rows::from_table(&table, &people(), &RowOptions::default()).unwrap()
}

fn answer(task: &Task) -> Result<Value, String> {
    let report = task.clone().about(people()).run().map_err(|error| error.to_string())?;
    Ok(serde_json::to_value(report).unwrap())
}

fn answer_rows(task: &Task, csv: &str) -> Result<Value, String> {
    let report = task.clone().about(people()).rows(table(csv)).run();
    report.map(|report| serde_json::to_value(report).unwrap()).map_err(|error| error.to_string())
}

#[test]
fn an_input_has_a_group_by_the_name_of_its_value() {
    let max = answer(&jobs(Question::Max)).unwrap();
    assert_eq!((&max["upper"], &max["witness"]["job"]), (&json!(4.5), &json!("c")));
    assert_eq!(max["witness"].as_object().unwrap().keys().collect::<Vec<_>>(), ["age", "job"]);
    let mut task = jobs(Question::Min);
    task.conditions = vec!["job in {b, c}".into()];
    let min = answer(&task).unwrap();
    assert_eq!((&min["lower"], &min["witness"]["job"]), (&json!(-0.5), &json!("b")));
    task.conditions = vec!["job_a == 0".into(), "job != b".into(), "age > 3".into(), "not job == job_c".into()];
    assert_eq!(answer(&task).unwrap()["conflict"], json!(["job_a == 0", "job != b", "not job == job_c"]));
    let without = answer(&Task::new(Question::Max)).unwrap();
    assert_eq!(without["upper"], json!(10.5), "two columns may be 1 where nobody says otherwise");
}

#[test]
fn configurations_list_the_values_of_groups() {
    let mut task = jobs(Enumerate::default());
    task.conditions = vec!["job != a".into()];
    let regions = answer(&task).unwrap()["regions"].clone();
    let outputs: Vec<&Value> = regions.as_array().unwrap().iter().map(|region| &region["output"]).collect();
    assert_eq!(outputs, [4.5, 3.5, 0.5, -0.5]);
    assert_eq!(regions[0]["domain"]["job"], json!({"values": ["c"], "missing": false}));
    assert_eq!(regions[0]["domain"].as_object().unwrap().len(), 2);
    task.conditions.push("job == a".into());
    assert_eq!(answer(&task).unwrap()["verdict"], "infeasible");
}

#[test]
fn a_protected_group_is_one_name() {
    let fair = |protected: &str| jobs(Fair::of([protected]));
    let found = answer(&fair("job")).unwrap();
    assert_eq!(found["verdict"], "violated");
    let (a, b) = (&found["witness"]["a"], &found["witness"]["b"]);
    assert!(a["age"] == b["age"] && a["job"] != b["job"], "{found}");
    assert_eq!(answer(&fair("job:{a}|{a, b}")).unwrap()["verdict"], "violated", "at 40");
    let mut young = fair("job:{a}|{a, b}");
    young.conditions = vec!["age < 40".into()];
    assert_eq!(answer(&young).unwrap()["verdict"], "holds");
    assert_eq!(answer(&fair("job_a")).unwrap_err(), "protected: `job_a` is a column of group `job`: name the group");
    assert_eq!(
        answer(&fair("job:{d}|{a}")).unwrap_err(),
        "protected: group `job` has no value `d`; it has `a`, `b`, `c`"
    );
    let mut rows = fair("job");
    rows.data = Some("x.csv".into());
    let found = answer_rows(&rows, "age,job_a,job_b,job_c\n30,1,0,0\n").unwrap();
    assert_eq!(
        (&found["rows"][0]["witness"]["a"]["job"], &found["rows"][0]["label"]),
        (&json!("a"), &json!({"a": "no", "b": "yes"}))
    );
    assert_eq!(
        answer_rows(&rows, "age,job_a,job_b,job_c\n30,1,0,0\n30,0,0,0\n").unwrap_err(),
        "row 1: of group `job` one column must be 1 and all others 0, but all are 0: correct the row or the group"
    );
}

#[test]
fn a_change_of_a_group_is_one_change() {
    let csv = "age,job_a,job_b,job_c\n30,1,0,0\n";
    for (norm, weight, distance) in
        [(Norm::L0, 1.0, 1.0), (Norm::L1, 1.0, 1.0), (Norm::L2, 1.0, 1.0), (Norm::Linf, 1.0, 1.0), (Norm::L2, 3.0, 3.0)]
    {
        let mut closest = Closest::new(norm);
        closest.measure.weights.insert("job".into(), weight);
        let mut task = jobs(closest);
        task.data = Some("x.csv".into());
        let row = answer_rows(&task, csv).unwrap()["rows"][0].clone();
        assert_eq!((&row["verdict"], &row["upper"]), (&json!("optimal"), &json!(distance)), "{norm:?}: {row}");
        assert_eq!(row["changed"], json!([{"feature": "job", "from": "a", "to": "c"}]), "{norm:?}");
        task.conditions = vec!["fixed(job)".into()];
        assert_eq!(answer_rows(&task, csv).unwrap()["rows"][0]["verdict"], "infeasible");
        task.conditions = vec!["changed <= 1".into(), "job != c".into()];
        assert_eq!(answer_rows(&task, csv).unwrap()["rows"][0]["verdict"], "infeasible", "b needs the age");
        task.conditions = vec!["changed <= 2".into(), "job != c".into()];
        assert_eq!(answer_rows(&task, csv).unwrap()["rows"][0]["verdict"], "optimal");
        let error = answer_rows(&task, "age,job_a,job_b,job_c\n30,1,0,1\n").unwrap_err();
        assert!(error.starts_with("row 0: of group `job` one column must be 1"), "{error}");
    }
    let mut closest = Closest::new(Norm::L1);
    closest.measure.weights.insert("job_a".into(), 2.0);
    let mut task = jobs(closest);
    task.data = Some("x.csv".into());
    assert_eq!(answer_rows(&task, csv).unwrap_err(), "weights: `job_a` is a column of group `job`: name the group");
}

#[test]
fn counts_hold_for_the_nearest_input() {
    let csv = "age,job_a,job_b,job_c\n30,1,0,0\n";
    let mut task = Task::new(Closest::new(Norm::L1));
    (task.data, task.limits.threads) = (Some("x.csv".into()), Some(1));
    task.conditions = vec!["onehot(job_*)".into()];
    let row = answer_rows(&task, csv).unwrap()["rows"][0].clone();
    assert_eq!(
        (&row["verdict"], &row["upper"]),
        (&json!("optimal"), &json!(2.0)),
        "without a group both columns count"
    );
    task.conditions.push("changed <= 1".into());
    assert_eq!(answer_rows(&task, csv).unwrap()["rows"][0]["verdict"], "infeasible");
}

/// Whether two places of a group's columns meet a condition.
type IsMet = fn(usize, usize) -> bool;

/// Two inputs that may differ in a group, under conditions that relate them, against all pairs.
#[test]
fn conditions_relate_the_groups_of_two_inputs() {
    let conditions: [(&str, IsMet); 8] = [
        ("a.job == b.job", |a, b| a == b),
        ("a.job != b.job and b.job != c", |a, b| a != b && b != 2),
        ("changed(job) == 0 or a.job == c", |a, b| a == b || a == 2),
        ("changed >= 1", |a, b| a != b),
        ("a.job_a + b.job_b >= 1", |a, b| a == 0 || b == 1),
        ("a.job_a == b.job_b", |a, b| (a == 0) == (b == 1)),
        ("onlyincrease(job_b)", |a, b| a != 1 || b == 1),
        ("a.job == a implies b.job in {a, b}", |a, b| a != 0 || b != 2),
    ];
    let steps = [2.0_f64, 4.0, 8.0];
    for (text, is_met) in conditions {
        let mut task = jobs(Fair::of(["job"]));
        task.class = Some("yes".into());
        task.conditions = vec![text.to_owned()];
        let pairs = (0..3).flat_map(|a| (0..3).map(move |b| (a, b))).filter(|(a, b)| is_met(*a, *b));
        let widest = pairs.map(|(a, b)| (steps[a] - steps[b]).abs()).reduce(f64::max).unwrap();
        let found = answer(&task).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!((&found["verdict"], &found["upper"]), (&json!("optimal"), &json!(widest)), "{text}: {found}");
    }
}

#[test]
fn who_names_a_feature_by_what_its_columns_have_in_common_is_told_of_groups() {
    let told =
        "the model has no feature `job`, but `job_a`, `job_b`, `job_c`: --group job='job_*' makes them one feature";
    assert_eq!(answer(&Task::new(Question::from(Fair::of(["job"])))).unwrap_err(), format!("protected: {told}"));
    let like = answer(&Task::new(Question::from(Fair::of(["job_*"])))).unwrap_err();
    assert_eq!(like, format!("protected: {}", told.replace("feature `job`", "feature `job_*`")));
    let mut task = Task::new(Question::Max);
    task.conditions = vec!["age > 3 and job == a".to_owned()];
    assert_eq!(answer(&task).unwrap_err(), format!("where: in `age > 3 and job == a`, character 13: {told}"));
}

#[test]
fn a_group_has_no_order() {
    let found = answer(&jobs(Monotone::default())).unwrap();
    assert_eq!((&found["verdict"], &found["feature"]), (&json!("holds"), &json!("age")), "columns are left out");
    let monotone = |name: &str| {
        let mut monotone = Monotone::default();
        monotone.features = vec![name.to_owned()];
        answer(&jobs(monotone)).unwrap_err()
    };
    assert_eq!(
        monotone("job_a"),
        "features: `job_a` is a column of a group, which has no order; `fair` compares groups"
    );
    assert!(monotone("job").starts_with("features: `job` is a group of columns"), "{}", monotone("job"));
}

#[test]
fn columns_of_other_numbers_are_no_group() {
    let group = |patterns: &[&str]| {
        let mut task = Task::new(Question::Max);
        let patterns = patterns.iter().map(|pattern| (*pattern).to_owned()).collect();
        task.groups.insert("all".into(), GroupColumns::LikeOne(patterns));
        answer(&task)
    };
    assert_eq!(
        group(&["*"]).unwrap_err(),
        "group `all`: the model compares `age` with 40, so it is no 0/1 column; `!age` leaves it out"
    );
    assert_eq!(group(&["*", "!age"]).unwrap()["witness"]["all"], "job_c");
    assert_eq!(
        group(&["jop_*"]).unwrap_err(),
        "group `all`: the model has no feature like `jop_*`; did you mean `job_c`?"
    );
}

#[test]
fn two_models_share_groups() {
    let (first, second) = (people(), people_with([2.0, 7.0, 8.0]));
    let diff = |models: [&Ensemble; 2], task: &Task| {
        let report = Query::new(task.clone(), models.map(Model::from)).run().map_err(|error| error.to_string())?;
        Ok::<Value, String>(serde_json::to_value(report).unwrap())
    };
    let found = diff([&first, &second], &jobs(Diff::default())).unwrap();
    assert_eq!((&found["upper"], &found["witness"]["job"]), (&json!(3.0), &json!("b")));
    let mut task = jobs(Diff::default());
    task.conditions = vec!["job != b".into()];
    assert_eq!(diff([&first, &second], &task).unwrap()["upper"], json!(0.0));
    // Equal trees of different columns are not the same.
    let exchanged = people_with([4.0, 2.0, 8.0]);
    assert_eq!(diff([&first, &exchanged], &jobs(Diff::default())).unwrap()["upper"], json!(2.0));
}
