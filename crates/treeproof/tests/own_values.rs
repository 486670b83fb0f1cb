//! Rows whose own values are none that an input could otherwise have, and balls in which there is nothing.

use std::sync::Arc;

use treeproof::internals::{
    AdmissibleInputs, Conditions, Metric, Nearest, NearestRequest, RowGoal, Setting, fair_label,
};
use treeproof::report::Verdict;
use treeproof::task::{Question, Task, TaskError, TaskLimits};
use treeproof::watch::Unwatched;
use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::load::{LoadOptions, load_bytes};
use treeproof_ensemble::norm::Norm;
use treeproof_language::Groups;

const NUMBER: &str = r#"{"name": "first", "kind": "numeric"}"#;
const BELOW_40: &str = r#""test": "<", "threshold": [40, 0, 0], "value": [0, 0, 4]"#;
const CATEGORY: &str = r#"{"name": "first", "kind": "category", "encoding": {"rule": "lightgbm"}}"#;

/// `first + 8 · [income ≥ 100]`, where `first` is what its tree says; above 5 is the second class.
fn model(feature: &str, first: &str, link: &str) -> Arc<Ensemble> {
    read(feature, first, link, &LoadOptions::default())
}

fn read(feature: &str, first: &str, link: &str, options: &LoadOptions) -> Arc<Ensemble> {
    let text = format!(
        r#"{{"treeproof": 1, "source": {{"format": "treeproof JSON"}},
        "features": [{feature}, {{"name": "income", "kind": "numeric"}}],
        "input": {{"precision": "f64", "accepts_missing": true, "accepts_infinite": true, "absent": "zero"}},
        "num_outputs": 1,
        "aggregate": {{"rule": "sum", "precision": "f64", "base": [0], "base_position": "first", "fixed_order": true}},
        "link": {{"function": "{link}"}}, "label": {{"rule": "margin_above", "threshold": 5}}, "classes": [0, 1],
        "trees": [{{"left": [1, -1, -1], "right": [2, -1, -1], "feature": [0, -1, -1], {first},
                    "missing_left": [0, 0, 0], "output": 0}},
                  {{"left": [1, -1, -1], "right": [2, -1, -1], "feature": [1, -1, -1], "test": "<",
                    "threshold": [100, 0, 0], "missing_left": [1, 0, 0], "output": 0, "value": [0, 0, 8]}}]}}"#
    );
    Arc::new(load_bytes(text.as_bytes(), options).unwrap())
}

/// `-20 · [first in {1, 2}]`
fn of_category() -> Arc<Ensemble> {
    let first = r#""test": ["in", "", ""], "sets": [[1, 2], [], []], "threshold": [0, 0, 0], "value": [0, -20, 0]"#;
    model(CATEGORY, first, "identity")
}

/// `4 · [first ≥ 40]`
fn of_number(link: &str) -> Arc<Ensemble> {
    model(NUMBER, BELOW_40, link)
}

fn limits() -> TaskLimits {
    let mut limits = Task::new(Question::Max).limits;
    limits.threads = Some(1);
    limits
}

fn closest(ensemble: &Arc<Ensemble>, norm: Norm, texts: &[&str]) -> NearestRequest {
    let texts: Vec<String> = texts.iter().map(|text| (*text).to_owned()).collect();
    NearestRequest {
        ensemble: Arc::clone(ensemble),
        metric: Metric::new(norm, ensemble, &Groups::default()),
        goal: RowGoal::Other,
        threshold: None,
        conditions: Conditions::new(ensemble, &Groups::default(), &texts, None, None).unwrap().unwrap(),
        within: None,
        count: 1,
        bisection: None,
        limits: limits(),
    }
}

fn ask(question: &NearestRequest, row: [f64; 2]) -> Nearest {
    question.ask(&row, &Unwatched).unwrap()
}

/// The verdict, the distance, and the witness.
fn told(answer: &Nearest) -> (Verdict, Option<f64>, Option<Vec<f64>>) {
    (answer.verdict, answer.upper, answer.row.clone())
}

#[test]
fn what_no_other_input_could_have_may_stay() {
    let (category, number) = (of_category(), of_number("identity"));
    for (ensemble, own) in [
        (&category, 57.0),
        (&category, -1.0),
        (&category, f64::INFINITY),
        (&number, f64::INFINITY),
        (&number, f64::NEG_INFINITY),
    ] {
        for norm in [Norm::L0, Norm::L1, Norm::L2, Norm::Linf] {
            let mut question = closest(ensemble, norm, &[]);
            let distance = if norm == Norm::L0 { 1.0 } else { 50.0 };
            let there = |verdict| (verdict, Some(distance), Some(vec![own, 100.0]));
            assert_eq!(told(&ask(&question, [own, 50.0])), there(Verdict::Optimal), "{own} {norm:?}");
            question.within = Some(distance);
            assert_eq!(told(&ask(&question, [own, 50.0])), there(Verdict::Violated), "{own} {norm:?}");
            question.within = Some(distance / 2.0);
            assert_eq!(ask(&question, [own, 50.0]).verdict, Verdict::Holds, "{own} {norm:?}");
        }
    }
}

#[test]
fn what_is_infinite_is_moved_by_a_count_alone() {
    let number = of_number("identity");
    let row = [f64::INFINITY, f64::INFINITY];
    let answer = ask(&closest(&number, Norm::L0, &[]), row);
    assert_eq!((answer.verdict, answer.upper), (Verdict::Optimal, Some(1.0)));
    assert_eq!(ask(&closest(&number, Norm::L1, &[]), row).verdict, Verdict::Infeasible, "nothing is near");
    let mut free = closest(&number, Norm::L1, &[]);
    free.metric.factors[1] = 0.0;
    assert_eq!(ask(&free, row).upper, Some(0.0));
}

#[test]
fn conditions_exclude_a_rows_own_values_too() {
    let (category, number) = (of_category(), of_number("identity"));
    let verdict = |ensemble, norm, text: &str, own| ask(&closest(ensemble, norm, &[text]), [own, 50.0]).verdict;
    // Another category would have to be chosen, which has no distance.
    assert_eq!(verdict(&category, Norm::L1, "first != 57", 57.0), Verdict::Infeasible);
    assert_eq!(verdict(&category, Norm::L1, "first in {0, 1}", -1.0), Verdict::Infeasible);
    assert_eq!(verdict(&category, Norm::L1, "first != 3", 57.0), Verdict::Optimal);
    for text in ["first < 1000", "integer(first)", "first + income < 1000", "onlydecrease(first) and first < 9"] {
        assert_eq!(verdict(&number, Norm::L1, text, f64::INFINITY), Verdict::Infeasible, "{text}");
    }
    for text in ["first > 1000", "onlyincrease(first)", "fixed(first)"] {
        assert_eq!(verdict(&number, Norm::L1, text, f64::INFINITY), Verdict::Optimal, "{text}");
    }
    let answer = ask(&closest(&number, Norm::L0, &["first < 1000"]), [f64::INFINITY, 50.0]);
    assert_eq!((answer.verdict, answer.upper), (Verdict::Optimal, Some(2.0)), "both must be moved");
    let sum = closest(&number, Norm::L0, &["first + income < 1000 or income > 3"]);
    let refused = sum.ask(&[f64::INFINITY, 50.0], &Unwatched);
    assert!(matches!(refused, Err(TaskError::Row { .. })), "{refused:?}");
}

/// What is infinite is a multiple of nothing, so that it may stay where no multiple is wanted.
#[test]
fn what_is_infinite_is_no_multiple() {
    let number = of_number("identity");
    for own in [f64::INFINITY, f64::NEG_INFINITY] {
        for (norm, distance) in [(Norm::L0, 1.0), (Norm::L1, 50.0), (Norm::Linf, 50.0)] {
            let mut question = closest(&number, norm, &["not integer(first)"]);
            let answer = ask(&question, [own, 50.0]);
            assert_eq!(told(&answer), (Verdict::Optimal, Some(distance), Some(vec![own, 100.0])), "{own} {norm:?}");
            question.within = Some(distance);
            assert_eq!(ask(&question, [own, 50.0]).verdict, Verdict::Violated, "{own} {norm:?}");
        }
    }
}

/// A number that is read as missing is not what others are measured from.
#[test]
fn what_is_read_as_missing_is_no_number() {
    for (sentinel, text) in [(-999.0, "first + income >= 30"), (f64::INFINITY, "first >= 30")] {
        let mut options = LoadOptions::default();
        options.missing_value = Some(sentinel);
        let number = read(NUMBER, BELOW_40, "identity", &options);
        for norm in [Norm::Linf, Norm::L1, Norm::L2] {
            let mut question = closest(&number, norm, &["maybemissing(first)", text]);
            question.metric.missing_cost = Some(0.5);
            question.goal = RowGoal::Below(3.0);
            question.within = Some(1.0);
            let answer = ask(&question, [sentinel, 0.0]);
            assert_eq!(answer.verdict, Verdict::Violated, "{sentinel} {norm:?}: {answer:?}");
        }
    }
}

#[test]
fn nothing_holds_of_nothing() {
    let number = of_number("identity");
    let within = |texts: &[&str], radius| {
        let question = NearestRequest { within: Some(radius), ..closest(&number, Norm::L1, texts) };
        ask(&question, [3.0, 3.0]).verdict
    };
    let apart = ["first >= 3.6", "income >= 3.6"];
    assert_eq!(within(&apart, 1.0), Verdict::Infeasible);
    assert_eq!(within(&apart, 1.5), Verdict::Holds);
    assert_eq!(within(&["first + income >= 7.2"], 1.0), Verdict::Infeasible);
    assert_eq!(within(&["first + income >= 7.2"], 1.5), Verdict::Holds);
    assert_eq!(within(&["first >= 3.6", "changed <= 0"], 1.0), Verdict::Infeasible);
    assert_eq!(within(&["first >= 3"], 1.0), Verdict::Holds);
}

#[test]
fn outputs_that_no_margin_gives_are_no_way_to_move() {
    let exp = of_number("exp");
    let moved = |by, within| {
        let question =
            NearestRequest { goal: RowGoal::Moved(by), within: Some(within), ..closest(&exp, Norm::Linf, &[]) };
        ask(&question, [30.0, 50.0]).verdict
    };
    // The output is 1: it cannot fall by 1, and rises to e⁴.
    assert_eq!(moved(1.5, 100.0), Verdict::Violated);
    assert_eq!(moved(1.5, 5.0), Verdict::Holds);
    assert_eq!(moved(0.5, 5.0), Verdict::Holds);
}

#[test]
fn a_row_is_left_out_of_fair_by_conditions_alone() {
    let limits = limits();
    let setting = Setting { allowed: AdmissibleInputs::everything(), limits: &limits, watcher: &Unwatched };
    let verdict =
        |ensemble: &Ensemble, own: f64| fair_label(ensemble, Some(&[own, 50.0]), &[1], None, &setting).unwrap().verdict;
    for own in [57.0, -1.0, 0.0] {
        assert_eq!(verdict(&of_category(), own), Verdict::Violated, "{own}");
    }
    assert_eq!(verdict(&of_category(), 1.0), Verdict::Holds);
    for own in [f64::INFINITY, f64::NEG_INFINITY, 3.0] {
        assert_eq!(verdict(&of_number("identity"), own), Verdict::Violated, "{own}");
    }
}

/// What has no distance in a norm that is bounded stays as it is, though the question alone would let it change.
#[test]
fn bounds_hold_what_has_no_distance() {
    let number = of_number("identity");
    for own in [f64::INFINITY, 45.0] {
        let bounded = |text: &str| told(&ask(&closest(&number, Norm::L0, &[text]), [own, 50.0]));
        let there = (Verdict::Optimal, Some(1.0), Some(vec![own, 100.0]));
        assert_eq!(bounded("distance(l1) <= 50"), there, "{own}");
        assert_eq!(bounded("distance(l2) <= 49").0, Verdict::Infeasible, "{own}");
    }
    // Without the bound another first value is the only way to change one feature.
    let category = of_category();
    let mut question = closest(&category, Norm::L0, &["distance(linf) <= 2", "fixed(income)"]);
    assert_eq!(ask(&question, [57.0, 150.0]).verdict, Verdict::Infeasible);
    question.metric.category_cost = Some(2.0);
    assert_eq!(told(&ask(&question, [57.0, 150.0])), (Verdict::Optimal, Some(1.0), Some(vec![1.0, 150.0])));
    question.metric.category_cost = Some(2.5);
    assert_eq!(ask(&question, [57.0, 150.0]).verdict, Verdict::Infeasible);
}
