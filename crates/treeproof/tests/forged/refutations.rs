//! Forged refutations: sums of conditions that do not add up.

use super::*;

/// A claim that there is no input, of two numbers under conditions, in one cell each; the log closes all by this refutation.
fn refuted(conditions: &Value, refutation: &[u8]) -> Result<(), String> {
    let cells = json!([[{"numbers": ["-inf", "inf"]}]]);
    let header = json!({
        "statement": {"features": features(2), "inputs": [[everything(), everything()]], "conditions": conditions,
                      "goal": {"sums": [[{"terms": [{"model": 0, "input": 0, "output": 0, "negated": false}]}]]}},
        "axes": [axis(0, 0, &cells), axis(0, 1, &cells)], "unit": "1", "offset": "0", "bundles": [[[]]]});
    let models = json!({"question": "forged", "models": [{"name": "model", "sha256": ""}]});
    let log = [&[5], refutation, &[3, 3, 0]].concat();
    let parts = Parts { models, header, log, conclusion: json!({"claim": "infeasible"}) };
    check(&parts.sealed(), &[stumps(2)]).map(|_| ())
}

fn below(first: &str, second: &str, constant: &str) -> Value {
    let term = |feature: u32, coefficient: &str| json!({"coefficient": coefficient, "variable": {"input": 0, "feature": feature}});
    json!({"linear": {"terms": [term(0, first), term(1, second)], "relation": "at_most", "constant": constant}})
}

/// Only factors that lead to what cannot be refute; wrong ones, wrong rows and cases that leave something out do not.
#[test]
fn factors_that_do_not_add_up() {
    let contrary = json!([below("1", "-1", "0"), below("-1", "1", "-1")]);
    assert_eq!(refuted(&contrary, &sums(&[(0, "1"), (1, "1")])), Ok(()));
    for rows in [
        &[(0, "1"), (1, "2")][..],
        &[(0, "1")],
        &[(0, "-1"), (1, "-1")],
        &[(0, "1"), (2, "1")],
        &[(0, "0"), (1, "0")],
        &[],
    ] {
        refuted(&contrary, &sums(rows)).expect_err("factors that do not add up");
    }
    // Both hold of something.
    let together = json!([below("1", "-1", "0"), below("-1", "1", "1")]);
    refuted(&together, &sums(&[(0, "1"), (1, "1")])).expect_err("what is not so");
    refuted(&together, &[0]).expect_err("something is left");

    let either = json!([below("1", "-1", "0"), {"any": [below("-1", "1", "-1"), below("-1", "1", "-2")]}]);
    let case = sums(&[(0, "1"), (1, "1")]);
    assert_eq!(refuted(&either, &[&[2, 1, 2], &case[..], &case].concat()), Ok(()));
    refuted(&either, &[&[2, 1, 1], &case[..]].concat()).expect_err("an alternative is left out");
    refuted(&either, &[&[2, 0, 2], &case[..], &case].concat()).expect_err("there are no alternatives");
    refuted(&either, &case).expect_err("an alternative is not demanded");

    // Between two whole numbers there is none, and no number is on neither side of another.
    let between = json!([below("1", "-1", "0"), below("-1", "1", "0"), below("2", "2", "5"), below("-2", "-2", "-3"),
                         {"multiple": {"variable": {"input": 0, "feature": 0}, "step": "1", "negated": false}}]);
    let parted = |number: f64, first: &[u8], second: &[u8]| {
        [&[3, 0, 0], &number.to_bits().to_le_bytes()[..], first, second].concat()
    };
    // 4·x0 is at least 3 and at most 5, as x1 is the same: so x0 is 1.
    let (low, high) = (sums(&[(1, "2"), (3, "1")]), sums(&[(0, "2"), (2, "1")]));
    refuted(&between, &parted(0.0, &low, &high)).expect_err("1 is left");
    let twice = |middle: &[u8]| parted(0.0, &low, &parted(1.0, middle, &high));
    refuted(&between, &twice(&low)).expect_err("1 is left");
    refuted(&between, &parted(f64::NAN, &low, &high)).expect_err("what is no number parts nothing");
    let half = json!([below("1", "-1", "0"), below("-1", "1", "0"), below("2", "2", "3"), below("-2", "-2", "-1"),
                      {"multiple": {"variable": {"input": 0, "feature": 0}, "step": "1", "negated": false}}]);
    assert_eq!(refuted(&half, &parted(0.0, &low, &high)), Ok(()));
    refuted(&half, &parted(-1.0, &low, &high)).expect_err("0 is not on the lower side");
    refuted(&half, &[&[4, 0], &low[..], &low, &high].concat()).expect_err("there is one input");
}

/// Absent features are refused, and do not end the program.
#[test]
fn planes_of_features_that_are_not_there() {
    let mut near = near("l1", 2);
    near["radius"] = 1.into();
    let cells = json!([[{"numbers": ["-inf", "inf"]}]]);
    let header = json!({
        "statement": {"features": features(2), "inputs": [[everything(), everything()]], "reference": [20, 10000],
                      "near": near, "goal": "anything"},
        "axes": [axis(0, 0, &cells), axis(0, 1, &cells)], "unit": "1", "offset": "0", "bundles": [[[]]]});
    for feature in [2, 99] {
        // No rows, and once one plane of the first distance along one feature.
        let log = [5, 1, 0, 1, 0, 1, b'1', 1, feature, 1, b'1', 3, 3, 0];
        let wrong = refused(stumps(2), header.clone(), json!({"claim": "infeasible"}), &log);
        assert!(wrong.contains("no condition excludes"), "{wrong}");
    }
    // A factor of 2⁶⁴ − 1 digits.
    let log = [&[5, 1, 1, 0][..], &[255; 9], &[1]].concat();
    let wrong = refused(stumps(2), header, json!({"claim": "infeasible"}), &log);
    assert!(wrong.contains("too long"), "{wrong}");
}

/// A ball ends where it ends: what touches it is there, and what is beyond it by less than any double can tell is not.
#[test]
fn planes_that_touch_a_ball() {
    let mut near = near("l2", 2);
    let cells = json!([[{"numbers": ["-inf", "inf"]}]]);
    // The first feature is at least this one.
    let mut refuted = |least: &str, radius: u32, times: &[u8], number: &[u8]| {
        near["radius"] = radius.into();
        let header = json!({
            "statement": {"features": features(2), "inputs": [[everything(), everything()]], "reference": [0, 0],
                          "conditions": [below("-1", "0", &format!("-{least}"))], "near": near, "goal": "anything"},
            "axes": [axis(0, 0, &cells), axis(0, 1, &cells)], "unit": "1", "offset": "0", "bundles": [[[]]]});
        let models = json!({"question": "forged", "models": [{"name": "model", "sha256": ""}]});
        let text = |text: &[u8]| [&[u8::try_from(text.len()).unwrap()], text].concat();
        // The condition so often, and a plane of the distance along the first feature as often.
        let log = [&[5, 1, 1, 0][..], &text(times), &[1, 0], &text(times), &[1, 0], &text(number), &[3, 3, 0]].concat();
        let parts = Parts { models, header, log, conclusion: json!({"claim": "infeasible"}) };
        check(&parts.sealed(), &[stumps(2)]).map(|_| ())
    };
    let (bit, beyond) = ("1p-2000", "1000000000000000000000000000001/1000000000000000000000000000000");
    assert_eq!(refuted(beyond, 1, b"1", b"1"), Ok(()));
    assert_eq!(refuted(beyond, 1, b"1/3", b"1"), Ok(()));
    // Within a radius of 0 nothing moves, however little.
    assert_eq!(refuted(bit, 0, b"1", b"1"), Ok(()));
    for (least, radius, times, number) in [
        ("1", 1, &b"1"[..], &b"1"[..]),
        ("0", 0, b"1", b"1"),
        (beyond, 1, b"0", b"1"),
        (beyond, 1, b"-1", b"1"),
        ("1/2", 1, b"1", b"1/9"),
        ("1/2", 1, b"1", b"9"),
    ] {
        refuted(least, radius, times, number).expect_err("this is no reason");
    }
}

/// Numbers with so many digits that adding them up would take hours.
#[test]
fn sums_that_are_too_long() {
    // Both cannot hold, whatever they are multiplied by, as long as it is the same.
    let contrary = json!([below("1", "-1", "0"), below("-1", "1", "-1"), {"any": vec![below("1", "1", "1"); 60]}]);
    let length = |length: usize| [(length % 128 + 128) as u8, (length / 128) as u8];
    // No two of these have the same divisor, so what they add up to gets longer and longer.
    let rows = |count: usize, digits: usize| {
        let row = |number: usize| {
            let text = format!("1/{}{:04}7", "9".repeat(digits - 7), number / 2);
            [&[u8::from(number % 2 == 1)][..], &length(text.len()), text.as_bytes()].concat()
        };
        let rows: Vec<u8> = (0..count).flat_map(row).collect();
        [&[1][..], &length(count), &rows, &[0]].concat()
    };
    let start = Instant::now();
    for (count, digits) in [(2000, 4990), (1, 4990), (50, 100)] {
        let wrong = refuted(&contrary, &rows(count, digits)).unwrap_err();
        assert!(wrong.contains("a sum of numbers that are too long"), "{wrong}");
    }
    // Each is not too long by itself.
    let long = rows(40, 100);
    let cases = |count: usize| {
        let cases: Vec<u8> = long.iter().copied().cycle().take(count * long.len()).collect();
        [&[2, 2][..], &length(count), &cases].concat()
    };
    let wrong = refuted(&contrary, &cases(100)).unwrap_err();
    assert!(wrong.contains("too many sums of numbers that are too long"), "{wrong}");
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
    // As many as there may be do add up.
    let start = Instant::now();
    assert_eq!(refuted(&contrary, &cases(60)), Ok(()));
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
}
