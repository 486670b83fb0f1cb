//! Proofs that somebody changed, and sealed again: one is accepted only if what it claims is true.
//!
//! `TREEPROOF_MUTATIONS` sets how many, `TREEPROOF_SEED` the random numbers.

#![expect(clippy::print_stdout, reason = "what was tried, for whoever asks to see it")]

#[expect(dead_code, reason = "the other tests use the rest")]
mod pairs;
#[expect(dead_code, reason = "the other tests use the rest")]
mod proving;
#[expect(dead_code, reason = "the other tests use the rest")]
mod relations;
#[expect(dead_code, reason = "the other tests use the rest")]
mod support;

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

use proving::parts::Parts;
use proving::tamper::tamper;
use proving::truth::Truth;
use proving::{Asked, check, random_question};
use serde_json::{Value, json};
use support::{Random, setting};
use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::load::{LoadOptions, load_bytes, to_json};
use treeproof_proof::conclusion::Conclusion;
use treeproof_proof::header::Header;

/// So often each proof is changed.
const EACH: u64 = 10;

/// A proof with a log worth changing.
struct Proof {
    models: Vec<Ensemble>,
    parts: Parts,
    conclusion: Conclusion,
    /// What is true of its statement.
    truth: Truth,
}

impl Proof {
    fn random(random: &mut Random) -> Option<Self> {
        let Asked { models, proof, .. } = random_question(random).ok()?;
        let section = u32::try_from(check(&proof, &models).ok()?.len()).unwrap();
        let parts = Parts::of(&proof, section);
        // Most are short; of these some are enough.
        if parts.log.len() < 12 || (parts.log.len() < 80 && !random.chance(4)) {
            return None;
        }
        let conclusion: Conclusion = serde_json::from_value(parts.conclusion.clone()).unwrap();
        let truth = Truth::new(&parts.header, &models, conclusion.witness.as_ref());
        assert!(!truth.refutes(&header(&parts.header).unwrap().statement, &conclusion), "a proof of what is false");
        Some(Self { models, parts, conclusion, truth })
    }

    /// Claims a little or a lot less than is true, or more; with the witness or without it.
    fn claim(&self, random: &mut Random, conclusion: &mut Value) -> &'static str {
        if random.chance(3) {
            conclusion["witness"] = Value::Null;
        }
        let most = self.truth.most().map(|most| most.ceil_f64());
        let stated = conclusion["claim"]["at_most"].as_f64();
        match random.below(8) {
            0 => {
                conclusion["claim"] = json!("never");
                "never"
            }
            1 => {
                conclusion["claim"] = json!("infeasible");
                "infeasible"
            }
            2 => {
                if let Some(stated) = stated {
                    conclusion["claim"] = json!({"at_most": stated.next_up()});
                }
                "one ulp more"
            }
            3 | 4 => {
                if let Some(stated) = stated {
                    conclusion["claim"] = json!({"at_most": stated.next_down()});
                }
                "one ulp less"
            }
            _ => {
                // Less than what some input has.
                if let Some(most) = most {
                    let less = random.pick(&[0.0, 1e-9, 1.0, 1e3]);
                    conclusion["claim"] = json!({"at_most": (most.next_down() - less)});
                }
                "too little"
            }
        }
    }
}

fn header(header: &Value) -> Option<Header> {
    serde_json::from_value(header.clone()).ok()
}

/// A model with one leaf changed.
fn changed(random: &mut Random, model: &Ensemble) -> Option<Ensemble> {
    let mut text: Value = serde_json::from_str(&to_json(model)).unwrap();
    let trees = text["trees"].as_array_mut()?;
    let at = random.below(trees.len().max(1));
    let values = trees.get_mut(at)?.get_mut("value")?.as_array_mut()?;
    let leaf = random.below(values.len().max(1));
    *values.get_mut(leaf)? = json!(random.pick(&[0.0, 1e6, -1e6, 123.0]));
    load_bytes(text.to_string().as_bytes(), &LoadOptions::default()).ok()
}

#[test]
fn a_changed_proof_is_accepted_only_if_it_is_true() {
    let (first, wanted) = (setting("TREEPROOF_SEED", 1), setting("TREEPROOF_MUTATIONS", 600));
    let mut tally: BTreeMap<&str, [u64; 2]> = BTreeMap::new();
    let (mut tried, mut seed) = (0, first);
    while tried < wanted {
        seed += 1;
        let mut random = Random(seed.wrapping_mul(0x9FB2_1C65_1E98_DF25));
        let Some(proof) = Proof::random(&mut random) else { continue };
        for number in 0..EACH {
            tried += 1;
            let (mut parts, mut models) = (proof.parts.clone(), proof.models.clone());
            let mut what = "";
            if random.chance(12) {
                let at = random.below(models.len());
                if let Some(other) = changed(&mut random, &models[at]) {
                    models[at] = other;
                    what = "another model";
                }
            }
            let num_changes = if what.is_empty() { random.pick(&[0, 1, 1, 1, 2, 3]) } else { 0 };
            for _ in 0..num_changes {
                what = tamper(&mut random, &mut parts);
            }
            if what.is_empty() || random.chance(2) {
                let change = proof.claim(&mut random, &mut parts.conclusion);
                what = if what.is_empty() { change } else { what };
            }
            let context = format!("seed {seed}, change {number}: {what}");
            let outcome = catch_unwind(AssertUnwindSafe(|| check(&parts.sealed(), &models)));
            let outcome = outcome.unwrap_or_else(|_| panic!("{context}: the checker panics"));
            let counts = tally.entry(what).or_default();
            let Ok(proved) = outcome else {
                counts[1] += 1;
                continue;
            };
            counts[0] += 1;
            let same = parts.header["statement"] == proof.parts.header["statement"] && models == proof.models;
            let (statement, conclusion) = (&proved[0].header.statement, &proved[0].conclusion);
            let other = (!same).then(|| Truth::new(&parts.header, &models, proof.conclusion.witness.as_ref()));
            let truth = other.as_ref().unwrap_or(&proof.truth);
            assert!(
                !truth.refutes(statement, conclusion),
                "{context}: accepted, but {conclusion:?} is false: {truth:?}"
            );
        }
    }
    let sum = |place: usize| tally.values().map(|counts| counts[place]).sum::<u64>();
    for (what, [accepted, rejected]) in &tally {
        println!("changed: {what}: {accepted} accepted, {rejected} rejected");
    }
    println!("changed proofs: {tried} tried, {} accepted and true, {} rejected", sum(0), sum(1));
    assert!(sum(0) * 20 > tried && sum(1) * 4 > tried && tally.len() > 25, "{tally:?}");
}
