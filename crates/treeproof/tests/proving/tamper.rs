//! Ways to change a proof.

use serde_json::{Value, json};
use treeproof_ensemble::exact::Exact;
use treeproof_proof::record::{CutPlace, Note, Reason, Share};
use treeproof_proof::refutation::Refutation;

use super::parts::{Parts, Record};
use crate::support::Random;

/// Changes something, and returns what.
pub(crate) fn tamper(random: &mut Random, parts: &mut Parts) -> &'static str {
    if random.chance(3) && parts.conclusion.get("listed").is_some() {
        return of_list(random, &mut parts.conclusion);
    }
    match random.below(12) {
        0..6 => of_records(random, parts),
        6 => {
            if !parts.log.is_empty() {
                let at = random.below(parts.log.len());
                parts.log[at] ^= 1 << random.below(8);
            }
            "a byte of the log"
        }
        7 | 8 => of_grid(random, &mut parts.header),
        9 | 10 => parts.header.get_mut("statement").map_or("nothing", |statement| of_statement(random, statement)),
        _ => anything(random, &mut parts.header),
    }
}

fn of_records(random: &mut Random, parts: &mut Parts) -> &'static str {
    let Some(mut records) = parts.records().filter(|records| !records.is_empty()) else { return "nothing" };
    let at = random.below(records.len());
    let what = match random.below(10) {
        0 => {
            records.remove(at);
            "a record is dropped"
        }
        1 => {
            records.truncate(at);
            "the rest is dropped"
        }
        2 => {
            let other = random.below(records.len());
            records.swap(at, other);
            "records trade places"
        }
        3 => {
            let record = records[at].clone();
            records.push(record);
            "a record is told twice"
        }
        4 => {
            let other = random.below(records.len());
            records[at..].rotate_left(other.saturating_sub(at).max(1));
            "records follow in another order"
        }
        _ => of_notes(random, &mut records[at]),
    };
    parts.tell(&records);
    what
}

fn of_notes(random: &mut Random, notes: &mut Record) -> &'static str {
    let at = random.below(notes.len());
    if at + 1 < notes.len() && random.chance(4) {
        notes.remove(at);
        return "a step is dropped";
    }
    match &mut notes[at] {
        Note::Weighed { channel, shares, price, widened } => match random.below(6) {
            0 => {
                *channel = channel.wrapping_add(1);
                "another channel is weighed"
            }
            1 => {
                match price {
                    Some(price) => price.exponent += i32::try_from(random.below(40)).unwrap() - 20,
                    None => *widened = Some(i64::from(random.chance(2))),
                }
                "another price"
            }
            _ => of_shares(random, shares),
        },
        Note::Tolled { shares, price, .. } => match random.below(3) {
            0 => {
                price.mantissa = price.mantissa.wrapping_mul(3);
                "another price"
            }
            _ => of_shares(random, shares),
        },
        Note::Kept { axis, low, high, special, reason: why } => match random.below(5) {
            0 => {
                *low += 1;
                "one cell less is kept"
            }
            1 => {
                *high = high.saturating_sub(1);
                "one cell less is kept"
            }
            2 => {
                special.iter_mut().for_each(|word| *word &= *word >> 1);
                "special cells are not kept"
            }
            3 => {
                *axis = u32::try_from(random.below(4)).unwrap();
                "cells of another axis are kept"
            }
            _ => {
                *why = reason(random);
                "another reason"
            }
        },
        Note::Refuted(refutation) => of_refutation(random, refutation),
        Note::Closed(why) => {
            *why = reason(random);
            "another reason"
        }
        Note::Cut { axis, place, is_open, channel } => match random.below(5) {
            0 => {
                is_open[random.below(2)] = false;
                "a part is not open"
            }
            1 => {
                let cell = u32::try_from(random.below(6)).unwrap();
                *place = match (random.below(3), &place) {
                    (_, CutPlace::Set(_, special)) => {
                        CutPlace::Set(cell, special.iter().map(|word| word ^ (random.next() & random.next())).collect())
                    }
                    (0, _) => CutPlace::Ordered,
                    (1, _) => CutPlace::Below(cell),
                    _ => CutPlace::Special(cell),
                };
                "a cut somewhere else"
            }
            2 => {
                *channel = random.chance(3).then(|| (0, random.chance(2)));
                "a cut by another channel"
            }
            3 => {
                *axis = u32::try_from(random.below(5)).unwrap();
                "a cut of another axis"
            }
            _ => {
                notes[at] = Note::Closed(reason(random));
                "a region is closed, not cut"
            }
        },
    }
}

/// Changes what a conclusion lists.
fn of_list(random: &mut Random, conclusion: &mut Value) -> &'static str {
    let Some(listed) = list(conclusion, "/listed").filter(|listed| !listed.is_empty()) else { return "nothing" };
    let at = random.below(listed.len());
    match random.below(5) {
        0 => {
            listed.remove(at);
            "a region is listed no more"
        }
        1 => {
            let last = listed.len() - 1;
            listed.swap(at, last);
            "listed regions trade places"
        }
        2 => {
            listed[at]["output"] = json!(random.pick(&["0", "1", "1000", "1/3"]));
            "a listed region has another output"
        }
        3 => {
            if let Some(sides) = listed[at]["sides"].as_array_mut() {
                sides.pop();
            }
            "a listed region is wider"
        }
        _ => {
            let side = pick(random, list(&mut listed[at], "/sides"));
            if let Some(side) = side {
                let end = if random.chance(2) { "low" } else { "high" };
                side[end] =
                    json!((side[end].as_u64().unwrap_or(0) + 2).saturating_sub(u64::from(random.chance(2)) * 3));
            }
            "a listed region ends elsewhere"
        }
    }
}

fn reason(random: &mut Random) -> Reason {
    let number = u32::try_from(random.below(3)).unwrap();
    match random.below(6) {
        5 => Reason::Listed(number),
        0 => Reason::Known,
        1 => Reason::Point,
        2 => Reason::Cost(number),
        3 => Reason::Constraint(number),
        _ => Reason::Channel(number, random.chance(2)),
    }
}

fn of_refutation(random: &mut Random, refutation: &mut Refutation) -> &'static str {
    if random.chance(6) {
        *refutation = Refutation::Void;
        return "nothing is left, it says";
    }
    match refutation {
        Refutation::Void => {
            *refutation = Refutation::Sums { rows: vec![(0, Exact::one()), (1, Exact::one())], planes: vec![] };
            "sums that do not add up"
        }
        Refutation::Sums { rows, planes } => {
            if let Some(plane) = planes.first_mut()
                && random.chance(4)
            {
                plane.times = plane.times.times(&Exact::from_text(random.pick(&["2", "1/3", "0", "-1"])).unwrap());
                return "planes times other numbers";
            }
            let normals = planes.iter_mut().flat_map(|plane| &mut plane.normal);
            let mut all: Vec<&mut (u32, Exact)> = rows.iter_mut().chain(normals).collect();
            if all.is_empty() {
                return "nothing";
            }
            let at = random.below(all.len());
            match random.below(3) {
                0 => all[at].0 = all[at].0.wrapping_add(1),
                1 => all[at].1 = all[at].1.negated(),
                _ => all[at].1 = all[at].1.times(&Exact::from_text(random.pick(&["2", "1/3", "0"])).unwrap()),
            }
            "sums times other numbers"
        }
        Refutation::Either { place, cases } => match random.below(3) {
            0 => {
                *place = place.wrapping_add(1);
                "other alternatives"
            }
            1 => {
                cases.pop();
                "an alternative less"
            }
            _ if cases.is_empty() => "nothing",
            _ => {
                let at = random.below(cases.len());
                of_refutation(random, &mut cases[at])
            }
        },
        Refutation::Parted { variable, number, cases } => match random.below(3) {
            0 => {
                *number = random.pick(&[number.next_up(), number.next_down(), f64::INFINITY, f64::NAN, -*number]);
                "parted at another number"
            }
            1 => {
                variable.feature ^= 1;
                "another feature is parted"
            }
            _ => {
                let at = random.below(2);
                of_refutation(random, &mut cases[at])
            }
        },
        Refutation::Ordered { feature, cases } => match random.below(3) {
            0 => {
                *feature ^= 1;
                "another feature is ordered"
            }
            _ => {
                let at = random.below(3);
                of_refutation(random, &mut cases[at])
            }
        },
    }
}

fn of_shares(random: &mut Random, shares: &mut Vec<Share>) -> &'static str {
    let axis = u32::try_from(random.below(4)).unwrap();
    if shares.is_empty() {
        shares.push(Share { tree: 0, axis, units: 1 << random.below(18) });
        return "a share more";
    }
    let at = random.below(shares.len());
    match random.below(5) {
        0 => {
            shares.remove(at);
            "a share is dropped"
        }
        1 => {
            shares[at].axis = axis;
            "a share of another axis"
        }
        2 => {
            shares[at].units += 1;
            "a share is larger"
        }
        3 => {
            let share = shares[at];
            shares.insert(at, share);
            "a share is told twice"
        }
        _ => {
            shares.iter_mut().for_each(|share| share.units *= 2);
            "all shares are doubled"
        }
    }
}

fn of_grid(random: &mut Random, header: &mut Value) -> &'static str {
    match random.below(8) {
        0 => {
            header["unit"] = json!(random.pick(&["1", "1/3", "1p-40", "1000", "-1", "0"]));
            return "another unit";
        }
        1 => {
            header["offset"] = json!(random.pick(&["0", "-1000", "1000", "1/3"]));
            return "another offset";
        }
        2 => {
            if let Some(bundles) = pick(random, list(header, "/bundles/0/0")) {
                *bundles = json!({"trees": [{"model": 0, "tree": random.below(5), "input": random.below(2)}]});
            }
            return "another bundle";
        }
        3 => {
            if let Some(bundles) = list(header, "/bundles/0/0") {
                bundles.pop();
            }
            return "a bundle is dropped";
        }
        4 => {
            header["ledgers"] = json!([{"at_most": 0}, {"at_least": 0}]);
            return "other costs";
        }
        _ => {}
    }
    let Some(axis) = pick(random, list(header, "/axes")) else { return "nothing" };
    let ordered = axis["ordered"].as_u64().unwrap_or(0);
    let Some(cells) = list(axis, "/cells").filter(|cells| cells.len() > 1) else { return "nothing" };
    let at = random.below(cells.len());
    match random.below(3) {
        0 => {
            cells.remove(at);
            axis["ordered"] = json!(ordered.saturating_sub(u64::from((at as u64) < ordered)));
            "a cell is dropped"
        }
        1 => {
            let mut pieces = cells.remove(at);
            let place = at.min(cells.len() - 1);
            if let (Some(all), Some(pieces)) = (cells[place].as_array_mut(), pieces.as_array_mut()) {
                all.append(pieces);
            }
            axis["ordered"] = json!(ordered.saturating_sub(u64::from((at as u64) < ordered)));
            "two cells are one"
        }
        _ => {
            if let Some(piece) = pick(random, cells[at].as_array_mut())
                && let Some(ends) = list(piece, "/numbers")
            {
                let end = random.below(ends.len());
                ends[end] = json!(random.pick(&[-1.0, 0.0, 0.5, 1.0, 2.0]));
            }
            "a cell ends elsewhere"
        }
    }
}

fn of_statement(random: &mut Random, statement: &mut Value) -> &'static str {
    match random.below(6) {
        0 | 1 => {
            let inputs = list(statement, "/inputs");
            let domain = pick(random, inputs).and_then(|input| pick(random, input.as_array_mut()));
            let Some(domain) = domain else { return "nothing" };
            if let Some(numbers) = domain.get_mut("numbers").filter(|numbers| numbers.is_object()) {
                match random.below(3) {
                    0 => numbers["missing"] = json!(true),
                    1 => numbers["ranges"] = json!([[-1e300, 1e300]]),
                    _ => numbers["steps"] = json!([]),
                }
            } else if let Some(categories) = domain.get_mut("categories").filter(|all| all.is_object()) {
                match random.below(3) {
                    0 => categories["missing"] = json!(true),
                    1 => categories["unknown"] = json!(true),
                    _ => categories["codes"] = json!([0, 1, 2, 3]),
                }
            }
            "a domain is wider"
        }
        2 => {
            if let Some(conditions) = list(statement, "/conditions")
                && !conditions.is_empty()
            {
                conditions.remove(random.below(conditions.len()));
            }
            "a condition is dropped"
        }
        3 => {
            let mut all = statement.get_mut("conditions").map(leaves).unwrap_or_default();
            let at = random.below(all.len().max(1));
            if let Some(leaf) = all.get_mut(at) {
                let number = random.below(5);
                **leaf = if leaf.is_string() { json!(number.to_string()) } else { json!(number) };
            }
            "another condition"
        }
        4 => {
            if let Some(tie) = pick(random, list(statement, "/ties")) {
                *tie = json!(random.pick(&["free", "same", "not_below"]));
            }
            "another tie"
        }
        _ => {
            let term = pick(random, list(statement, "/goal/sums/0/0/terms"));
            if let Some(negated) = term.and_then(|term| term.get_mut("negated")) {
                *negated = json!(*negated == json!(false));
            }
            "another goal"
        }
    }
}

/// Any number or text of a document becomes another.
pub(crate) fn anything(random: &mut Random, value: &mut Value) -> &'static str {
    let texts = ["1e308", "-7", "4294967295", "0", "0.5", "\"nan\"", "\"inf\"", "\"1/3\"", "\"-1\"", "null", "1", "[]"];
    let mut all = leaves(value);
    if !all.is_empty() {
        let at = random.below(all.len());
        *all[at] = serde_json::from_str(random.pick(&texts)).unwrap();
    }
    "any value"
}

/// Every place in a document that is no list and no object.
fn leaves(value: &mut Value) -> Vec<&mut Value> {
    match value {
        Value::Array(all) => all.iter_mut().flat_map(leaves).collect(),
        Value::Object(all) => all.values_mut().flat_map(leaves).collect(),
        leaf => vec![leaf],
    }
}

/// A list in a document.
fn list<'v>(value: &'v mut Value, place: &str) -> Option<&'v mut Vec<Value>> {
    value.pointer_mut(place).and_then(Value::as_array_mut)
}

fn pick<'v>(random: &mut Random, of: Option<&'v mut Vec<Value>>) -> Option<&'v mut Value> {
    let all = of.filter(|all| !all.is_empty())?;
    let at = random.below(all.len());
    all.get_mut(at)
}
