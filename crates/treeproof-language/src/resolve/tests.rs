//! What conditions mean for a model, and what is wrong with those that mean nothing.

use treeproof_ensemble::exact::Exact;
use treeproof_ensemble::norm::Norm;

use super::*;
use crate::tests::laws::{FEATURES, groups, model};
use crate::{Assignment, CountRange, ReadRow};

fn resolved(inputs: Inputs, texts: &[&str]) -> Result<Resolved, LanguageError> {
    let model = model();
    let groups = groups(&model);
    let conditions: Vec<Condition> = texts.iter().map(|text| Condition::parse(text).unwrap()).collect();
    Resolved::new(&conditions, &Vocabulary::new(&model, &groups, inputs))
}

fn constraint(inputs: Inputs, text: &str) -> Constraint {
    resolved(inputs, &[text]).unwrap_or_else(|error| panic!("{error}")).constraint()
}

fn error(inputs: Inputs, text: &str) -> String {
    let error = resolved(inputs, &[text]).unwrap_err();
    format!("{}: {}", error.at, error.what)
}

/// Whether a condition holds where `x`, `y` are these and the rest is 0.
fn holds(text: &str, [x, y]: [f64; 2]) -> bool {
    let model = model();
    let mut row = [0.0; FEATURES.len()];
    (row[0], row[1]) = (x, y);
    let input = ReadRow::new(&model, &row).unwrap();
    constraint(Inputs::One, text).holds(Assignment::One { input: &input, reference: None })
}

#[test]
fn conditions_on_one_feature_become_values() {
    let ranges = |text: &str| match constraint(Inputs::One, text) {
        Constraint::Values(_, ValueSet { present: Present::Numbers(ranges), missing }) => {
            (ranges.iter().map(|range| (range.low, range.high)).collect::<Vec<_>>(), missing)
        }
        other => panic!("{text}: {other:?}"),
    };
    let (low, high) = (f64::NEG_INFINITY, f64::INFINITY);
    assert_eq!(ranges("30 <= x < 50"), (vec![(30.0, 50.0_f64.next_down())], false));
    assert_eq!(ranges("not (30 <= x < 50)"), (vec![(low, 30.0_f64.next_down()), (50.0, high)], false));
    assert_eq!(ranges("3*x <= 1"), (vec![(low, 1.0 / 3.0)], false));
    assert_eq!(ranges("-2*x + 1 < 2*(x - 3/2)"), (vec![(1.0_f64.next_up(), high)], false));
    assert_eq!(ranges("3*x == 1"), (vec![], false));
    assert_eq!(ranges("abs(x - 1) <= 2"), (vec![(-1.0, 3.0)], false));
    assert_eq!(ranges("abs(x) >= 2"), (vec![(low, -2.0), (2.0, high)], false));
    assert_eq!(ranges("x in {2, 1} or missing(x)"), (vec![(1.0, 1.0), (2.0, 2.0)], true));
    assert_eq!(ranges("x > 3 implies x < 3"), (vec![(low, 3.0)], false));
    assert_eq!(ranges("f0 != 0"), (vec![(low, -f64::from_bits(1)), (f64::from_bits(1), high)], false));
    assert_eq!(ranges("maybemissing(x) and x >= 0"), (vec![(0.0, high)], true));
}

#[test]
fn sums_are_exact_and_infinite_ones_compare_with_nothing() {
    assert!(holds("x + y > 1e300", [1e300, 5e-324]) && !holds("x + y > 1e300", [1e300, 0.0]));
    assert!(holds("x - y == 0.1", [0.1, 0.0]) && !holds("x - y == 0.1", [0.3, 0.2]), "no sum is rounded");
    assert!(holds("x > 1e300", [f64::INFINITY, 0.0]) && !holds("x < 1e300 * 1e300", [f64::INFINITY, 0.0]));
    assert!(!holds("x > y", [f64::INFINITY, 0.0]) && !holds("x <= y", [f64::INFINITY, 0.0]));
}

#[test]
fn steps_are_what_is_written() {
    for x in [0.0, 0.1, 0.3, 0.7, -1234.6, 1e16, 123_456_789.1] {
        assert!(holds("step(x, 0.1)", [x, 0.0]), "{x}");
    }
    for x in [0.05, 0.1_f64.next_up(), 0.1 + 0.2, f64::INFINITY] {
        assert!(!holds("step(x, 0.1)", [x, 0.0]), "{x}");
    }
    assert!(holds("integer(x) and not integer(y)", [-3.0, 0.5]));
}

#[test]
fn names_without_a_side_mean_both_inputs() {
    let both = constraint(Inputs::Two, "x > 1 or y > 1");
    let Constraint::All(parts) = &both else { panic!("{both:?}") };
    assert_eq!(parts[0], constraint(Inputs::Two, "a.x > 1 or a.y > 1"));
    assert_eq!(parts[1], constraint(Inputs::Two, "b.`x` > 1 or b.f1 > 1"));
    assert_eq!(
        error(Inputs::Two, "a.x > y"),
        "6: say which input is meant here: `a.…` or `b.…`, as the other names do"
    );
    assert!(resolved(Inputs::Two, &["a.x > 1 and y > 1", "atmost(1, a.w_*) and fixed(x)"]).is_ok());
    assert_eq!(error(Inputs::One, "a.x > 1"), "0: `a.` and `b.` are for questions about two inputs; this one has one");
}

#[test]
fn groups_are_one_name() {
    let changed = constraint(Inputs::WithReference, "changed < 2.5");
    let units = vec![vec![0], vec![1], vec![2], vec![3, 4, 5], vec![6]];
    assert_eq!(changed, Constraint::Changed { units, number: CountRange { at_least: 0, at_most: 2 } });
    let columns = |text| constraint(Inputs::WithReference, text);
    assert_eq!(columns("onehot(w)"), columns("onehot(w_0, w_1, w_2)"));
    assert_eq!(columns("fixed(w)"), columns("fixed(w_*)"));
    assert_eq!(columns("changed(w) == 0"), columns("changed(w_1) == 0"));
    assert_eq!(columns("w == 1"), columns("w_1 == 1"));
    assert_eq!(columns("w in {0, 'w_2'}"), columns("w_1 == 0"));
    assert_eq!(columns("w != 1"), columns("w_1 == 0"));
    assert_eq!(columns("w not in {0, 2}"), columns("w_1 == 1"));
    assert_eq!(columns("not (w == 1 and w != 0)"), columns("w_1 == 0 or w_0 == 1"));
    assert_eq!(columns("w in {0, 1, 2}"), Constraint::ALWAYS);
    let two = |text| constraint(Inputs::Two, text);
    assert_eq!(two("b.w == 2"), two("b.w_2 == 1"));
    assert_eq!(two("a.w == b.w"), two("fixed(w)"));
    assert_eq!(two("a.w != b.w"), two("not fixed(w)"));
    assert_eq!(
        error(Inputs::One, "w > 0"),
        "0: `w` is a group of columns, whose values have no order; write `==` or `in {…}`"
    );
    assert_eq!(
        error(Inputs::One, "x + w > 0"),
        "4: `w` is a group of columns, whose values have no order; write `==` or `in {…}`"
    );
    assert_eq!(error(Inputs::One, "w == 7"), "5: group `w` has no value `7`; it has `0`, `1`, `2`");
    assert_eq!(
        error(Inputs::Two, "a.w == a.w"),
        "7: a group can be compared with the same group of the other input only"
    );
    assert_eq!(
        error(Inputs::WithReference, "onlyincrease(w)"),
        "13: a group of columns has no order: `fixed` and `changed` may name it"
    );
}

#[test]
fn bounds_on_distances_stand_beside_what_must_hold() {
    let resolved =
        resolved(Inputs::WithReference, &["x < 3 and distance(l1) <= 2*2.5", "3 >= distance(linf)"]).unwrap();
    let bound = |norm, limit| DistanceLimit { norm, limit: Exact::from_f64(limit).unwrap() };
    assert_eq!(resolved.bounds, [bound(Norm::L1, 5.0), bound(Norm::Linf, 3.0)]);
    assert_eq!(resolved.constraint(), constraint(Inputs::WithReference, "x < 3"));
}

#[test]
fn mistakes_are_pointed_at() {
    for (inputs, text, expected) in [
        (Inputs::One, "colou == red", "0: the model has no feature `colou`; did you mean `colour`?"),
        (Inputs::One, "colour == rde", "10: feature `colour` has no category `rde`; did you mean `red`?"),
        (Inputs::One, "colour > red", "0: `colour` has categories, which have no order; write `in {…}`"),
        (Inputs::One, "x + colour > 1", "4: `colour` has categories, which have no order; write `in {…}`"),
        (Inputs::One, "x == 'red'", "5: `red` is not a number"),
        (Inputs::One, "x in {red}", "6: `red` is not a number, but `x` is numeric"),
        (Inputs::One, "x * y < 1", "4: a product of features is not linear"),
        (Inputs::One, "1 / x < 1", "4: only numbers can divide"),
        (Inputs::One, "x / (2 - 2) < 1", "5: division by zero"),
        (Inputs::One, "1 < 2", "0: the comparison names no feature"),
        (Inputs::One, "abs(abs(x)) < 2", "0: `abs` within `abs`"),
        (Inputs::One, "x >= nan", "5: nothing compares with `nan`; `missing(…)` says that a value is missing"),
        (
            Inputs::One,
            "fixed(x)",
            "0: `fixed` compares with a row, which `robust` and `closest` have, but not this question",
        ),
        (
            Inputs::One,
            "changed < 2",
            "0: `changed` compares with a row, which `robust` and `closest` have, but not this question",
        ),
        (Inputs::WithReference, "changed < x", "10: `changed` can be compared with a number only"),
        (
            Inputs::WithReference,
            "2 * changed < 3",
            "4: `changed` can only be compared with a number, not be part of a sum",
        ),
        (
            Inputs::One,
            "x < 3 and distance(l1) <= 2",
            "10: `distance` is measured from a row, as in `robust` and `closest`, but not in this question",
        ),
        (
            Inputs::Two,
            "distance(l1) <= 2",
            "0: `distance` is measured from a row, as in `robust` and `closest`, but not in this question",
        ),
        (Inputs::WithReference, "distance(l1) < 2", "0: a distance can only be at most a number: `distance(l1) <= 5`"),
        (
            Inputs::WithReference,
            "0 <= distance(l2) <= 2",
            "5: a distance can only be at most a number: `distance(l2) <= 5`",
        ),
        (Inputs::WithReference, "distance(l1) <= x", "16: `distance` can be compared with a number only"),
        (
            Inputs::WithReference,
            "distance(l1) <= distance(l2)",
            "16: `distance` can only be compared with a number, not be part of a sum",
        ),
        (
            Inputs::WithReference,
            "2 * distance(l1) <= 3",
            "4: `distance` can only be compared with a number, not be part of a sum",
        ),
        (
            Inputs::WithReference,
            "not distance(l1) <= 3",
            "4: a bound on a distance stands alone: it cannot be part of `or`, `not` or `implies`",
        ),
        (
            Inputs::WithReference,
            "x < 3 or 3 >= distance(linf)",
            "14: a bound on a distance stands alone: it cannot be part of `or`, `not` or `implies`",
        ),
        (Inputs::Two, "fixed(a.x)", "6: this compares both inputs; write the name without `a.` or `b.`"),
        (
            Inputs::One,
            "x < 1 or maybemissing(x)",
            "9: `maybemissing` permits: it cannot be part of `or`, `not` or `implies`",
        ),
        (
            Inputs::One,
            "atmost(1, q_*)",
            "10: the model has no feature like `q_*`; it has `x`, `y`, `z`, `w_0`, `w_1`, `w_2`, `colour`",
        ),
        (Inputs::One, "integer(colour)", "8: `colour` has categories, not numbers"),
        (
            Inputs::Two,
            "a.colour == b.colour and a.colour == a.colour",
            "37: categories can be compared with the same feature of the other input only",
        ),
    ] {
        assert_eq!(error(inputs, text), expected, "{text}");
    }
}

#[test]
fn long_conditions_take_no_longer_than_they_must() {
    for (part, count) in [("x + ", 50_000), ("2 * ", 20_000), ("x < 3 and ", 20_000), ("x < ", 5_000)] {
        assert!(resolved(Inputs::One, &[&format!("{}x < 3", part.repeat(count))]).is_ok(), "{part}");
    }
}
