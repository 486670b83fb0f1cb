//! Random small ensembles and domains, with the rows that can tell everything about them, for tests by brute force.

use treeproof::internals::{Domain, MarginObjective, NumberSet};
use treeproof_ensemble::builder::{EnsembleBuilder, RawSplit, TreeBuilder};
use treeproof_ensemble::ensemble::{Ensemble, Source};
use treeproof_ensemble::exact::Exact;
use treeproof_ensemble::float::Precision;
use treeproof_ensemble::input::{Absent, Categories, CategoryEncoding, Feature, FeatureKind, InputRules, Reading};
use treeproof_ensemble::label::{ClassName, LabelRule};
use treeproof_ensemble::link::Link;
use treeproof_ensemble::sum::{Aggregate, BasePosition, Summation, TreeWeights, WeightRule};
use treeproof_ensemble::tree::{LeafTerm, Side, Test, Tree};
use treeproof_ensemble::values::Range;
use treeproof_language::Groups;

const BAND: f64 = 1.000_000_018_002_509_5e-35;

/// SplitMix64: a seed means the same on every machine.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    pub(crate) fn below(&mut self, limit: usize) -> usize {
        usize::try_from(self.next() % limit as u64).unwrap()
    }

    pub(crate) fn chance(&mut self, one_in: usize) -> bool {
        self.below(one_in) == 0
    }

    pub(crate) fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }
}

/// Numbers at which arithmetic is awkward, and a few plain ones.
pub(crate) fn awkward(random: &mut Random) -> f64 {
    let plain = [-2.0, -1.0, -0.5, 0.0, 0.1, 0.5, 1.0, 2.0, 3.0];
    let odd = [
        -0.0,
        f64::from_bits(1),
        -f64::from_bits(1),
        f64::from(f32::from_bits(1)),
        1e-40,
        -1e-40,
        BAND,
        -BAND,
        BAND.next_up(),
        -BAND.next_up(),
        0.1_f64.next_up(),
        f64::from(0.1_f32),
        f64::from(0.1_f32.next_up()),
        1.0_f64.next_up(),
        f64::from(f32::MAX),
        1e39,
        -1e39,
        f64::MAX,
        -f64::MAX,
    ];
    if random.chance(2) { random.pick(&plain) } else { random.pick(&odd) }
}

pub(crate) fn random_ensemble(random: &mut Random) -> Ensemble {
    let input = random_input(random);
    let num_features = 1 + random.below(3);
    let features: Vec<Feature> = (0..num_features).map(|index| random_feature(random, &input, index)).collect();
    let num_outputs = 1 + random.below(2);
    random_builder(random, input, features, num_outputs).finish().unwrap()
}

/// A random model with labels, of two classes or three.
pub(crate) fn random_classifier(random: &mut Random) -> Ensemble {
    let input = random_input(random);
    let features = (0..1 + random.below(3)).map(|index| random_feature(random, &input, index)).collect();
    random_classifier_of(random, input, features)
}

/// The same of these features.
pub(crate) fn random_classifier_of(random: &mut Random, input: InputRules, features: Vec<Feature>) -> Ensemble {
    let num_outputs = random.pick(&[1, 1, 2, 3]);
    let mut builder = random_builder(random, input, features, num_outputs);
    (builder.link, builder.label) = match (num_outputs, random.below(5)) {
        (1, 0) => (Link::Identity, LabelRule::MarginAbove { threshold: 1.0 }),
        (1, 1) => (Link::Identity, LabelRule::MarginAtLeast { threshold: 0.0 }),
        (1, 2) => (Link::LogisticXgboost, LabelRule::OutputAbove { threshold: 0.5 }),
        (1, 3) => (Link::Isolation { scale: 50.0 }, LabelRule::Outlier { offset: -0.5 }),
        (1, _) => (Link::Logistic { slope: 1.0 }, LabelRule::OutputAboveComplement),
        (_, 0) => (Link::Softmax, LabelRule::LargestOutput),
        (_, 1) => (Link::SoftmaxXgboost, LabelRule::LargestOutput),
        (_, 2) => (Link::Identity, LabelRule::LargestScored),
        _ => (Link::Identity, LabelRule::LargestMargin),
    };
    if let Aggregate::Sum(summation) = &mut builder.aggregate {
        summation.fixed_order = !random.chance(4);
    }
    let num_classes = i64::try_from(num_outputs.max(2)).unwrap();
    builder.classes = (0..num_classes).map(ClassName::Int).collect();
    builder.finish().unwrap()
}

pub(crate) fn random_input(random: &mut Random) -> InputRules {
    let precision = random.pick(&[Precision::F32, Precision::F64]);
    InputRules {
        precision,
        missing_value: random.chance(3).then(|| precision.round(awkward(random))).filter(|value| value.is_finite()),
        zero_band: random.chance(3).then(|| precision.round(BAND)),
        accepts_missing: !random.chance(3),
        accepts_infinite: !random.chance(3),
        absent: Absent::Zero,
    }
}

pub(crate) fn random_builder(
    random: &mut Random,
    input: InputRules,
    features: Vec<Feature>,
    num_outputs: usize,
) -> EnsembleBuilder {
    let num_trees = 1 + random.below(4);
    let sum_precision = random.pick(&[Precision::F32, Precision::F64]);
    let tree = |random: &mut Random| random_tree(random, &input, &features, num_outputs, sum_precision);
    let trees: Vec<Tree> = (0..num_trees).map(|_| tree(random)).collect();
    let mut summation =
        Summation::plain(sum_precision, (0..num_outputs).map(|_| value(random, sum_precision)).collect());
    summation.base_position = random.pick(&[BasePosition::First, BasePosition::Last]);
    summation.divisor = random.chance(3).then(|| sum_precision.round(random.pick(&[3.0, 7.0, 0.1])));
    summation.scale = random.chance(3).then(|| sum_precision.round(random.pick(&[-1.5, 0.3, 0.0, -0.1])));
    summation.weights = random.chance(3).then(|| TreeWeights {
        per_tree: (0..num_trees).map(|_| value(random, sum_precision)).collect(),
        rule: random.pick(&[WeightRule::Product, WeightRule::OffBase]),
    });
    EnsembleBuilder {
        source: Source::default(),
        features,
        input,
        num_outputs,
        aggregate: Aggregate::Sum(summation),
        link: Link::Identity,
        label: LabelRule::None,
        classes: vec![],
        trees,
    }
}

pub(crate) fn random_feature(random: &mut Random, input: &InputRules, index: usize) -> Feature {
    if random.chance(2) {
        return Feature::numeric(format!("x{index}"));
    }
    let encoding = match random.below(4) {
        0 => CategoryEncoding::Xgboost,
        1 => CategoryEncoding::Lightgbm,
        2 => CategoryEncoding::Position,
        _ => CategoryEncoding::Exact([3.0, 0.1, 7.0, -1.0].map(|value| input.precision.round(value)).to_vec()),
    };
    let names = if random.chance(2) { vec![] } else { ["a", "b", "c", "d"].map(str::to_owned).to_vec() };
    Feature::new(format!("c{index}"), FeatureKind::Category(Categories::of_texts(encoding, names)))
}

/// The columns of a group or two, `g_*` and `h_*`, before and after another feature, read by rules that know 0 and 1.
pub(crate) fn random_columns(random: &mut Random) -> (InputRules, Vec<Feature>) {
    let mut input = random_input(random);
    input.missing_value = input.missing_value.filter(|value| ![0.0, 1.0].contains(value));
    let columns =
        |name: char, number: usize| (0..number).map(move |column| Feature::numeric(format!("{name}_{column}")));
    let mut features: Vec<Feature> = columns('g', 2 + random.below(3)).collect();
    features.insert(random.below(features.len() + 1), random_feature(random, &input, 0));
    if random.chance(2) {
        features.extend(columns('h', 2));
    }
    (input, features)
}

/// Their groups.
pub(crate) fn groups_of_columns(ensemble: &Ensemble) -> Groups {
    let has = |name: &str| ensemble.feature_named(name).is_some();
    let all: [(&str, &[&str]); 2] = [("g", &["g_*"]), ("h", &["h_*"])];
    Groups::new(ensemble, all.into_iter().filter(|(name, _)| has(&format!("{name}_0")))).unwrap()
}

pub(crate) fn is_one_hot(groups: &Groups, row: &[f64]) -> bool {
    groups.iter().all(|group| {
        let ones = group.columns.iter().filter(|column| row[**column] == 1.0).count();
        let zeros = group.columns.iter().filter(|column| row[**column] == 0.0).count();
        ones == 1 && zeros == group.columns.len() - 1
    })
}

pub(crate) fn value(random: &mut Random, precision: Precision) -> f64 {
    precision.round(match random.below(6) {
        0 => 0.0,
        1 => random.pick(&[1e-300, -1e-300, f64::from_bits(1), 1e20, -1e20]),
        2 => f64::from(random.pick(&[0.1_f32, -0.7, 3.3])),
        _ => (random.below(2001) as f64 - 1000.0) / 7.0,
    })
}

pub(crate) fn random_tree(
    random: &mut Random,
    input: &InputRules,
    features: &[Feature],
    num_outputs: usize,
    sums: Precision,
) -> Tree {
    let depth = random.below(4);
    let mut builder = TreeBuilder::new((2 << depth) - 1);
    let mut pending = vec![(0, depth)];
    while let Some((node, depth)) = pending.pop() {
        if depth == 0 || random.chance(8) {
            let terms: Vec<LeafTerm> = (0..1 + random.below(2))
                .map(|_| LeafTerm {
                    output: u32::try_from(random.below(num_outputs)).unwrap(),
                    value: value(random, sums),
                })
                .collect();
            builder.leaf(node, u32::try_from(node).unwrap(), terms).unwrap();
            continue;
        }
        let feature = random.below(features.len());
        let is_category = features[feature].is_category();
        // Columns of bits are compared as libraries do.
        let is_bit = features[feature].name.contains("bit");
        let number = |random: &mut Random| match is_bit {
            true => random.pick(&[0.5, 1.0, f64::from_bits(1), BAND, 0.1, 0.0, -1e-5, 2.00001]),
            false => awkward(random),
        };
        let test = match random.below(8) {
            0 => Test::Present,
            _ if is_category => {
                let members: Vec<u32> = (0..6).filter(|_| random.chance(2)).collect();
                builder.category_set(members)
            }
            1 | 2 => {
                let values: Vec<f64> = (0..1 + random.below(3)).map(|_| number(random)).collect();
                builder.value_set(values)
            }
            3 => input.test_at_most(number(random)),
            4 => Test::Below(random.pick(&[f64::INFINITY, f64::NEG_INFINITY])),
            _ => input.test_below(number(random)),
        };
        let side = |random: &mut Random| Side::from(random.chance(2));
        let zero = (!is_category && random.chance(3)).then(|| side(random));
        let split = RawSplit {
            feature: u32::try_from(feature).unwrap(),
            test,
            missing: side(random),
            zero,
            left: 2 * node + 1,
            right: 2 * node + 2,
        };
        builder.split(node, split).unwrap();
        pending.extend([(2 * node + 1, depth - 1), (2 * node + 2, depth - 1)]);
    }
    builder.finish(0).unwrap()
}

pub(crate) fn random_domains(random: &mut Random, ensemble: &Ensemble) -> Vec<Domain> {
    let mut domains = Domain::everything(ensemble);
    for domain in &mut domains {
        let may_be_missing = random.chance(3);
        match domain {
            Domain::Numbers { numbers, missing } => {
                *missing = may_be_missing;
                if random.chance(2) {
                    *numbers = random_numbers(random);
                }
            }
            Domain::Categories { codes, unknown, missing } => {
                *missing = may_be_missing;
                *unknown = random.chance(4);
                if random.chance(2) {
                    codes.retain(|_| random.chance(2));
                }
            }
        }
    }
    domains
}

/// A range, or several, or those of its numbers that lie on a grid.
fn random_numbers(random: &mut Random) -> NumberSet {
    let num_ranges = random.pick(&[1, 1, 2, 3]);
    let ranges = (0..num_ranges).map(|_| {
        let (a, b) = (awkward(random), awkward(random));
        Range { low: a.min(b), high: if random.chance(6) { a.min(b) } else { a.max(b) } }
    });
    let ranges: Vec<Range> = ranges.collect();
    let step = random.pick(&["0.1", "0.25", "1", "3"]);
    let is_grid = random.chance(4);
    NumberSet::new(ranges, is_grid.then(|| Exact::from_decimal(step).unwrap()).into_iter().collect())
}

/// Every number that may be the only one of its kind: thresholds, members of sets, ends, and all their neighbours.
pub(crate) fn candidates(ensemble: &Ensemble, feature: usize, domain: &Domain) -> Vec<f64> {
    keep_one_of_each(ensemble, feature, all_candidates(ensemble, feature, domain))
}

/// The same, with many of a kind.
pub(crate) fn all_candidates(ensemble: &Ensemble, feature: usize, domain: &Domain) -> Vec<f64> {
    let input = ensemble.input();
    let known = &ensemble.features()[feature];
    let (mut raws, missing) = match domain {
        Domain::Numbers { numbers, missing } => {
            // From here on f32 overflows.
            let overflow = f64::from(f32::MAX) + 2.0_f64.powi(103);
            let mut marks = vec![0.0, BAND, -BAND, f64::MAX, -f64::MAX, overflow, -overflow];
            marks.extend(numbers.ranges().iter().flat_map(|range| [range.low, range.high]));
            marks.extend(input.missing_value);
            for tree in ensemble.trees() {
                for split in tree.splits().iter().filter(|split| split.feature as usize == feature) {
                    match split.test {
                        Test::Below(threshold) => marks.push(threshold),
                        Test::OneOf(set) => marks.extend(tree.value_set(set)),
                        _ => {}
                    }
                }
            }
            let neighbours = |mark: &f64| {
                let read = input.precision.round(*mark);
                let [up, down] = [input.precision.next_up(read), -input.precision.next_up(-read)];
                // Halfway to its neighbours a number begins to be read as another.
                let turns = [up, down].map(|other| read / 2.0 + other / 2.0);
                let both_sides = [*mark, turns[0], turns[1]].map(|turn| [turn, turn.next_up(), turn.next_down()]);
                [both_sides.as_flattened(), &[read, up, down]].concat()
            };
            let mut raws: Vec<f64> = marks.iter().flat_map(neighbours).collect();
            raws.sort_by(f64::total_cmp);
            let middles: Vec<f64> = raws.windows(2).map(|pair| pair[0] / 2.0 + pair[1] / 2.0).collect();
            raws.extend(middles);
            let members: Vec<f64> =
                raws.iter().flat_map(|raw| [numbers.at_or_above(*raw), numbers.at_or_below(*raw)]).flatten().collect();
            raws.extend(members);
            raws.retain(|raw| raw.is_finite() && numbers.contains(*raw));
            raws.retain(|raw| matches!(input.read(known, *raw), Ok(Reading::Number(_))));
            (raws, *missing)
        }
        Domain::Categories { codes, unknown, missing } => {
            let halves = (-3..20).map(|half| f64::from(half) / 2.0);
            let raws = halves.chain([0.1, f64::from(0.1_f32)]);
            let is_in = |raw: &f64| match input.read(known, *raw) {
                Ok(Reading::Category(code)) => codes.contains(&code),
                Ok(Reading::NoCategory) => *unknown,
                _ => false,
            };
            (raws.filter(is_in).collect(), *missing)
        }
    };
    if missing && input.takes_missing(known) {
        raws.push(f64::NAN);
    }
    raws
}

/// Raw values between which no split can tell are one.
pub(crate) fn keep_one_of_each(ensemble: &Ensemble, feature: usize, mut raws: Vec<f64>) -> Vec<f64> {
    let known_feature = &ensemble.features()[feature];
    let mut known: Vec<Vec<Side>> = vec![];
    raws.retain(|raw| {
        let reading = ensemble.input().read(known_feature, *raw).unwrap();
        let sides = ensemble.trees().iter().flat_map(|tree| {
            let of_feature = tree.splits().iter().filter(|split| split.feature as usize == feature);
            of_feature.map(|split| tree.side(split, reading)).collect::<Vec<Side>>()
        });
        let sides: Vec<Side> = sides.collect();
        let is_new = !known.contains(&sides);
        known.push(sides);
        is_new
    });
    raws
}

/// All rows of such numbers; none if a feature has none.
pub(crate) fn rows(ensemble: &Ensemble, domains: &[Domain]) -> Vec<Vec<f64>> {
    let choices: Vec<Vec<f64>> =
        domains.iter().enumerate().map(|(feature, domain)| candidates(ensemble, feature, domain)).collect();
    let mut rows = vec![vec![]];
    for choice in &choices {
        let longer = |row: &Vec<f64>| choice.iter().map(|raw| [row.as_slice(), &[*raw]].concat()).collect::<Vec<_>>();
        rows = rows.iter().flat_map(longer).collect();
    }
    rows
}

pub(crate) fn brute_force(ensemble: &Ensemble, domains: &[Domain], objective: MarginObjective) -> Option<Exact> {
    rows(ensemble, domains).iter().map(|row| exact_margin(ensemble, row, objective)).max()
}

pub(crate) fn exact_margin(ensemble: &Ensemble, row: &[f64], objective: MarginObjective) -> Exact {
    let exact = ensemble.evaluate(row).unwrap().margins[objective.output].exact.clone().unwrap();
    if objective.negated { exact.negated() } else { exact }
}

pub(crate) fn is_allowed(ensemble: &Ensemble, domains: &[Domain], row: &[f64]) -> bool {
    let readings = ensemble.read(row).unwrap();
    readings.iter().zip(row).zip(domains).all(|((reading, raw), domain)| match (domain, reading) {
        (Domain::Numbers { missing, .. } | Domain::Categories { missing, .. }, Reading::Missing) => *missing,
        (Domain::Numbers { numbers, .. }, _) => numbers.contains(*raw),
        (Domain::Categories { codes, .. }, Reading::Category(code)) => codes.contains(code),
        (Domain::Categories { unknown, .. }, _) => *unknown,
    })
}

pub(crate) fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |text| text.parse().unwrap())
}
