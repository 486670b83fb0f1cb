//! Small random worlds: two numbers `x` and `y`, a category `c` and a group `g0`, `g1`, `g2`, read by one model or by two.

use treeproof_ensemble::builder::{EnsembleBuilder, RawSplit, TreeBuilder};
use treeproof_ensemble::ensemble::{Ensemble, Source};
use treeproof_ensemble::float::Precision;
use treeproof_ensemble::input::{Absent, Categories, CategoryEncoding, Feature, FeatureKind, InputRules, Reading};
use treeproof_ensemble::label::{ClassName, LabelRule};
use treeproof_ensemble::link::Link;
use treeproof_ensemble::sum::{Aggregate, BasePosition, Summation};
use treeproof_ensemble::tree::{LeafTerm, Side, Tree};
use treeproof_proof::axis::{Axis, Piece};
use treeproof_proof::statement::condition::Domain;
use treeproof_proof::statement::{Feature as Stated, Goal, ModelFeature, Number, Row, Statement, Tie};

use crate::numbers::{Range, preimage};
use crate::space::Space;
use crate::space::grid::Grid;

/// Numbers that are tried, beside missing.
pub(super) const NUMBERS: [f64; 16] = [
    f64::NEG_INFINITY,
    -2.0,
    -1.5,
    -1.0,
    -0.25,
    -0.1,
    0.0,
    0.1,
    0.25,
    0.5,
    0.500_000_000_000_000_1,
    1.0,
    1.5,
    2.0,
    3.0,
    f64::INFINITY,
];

/// The features of the group.
pub(super) const COLUMNS: [u32; 3] = [3, 4, 5];

/// Random numbers, always the same.
pub(super) struct Dice(pub(super) u64);

impl Dice {
    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 ^ (self.0 >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 20
    }

    #[expect(clippy::cast_possible_truncation, reason = "small numbers")]
    pub(super) fn below(&mut self, end: usize) -> usize {
        self.next() as usize % end.max(1)
    }

    pub(super) fn is(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    pub(super) fn of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }

    /// Some of these, in order.
    pub(super) fn some<T: Copy>(&mut self, all: &[T], percent: usize) -> Vec<T> {
        all.iter().copied().filter(|_| self.is(percent)).collect()
    }
}

/// A value of a feature.
#[derive(Clone, Copy, Debug)]
pub(super) enum Value {
    Number(f64),
    Code(u32),
    Unknown,
    Missing,
}

#[derive(Debug)]
pub(super) struct World {
    pub(super) models: Vec<Ensemble>,
    pub(super) statement: Statement,
    pub(super) axes: Vec<Axis>,
    /// Where each model reads numbers as missing.
    pub(super) stretches: Vec<Option<Range>>,
}

pub(super) fn number(x: f64) -> Number {
    treeproof_ensemble::literal::Literal(x)
}

fn model(dice: &mut Dice, names: &[&str]) -> Ensemble {
    let input = InputRules {
        precision: dice.of(&[Precision::F32, Precision::F64]),
        missing_value: dice.of(&[None, None, Some(0.5), Some(2.0), Some(-1.5)]),
        zero_band: dice.of(&[None, None, Some(0.125)]),
        accepts_missing: dice.is(80),
        accepts_infinite: dice.is(60),
        absent: Absent::Zero,
    };
    let names = names.iter().map(|name| (*name).to_owned()).collect();
    let categories = Categories::of_texts(CategoryEncoding::Lightgbm, names);
    let mut features = vec![Feature::numeric("x"), Feature::numeric("y")];
    features.push(Feature::new("c", FeatureKind::Category(categories)));
    features.extend(["g0", "g1", "g2"].map(Feature::numeric));
    let trees = (0..4).map(|_| tree(dice, &input)).collect();
    let summation = Summation {
        precision: Precision::F64,
        base: vec![0.25],
        base_position: BasePosition::First,
        weights: None,
        divisor: None,
        scale: None,
        fold_pair: false,
        narrow: false,
        fixed_order: true,
    };
    let builder = EnsembleBuilder {
        source: Source::default(),
        features,
        input,
        num_outputs: 1,
        aggregate: Aggregate::Sum(summation),
        link: Link::Logistic { slope: 1.0 },
        label: LabelRule::OutputAbove { threshold: 0.5 },
        classes: vec![ClassName::Int(0), ClassName::Int(1)],
        trees,
    };
    builder.finish().unwrap()
}

/// A tree of three splits.
fn tree(dice: &mut Dice, input: &InputRules) -> Tree {
    let mut tree = TreeBuilder::new(7);
    for node in 0..3 {
        let feature = u32::try_from(dice.below(6)).unwrap();
        let test = match dice.below(4) {
            _ if feature == 2 => {
                tree.category_set([0, 1, 2, 3].into_iter().filter(|_| dice.is(50)).collect::<Vec<_>>())
            }
            0 => tree.value_set(dice.some(&NUMBERS, 20)),
            1 => input.test_at_most(dice.of(&NUMBERS)),
            _ => input.test_below(dice.of(&NUMBERS)),
        };
        let zero = (feature != 2 && dice.is(25)).then(|| Side::from(dice.is(50)));
        let raw =
            RawSplit { feature, test, missing: Side::from(dice.is(50)), zero, left: 2 * node + 1, right: 2 * node + 2 };
        tree.split(node, raw).unwrap();
    }
    for (node, id) in (3..7).zip(0..) {
        tree.leaf(node, id, [LeafTerm { output: 0, value: dice.of(&[-1.0, -0.5, 0.125, 0.75]) }]).unwrap();
    }
    tree.finish(0).unwrap()
}

fn domain(dice: &mut Dice, feature: usize) -> Domain {
    let missing = dice.is(50);
    match feature {
        2 => Domain::Categories { codes: dice.some(&[0, 1, 2, 3], 80), unknown: dice.is(50), missing },
        0 | 1 => {
            let mut ranges: Vec<(Number, Number)> = vec![];
            for _ in 0..=dice.below(3) {
                let (one, other) = (dice.of(&NUMBERS), dice.of(&NUMBERS));
                ranges.push((number(one.min(other)), number(one.max(other))));
            }
            let steps = dice.of(&[&[][..], &[], &["1"], &["1/2"], &["1/2", "1"]]);
            let steps = steps.iter().map(|step| treeproof_ensemble::exact::Exact::from_text(step).unwrap()).collect();
            Domain::Numbers { ranges, steps, missing }
        }
        _ => {
            let range = dice.of(&[(0.0, 1.0), (0.0, 1.0), (-5.0, 5.0), (0.0, 0.5), (1.0, 1.0)]);
            Domain::Numbers { ranges: vec![(number(range.0), number(range.1))], steps: vec![], missing: false }
        }
    }
}

impl World {
    /// Another one for each number.
    pub(super) fn new(dice: &mut Dice, num_models: usize) -> Self {
        let names: [&[&str]; 2] = [&["red", "green", "blue", "grey"], &["blue", "red", "pink", "green"]];
        let models: Vec<Ensemble> = names[..num_models].iter().map(|names| model(dice, names)).collect();
        let num_inputs = 1 + dice.below(2);
        let feature = |(place, feature): (u32, &Feature)| Stated {
            name: feature.name.clone(),
            readers: (0..).zip(&models).map(|(model, _)| ModelFeature { model, feature: place }).collect(),
        };
        let features = (0..).zip(models[0].features()).map(feature).collect();
        let inputs: Vec<Vec<Domain>> =
            (0..num_inputs).map(|_| (0..6).map(|feature| domain(dice, feature)).collect()).collect();
        let mut ties = vec![];
        if num_inputs == 2 {
            let of_group = dice.of(&[Tie::Free, Tie::Same]);
            ties = [0, 1].map(|_| dice.of(&[Tie::Free, Tie::Same, Tie::NotBelow])).to_vec();
            ties.push(dice.of(&[Tie::Free, Tie::Same]));
            ties.extend([of_group; 3]);
        }
        let statement = Statement {
            features,
            inputs,
            ties,
            groups: vec![COLUMNS.to_vec()],
            reference: None,
            conditions: vec![],
            within: vec![],
            near: None,
            goal: Goal::Anything,
        };
        let stretch = |model: &Ensemble| {
            let missing = model.input().missing_value?;
            preimage(|x| model.input().precision.round(x), (missing, missing))
        };
        let stretches = models.iter().map(stretch).collect();
        let mut world = Self { models, statement, axes: vec![], stretches };
        if num_inputs == 1 && dice.is(80) {
            let values = [0, 1, 2].map(|feature| {
                let tried = Self::tried(feature);
                let read: Vec<f64> =
                    tried.iter().filter_map(|value| world.read(feature, *value, 0)).map(|seen| seen.0).collect();
                dice.of(&read)
            });
            let bits = dice.of(&[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]);
            world.statement.reference = Some(Row(values.into_iter().chain(bits).map(number).collect()));
        }
        world.axes = world.cut(dice);
        world
    }

    /// Runs something with the space and the grid of the world.
    pub(super) fn with<T>(&self, look: impl FnOnce(&Grid<'_>) -> T) -> T {
        let space = Space::new(&self.statement, &self.models).unwrap();
        look(&Grid::new(&space, &self.axes).unwrap())
    }

    /// The values of a feature that are tried.
    pub(super) fn tried(feature: usize) -> Vec<Value> {
        match feature {
            0 | 1 => NUMBERS.map(Value::Number).into_iter().chain([Value::Missing]).collect(),
            2 => [0, 1, 2, 3].map(Value::Code).into_iter().chain([Value::Unknown, Value::Missing]).collect(),
            _ => [0.0, 1.0].map(Value::Number).to_vec(),
        }
    }

    /// What a model is given for a value, and sees; none where it knows no such category or refuses it.
    pub(super) fn read(&self, feature: usize, value: Value, model: usize) -> Option<(f64, Reading)> {
        let raw = match value {
            Value::Number(number) => number,
            Value::Missing => f64::NAN,
            Value::Unknown => -3.0,
            Value::Code(code) => {
                let names = |model: usize| match &self.models[model].features()[feature].kind {
                    FeatureKind::Category(categories) => &categories.names,
                    FeatureKind::Numeric => unreachable!("only `c` has codes"),
                };
                // Where 2 means "missing", the category is still known by a fraction.
                names(model).iter().position(|name| *name == names(0)[code as usize])? as f64 + 0.25
            }
        };
        let reading = self.models[model].input().read(&self.models[model].features()[feature], raw).ok()?;
        Some((raw, reading))
    }

    pub(super) fn read_all(&self, feature: usize, value: Value) -> Option<Vec<(f64, Reading)>> {
        (0..self.models.len()).map(|model| self.read(feature, value, model)).collect()
    }

    /// Whether a value is allowed at an input, said another way.
    pub(super) fn is_allowed(&self, input: usize, feature: usize, value: Value) -> bool {
        let Some(seen) = self.read_all(feature, value) else { return false };
        let is_missing = |seen: &(f64, Reading)| seen.1 == Reading::Missing;
        let domain = &self.statement.inputs[input][feature];
        match domain {
            Domain::Numbers { missing, .. } | Domain::Categories { missing, .. } if seen.iter().all(is_missing) => {
                *missing
            }
            Domain::Categories { codes, unknown, .. } => match value {
                Value::Code(code) => codes.contains(&code),
                _ => *unknown,
            },
            Domain::Numbers { ranges, steps, missing } => {
                let raw = seen[0].0;
                let is_step = |step: f64| raw.is_finite() && (raw / step).fract() == 0.0;
                (*missing || !seen.iter().any(is_missing))
                    && ranges.iter().any(|range| range.0.0 <= raw && raw <= range.1.0)
                    && steps.iter().all(|step| is_step(step.to_f64()))
            }
        }
    }

    /// Whether a piece holds a value.
    pub(super) fn is_in(&self, feature: usize, value: Value, piece: &Piece) -> bool {
        let Some(seen) = self.read_all(feature, value) else { return false };
        let num_missing = seen.iter().filter(|seen| seen.1 == Reading::Missing).count();
        match piece {
            _ if num_missing == seen.len() => *piece == Piece::Missing,
            Piece::Numbers(low, high) => {
                let is_own = |model: usize| self.stretches[model].is_some_and(|own| own.0 <= low.0 && high.0 <= own.1);
                let is_apart = num_missing == 0 || (0..self.models.len()).any(is_own);
                matches!(value, Value::Number(raw) if low.0 <= raw && raw <= high.0) && is_apart
            }
            Piece::Category(code) => matches!(value, Value::Code(own) if own == *code),
            Piece::Unknown => matches!(value, Value::Unknown),
            Piece::Missing | Piece::Column(_) => false,
        }
    }
}
