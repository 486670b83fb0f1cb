//! Random small ensembles and domains against brute force: the problem's optimum is the model's.
//!
//! `TREEPROOF_PROBLEMS` sets how many, `TREEPROOF_SEED` the random numbers.

#[expect(dead_code, reason = "other tests use the rest")]
mod support;

use support::{Random, brute_force, exact_margin, is_allowed, random_domains, random_ensemble, setting};
use treeproof::internals::{Compiled, Domain, MarginObjective, compile};
use treeproof::report::{Finding, Verdict};
use treeproof::task::{Question, Task};
use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::exact::Exact;
use treeproof_search::{Limits, Method, Search, StopReason, Unobserved};

/// By how much leaves may have been rounded up: a unit per term.
fn slack(ensemble: &Ensemble, compiled: &Compiled) -> Exact {
    let terms: usize = ensemble.trees().iter().map(|tree| tree.all_terms().len()).sum();
    compiled.real(i64::try_from(terms + 1).unwrap()).minus(&compiled.real(0))
}

#[test]
fn the_problems_optimum_is_the_models() {
    let first = setting("TREEPROOF_SEED", 1);
    let problems = setting("TREEPROOF_PROBLEMS", 20_000);
    let (mut infeasible, mut exact) = (0, 0);
    for seed in first..first + problems {
        let mut random = Random(seed.wrapping_mul(0x1234_5678_9ABC_DEF1));
        let ensemble = random_ensemble(&mut random);
        let domains = random_domains(&mut random, &ensemble);
        let objective =
            MarginObjective { output: random.below(ensemble.num_accumulators()), negated: random.chance(2) };
        let expected = brute_force(&ensemble, &domains, objective);
        let compiled = compile(&ensemble, &domains, objective);
        assert_eq!(compiled.is_none(), expected.is_none(), "seed {seed}: {domains:?} {:?}", ensemble.input());
        let (Some(compiled), Some(expected)) = (compiled, expected) else {
            infeasible += 1;
            continue;
        };
        let mut search = Search::new(&compiled.problem);
        assert_eq!(search.run(&Limits::default(), &Unobserved), StopReason::Optimal);
        let upper = compiled.real(search.upper().unwrap());
        assert!(upper >= expected, "seed {seed}: the bound is too small");
        assert!(upper.minus(&expected) <= slack(&ensemble, &compiled), "seed {seed}: the bound is too large");
        let row = compiled.row(search.solution().unwrap());
        assert!(is_allowed(&ensemble, &domains, &row), "seed {seed}: {row:?} is not in {domains:?}");
        let reached = exact_margin(&ensemble, &row, objective);
        assert!(reached <= expected, "seed {seed}: brute force missed {row:?}");
        assert!(upper.minus(&reached) <= slack(&ensemble, &compiled), "seed {seed}: the witness does not reach it");
        exact += u64::from(upper == reached);
    }
    assert!(infeasible * 2 < problems && exact * 5 > problems, "{infeasible} infeasible, {exact} exact");
}

#[test]
fn reported_bounds_hold_the_models_optimum() {
    let first = setting("TREEPROOF_SEED", 1);
    let mut answered = 0;
    for seed in first..first + setting("TREEPROOF_PROBLEMS", 20_000) {
        let mut random = Random(seed.wrapping_mul(0x0FED_CBA9_8765_4321));
        let ensemble = random_ensemble(&mut random);
        let objective =
            MarginObjective { output: random.below(ensemble.num_accumulators()), negated: random.chance(2) };
        let expected = brute_force(&ensemble, &Domain::everything(&ensemble), objective);
        let mut task = Task::new(if objective.negated { Question::Min } else { Question::Max });
        task.class = Some(objective.output.to_string());
        task.limits.threads = Some(1);
        let report = task.clone().about(&ensemble).run().unwrap();
        let Some(expected) = expected else {
            assert_eq!(report.verdict(), Verdict::Infeasible, "seed {seed}");
            continue;
        };
        let (Finding::Max(answer) | Finding::Min(answer)) = report.finding else { panic!("seed {seed}: {report:?}") };
        assert_eq!(answer.verdict, Verdict::Optimal, "seed {seed}");
        let optimum = if objective.negated { expected.negated() } else { expected };
        let exact = |bound: Option<f64>| Exact::from_f64(bound.unwrap()).unwrap();
        assert!(exact(answer.lower) <= optimum && optimum <= exact(answer.upper), "seed {seed}: {answer:?}");
        assert!(answer.gap.unwrap() >= 0.0 && answer.witness.is_some(), "seed {seed}: {answer:?}");
        answered += 1;
    }
    assert!(answered > 0);
}
