//! What searches write as proofs, of random small models and questions: the checker accepts it, as what the report says.
//!
//! `TREEPROOF_PROBLEMS` sets how many, `TREEPROOF_SEED` the random numbers.

#[expect(dead_code, reason = "the other tests use the rest")]
mod pairs;
#[expect(dead_code, reason = "the other tests use the rest")]
mod proving;
#[expect(dead_code, reason = "the other tests use the rest")]
mod relations;
#[expect(dead_code, reason = "the other tests use the rest")]
mod support;

use std::collections::BTreeMap;

use proving::{Unproved, check, random_question};
use support::{Random, setting};
use treeproof_proof::statement::Claim;

#[test]
fn every_proof_is_accepted_as_what_the_report_says() {
    let (first, problems) = (setting("TREEPROOF_SEED", 1), setting("TREEPROOF_PROBLEMS", 3000));
    let mut proved: BTreeMap<&str, u64> = BTreeMap::new();
    let (mut refused, mut empty, mut early, mut exact, mut claims) = (BTreeMap::<String, u64>::new(), 0, 0, 0, 0);
    for seed in first..first + problems {
        let mut random = Random(seed.wrapping_mul(0x2127_599B_F432_5C37));
        let asked = match random_question(&mut random) {
            Ok(asked) => asked,
            Err(Unproved::Refused(what)) => {
                *refused.entry(what).or_default() += 1;
                continue;
            }
            Err(Unproved::Empty) => {
                empty += 1;
                continue;
            }
        };
        let context = format!("seed {seed}: {}", asked.name);
        let sections = check(&asked.proof, &asked.models).unwrap_or_else(|wrong| {
            if std::env::var("DUMP").is_ok() {
                let parts = proving::parts::Parts::of(&asked.proof, 1);
                println!("{}\n{}\n{:?}", parts.header, parts.conclusion, parts.records());
            }
            println!("REJECTED {context}: {wrong}");
            vec![]
        });
        if sections.is_empty() { *refused.entry("REJECTED".into()).or_default() += 1; continue; }
        *proved.entry(asked.name).or_default() += 1;
        early += u64::from(asked.is_early);
        for (section, upper) in sections.iter().zip(&asked.uppers) {
            claims += 1;
            match &section.conclusion.claim {
                Claim::AtMost(most) => {
                    assert_eq!(most.0, upper.unwrap_or(f64::INFINITY), "{context}");
                    exact += u64::from(most.0.is_finite());
                }
                Claim::Nothing | Claim::Reached => {}
                Claim::Never => assert!(upper.is_none_or(|upper| upper < 0.0), "{context}: {upper:?}"),
                other => panic!("{context}: {other:?}"),
            }
        }
        assert!(sections.len() >= asked.uppers.len(), "{context}");
        if asked.uppers.is_empty() {
            let is_infeasible = |claim: &Claim| *claim == Claim::Infeasible;
            assert!(sections.iter().any(|section| is_infeasible(&section.conclusion.claim)), "{context}");
        }
    }
    println!("proofs: {proved:?}, {empty} of nothing, {early} may end early, {exact} of {claims} finite; {refused:?}");
    let total: u64 = proved.values().sum();
    assert!(total * 2 > problems && proved.len() == 9 && early * 8 > total && exact * 2 > claims, "{proved:?}");
}
