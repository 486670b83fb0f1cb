//! Forms over groups of columns, against brute force: every row in which exactly one column of each group is 1.

#[expect(dead_code, reason = "other tests use the rest")]
mod pairs;
#[expect(dead_code, reason = "other tests use the rest")]
mod support;

use treeproof::internals::{Domain, Features, Form, InputRows, Space, Sum, Term, Tie};
use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::exact::Exact;
use treeproof_language::Groups;
use treeproof_search::{Limits, Method, Search, Unobserved};

use crate::pairs::{check, choices};
use crate::support::{
    Random, groups_of_columns, is_one_hot, random_builder, random_columns, random_domains, random_input, setting,
};

/// All inputs that can tell something: per model a row. None if there are too many.
fn inputs(form: &Form<'_>, groups: &Groups, domains: &[Domain]) -> Option<Vec<Vec<Vec<f64>>>> {
    let nothing: Vec<Vec<f64>> = form.models.iter().map(|model| vec![f64::NAN; model.features().len()]).collect();
    let mut all = vec![nothing];
    for (place, feature) in form.space.features.iter().enumerate() {
        let choices = match groups.of(place) {
            None => choices(&form.models, feature, &domains[place], false),
            Some(_) => [0.0, 1.0].map(|bit| vec![bit; feature.readers().len()]).to_vec(),
        };
        if all.len() * choices.len() > 20_000 {
            return None;
        }
        let with = |rows: &Vec<Vec<f64>>| {
            let put = |choice: &Vec<f64>| {
                let mut rows = rows.clone();
                feature.readers().iter().zip(choice).for_each(|(of, raw)| rows[of.model][of.feature] = *raw);
                rows
            };
            choices.iter().map(put).collect::<Vec<_>>()
        };
        all = all.iter().flat_map(with).collect();
    }
    let is_in = |rows: &Vec<Vec<f64>>| {
        let may_be = |column: &usize| match &domains[*column] {
            Domain::Numbers { numbers, .. } => numbers.contains(rows[0][*column]),
            Domain::Categories { .. } => false,
        };
        is_one_hot(groups, &rows[0]) && groups.iter().flat_map(|group| &group.columns).all(may_be)
    };
    all.retain(is_in);
    Some(all)
}

/// All rows of one input, or of two that are tied.
fn rows(form: &Form<'_>, groups: &Groups) -> Option<Vec<InputRows>> {
    let Space { features, inputs: domains, ties } = &form.space;
    let [first, second] = &domains[..] else {
        return Some(inputs(form, groups, &domains[0])?.into_iter().map(|rows| vec![rows]).collect());
    };
    // What is shared is chosen from what both allow.
    let shared = |own: &[Domain]| -> Vec<Domain> {
        let domain = |place: usize| match ties[place] {
            Tie::Same => first[place].intersection(&second[place]),
            _ => own[place].clone(),
        };
        (0..own.len()).map(domain).collect()
    };
    let [a, b] = [inputs(form, groups, &shared(first))?, inputs(form, groups, &shared(second))?];
    if a.len() * b.len() > 200_000 {
        return None;
    }
    let is_same = |a: f64, b: f64| a == b || (a.is_nan() && b.is_nan());
    let is_tied = |a: &[Vec<f64>], b: &[Vec<f64>]| {
        features.iter().zip(ties).filter(|(_, tie)| **tie == Tie::Same).all(|(feature, _)| {
            let first = feature.first();
            is_same(a[first.model][first.feature], b[first.model][first.feature])
        })
    };
    let pairs = a.iter().flat_map(|a| b.iter().filter(|b| is_tied(a, b)).map(|b| vec![a.clone(), b.clone()]));
    Some(pairs.collect())
}

fn random_columns_domains(random: &mut Random, model: &Ensemble, groups: &Groups) -> Vec<Domain> {
    let mut domains = random_domains(random, model);
    for column in groups.iter().flat_map(|group| &group.columns) {
        let (low, high) = random.pick(&[(-f64::MAX, f64::MAX), (0.0, 1.0), (0.0, 0.5), (0.0, 1.0), (0.5, 2.0)]);
        if !random.chance(3) {
            domains[*column] = Domain::between(low, high);
        }
    }
    domains
}

#[test]
fn exactly_one_column_of_a_group_is_1() {
    let first = setting("TREEPROOF_SEED", 1);
    let problems = setting("TREEPROOF_PROBLEMS", 1_500);
    let (mut solved, mut empty, mut two_inputs, mut two_models) = (0, 0, 0, 0);
    for seed in first..first + problems {
        let mut random = Random(seed.wrapping_mul(0xA076_1D64_78BD_642F));
        let (input, columns) = random_columns(&mut random);
        let model = random_builder(&mut random, input, columns, 1).finish().unwrap();
        let groups = groups_of_columns(&model);
        let (has_partner, has_pair) = (random.chance(3), random.chance(2));
        let mut partner = None;
        if has_partner {
            let mut input = random_input(&mut random);
            input.missing_value = None;
            let mut features = model.features().to_vec();
            features.reverse();
            // A model need not know all columns.
            let unknown = random.chance(3).then(|| features.iter().position(|feature| feature.name == "g_1")).flatten();
            unknown.map(|place| features.remove(place));
            let mut builder = random_builder(&mut random, input, features, 1);
            if random.chance(4) {
                builder.trees = vec![];
                builder.features = model.features().to_vec();
                builder.trees.extend(model.trees().iter().cloned());
                if let treeproof_ensemble::sum::Aggregate::Sum(sums) = &mut builder.aggregate {
                    sums.weights = None;
                }
            }
            partner = builder.finish().ok();
        }
        let models: Vec<&Ensemble> = std::iter::once(&model).chain(&partner).collect();
        let features = match &models[..] {
            [only] => Features::of(only),
            [one, other] => Features::matched(one, other).unwrap(),
            _ => unreachable!(),
        };
        let features = features.grouped(&groups);
        let num_inputs = if has_pair { 2 } else { 1 };
        let inputs: Vec<Vec<Domain>> =
            (0..num_inputs).map(|_| random_columns_domains(&mut random, &model, &groups)).collect();
        let mut ties: Vec<Tie> = inputs[0].iter().map(|_| random.pick(&[Tie::Same, Tie::Free])).collect();
        for group in groups.iter() {
            group.columns.iter().for_each(|column| ties[*column] = ties[group.columns[0]]);
        }
        let space = Space { features, inputs, ties };
        let term = |random: &mut Random, model| Term {
            model,
            input: random.below(num_inputs),
            output: 0,
            negated: random.chance(2),
        };
        let mut terms: Vec<Term> = (0..models.len()).map(|model| term(&mut random, model)).collect();
        if has_pair {
            terms.push(Term { input: 1 - terms[0].input, negated: !terms[0].negated, ..terms[0] });
        }
        let form = Form { models, space, cases: vec![vec![Sum::of(terms)]] };
        let Some(rows) = rows(&form, &groups) else { continue };
        let value = |rows: &InputRows| form.value(&form.evaluate(rows).ok()?);
        let best: Option<Exact> = rows.iter().filter_map(value).max();
        let Some(compiled) = form.compile() else {
            assert!(best.is_none(), "seed {seed}: {best:?}");
            empty += 1;
            continue;
        };
        let mut search = Search::new(&compiled.problem);
        search.run(&Limits::default(), &Unobserved);
        let point = search.solution().unwrap_or_else(|| panic!("seed {seed}: no point"));
        let found = compiled.rows(point);
        check(&form.space, &form.models, &found).unwrap_or_else(|what| panic!("seed {seed}: {what}"));
        assert!(found.iter().all(|rows| is_one_hot(&groups, &rows[0])), "seed {seed}: {found:?}");
        let (exact, best) = (value(&found).unwrap(), best.unwrap_or_else(|| panic!("seed {seed}: {found:?}")));
        let upper = compiled.real(compiled.problem.value(point));
        assert!(best <= upper && exact <= upper, "seed {seed}: {} is above the bound", best.to_f64());
        let least = compiled.real(compiled.problem.value(point) - compiled.slack());
        assert!(exact > least || exact == upper, "seed {seed}: the point is worth less than was said");
        solved += 1;
        two_inputs += usize::from(has_pair);
        two_models += usize::from(form.models.len() == 2);
    }
    let summary = format!("{solved} solved, {empty} empty, {two_inputs} of two inputs, {two_models} of two models");
    assert!(
        solved * 2 > problems && two_inputs * 6 > usize::try_from(problems).unwrap() && two_models > 0,
        "{summary}"
    );
    assert!(empty > 0, "{summary}");
}
