//! Random forms over one or two small models and inputs against brute force: the problem's optimum is the form's, whatever
//! is paired, shared, ordered or cancelled on the way.
//!
//! `TREEPROOF_PROBLEMS` sets how many, `TREEPROOF_SEED` the random numbers.

mod pairs;
#[expect(dead_code, reason = "the other tests use the rest")]
mod support;

use pairs::{brute_force, check, random_partner, rows};
use support::{Random, random_domains, random_ensemble, setting, value};
use treeproof::internals::{Compiled, Features, Form, Space, Sum, Term, Tie};
use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::exact::Exact;
use treeproof_ensemble::float::Precision;
use treeproof_search::{Limits, Method, Search, StopReason, Unobserved};

fn random_form<'a>(random: &mut Random, models: &[&'a Ensemble]) -> Option<Form<'a>> {
    let features = match models {
        [first, second] => Features::matched(first, second).ok()?,
        [only] => Features::of(only),
        _ => unreachable!(),
    };
    let domain = |random: &mut Random| {
        let domains: Vec<_> = models.iter().map(|model| random_domains(random, model)).collect();
        features.iter().map(|feature| domains[feature.first().model][feature.first().feature].clone()).collect()
    };
    let num_inputs = 1 + random.below(2);
    let mut inputs: Vec<Vec<_>> = vec![domain(random)];
    if num_inputs == 2 {
        inputs.push(if random.chance(2) { inputs[0].clone() } else { domain(random) });
    }
    let is_number = |place: usize| {
        let of = features.iter().nth(place).unwrap().first();
        !models[of.model].features()[of.feature].is_category()
    };
    let ties = (0..inputs[0].len()).map(|place| match random.below(4) {
        0 => Tie::Free,
        1 if is_number(place) => Tie::NotBelow,
        _ => Tie::Same,
    });
    let ties = ties.collect();
    let sum = |random: &mut Random| {
        let term = |random: &mut Random| {
            let model = random.below(models.len());
            let output = random.below(models[model].num_margins());
            Term { model, input: random.below(num_inputs), output, negated: random.chance(2) }
        };
        let first = term(random);
        let mut terms = vec![first];
        match random.below(3) {
            0 => {}
            // A difference, of inputs or of models.
            1 if num_inputs == 2 => terms.push(Term { input: 1 - first.input, negated: !first.negated, ..first }),
            1 if models.len() == 2 && first.output < models[1 - first.model].num_margins() => {
                terms.push(Term { model: 1 - first.model, negated: !first.negated, ..first });
            }
            _ => terms.push(term(random)),
        }
        Sum::of(terms).plus(&Exact::from_f64(value(random, Precision::F64)).unwrap())
    };
    let num_cases = 1 + random.below(2);
    let cases = (0..num_cases).map(|_| (0..1 + random.below(2)).map(|_| sum(random)).collect()).collect();
    Some(Form { models: models.to_vec(), space: Space { features, inputs, ties }, cases })
}

fn optimum(compiled: &Compiled) -> (i64, Vec<u32>) {
    let mut search = Search::new(&compiled.problem);
    assert_eq!(search.run(&Limits::default(), &Unobserved), StopReason::Optimal);
    (search.upper().unwrap(), search.solution().unwrap().to_vec())
}

#[test]
fn the_problems_optimum_is_the_forms() {
    let first = setting("TREEPROOF_SEED", 1);
    let (mut tried, mut infeasible, mut exact, mut paired, mut cancelled) = (0, 0, 0, 0, 0);
    for seed in first..first + setting("TREEPROOF_PROBLEMS", 3_000) {
        let mut random = Random(seed.wrapping_mul(0x5DEE_CE66_D123_4567));
        let model = random_ensemble(&mut random);
        let partner = random_partner(&mut random, &model);
        let models = if random.chance(2) { vec![&model] } else { vec![&model, &partner] };
        let Some(form) = random_form(&mut random, &models) else { continue };
        let Some(rows) = rows(&form, 600) else { continue };
        tried += 1;
        let expected = brute_force(&form, &rows);
        let compiled = form.compile();
        let (Some(compiled), Some(expected)) = (compiled, expected.clone()) else {
            infeasible += 1;
            if let Some(compiled) = form.compile() {
                let (value, point) = optimum(&compiled);
                let rows = compiled.rows(&point);
                assert!(!compiled.is_in_order(value), "seed {seed}: brute force missed {rows:?} of {:?}", form.space);
            }
            assert!(expected.is_none(), "seed {seed}: brute force found {expected:?}");
            continue;
        };
        let slack = compiled.real(compiled.slack()).minus(&compiled.real(0));
        let (upper, point) = optimum(&compiled);
        assert!(compiled.is_in_order(upper), "seed {seed}: out of order");
        let upper = compiled.real(upper);
        let best = || rows.iter().max_by_key(|rows| brute_force(&form, std::slice::from_ref(rows)));
        assert!(upper >= expected, "seed {seed}: the bound is too small for {:?} of {:?}", best(), form.space);
        let reached = compiled.rows(&point);
        assert!(upper.minus(&expected) <= slack, "seed {seed}: the bound is too large, at {reached:?} of {form:?}");
        check(&form.space, &form.models, &reached).unwrap_or_else(|what| panic!("seed {seed}: {what} {reached:?}"));
        let value = form.value(&form.evaluate(&reached).unwrap()).unwrap();
        assert!(value <= expected, "seed {seed}: brute force missed {reached:?}");
        assert!(upper.minus(&value) <= slack, "seed {seed}: the witness does not reach it");
        exact += usize::from(upper == value);
        // Kept as two, trees say the same.
        let apart = form.compile_within_pairs(0).unwrap();
        let bound = apart.real(optimum(&apart).0);
        assert!(bound >= expected, "seed {seed}: the bound of trees kept apart is too small");
        let slack = apart.real(apart.slack()).minus(&apart.real(0));
        assert!(bound.minus(&expected) <= slack, "seed {seed}: the bound of trees kept apart is too large");
        paired += compiled.pairing().paired;
        cancelled += compiled.pairing().cancelled;
    }
    let summary =
        format!("{tried} tried, {infeasible} infeasible, {exact} exact, {paired} paired, {cancelled} cancelled");
    assert!(infeasible * 2 < tried && exact * 5 > tried, "{summary}");
    assert!(paired * 10 > tried && cancelled * 20 > tried, "{summary}");
}
