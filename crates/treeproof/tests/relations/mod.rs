//! Random conditions of sums, grids and relations, and rows of a grid to try them on.

use treeproof::internals::Domain;
use treeproof::report::{Stopped, Verdict};
use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::exact::Exact;
use treeproof_ensemble::input::{CategoryEncoding, Feature, FeatureKind, Reading};
use treeproof_ensemble::label::{ClassName, LabelRule};
use treeproof_ensemble::sum::Aggregate;
use treeproof_language::{Assignment, Condition, Groups, Inputs, ReadRow, Resolved, Side, Variable, Vocabulary};

use crate::support::{Random, all_candidates, random_builder, random_feature, random_input};

/// What a problem is about.
pub(crate) struct World {
    pub(crate) model: Ensemble,
    pub(crate) inputs: Inputs,
    pub(crate) is_grid: bool,
}

impl World {
    /// A model with one margin, of which the sign is the label.
    pub(crate) fn random(random: &mut Random, inputs: Inputs) -> Self {
        let mut input = random_input(random);
        input.missing_value = None;
        let mut features: Vec<Feature> = (0..2).map(|index| Feature::numeric(format!("x{index}"))).collect();
        features.push(random_feature(random, &input, 2));
        let mut builder = random_builder(random, input, features, 1);
        builder.label = LabelRule::MarginAbove { threshold: 0.0 };
        builder.classes = vec![ClassName::Int(0), ClassName::Int(1)];
        Self { model: builder.finish().unwrap(), inputs, is_grid: !random.chance(3) }
    }

    /// Whether leaves are so large that what they are rounded up by can be seen.
    fn is_rough(&self) -> bool {
        let Aggregate::Sum(sums) = self.model.aggregate() else { return true };
        let values = self.model.trees().iter().flat_map(|tree| tree.all_terms()).map(|term| term.value);
        values.chain(sums.base.iter().copied()).any(|value| value.abs() > 1e6) || sums.weights.is_some()
    }

    /// A numeric feature, with a side where there are two.
    fn number(&self, random: &mut Random) -> String {
        let numeric: Vec<&str> =
            self.model.features().iter().filter(|of| !of.is_category()).map(|of| &*of.name).collect();
        format!("{}{}", self.side(random), random.pick(&numeric))
    }

    fn side(&self, random: &mut Random) -> &'static str {
        if self.inputs == Inputs::Two { random.pick(&["a.", "b."]) } else { "" }
    }

    fn sum(&self, random: &mut Random) -> String {
        let sign = random.pick(&["<", "<=", ">", ">=", "==", "==", "!="]);
        let (one, other, third) = (self.number(random), self.number(random), self.number(random));
        let number = random.pick(&["-1", "0", "0.5", "1", "2", "2.5"]);
        match random.below(7) {
            0 => format!("{one} {sign} {other}"),
            1 => format!("{one} + {other} {sign} {number}"),
            2 => format!("2*{one} - {other} {sign} {number}"),
            3 => format!("abs({one} - {other}) {sign} {number}"),
            4 => format!("{one} - 3*{other} + {third} {sign} {number}"),
            5 => format!("{one} {sign} {other} + {number}"),
            _ => format!("0.1*{one} + {other}/3 {sign} {number}"),
        }
    }

    fn statement(&self, random: &mut Random) -> String {
        let (name, side) = (self.number(random), self.side(random));
        let feature = &self.model.features()[random.below(3)];
        match random.below(if self.inputs == Inputs::One { 9 } else { 14 }) {
            0 => format!("{name} {} {}", random.pick(&["<", ">=", "==", "!="]), random.pick(&["0", "1", "1.5"])),
            1 => format!("{}({name}, 2)", random.pick(&["not step", "step"])),
            2 => format!("{}integer({name})", random.pick(&["not ", ""])),
            3 => format!("{}({}, {side}x0, {name})", random.pick(&["atmost", "atleast", "exactly"]), random.below(3)),
            9 => format!("{}fixed({})", random.pick(&["not ", "", ""]), feature.name),
            10 => format!("changed {} {}", random.pick(&["<=", ">=", "=="]), random.below(3)),
            11 => format!(
                "{}({})",
                random.pick(&["onlyincrease", "not onlydecrease", "onlydecrease"]),
                name.split('.').next_back().unwrap()
            ),
            12 if feature.is_category() && self.inputs == Inputs::Two => {
                format!("a.{} {} b.{}", feature.name, random.pick(&["==", "!="]), feature.name)
            }
            _ => self.sum(random),
        }
    }

    fn formula(&self, random: &mut Random, depth: usize) -> String {
        if depth == 0 || random.chance(2) {
            return self.statement(random);
        }
        let (left, right) = (self.formula(random, depth - 1), self.formula(random, depth - 1));
        match random.below(4) {
            0 => format!("not ({left})"),
            1 => format!("({left}) and ({right})"),
            2 => format!("({left}) or ({right})"),
            _ => format!("({left}) implies ({right})"),
        }
    }

    pub(crate) fn conditions(&self, random: &mut Random) -> Vec<String> {
        let mut texts: Vec<String> = (0..1 + random.below(3)).map(|_| self.formula(random, 2)).collect();
        if self.model.input().accepts_missing && random.chance(3) {
            texts.push("maybemissing(x0)".to_owned());
        }
        for feature in self.model.features().iter().filter(|feature| !feature.is_category()) {
            // Of two inputs there are many more pairs.
            let (ends, steps) = if self.inputs == Inputs::Two {
                ("-1 <= {} <= 2", ["1"; 3])
            } else {
                ("-2 <= {} <= 3", ["1", "1", "0.5"])
            };
            texts.push(ends.replace("{}", &feature.name));
            if self.is_grid {
                texts.push(format!("step({}, {})", feature.name, random.pick(&steps)));
            }
        }
        texts
    }

    /// The values of a grid.
    pub(crate) fn values(&self, feature: usize, texts: &[String]) -> Vec<f64> {
        let known = &self.model.features()[feature];
        let mut raws: Vec<f64> = match known.is_category() {
            true => all_candidates(&self.model, feature, &Domain::everything(&self.model)[feature]),
            false if texts.contains(&format!("-1 <= {} <= 2", known.name)) => (-1..=2).map(f64::from).collect(),
            false if texts.contains(&format!("step({}, 1)", known.name)) || !self.is_grid => {
                (-2..=3).map(f64::from).collect()
            }
            false => (-4..=6).map(|half| f64::from(half) / 2.0).collect(),
        };
        if let FeatureKind::Category(categories) = &known.kind
            && categories.names.is_empty()
            && !matches!(categories.encoding, CategoryEncoding::Exact(_))
        {
            // Categories without names are what the user says.
            raws.extend((0..9).map(f64::from));
        }
        if self.model.input().accepts_missing {
            raws.push(f64::NAN);
        }
        let read = |raw: &f64| self.model.input().read(known, *raw).ok();
        raws.retain(|raw| read(raw).is_some_and(|reading| reading != Reading::NoCategory));
        // Of a category one value is enough.
        let mut seen = vec![];
        raws.retain(|raw| {
            !known.is_category()
                || !seen.contains(&read(raw)) && {
                    seen.push(read(raw));
                    true
                }
        });
        raws
    }

    pub(crate) fn resolved(&self, texts: &[String]) -> Option<(Vec<Condition>, Resolved)> {
        let conditions: Vec<Condition> = texts.iter().map(|text| Condition::parse(text).unwrap()).collect();
        let groups = Groups::default();
        let resolved = Resolved::new(&conditions, &Vocabulary::new(&self.model, &groups, self.inputs)).ok()?;
        Some((conditions, resolved))
    }
}

pub(crate) fn product(choices: &[Vec<f64>]) -> Vec<Vec<f64>> {
    choices.iter().fold(vec![vec![]], |rows, choice| {
        let longer = |row: &Vec<f64>| choice.iter().map(|raw| [row.as_slice(), &[*raw]].concat()).collect::<Vec<_>>();
        rows.iter().flat_map(longer).collect()
    })
}

/// Rows of a grid, and what the model makes of them.
pub(crate) struct Rows<'w> {
    world: &'w World,
    pub(crate) raws: Vec<Vec<f64>>,
    pub(crate) margins: Vec<Exact>,
}

impl<'w> Rows<'w> {
    pub(crate) fn new(world: &'w World, texts: &[String]) -> Self {
        let raws = product(&(0..3).map(|feature| world.values(feature, texts)).collect::<Vec<_>>());
        let margin = |row: &Vec<f64>| world.model.evaluate(row).unwrap().margins[0].exact.clone().unwrap();
        Self { world, margins: raws.iter().map(margin).collect(), raws }
    }

    fn inputs(&self) -> Vec<ReadRow<'_>> {
        self.raws.iter().map(|row| ReadRow::new(&self.world.model, row).unwrap()).collect()
    }

    fn is_permitted(&self, input: &ReadRow<'_>, side: Side, resolved: &Resolved) -> bool {
        let may_be_missing = |feature| resolved.may_be_missing.contains(&Variable { side, feature });
        let is_fine = |(feature, reading): (usize, &Reading)| *reading != Reading::Missing || may_be_missing(feature);
        input.readings().iter().enumerate().all(is_fine)
    }

    /// The margins of all rows that meet conditions.
    pub(crate) fn of_one(&self, texts: &[String]) -> Vec<&Exact> {
        self.of_one_where(texts, |_| true)
    }

    /// The margins of all rows that meet conditions and this.
    pub(crate) fn of_one_where(&self, texts: &[String], is_one: impl Fn(&[f64]) -> bool) -> Vec<&Exact> {
        let (_, resolved) = self.world.resolved(texts).unwrap();
        let is_met = |input: &ReadRow<'_>| {
            let point = Assignment::One { input, reference: None };
            self.is_permitted(input, Side::Only, &resolved)
                && resolved.conjuncts.iter().all(|conjunct| conjunct.constraint.holds(point))
        };
        let (inputs, margins) = (self.inputs(), self.margins.iter());
        let rows = inputs.iter().zip(&self.raws).zip(margins);
        rows.filter(|((input, row), _)| is_one(row) && is_met(input)).map(|(_, margin)| margin).collect()
    }

    /// By how much the second of two rows that meet conditions is above the first; they differ as they may.
    pub(crate) fn of_two(&self, texts: &[String], may_differ: impl Fn(usize, f64, f64) -> bool) -> Vec<Exact> {
        self.of_pairs(texts, |from, to| {
            let may_be = |feature: usize| {
                let (from, to) = (from[feature], to[feature]);
                from == to || (from.is_nan() && to.is_nan()) || may_differ(feature, from, to)
            };
            (0..3).all(may_be)
        })
    }

    /// The same for rows that go together.
    pub(crate) fn of_pairs(&self, texts: &[String], may_be: impl Fn(&[f64], &[f64]) -> bool) -> Vec<Exact> {
        let (_, resolved) = self.world.resolved(texts).unwrap();
        let inputs = self.inputs();
        let mut differences = vec![];
        for (first, a) in inputs.iter().enumerate() {
            for (second, b) in inputs.iter().enumerate() {
                let [from, to] = [first, second].map(|row| &self.raws[row]);
                let is_met = self.is_permitted(a, Side::A, &resolved)
                    && self.is_permitted(b, Side::B, &resolved)
                    && resolved.conjuncts.iter().all(|conjunct| conjunct.constraint.holds(Assignment::Two { a, b }))
                    && may_be(from, to);
                if is_met {
                    differences.push(self.margins[second].minus(&self.margins[first]));
                }
            }
        }
        differences
    }
}

pub(crate) fn exact(number: f64) -> Exact {
    Exact::from_f64(number).unwrap()
}

#[derive(Debug, Default)]
pub(crate) struct Tally {
    pub(crate) optimal: usize,
    pub(crate) infeasible: usize,
    pub(crate) undecided: usize,
    pub(crate) refused: usize,
}

impl Tally {
    /// Takes in an answer to the question for the greatest number, of which those of a grid are known.
    pub(crate) fn add(
        &mut self,
        (verdict, stopped): (Verdict, Stopped),
        [lower, upper]: [Option<f64>; 2],
        known: Option<&Exact>,
        world: &World,
        context: &str,
    ) {
        let is_grid = world.is_grid;
        match verdict {
            Verdict::Infeasible => {
                assert!(known.is_none(), "{context}: {}", known.unwrap().to_f64());
                self.infeasible += 1;
                return;
            }
            Verdict::Undecided => {
                assert!(matches!(stopped, Stopped::Rounding | Stopped::Conditions), "{context}: {stopped:?}");
                self.undecided += 1;
            }
            _ => self.optimal += 1,
        }
        assert!(known.is_some() || !is_grid || verdict == Verdict::Undecided, "{context}: nothing meets this");
        if let Some(known) = known {
            let is_bound = upper.is_none_or(|upper| *known <= exact(upper));
            assert!(is_bound, "{context}: {upper:?}, but {}", known.to_f64());
            let lower = lower.map(exact);
            if is_grid && let Some(lower) = &lower {
                assert!(lower <= known, "{context}: {}, but {}", lower.to_f64(), known.to_f64());
            }
            if verdict != Verdict::Undecided && !world.is_rough() {
                let lower = lower.expect("an optimum has a witness");
                assert!(known.minus(&lower) <= exact(1e-6), "{context}: {}, but {}", lower.to_f64(), known.to_f64());
            }
        }
    }

    pub(crate) fn assert_enough(&self, problems: u64) {
        let problems = usize::try_from(problems).unwrap();
        let is_enough =
            self.optimal * 3 > problems && self.infeasible * 40 > problems && self.undecided * 20 < problems;
        assert!(is_enough, "{self:?}");
    }
}
