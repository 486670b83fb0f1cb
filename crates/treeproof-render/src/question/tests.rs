//! The words of answers, as people read them.

use serde_json::{Value, json};
use treeproof_report::{About, AnyReport, Report, TaskRecord};

use super::{page, question as question_of};
use crate::page::Page;
use crate::proved::Proved;
use crate::surface::{Spelling, Surface};

/// An answer to a task, as it is shown.
fn shown(report: &Value, task: Option<&Value>, surface: Surface) -> Page {
    let report: Report = serde_json::from_value(report.clone()).unwrap();
    let about = About { task: task.cloned().map(TaskRecord::from), ..About::default() };
    page(&AnyReport::Question(report), &about, surface)
}

fn brief() -> Surface {
    Surface::brief(Spelling::Flags)
}

fn answer(of: &Value, details: &Value) -> String {
    shown(of, Some(&json!({"question": {"asked": details}})), brief()).answer
}

fn of(report: Value, task: Value) -> String {
    let report: Report = serde_json::from_value(report).unwrap();
    let about = About { task: Some(TaskRecord::from(task)), ..About::default() };
    question_of(&AnyReport::Question(report), &about, brief())
}

fn told(report: &Value, task: Value) -> Vec<String> {
    let told = shown(report, Some(&task), brief()).facts.0;
    told.into_iter().map(|(name, text)| format!("{name}: {text}")).collect()
}

fn proved(report: &Value, task: Option<&Value>) -> Proved {
    shown(report, task, Surface::page(Spelling::Flags, 10)).proved
}

#[test]
fn questions_are_sentences() {
    assert_eq!(of(json!({"question": "min", "class": "b"}), json!(null)), "How small can the margin of class b be?");
    assert_eq!(
        of(json!({"question": "max"}), json!({"where": ["a < 1", "b > 2"], "domain": "x.csv"})),
        "How large can the margin be where (a < 1) and (b > 2), within what occurs in x.csv?"
    );
    let robust = json!({"question": "robust", "norm": "linf", "radius": 0.5});
    assert_eq!(of(robust, json!(null)), "Do rows keep their label under all changes of at most 0.5 (l∞)?");
    let robust = json!({"question": "robust", "norm": "l0", "radius": 2});
    let task = json!({"question": {"robust": {"target": "yes"}}});
    assert_eq!(of(robust, task), "Do rows stay out of class yes under all changes of at most 2 features?");
    let task = json!({"question": {"closest": {"norm": "l1", "output_above": 3}}});
    assert_eq!(
        of(json!({"question": "closest"}), task),
        "How far is the closest input with an output above 3, by the sum of changes (l1)?"
    );
    let stable = json!({"question": "stable", "norm": "l1", "radius": 0.5});
    let task = json!({"question": {"stable": {"norm": "l1", "radius": 0.5, "scale": "std:way/x.csv"}}});
    assert_eq!(of(stable, task), "How far can the margin jump under changes of at most 0.5 standard deviations (l1)?");
    let task = json!({"question": {"dominant": {"baseline": 3, "at_most": 2}}, "data": "way/x.csv", "domain": "y.csv"});
    assert_eq!(
        of(json!({"question": "dominant"}), task),
        "Which attributes, 2 at most, raise the margin most from row 3 of x.csv, within what occurs in y.csv?"
    );
    let task = json!({"question": {"dominant": {"baseline": ["age=30, bmi=25"], "given": ["sex=1"], "at_most": 1}}});
    assert_eq!(
        of(json!({"question": "dominant"}), task),
        "Which attribute raises the margin most from age=30, bmi=25 and sex=1?"
    );
    let task = json!({"question": {"fair": {"protected": ["age", "sex"]}}});
    assert_eq!(of(json!({"question": "fair"}), task), "Are inputs treated alike that differ only in age and sex?");
    let falling = json!({"question": "monotone", "feature": "age", "trend": "decreasing"});
    assert_eq!(of(falling, json!(null)), "Does the margin never rise as age rises?");
    let task = json!({"question": {"diff": {"within": 0.0}}});
    assert_eq!(of(json!({"question": "diff"}), task), "Are the margins of two models the same?");
}

#[test]
fn nothing_is_called_proved_that_is_not() {
    for question in ["max", "min", "stable", "diff", "dominant", "maximise", "fair", "monotone", "range", "enumerate"] {
        for reason in ["time", "memory", "interrupted", "rounding", "target"] {
            let open =
                json!({"question": question, "verdict": "undecided", "lower": 1.0, "upper": 2.5, "stopped": reason});
            let said = answer(&open, &Value::Null);
            assert!(!said.contains("proved") && said.ends_with('.'), "{said}");
        }
    }
    let close = json!({"question": "max", "verdict": "optimal", "lower": 1.0, "upper": 2.5, "stopped": "target"});
    assert_eq!(answer(&close, &Value::Null), "The largest margin is between 1 and 2.5: as close as asked for.");
}

#[test]
fn configurations_are_counted() {
    let told = |many: usize, top: u64, stopped: &str| {
        let verdict = if stopped == "optimal" { "optimal" } else { "undecided" };
        let regions = vec![json!({}); many];
        let found = json!({"question": "enumerate", "verdict": verdict, "stopped": stopped, "regions": regions});
        answer(&found, &json!({"top": top, "above": 1.5}))
    };
    assert_eq!(told(0, 3, "optimal"), "No output configuration above 1.5: proved.");
    assert_eq!(told(1, 3, "optimal"), "The only output configuration above 1.5: proved.");
    assert_eq!(told(2, 3, "optimal"), "All 2 output configurations above 1.5: proved.");
    assert_eq!(told(3, 3, "optimal"), "The 3 best output configurations above 1.5: proved.");
    let open = "The best 2 output configurations above 1.5, of 3 asked for: the time was up (--time gives more).";
    assert_eq!(told(2, 3, "time"), open);
}

#[test]
fn answers_are_sentences() {
    let fair = json!({"question": "fair", "verdict": "violated", "summary": {"asked": 4, "violated": 1, "decided": 3, "share": 0.25}});
    let details = json!({"protected": ["sex"]});
    assert_eq!(answer(&fair, &details), "1 of 4 rows (25.0 %) gets another label when only sex changes; 1 undecided.");
    let monotone = json!({"question": "monotone", "verdict": "violated", "feature": "age", "lower": 0.5,
                          "witness": {"a": {"age": 3.0}, "b": {"age": null}}});
    assert_eq!(answer(&monotone, &Value::Null), "The margin falls by 0.5 when age rises from 3 to missing.");
    let features =
        json!([{"verdict": "violated", "trend": "decreasing"}, {"verdict": "undecided", "trend": "increasing"}]);
    let monotone = json!({"question": "monotone", "verdict": "violated", "features": features});
    assert_eq!(
        answer(&monotone, &Value::Null),
        "The margin goes against its trend somewhere as the feature rises, for 1 of 2 features; 1 undecided."
    );
    let features = |verdicts: &[&str]| -> Vec<Value> {
        let one = |(place, verdict)| json!({"feature": format!("x{place}"), "verdict": verdict});
        verdicts.iter().enumerate().map(one).collect()
    };
    let told = |verdict: &str, of: &[&str]| {
        answer(&json!({"question": "monotone", "verdict": verdict, "features": features(of)}), &Value::Null)
    };
    assert_eq!(told("holds", &["holds", "holds"]), "The margin never falls as x0 or x1 rises: proved.");
    assert_eq!(told("holds", &["holds"; 4]), "The margin never falls as any of 4 features rises: proved.");
    assert_eq!(
        told("violated", &["violated", "violated"]),
        "The margin falls somewhere as the feature rises, for each of 2 features."
    );
    assert_eq!(
        told("violated", &["violated", "holds", "undecided"]),
        "The margin falls somewhere as the feature rises, for 1 of 3 features; never for 1: proved; 1 undecided."
    );
    assert_eq!(
        told("undecided", &["holds", "undecided"]),
        "The margin never falls as the feature rises, for 1 of 2 features: proved; 1 undecided."
    );
    let same = json!({"question": "diff", "verdict": "optimal", "lower": 0.0, "upper": 0.0});
    assert_eq!(answer(&same, &Value::Null), "The margins never differ: proved.");
    let stable = json!({"question": "stable", "class": "b", "verdict": "optimal", "lower": 1.5, "upper": 1.5});
    assert_eq!(
        answer(&stable, &json!({"norm": "l0", "radius": 2})),
        "The margin of class b of two inputs that differ in at most 2 features differs by 1.5 at most: proved."
    );
    let nothing = json!({"question": "max", "verdict": "infeasible", "conflict": ["a < 1", "a > 2"]});
    assert_eq!(answer(&nothing, &details), "Nothing meets the conditions: `a < 1` and `a > 2` exclude each other.");
}

#[test]
fn rows_are_counted_and_one_is_told() {
    let of = |question: &str, details: Value, summary: Value, rows: Value| {
        answer(&json!({"question": question, "summary": summary, "rows": rows}), &details)
    };
    let robust =
        |summary| of("robust", json!({"norm": "linf", "radius": 0.5, "scale": "std:x.csv"}), summary, json!([]));
    assert_eq!(robust(json!({"rows": 3, "holds": 3})), "All 3 rows are robust within 0.5 standard deviations: proved.");
    assert_eq!(
        robust(json!({"rows": 3, "violated": 2, "undecided": 1})),
        "0 of 3 rows are robust within 0.5 standard deviations; 2 can be changed; 1 undecided."
    );
    assert_eq!(
        robust(json!({"rows": 3, "infeasible": 3})),
        "Nothing within 0.5 standard deviations of any of 3 rows meets the conditions."
    );
    let closest = |rows: Value| of("closest", json!({"norm": "l0"}), json!({"rows": 1, "decided": 1}), rows);
    assert_eq!(
        closest(json!([{"verdict": "optimal", "lower": 2.0, "upper": 2.0}])),
        "The closest input with another label is 2 changes away: proved."
    );
    assert_eq!(closest(json!([{"verdict": "infeasible"}])), "No input with another label exists: proved.");
    assert_eq!(
        closest(json!([{"verdict": "undecided", "lower": 1.0, "upper": 2.0, "stopped": "interrupted"}])),
        "The closest input with another label is between 1 and 2 changes away: the search was interrupted."
    );
    let many = |summary| of("closest", json!({"norm": "l1"}), summary, json!([]));
    assert_eq!(many(json!({"rows": 20, "decided": 20})), "The distances of all 20 rows are exact: proved.");
    assert_eq!(
        many(json!({"rows": 20, "decided": 19, "infeasible": 1, "undecided": 1})),
        "The distances of 18 of 20 rows are exact: proved; 1 without any such input: proved; 1 undecided."
    );
    assert_eq!(
        many(json!({"rows": 2, "decided": 1, "undecided": 1})),
        "The distance of 1 of 2 rows is exact: proved; 1 undecided."
    );
    let one = |summary| of("robust", json!({"norm": "linf", "radius": 1}), summary, json!([]));
    assert_eq!(one(json!({"rows": 1, "holds": 1})), "The row is robust within 1: proved.");
    assert_eq!(one(json!({"rows": 1, "violated": 1})), "The row is not robust within 1: it can be changed.");
    assert_eq!(one(json!({"rows": 1, "undecided": 1})), "Whether the row is robust within 1 is open.");
    assert_eq!(one(json!({"rows": 2, "violated": 2})), "0 of 2 rows are robust within 1; 2 can be changed.");
    let fair = json!({"rows": 4, "asked": 4, "decided": 4, "violated": 0, "share": 0.0});
    assert_eq!(
        of("fair", json!({"protected": ["sex"]}), fair, json!([])),
        "No label of 4 rows changes when only sex does: proved."
    );
}

#[test]
fn the_attribute_that_does_most_is_named() {
    let told = |verdict: &str, ones: Value| {
        answer(&json!({"question": "dominant", "verdict": verdict, "attributes": ones}), &json!({"decrease": true}))
    };
    let ones = json!([{"attribute": "x", "lower": 2.5, "upper": 2.5}, {"attribute": "y", "lower": 0.0, "upper": 0.0}]);
    assert_eq!(told("optimal", ones.clone()), "Of 2 attributes, x alone lowers the margin most, by 2.5: proved.");
    let open = "Of 2 attributes, x alone lowers the margin by 2.5 or more; some effects are undecided.";
    assert_eq!(told("undecided", ones), open);
    assert_eq!(
        told("optimal", json!([{"attribute": "x", "lower": 0.0}])),
        "No attribute alone lowers the margin: proved."
    );
}

#[test]
fn bounds_within_a_gap_are_not_exact() {
    let sentence = |found: Value, question: Value| {
        shown(&found, Some(&json!({"question": question, "limits": {"gap": "10%"}})), brief()).answer
    };
    let ranking = json!({"question": "dominant", "verdict": "optimal", "attributes": [
        {"attribute": "x", "verdict": "optimal", "lower": 2.5, "upper": 2.7},
        {"attribute": "y", "verdict": "optimal", "lower": 2.4, "upper": 2.6}]});
    assert_eq!(
        sentence(ranking, json!({"dominant": {"each": true}})),
        "Of 2 attributes, x alone raises the margin by 2.5 or more; some effects are known within the gap only."
    );
    let rows = json!({"question": "fair", "verdict": "optimal", "unit": "margin",
        "rows": [{"row": 0, "verdict": "optimal", "stopped": "target", "lower": 1.0, "upper": 1.09}],
        "summary": {"rows": 1, "asked": 1, "decided": 1, "largest": 1.0}});
    assert_eq!(
        sentence(rows, json!({"fair": {"protected": ["sex"]}})),
        "The margin of the row moves by at most 1.09 when only sex changes."
    );
}

#[test]
fn trends_of_features_may_differ() {
    let found = json!({"question": "monotone", "verdict": "holds", "features": [
        {"feature": "age", "trend": "increasing", "verdict": "holds"},
        {"feature": "debt", "trend": "decreasing", "verdict": "holds"}]});
    let texts = proved(&found, None).yes;
    assert_eq!(
        texts,
        ["The margin never goes against its trend as one of these rises and all else stays: age and debt."]
    );
}

#[test]
fn facts_are_told_by_name() {
    let answer = json!({"question": "max", "verdict": "undecided", "lower": 1, "upper": 2.5, "gap": 1.5, "output": 1.0, "rounding": 1e-9,
        "probability": 0.75, "nearest_row": {"row": 3, "changed": 1, "distance": 0.125}, "seconds": 0.5, "stats": {"regions": 1200}});
    assert_eq!(
        told(&answer, json!({"domain": "way/x.csv"})),
        [
            "bounds: at least 1, at most 2.5",
            "gap: 1.5",
            "output: 1, as the library computes it (within 1.0e-9 of the exact sum)",
            "probability: 0.75",
            "nearest row: row 3 of x.csv: 1 feature differs, scaled distance 0.12",
            "time: 0.50 s, 1,200 regions"
        ]
    );
}

#[test]
fn of_many_classes_those_are_told_that_labels_are_about() {
    let answer = json!({"question": "fair", "verdict": "violated", "label": {"a": "u", "b": "w"},
        "output": {"a": [3.0, 1.0, 2.0], "b": [0.5, 1.0, 2.5]}});
    assert_eq!(
        told(&answer, json!({}))[0],
        "output: 3 → 0.5 for class u, 2 → 2.5 for class w, as the library computes it"
    );
    let same = json!({"question": "diff", "label": {"a": "u", "b": "u"}, "output": {"a": [3.0, 1.0], "b": [2.5, 1.0]}});
    assert_eq!(told(&same, json!({}))[0], "output: 3 → 2.5 for class u, as the library computes it");
    let other = json!({"question": "diff", "output": {"a": [3.0, 1.0], "b": [2.5, 1.0]}});
    assert_eq!(told(&other, json!({}))[0], "output: (3, 1) → (2.5, 1), as the library computes it");
}

#[test]
fn two_inputs_have_their_own_rows_and_margins_their_signs() {
    let near = json!({"a": {"row": 1, "changed": 0}, "b": {"row": 2, "changed": 3, "distance": 1e-4}});
    let answer = json!({"question": "maximise", "outputs": [1.5, 2], "nearest_row": near});
    let task = json!({"maximise": [{"model": "m"}, {"model": "m", "input": "b", "sign": -1, "class": "c"}],
                      "inputs": {"a": {"domain": "x.csv"}, "b": {"same_as": "a"}}});
    assert_eq!(
        told(&answer, task),
        [
            "output: + 1.5 of m at a",
            "output: - 2 of m at b, class c",
            "nearest (a): row 1 of x.csv: the same",
            "nearest (b): row 2 of x.csv: 3 features differ, scaled distance 1.0e-4"
        ]
    );
}

#[test]
fn huge_numbers_earn_a_hint_where_data_would_help() {
    let answer = json!({"question": "range", "min": {"witness": {"x": 1}}, "max": {"witness": {"x": -2e9}}});
    assert_eq!(told(&answer, json!({})), ["hint: --domain confines the features to what occurs in data"]);
    assert!(told(&answer, json!({"domain": "x.csv"})).is_empty());
}

#[test]
fn a_limit_leaves_something_open_and_an_optimum_nothing() {
    let mut answer = json!({"question": "max", "verdict": "undecided", "lower": 1.0, "upper": 2.5, "stopped": "time",
                            "witness": {"x": 1}, "unit": "margin"});
    let open = proved(&answer, Some(&json!({})));
    assert_eq!(open.yes, ["No allowed input has a margin above 2.5.", "The input shown has a margin of at least 1."]);
    assert_eq!(open.no[0], "Whether some input has a margin between 1 and 2.5: the time was up.");
    (answer["verdict"], answer["stopped"]) = (json!("optimal"), json!("optimal"));
    assert_eq!(proved(&answer, None).no.len(), 1, "only what no search can prove");
    answer["upper"] = Value::Null;
    assert!(proved(&answer, None).no[0].starts_with("Any number that a margin never exceeds"));
}

#[test]
fn what_a_question_is_about_is_told() {
    let details = json!({"norm": "l2", "radius": 0.5, "scale": "std:x.csv"});
    let task = json!({"question": {"robust": details}, "data": "way/y.csv", "threshold": 0.3});
    let answer =
        json!({"question": "robust", "verdict": "holds", "unit": "distance", "rows": [], "summary": {"rows": 0}});
    assert_eq!(
        proved(&answer, Some(&task)).about,
        [
            "Rows are those of y.csv, counted from 0.",
            "A distance is the root of the sum of squared changes (l2).",
            "Each change of a number is divided by the feature's standard deviation in x.csv.",
            "The second class is chosen above a probability of 0.3."
        ]
    );
    let details = json!({"baseline": "age=30", "vary": ["b*", "c"]});
    let task = json!({"question": {"dominant": details}, "where": "age < 40"});
    assert_eq!(
        proved(&json!({"question": "dominant"}), Some(&task)).about[..3],
        [
            "The starting point is age=30; all other features are 0.",
            "Only these attributes may change: b* and c.",
            "Only inputs count that meet: age < 40."
        ]
    );
}

#[test]
fn what_never_differs_is_not_called_different() {
    let answer = json!({"question": "diff", "verdict": "holds", "lower": 0.0, "upper": 0.0, "witness": {"x": 1},
                        "probability": {"a": 0.5, "b": 0.5}});
    let found = proved(&answer, Some(&json!({"question": {"diff": {"within": 0.0}}})));
    assert_eq!(found.yes, ["The margins of the two models never differ."]);
    assert!(found.no[0].starts_with("That what the libraries return is the same"));
}

#[test]
fn rows_are_counted_by_what_is_known_of_them() {
    let rows = json!([{"verdict": "undecided", "stopped": "time"}, {"verdict": "holds"}]);
    let answer = json!({"question": "robust", "verdict": "undecided", "norm": "l1", "radius": 2, "rows": rows,
                        "summary": {"rows": 2, "holds": 1, "undecided": 1, "left": 3}});
    let found = proved(&answer, None);
    assert_eq!(found.yes, ["1 row: none of the allowed changes of at most 2 (l1) gets another label."]);
    assert_eq!(found.no[1], "3 rows: not asked, the run was interrupted.");
    assert!(found.no[0].starts_with("1 row: open, the time was up."));
}

#[test]
fn what_cannot_be_met_is_no_pass() {
    let found = proved(&json!({"question": "max", "verdict": "infeasible"}), None);
    assert!(found.no[0].ends_with("This is not a pass."));
}
