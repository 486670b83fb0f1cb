//! Random small ensembles and domains: every input is in one configuration, and has its output.
//!
//! `TREEPROOF_PROBLEMS` sets how many, `TREEPROOF_SEED` the random numbers.

#[expect(dead_code, reason = "the other tests use the rest")]
mod support;

use support::{Random, exact_margin, is_allowed, random_domains, random_ensemble, rows, setting};
use treeproof::compile::{Domain, Objective, Values, compile};
use treeproof::report::{EnumerateAnswer, Finding, Verdict};
use treeproof::task::{self, Task};
use treeproof::watch::Unwatched;
use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::exact::Exact;
use treeproof_ensemble::input::Reading;
use treeproof_search::{Enumerate, Limits, Method, StopReason, Unobserved, Wanted};

/// Whether a raw value, read so, is among the values.
fn is_among(values: &Values, raw: f64, reading: Reading) -> bool {
    match (values, reading) {
        (Values::Numbers { missing, .. } | Values::Categories { missing, .. }, Reading::Missing) => *missing,
        (Values::Numbers { interval, except, also, .. }, Reading::Number(number)) => {
            let is_inside = interval.is_some_and(|interval| {
                interval.low.is_none_or(|low| low <= raw) && interval.high.is_none_or(|high| raw < high)
            });
            (is_inside && !except.contains(&number)) || also.contains(&number)
        }
        (Values::Categories { codes, .. }, Reading::Category(code)) => codes.contains(&code),
        (Values::Categories { unknown, .. }, Reading::NoCategory) => *unknown,
        _ => false,
    }
}

#[test]
fn every_input_is_in_one_configuration() {
    let first = setting("TREEPROOF_SEED", 1);
    let mut total = 0;
    for seed in first..first + setting("TREEPROOF_PROBLEMS", 3_000) {
        let mut random = Random(seed.wrapping_mul(0x0123_4567_89AB_CDEF));
        let ensemble = random_ensemble(&mut random);
        let domains = random_domains(&mut random, &ensemble);
        let objective = Objective { output: random.below(ensemble.num_accumulators()), negated: random.chance(2) };
        let Some(compiled) = compile(&ensemble, &domains, objective) else { continue };
        let mut enumerate = Enumerate::new(&compiled.problem, Wanted::best(usize::MAX));
        assert_eq!(enumerate.run(&Limits::default(), &Unobserved), StopReason::Optimal);
        let mut configurations = vec![];
        for number in 0..enumerate.num_certain() {
            let configuration = enumerate.configuration(number);
            let values = compiled.values(&configuration.cells);
            let corners = compiled.corners(&configuration.cells);
            let [exact, other] = corners.clone().map(|row| exact_margin(&ensemble, &row, objective));
            assert_eq!(exact, other, "seed {seed}: the corners {corners:?} differ");
            let real = |value| compiled.real(value);
            assert!(exact <= real(configuration.value), "seed {seed}: {corners:?} is worth more");
            assert!(exact >= real(configuration.value - compiled.slack()), "seed {seed}: {corners:?} is worth less");
            for row in &corners {
                assert!(is_allowed(&ensemble, &domains, row), "seed {seed}: {row:?} is not in {domains:?}");
                let readings = ensemble.read(row).unwrap();
                let is_inside = values
                    .iter()
                    .zip(row)
                    .zip(&readings)
                    .all(|((values, raw), reading)| is_among(values, *raw, *reading));
                assert!(is_inside, "seed {seed}: the corner {row:?} is not in {values:?}");
            }
            configurations.push((values, exact));
        }
        total += configurations.len();
        for row in rows(&ensemble, &domains) {
            let readings = ensemble.read(&row).unwrap();
            let has = |values: &[Values]| {
                values.iter().zip(&row).zip(&readings).all(|((values, raw), reading)| is_among(values, *raw, *reading))
            };
            let mut found = configurations.iter().filter(|(values, _)| has(values));
            let Some((values, exact)) = found.next() else { panic!("seed {seed}: {row:?} is in no configuration") };
            let is_right = *exact == exact_margin(&ensemble, &row, objective);
            assert!(is_right, "seed {seed}: {row:?}, {readings:?} in {values:?} of {domains:?}");
            assert!(found.next().is_none(), "seed {seed}: {row:?} is in two configurations");
        }
    }
    assert!(total > 5_000, "{total} configurations are too few to try");
}

fn ask(ensemble: &Ensemble, above: Option<f64>, top: usize) -> Option<EnumerateAnswer> {
    let mut enumerate = task::Enumerate::default();
    (enumerate.above, enumerate.top) = (above, Some(top));
    let mut task = Task::new(enumerate);
    task.class = Some("0".into());
    let report = treeproof::solve(&task, ensemble, None, &Unwatched).unwrap();
    match report.finding {
        Finding::Configurations(answer) => Some(answer),
        Finding::Infeasible(_) => None,
        other => panic!("{other:?}"),
    }
}

/// What is asked for is listed: the best, only those above a number, in the order of the exact sums.
#[test]
fn reports_list_what_was_asked_for() {
    let first = setting("TREEPROOF_SEED", 1);
    let mut doubtful = 0;
    for seed in first..first + setting("TREEPROOF_PROBLEMS", 1_000) {
        let mut random = Random(seed.wrapping_mul(0x0FED_CBA9_8765_4321));
        let ensemble = random_ensemble(&mut random);
        let Some(all) = ask(&ensemble, None, usize::MAX) else { continue };
        assert_eq!((all.verdict, all.others_at_most), (Verdict::Optimal, None), "seed {seed}");
        let exact = |number: f64| Exact::from_f64(number).unwrap();
        let best = rows(&ensemble, &Domain::everything(&ensemble));
        let objective = Objective { output: 0, negated: false };
        let best = best.iter().map(|row| exact_margin(&ensemble, row, objective)).max().unwrap();
        assert!(exact(all.regions[0].lower) <= best && best <= exact(all.regions[0].upper), "seed {seed}");
        for pair in all.regions.windows(2) {
            assert!(pair[0].upper >= pair[1].upper && pair[0].lower >= pair[1].lower, "seed {seed}: not in order");
        }
        let middle = all.regions[all.regions.len() / 2].lower;
        for above in [middle, middle.next_up(), middle.next_down()] {
            let listed = ask(&ensemble, Some(above), usize::MAX).unwrap();
            // A sum between two doubles is above the lower of them.
            let is_above = |region: &&treeproof::report::ConfigurationReport| {
                region.lower > above || (region.lower == above && region.upper > above)
            };
            let expected: Vec<_> = all.regions.iter().filter(is_above).cloned().collect();
            // As texts: an output that the library cannot compute is no number, and so not equal to itself.
            assert_eq!(format!("{:?}", listed.regions), format!("{expected:?}"), "seed {seed}: above {above:e}");
            assert!(listed.others_at_most.is_none_or(|others| others <= above.next_up()), "seed {seed}: above {above}");
            doubtful += usize::from(expected.len() < all.regions.len());
        }
        let compiled = compile(&ensemble, &Domain::everything(&ensemble), objective).unwrap();
        let slack =
            compiled.real(compiled.slack()).minus(&compiled.real(0)).plus(&exact(1e-15 * all.regions[0].upper.abs()));
        let few = ask(&ensemble, None, 3).unwrap();
        assert_eq!(few.regions.len(), all.regions.len().min(3), "seed {seed}");
        for (found, expected) in few.regions.iter().zip(&all.regions) {
            // Of what is tied but for rounding any may be listed.
            let apart = exact(expected.lower).minus(&exact(found.upper));
            assert!(apart <= slack, "seed {seed}: {found:?} instead of {expected:?}");
        }
        assert_eq!(few.others_at_most.is_none(), all.regions.len() <= 3, "seed {seed}");
    }
    assert!(doubtful > 100);
}
