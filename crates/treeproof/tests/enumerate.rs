//! Random small ensembles and domains: every input is in one configuration, and has its output.
//!
//! `TREEPROOF_PROBLEMS` sets how many, `TREEPROOF_SEED` the random numbers.

#[expect(dead_code, reason = "the other tests use the rest")]
mod support;

use support::{
    Random, all_candidates, awkward, exact_margin, is_allowed, random_domains, random_ensemble, rows, setting,
};
use treeproof::internals::{Domain, MarginObjective, NumberSet, compile};
use treeproof::report::{ConfigurationReport, EnumerateAnswer, FeatureValues, Finding, Verdict, WitnessValue};
use treeproof::task::{self, Task};
use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::exact::Exact;
use treeproof_ensemble::input::{CategoryEncoding, Feature, FeatureKind, Reading};
use treeproof_ensemble::values::Range;
use treeproof_search::{Enumeration, Limits, Method, StopReason, Unobserved, Wanted};

/// True if a raw value and its reading are among the values: numbers are literal.
fn is_among(values: &Domain, raw: f64, reading: Reading) -> bool {
    match (values, reading) {
        (Domain::Numbers { numbers, missing }, Reading::Number(_) | Reading::Missing) => {
            let is_inside = numbers.ranges().iter().any(|range| range.low <= raw && raw <= range.high);
            let is_multiple = |step: &Exact| {
                let times = Exact::from_f64(raw).unwrap().divided_by(step).floor();
                [times.clone(), times.plus(&Exact::one())].iter().any(|times| times.times(step).to_f64() == raw)
            };
            let is_said = is_inside && (raw.is_infinite() || numbers.steps().iter().all(is_multiple));
            if reading == Reading::Missing {
                assert!(raw.is_nan() || *missing || !is_said, "{raw:e} is missing, and is said to be there");
                return *missing;
            }
            is_said
        }
        (Domain::Categories { missing, .. }, Reading::Missing) => *missing,
        (Domain::Categories { codes, .. }, Reading::Category(code)) => codes.contains(&code),
        (Domain::Categories { unknown, .. }, Reading::NoCategory) => *unknown,
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
        let objective =
            MarginObjective { output: random.below(ensemble.num_accumulators()), negated: random.chance(2) };
        let Some(compiled) = compile(&ensemble, &domains, objective) else { continue };
        let mut enumerate = Enumeration::new(&compiled.problem, Wanted::best(usize::MAX));
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
            let has = |values: &[Domain]| {
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
    ask_where(ensemble, above, top, &[])
}

fn ask_where(ensemble: &Ensemble, above: Option<f64>, top: usize, texts: &[String]) -> Option<EnumerateAnswer> {
    let mut enumerate = task::Enumerate::default();
    (enumerate.above, enumerate.top) = (above, Some(top));
    let mut task = Task::new(enumerate);
    task.class = Some("0".into());
    task.conditions = texts.to_vec();
    let report = task.clone().about(ensemble).run().unwrap();
    match report.finding {
        Finding::Enumerate(answer) => Some(answer),
        Finding::Infeasible(_) => None,
        other => panic!("{other:?}"),
    }
}

/// True if a value and its reading are among those of a region.
fn is_told(values: &FeatureValues, feature: &Feature, raw: f64, reading: Reading) -> bool {
    let is_between =
        |low: Option<f64>, high: Option<f64>| low.is_none_or(|low| low <= raw) && high.is_none_or(|high| raw < high);
    let is_said = match values {
        FeatureValues::Interval { low, high, .. } => is_between(*low, *high),
        FeatureValues::Intervals { intervals, .. } => intervals.iter().any(|ends| is_between(ends.low, ends.high)),
        FeatureValues::Listed { values, .. } => values.iter().any(|value| match (value, reading, &feature.kind) {
            (WitnessValue::Number(number), _, FeatureKind::Numeric) => *number == raw,
            (value, Reading::Category(code), FeatureKind::Category(known)) => {
                let (code, place) = (f64::from(code), code as usize);
                match known.names.get(place) {
                    Some(name) => matches!(value, WitnessValue::Text(text) if text == name),
                    None => {
                        *value == WitnessValue::Number(known.encoding.values().map_or(code, |values| values[place]))
                    }
                }
            }
            _ => false,
        }),
    };
    match (reading, values) {
        (
            Reading::Missing,
            FeatureValues::Interval { missing, .. }
            | FeatureValues::Intervals { missing, .. }
            | FeatureValues::Listed { missing, .. },
        ) => {
            assert!(raw.is_nan() || *missing || !is_said, "{raw:e} is missing, and is said to be there");
            *missing
        }
        _ => is_said,
    }
}

/// Regions are told literally: they part the inputs that the question allows, doubles next to every border and missing values among
/// them, and each has the output that all of its inputs have.
#[test]
fn regions_tell_exactly_which_inputs_they_have() {
    let first = setting("TREEPROOF_SEED", 1);
    let (mut tried, mut missing, mut parted) = (0, 0, 0);
    for seed in first..first + setting("TREEPROOF_PROBLEMS", 1_500) {
        let mut random = Random(seed.wrapping_mul(0x5851_F42D_4C95_7F2D));
        let ensemble = random_ensemble(&mut random);
        let mut domains = Domain::everything(&ensemble);
        let mut texts = vec![];
        for (feature, domain) in ensemble.features().iter().zip(&mut domains) {
            let name = &feature.name;
            let is_position =
                matches!(&feature.kind, FeatureKind::Category(known) if known.encoding == CategoryEncoding::Position);
            if ensemble.input().takes_missing(feature) && !is_position && random.chance(2) {
                texts.push(format!("maybemissing({name})"));
                let (Domain::Numbers { missing, .. } | Domain::Categories { missing, .. }) = domain;
                *missing = true;
            }
            let Domain::Numbers { numbers, .. } = domain else { continue };
            let (one, other) = (awkward(&mut random), awkward(&mut random));
            let point = |low: f64| Range { low, high: low };
            let (text, ranges) = match random.below(5) {
                0 => (format!("{name} in {{{one:?}, {other:?}}}"), vec![point(one), point(other)]),
                1 => {
                    let below = Range { low: -f64::MAX, high: one.next_down() };
                    (format!("{name} != {one:?}"), vec![below, Range { low: one.next_up(), high: f64::MAX }])
                }
                2 => (format!("{name} < {one:?}"), vec![Range { low: -f64::MAX, high: one.next_down() }]),
                3 => (
                    format!("{name} == {one:?} or {name} > {other:?}"),
                    vec![point(one), Range { low: other.next_up(), high: f64::MAX }],
                ),
                _ => continue,
            };
            texts.push(text);
            *numbers = NumberSet::new(ranges, vec![]);
        }
        let choices: Vec<Vec<f64>> = (0..domains.len())
            .map(|feature| {
                let mut raws = all_candidates(&ensemble, feature, &domains[feature]);
                // What the library reads as missing is missing.
                let (Domain::Numbers { missing, .. } | Domain::Categories { missing, .. }) = &domains[feature];
                raws.extend(
                    ensemble.input().missing_value.filter(|_| *missing && !ensemble.features()[feature].is_category()),
                );
                raws
            })
            .collect();
        let answer = ask_where(&ensemble, None, usize::MAX, &texts);
        let Some(answer) = answer.filter(|_| choices.iter().all(|raws| !raws.is_empty())) else { continue };
        assert_eq!(answer.verdict, Verdict::Optimal, "seed {seed}");
        for _ in 0..60 {
            let row: Vec<f64> = choices.iter().map(|raws| raws[random.below(raws.len())]).collect();
            let readings = ensemble.read(&row).unwrap();
            let has = |region: &&ConfigurationReport| {
                region.domain.0.iter().all(|told| {
                    let feature = ensemble.feature_named(&told.0).unwrap();
                    is_told(&told.1.values, &ensemble.features()[feature], row[feature], readings[feature])
                })
            };
            let with: Vec<&ConfigurationReport> = answer.regions.iter().filter(has).collect();
            assert_eq!(with.len(), 1, "seed {seed}: {row:?}, read as {readings:?}, under {texts:?} is in {with:#?}");
            let exact = exact_margin(&ensemble, &row, MarginObjective { output: 0, negated: false });
            assert_eq!(
                [with[0].lower, with[0].upper],
                [exact.floor_f64(), exact.ceil_f64()],
                "seed {seed}: {row:?} of {texts:?}"
            );
            tried += 1;
            missing += usize::from(readings.contains(&Reading::Missing));
            parted += usize::from(answer.regions.len() > 2);
        }
    }
    assert!(
        tried > 1_000 && missing > tried / 50 && parted > tried / 20,
        "{tried}, {missing} missing, {parted} parted"
    );
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
        let objective = MarginObjective { output: 0, negated: false };
        let best = best.iter().map(|row| exact_margin(&ensemble, row, objective)).max().unwrap();
        assert!(exact(all.regions[0].lower) <= best && best <= exact(all.regions[0].upper), "seed {seed}");
        for pair in all.regions.windows(2) {
            assert!(pair[0].upper >= pair[1].upper && pair[0].lower >= pair[1].lower, "seed {seed}: not in order");
        }
        let middle = all.regions[all.regions.len() / 2].lower;
        for above in [middle, middle.next_up(), middle.next_down()] {
            let listed = ask(&ensemble, Some(above), usize::MAX).unwrap();
            // A sum between two doubles is above the lower of them.
            let is_above =
                |region: &&ConfigurationReport| region.lower > above || (region.lower == above && region.upper > above);
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
