//! Laws of every ensemble that can be built, on random small ones with awkward numbers: the margins' error bounds hold,
//! the fast prediction equals the reference bit for bit, and treeproof's own JSON loses nothing.

use proptest::prelude::*;
use proptest::sample::select;
use treeproof_ensemble::builder::{EnsembleBuilder, RawSplit, TreeBuilder};
use treeproof_ensemble::ensemble::{Ensemble, Source};
use treeproof_ensemble::error::LoadError;
use treeproof_ensemble::evaluate::Evaluation;
use treeproof_ensemble::exact::Exact;
use treeproof_ensemble::float::Precision;
use treeproof_ensemble::input::{Absent, Categories, CategoryEncoding, Feature, FeatureKind, InputRules};
use treeproof_ensemble::label::{ClassName, LabelRule};
use treeproof_ensemble::link::{Link, PairRule};
use treeproof_ensemble::load::{LoadOptions, load_bytes, to_json};
use treeproof_ensemble::predict::Predictor;
use treeproof_ensemble::sum::{Aggregate, BasePosition, ExtremeRule, Summation, TreeWeights, WeightRule};
use treeproof_ensemble::tree::{LeafTerm, Side, Test, Tree};

const NUM_FEATURES: usize = 4;

/// Numbers around which rounding, comparison and underflow go wrong.
const AWKWARD: &[f64] = &[
    0.0,
    -0.0,
    1.0,
    -1.0,
    2.0,
    3.0,
    0.1,
    0.5,
    -0.3,
    16_777_216.0,
    16_777_217.0,
    9_007_199_254_740_993.0,
    1e10,
    -1e10,
    1e-30,
    1e30,
    -3e38,
    1e38,
    3.402_823_466_385_288_6e38,
    1e-38,
    -1e-40,
    1e-45,
    1e200,
    -1e200,
    1e-200,
    1e-310,
    f64::MAX,
    f64::MIN_POSITIVE,
    5e-324,
    -5e-324,
];

fn number() -> impl Strategy<Value = f64> {
    prop_oneof![
        4 => select(AWKWARD),
        4 => -10.0..10.0_f64,
        1 => any::<f64>().prop_filter("finite", |x| x.is_finite()),
        1 => any::<f32>().prop_filter("finite", |x| x.is_finite()).prop_map(f64::from),
    ]
}

/// The number brought into a precision, without overflow.
fn rounded(precision: Precision, x: f64) -> f64 {
    precision.round(x.clamp(-precision.largest(), precision.largest()))
}

fn precision() -> impl Strategy<Value = Precision> {
    select(&[Precision::F32, Precision::F64][..])
}

/// A tree as random parts, fitted to an ensemble's inputs and outputs when it is built.
#[derive(Clone, Debug)]
enum Shape {
    Leaf(Vec<(u32, f64)>),
    Split(RawTest, Box<Shape>, Box<Shape>),
}

#[derive(Clone, Debug)]
struct RawTest {
    feature: u32,
    kind: u8,
    threshold: f64,
    set: Vec<f64>,
    codes: Vec<u32>,
    missing: bool,
    zero: Option<bool>,
}

fn raw_test() -> impl Strategy<Value = RawTest> {
    let threshold = prop_oneof![8 => number(), 1 => select(&[f64::INFINITY, f64::NEG_INFINITY, f64::NAN][..])];
    let sets = (prop::collection::vec(number(), 0..4), prop::collection::vec(0..6_u32, 0..4));
    let sides = (any::<bool>(), prop::option::weighted(0.3, any::<bool>()));
    (0..NUM_FEATURES as u32, 0..5_u8, threshold, sets, sides).prop_map(
        |(feature, kind, threshold, (set, codes), (missing, zero))| RawTest {
            feature,
            kind,
            threshold,
            set,
            codes,
            missing,
            zero,
        },
    )
}

fn shape() -> impl Strategy<Value = Shape> {
    let leaf = prop::collection::vec((0..4_u32, number()), 0..4).prop_map(Shape::Leaf);
    leaf.prop_recursive(4, 12, 2, |inner| {
        (raw_test(), inner.clone(), inner)
            .prop_map(|(test, left, right)| Shape::Split(test, Box::new(left), Box::new(right)))
    })
}

/// How leaf terms are fitted to the aggregate.
#[derive(Clone, Copy)]
struct Terms {
    precision: Precision,
    num_outputs: usize,
    single: bool,
}

impl Terms {
    fn of(self, raw: &[(u32, f64)]) -> Vec<LeafTerm> {
        let term = |(output, value): &(u32, f64)| LeafTerm {
            output: output % self.num_outputs as u32,
            value: rounded(self.precision, *value),
        };
        if self.single {
            vec![raw.first().map_or(LeafTerm { output: 0, value: 0.0 }, term)]
        } else {
            raw.iter().map(term).collect()
        }
    }
}

fn tree(shape: &Shape, input: &InputRules, features: &[Feature], terms: Terms) -> Tree {
    fn count(shape: &Shape) -> usize {
        match shape {
            Shape::Leaf(_) => 1,
            Shape::Split(_, left, right) => 1 + count(left) + count(right),
        }
    }
    let mut builder = TreeBuilder::new(count(shape));
    let mut pending = vec![(shape, 0)];
    let mut next = 1;
    while let Some((shape, node)) = pending.pop() {
        match shape {
            Shape::Leaf(raw) => builder.leaf(node, 100 + node as u32, terms.of(raw)).unwrap(),
            Shape::Split(raw, left, right) => {
                let category = features[raw.feature as usize].is_category();
                let test = match raw.kind {
                    0 => Test::Present,
                    _ if category => builder.category_set(raw.codes.iter().copied()),
                    1 => builder.value_set(raw.set.iter().copied()),
                    2 => input.test_at_most(raw.threshold),
                    _ => input.test_below(raw.threshold),
                };
                let split = RawSplit {
                    feature: raw.feature,
                    test,
                    missing: Side::from(raw.missing),
                    zero: raw.zero.filter(|_| !category).map(Side::from),
                    left: next,
                    right: next + 1,
                };
                builder.split(node, split).unwrap();
                pending.extend([(&**left, next), (&**right, next + 1)]);
                next += 2;
            }
        }
    }
    builder.finish(0).unwrap()
}

fn encoding() -> impl Strategy<Value = CategoryEncoding> {
    select(vec![
        CategoryEncoding::Xgboost,
        CategoryEncoding::Lightgbm,
        CategoryEncoding::Position,
        CategoryEncoding::Exact(vec![3.0, 1.0, -2.0, 0.0]),
        CategoryEncoding::Listed(vec![3.0, -1.0, -2.0, 0.0]),
    ])
}

fn input_rules() -> impl Strategy<Value = InputRules> {
    let band = prop::option::weighted(0.3, select(&[1e-35, 0.0, 0.25][..]));
    let missing = prop::option::weighted(0.2, prop_oneof![number(), Just(f64::INFINITY)]);
    (precision(), band, missing, any::<bool>(), any::<bool>()).prop_map(
        |(precision, band, missing, accepts_missing, accepts_infinite)| InputRules {
            precision,
            missing_value: missing.map(|value| precision.round(value)),
            zero_band: band.map(|band| precision.round(band)),
            accepts_missing,
            accepts_infinite,
            absent: Absent::Zero,
        },
    )
}

/// The parts of an aggregate, before it is known how many trees there are.
#[derive(Clone, Debug)]
struct RawAggregate {
    rule: u8,
    precision: Precision,
    base: Vec<f64>,
    first: bool,
    weights: Vec<f64>,
    off_base: Option<bool>,
    divisor: Option<f64>,
    scale: Option<f64>,
    fold: bool,
    narrow: bool,
}

fn raw_aggregate() -> impl Strategy<Value = RawAggregate> {
    let numbers = (prop::collection::vec(number(), 4), prop::collection::vec(number(), 8));
    let outer = (prop::option::weighted(0.4, number()), prop::option::weighted(0.4, number()));
    let flags = (any::<bool>(), prop::option::of(any::<bool>()), prop::bool::weighted(0.3), prop::bool::weighted(0.3));
    (0..8_u8, precision(), numbers, outer, flags).prop_map(
        |(rule, precision, (base, weights), (divisor, scale), (first, off_base, fold, narrow))| RawAggregate {
            rule,
            precision,
            base: base.into_iter().map(|base| rounded(precision, base)).collect(),
            first,
            weights: weights.into_iter().map(|weight| rounded(precision, weight)).collect(),
            off_base,
            divisor: divisor.map(|divisor| rounded(precision, divisor.abs()).max(precision.smallest_positive())),
            scale: scale.map(|scale| rounded(precision, scale)),
            fold,
            narrow,
        },
    )
}

impl RawAggregate {
    fn num_outputs(&self, wanted: usize) -> usize {
        match self.rule {
            0 => 1,
            3.. if self.fold => 2,
            _ => wanted,
        }
    }

    fn aggregate(&self, num_trees: usize, num_outputs: usize) -> Aggregate {
        let weights = self.weights.iter().copied().cycle().take(num_trees);
        let base = self.base[..num_outputs].to_vec();
        match self.rule {
            0 => Aggregate::WeightedMedian { weights: weights.map(f64::abs).collect() },
            1 => {
                Aggregate::Min(ExtremeRule { precision: self.precision, base: if self.first { base } else { vec![] } })
            }
            2 => {
                Aggregate::Max(ExtremeRule { precision: self.precision, base: if self.first { base } else { vec![] } })
            }
            _ => Aggregate::Sum(Summation {
                base_position: if self.first { BasePosition::First } else { BasePosition::Last },
                weights: self.off_base.map(|off_base| TreeWeights {
                    per_tree: weights.collect(),
                    rule: if off_base { WeightRule::OffBase } else { WeightRule::Product },
                }),
                divisor: self.divisor,
                scale: self.scale,
                fold_pair: self.fold,
                narrow: self.narrow,
                ..Summation::plain(self.precision, base)
            }),
        }
    }
}

fn link() -> impl Strategy<Value = Link> {
    let averaged = Link::Averaged { divisor: 3.0, then: Box::new(Link::SignedSquare) };
    select(vec![
        Link::Identity,
        Link::Narrow,
        Link::LogisticXgboost,
        Link::Logistic { slope: 0.7 },
        Link::LogisticOnnx,
        Link::SoftmaxXgboost,
        Link::Softmax,
        Link::SoftmaxOnnx,
        Link::ExpF32,
        Link::Exp,
        Link::Hinge,
        Link::ClassIndex,
        Link::LogOnePlusExp,
        Link::Isolation { scale: 2.5 },
        Link::PairOnnx { rule: PairRule::Complement },
        Link::PairOnnx { rule: PairRule::Logistic },
        averaged,
    ])
}

fn ensemble() -> impl Strategy<Value = Ensemble> {
    let shapes = prop::collection::vec(shape(), 1..7);
    (shapes, input_rules(), (encoding(), encoding()), raw_aggregate(), 1..4_usize, link(), 0..7_usize).prop_map(
        |(shapes, input, (third, fourth), raw, wanted, link, label)| {
            let category = |name: &str, encoding| {
                Feature::new(name, FeatureKind::Category(Categories::of_texts(encoding, vec![])))
            };
            let features =
                vec![Feature::numeric("a"), Feature::numeric("b"), category("c", third), category("d", fourth)];
            let num_outputs = raw.num_outputs(wanted);
            let aggregate = raw.aggregate(shapes.len(), num_outputs);
            // A median compares leaf values as they are.
            let precision = if raw.rule == 0 { Precision::F64 } else { raw.precision };
            let terms = Terms { precision, num_outputs, single: raw.rule == 0 };
            let trees = shapes.iter().map(|shape| tree(shape, &input, &features, terms)).collect();
            let margins = if raw.rule >= 3 && raw.fold { 1 } else { num_outputs };
            let (label, num_classes) = match (label, margins) {
                (0, 1) => (LabelRule::MarginAbove { threshold: f64::NEG_INFINITY }, 2),
                (1, 1) => (LabelRule::OutputAbove { threshold: 0.5 }, 2),
                (2, 1) => (LabelRule::Outlier { offset: -0.5 }, 2),
                (0..=2, _) => (LabelRule::LargestMargin, margins),
                (3, _) => (LabelRule::LargestScored, margins),
                (4, _) => (LabelRule::LargestOutput, link.num_outputs(margins)),
                _ => (LabelRule::None, 0),
            };
            let classes = (0..num_classes).map(|class| ClassName::Text(format!("class {class}"))).collect();
            let source = Source { format: "random".into(), ..Source::default() };
            EnsembleBuilder { source, features, input, num_outputs, aggregate, link, label, classes, trees }
                .finish()
                .unwrap()
        },
    )
}

fn row() -> impl Strategy<Value = Vec<f64>> {
    let value = prop_oneof![
        4 => number(),
        2 => (-1..7_i32).prop_map(f64::from),
        1 => Just(f64::NAN),
        1 => select(&[f64::INFINITY, f64::NEG_INFINITY][..]),
    ];
    prop::collection::vec(value, NUM_FEATURES)
}

fn same_bits(a: &[f64], b: &[f64]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan()))
}

fn exact(x: f64) -> Exact {
    Exact::from_f64(x).unwrap()
}

/// The weighted terms of every output, as real numbers.
fn weighted_terms(ensemble: &Ensemble, summation: &Summation, evaluation: &Evaluation) -> Vec<Vec<Exact>> {
    let mut outputs = vec![vec![]; ensemble.num_accumulators()];
    for (index, (tree, leaf)) in ensemble.trees().iter().zip(&evaluation.leaves).enumerate() {
        let weight = summation.weights.as_ref().map_or(1.0, |weights| weights.per_tree[index]);
        for term in tree.terms(*leaf) {
            outputs[term.output as usize].push(exact(term.value).times(&exact(weight)));
        }
    }
    outputs
}

/// The margins as real numbers, straight from the definition in [`Summation`].
fn real_margins(summation: &Summation, terms: &[Vec<Exact>]) -> Vec<Exact> {
    let margin = |(terms, base): (&Vec<Exact>, &f64)| {
        let first = summation.base_position == BasePosition::First;
        let mut sum = terms.iter().fold(Exact::zero(), |sum, term| sum.plus(term));
        sum = if first { sum.plus(&exact(*base)) } else { sum };
        sum = summation.divisor.map_or(sum.clone(), |divisor| sum.divided_by(&exact(divisor)));
        sum = summation.scale.map_or(sum.clone(), |scale| sum.times(&exact(scale)));
        if first { sum } else { sum.plus(&exact(*base)) }
    };
    let margins: Vec<Exact> = terms.iter().zip(&summation.base).map(margin).collect();
    if summation.fold_pair { vec![margins[1].minus(&margins[0])] } else { margins }
}

/// The a-priori bound of a margin for the terms that were really added.
fn a_priori(summation: &Summation, terms: &[Vec<Exact>], margin: usize) -> f64 {
    let magnitude = |terms: &Vec<Exact>| {
        let sum = terms.iter().fold(Exact::zero(), |sum, term| sum.plus(&term.magnitude()));
        sum.ceil_f64()
    };
    let of_margin = if summation.fold_pair { terms } else { &terms[margin..=margin] };
    let count = of_margin.iter().map(Vec::len).max().unwrap_or(0);
    summation.a_priori_error(margin, count, of_margin.iter().map(magnitude).fold(0.0, f64::max))
}

/// The same ensemble with its trees in the other order.
fn reversed(ensemble: &Ensemble) -> Ensemble {
    let mut aggregate = ensemble.aggregate().clone();
    if let Aggregate::Sum(Summation { weights: Some(weights), .. }) = &mut aggregate {
        weights.per_tree.reverse();
    }
    EnsembleBuilder {
        source: ensemble.source().clone(),
        features: ensemble.features().to_vec(),
        input: ensemble.input().clone(),
        num_outputs: ensemble.num_accumulators(),
        aggregate,
        link: ensemble.link().clone(),
        label: ensemble.label_rule().clone(),
        classes: ensemble.classes().to_vec(),
        trees: ensemble.trees().iter().rev().cloned().collect(),
    }
    .finish()
    .unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn margins_are_within_their_bounds(ensemble in ensemble(), row in row()) {
        let Ok(evaluation) = ensemble.evaluate(&row) else { return Ok(()) };
        for margin in evaluation.margins.iter().filter(|margin| margin.library.is_finite()) {
            let Some(real) = &margin.exact else { panic!("a finite sum has an exact one: {margin:?}") };
            let Some(error) = Exact::from_f64(margin.error) else { continue };
            prop_assert!(exact(margin.library).minus(real).magnitude() <= error, "{:?}", margin);
        }
        let Some(summation) = ensemble.summation() else { return Ok(()) };
        let terms = weighted_terms(&ensemble, summation, &evaluation);
        let turned = reversed(&ensemble).evaluate(&row).unwrap();
        for (index, real) in real_margins(summation, &terms).iter().enumerate() {
            let margin = &evaluation.margins[index];
            let a_priori = a_priori(summation, &terms, index);
            let off_base = summation.weights.as_ref().is_some_and(|weights| weights.rule == WeightRule::OffBase);
            prop_assert!(margin.exact.is_none() || margin.exact.as_ref() == Some(real));
            prop_assert!(margin.library.is_finite() || a_priori.is_infinite() || off_base, "an overflow within {}", a_priori);
            if margin.library.is_finite() {
                prop_assert!(margin.error <= a_priori, "{:e} is not at most {:e}: {:?}", margin.error, a_priori, margin);
            }
            let other = turned.margins[index].library;
            if other.is_finite() && a_priori.is_finite() {
                prop_assert!(exact(other).minus(real).magnitude() <= exact(a_priori), "in the other order: {:e}", other);
            }
        }
    }

    #[test]
    fn the_fast_prediction_is_the_reference(ensemble in ensemble(), rows in prop::collection::vec(row(), 1..20)) {
        let predictor = Predictor::new(&ensemble);
        for row in &rows {
            match (ensemble.evaluate(row), predictor.predict(row)) {
                (Ok(plain), Ok(fast)) => {
                    prop_assert!(same_bits(&plain.library_margins(), &fast.margins), "{:?} {:?}", plain, fast);
                    prop_assert!(same_bits(&plain.outputs, &fast.outputs), "{:?} {:?}", plain, fast);
                    prop_assert_eq!(plain.class, fast.classes.first().copied());
                }
                (Err(plain), Err(fast)) => prop_assert_eq!(plain, fast.error),
                (plain, fast) => prop_assert!(false, "{:?} {:?}", plain, fast),
            }
        }
        // Together, all rows say what each says alone.
        let good: Vec<&Vec<f64>> = rows.iter().filter(|row| ensemble.evaluate(row).is_ok()).collect();
        let alone: Vec<f64> = good.iter().flat_map(|row| predictor.predict(row).unwrap().outputs).collect();
        let flat: Vec<f64> = good.iter().flat_map(|row| row.iter().copied()).collect();
        prop_assert!(same_bits(&predictor.predict(&flat).unwrap().outputs, &alone));
    }

    #[test]
    fn own_json_loses_nothing(ensemble in ensemble()) {
        let json = to_json(&ensemble);
        let again = load_bytes(json.as_bytes(), &LoadOptions::default()).unwrap();
        prop_assert!(again == ensemble, "{}", json);
        prop_assert_eq!(to_json(&again), json);
    }
}

/// A sound model of one numeric and one categorical feature, to be spoilt.
fn sound(zero: Option<Side>, test: impl Fn(&mut TreeBuilder) -> (u32, Test)) -> EnsembleBuilder {
    let mut builder = TreeBuilder::new(3);
    let (feature, test) = test(&mut builder);
    builder.split(0, RawSplit { feature, test, missing: Side::Left, zero, left: 1, right: 2 }).unwrap();
    builder.leaf(1, 1, [LeafTerm { output: 0, value: 0.5 }]).unwrap();
    builder.leaf(2, 2, [LeafTerm { output: 0, value: -0.5 }]).unwrap();
    let categories = Categories::of_texts(CategoryEncoding::Exact(vec![0.0, 1.0]), vec![]);
    EnsembleBuilder {
        source: Source::default(),
        features: vec![Feature::numeric("x"), Feature::new("c", FeatureKind::Category(categories))],
        input: InputRules {
            precision: Precision::F32,
            missing_value: None,
            zero_band: None,
            accepts_missing: true,
            accepts_infinite: true,
            absent: Absent::Missing,
        },
        num_outputs: 1,
        aggregate: Aggregate::Sum(Summation::plain(Precision::F32, vec![0.0])),
        link: Link::Identity,
        label: LabelRule::None,
        classes: vec![],
        trees: vec![builder.finish(0).unwrap()],
    }
}

fn below(threshold: f64) -> impl Fn(&mut TreeBuilder) -> (u32, Test) {
    move |_| (0, Test::Below(threshold))
}

#[test]
fn what_would_break_the_laws_is_refused() {
    type Spoil = fn(&mut EnsembleBuilder);
    let spoils: &[(&str, Spoil)] = &[
        ("zero band", |model| model.input.zero_band = Some(f64::INFINITY)),
        ("category value", |model| {
            let encoding = CategoryEncoding::Exact(vec![f64::INFINITY]);
            model.features[1].kind = FeatureKind::Category(Categories::of_texts(encoding, vec![]));
        }),
        ("divided", |model| model.aggregate = Aggregate::Sum(Summation { divisor: Some(0.1), ..plain() })),
        ("scale", |model| model.aggregate = Aggregate::Sum(Summation { scale: Some(0.1), ..plain() })),
        ("weight", |model| {
            let weights = Some(TreeWeights { per_tree: vec![0.1], rule: WeightRule::Product });
            model.aggregate = Aggregate::Sum(Summation { weights, ..plain() });
        }),
        ("base", |model| model.aggregate = Aggregate::Min(ExtremeRule { precision: Precision::F32, base: vec![0.1] })),
        ("outputs", |model| {
            model.num_outputs = usize::MAX;
            model.aggregate = Aggregate::Max(ExtremeRule { precision: Precision::F32, base: vec![] });
        }),
        ("link", |model| model.link = Link::Logistic { slope: f64::INFINITY }),
        ("link", |model| {
            model.link = Link::Averaged { divisor: 1.0, then: Box::new(Link::Isolation { scale: f64::NAN }) };
        }),
        ("label", |model| model.label = LabelRule::Outlier { offset: f64::NEG_INFINITY }),
        ("label", |model| model.label = LabelRule::MarginAbove { threshold: f64::NAN }),
    ];
    assert!(sound(None, below(1.0)).finish().is_ok());
    for (reason, spoil) in spoils {
        let mut model = sound(None, below(1.0));
        model.classes = vec![ClassName::Int(0), ClassName::Int(1)];
        spoil(&mut model);
        assert_refused(model.finish(), reason);
    }
    assert_refused(sound(None, below(0.1)).finish(), "threshold");
    let mut banded = sound(None, below(f64::from(1e-40_f32)));
    banded.input.zero_band = Some(f64::from(1e-35_f32));
    assert_refused(banded.finish(), "threshold");
    assert_refused(sound(Some(Side::Right), |builder| (1, builder.category_set([0]))).finish(), "zero");
    let mut fine = sound(None, below(1.0));
    let mut leaf = TreeBuilder::new(1);
    leaf.leaf(0, 0, [LeafTerm { output: 0, value: 0.1 }]).unwrap();
    fine.trees.push(leaf.finish(0).unwrap());
    assert_refused(fine.finish(), "leaf value");
}

fn plain() -> Summation {
    Summation::plain(Precision::F32, vec![0.0])
}

fn assert_refused(outcome: Result<Ensemble, LoadError>, reason: &str) {
    let error = outcome.expect_err(reason).to_string();
    assert!(error.contains(reason), "{reason}: {error}");
}

#[test]
fn a_model_without_features_has_no_rows_to_predict() {
    let mut leaf = TreeBuilder::new(1);
    leaf.leaf(0, 0, [LeafTerm { output: 0, value: 0.5 }]).unwrap();
    let mut model = sound(None, below(1.0));
    (model.features, model.trees) = (vec![], vec![leaf.finish(0).unwrap()]);
    let ensemble = model.finish().unwrap();
    assert_eq!(ensemble.evaluate(&[]).unwrap().library_margins(), [0.5]);
    let predictor = Predictor::new(&ensemble);
    assert!(predictor.predict(&[]).unwrap().margins.is_empty());
    assert!(ensemble.evaluate(&[1.0]).is_err() && predictor.predict(&[1.0]).is_err());
    assert!(predictor.leaf_ids(&[1.0]).is_err());
}
