//! Sums, grids and relations between two inputs, alone and in every combination, against brute force.
//!
//! On a grid of few values all rows are tried, so that answers must be exact. Between the values of a grid there are more
//! rows: then a bound must not be beaten by any row of the grid. `TREEPROOF_PROBLEMS` sets how many, `TREEPROOF_SEED` the
//! random numbers.

#[expect(dead_code, reason = "the other tests use the rest")]
mod support;

use std::sync::Arc;

use support::{Random, all_candidates, random_builder, random_feature, random_input, setting};
use treeproof::Allowed;
use treeproof::compare::{Setting, fair_difference, monotone};
use treeproof::compile::Domain;
use treeproof::distance::{Closest, Conditions, Goal, Metric, Norm};
use treeproof::language::{Condition, Groups, Input, Inputs, Point, Resolved, Side, Variable, Vocabulary};
use treeproof::report::{Finding, Stopped, Verdict};
use treeproof::task::{Question, Task, TaskLimits};
use treeproof::watch::Unwatched;
use treeproof_ensemble::ensemble::{Ensemble, Trend};
use treeproof_ensemble::exact::Exact;
use treeproof_ensemble::input::{CategoryEncoding, Feature, FeatureKind, Reading};
use treeproof_ensemble::label::{ClassName, LabelRule};
use treeproof_ensemble::sum::Aggregate;

/// What a problem is about.
struct World {
    model: Ensemble,
    inputs: Inputs,
    is_grid: bool,
}

impl World {
    /// A model with one margin, of which the sign is the label.
    fn random(random: &mut Random, inputs: Inputs) -> Self {
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

    fn conditions(&self, random: &mut Random) -> Vec<String> {
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
    fn values(&self, feature: usize, texts: &[String]) -> Vec<f64> {
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
        let read = |raw: &f64| self.model.input().read(&known.kind, *raw).ok();
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

    fn resolved(&self, texts: &[String]) -> Option<(Vec<Condition>, Resolved)> {
        let conditions: Vec<Condition> = texts.iter().map(|text| Condition::parse(text).unwrap()).collect();
        let groups = Groups::default();
        let resolved = Resolved::new(&conditions, &Vocabulary::new(&self.model, &groups, self.inputs)).ok()?;
        Some((conditions, resolved))
    }
}

fn product(choices: &[Vec<f64>]) -> Vec<Vec<f64>> {
    choices.iter().fold(vec![vec![]], |rows, choice| {
        let longer = |row: &Vec<f64>| choice.iter().map(|raw| [row.as_slice(), &[*raw]].concat()).collect::<Vec<_>>();
        rows.iter().flat_map(longer).collect()
    })
}

/// Rows of a grid, and what the model makes of them.
struct Rows<'w> {
    world: &'w World,
    raws: Vec<Vec<f64>>,
    margins: Vec<Exact>,
}

impl<'w> Rows<'w> {
    fn new(world: &'w World, texts: &[String]) -> Self {
        let raws = product(&(0..3).map(|feature| world.values(feature, texts)).collect::<Vec<_>>());
        let margin = |row: &Vec<f64>| world.model.evaluate(row).unwrap().margins[0].exact.clone().unwrap();
        Self { world, margins: raws.iter().map(margin).collect(), raws }
    }

    fn inputs(&self) -> Vec<Input<'_>> {
        self.raws.iter().map(|row| Input::new(&self.world.model, row).unwrap()).collect()
    }

    fn is_permitted(&self, input: &Input<'_>, side: Side, resolved: &Resolved) -> bool {
        let may_be_missing = |feature| resolved.may_be_missing.contains(&Variable { side, feature });
        let is_fine = |(feature, reading): (usize, &Reading)| *reading != Reading::Missing || may_be_missing(feature);
        input.readings().iter().enumerate().all(is_fine)
    }

    /// The margins of all rows that meet conditions.
    fn of_one(&self, texts: &[String]) -> Vec<&Exact> {
        let (_, resolved) = self.world.resolved(texts).unwrap();
        let is_met = |input: &Input<'_>| {
            let point = Point::One { input, reference: None };
            self.is_permitted(input, Side::Only, &resolved)
                && resolved.conjuncts.iter().all(|conjunct| conjunct.constraint.holds(point))
        };
        self.inputs().iter().zip(&self.margins).filter(|(input, _)| is_met(input)).map(|(_, margin)| margin).collect()
    }

    /// By how much the second of two rows that meet conditions is above the first; they differ as they may.
    fn of_two(&self, texts: &[String], may_differ: impl Fn(usize, f64, f64) -> bool) -> Vec<Exact> {
        let (_, resolved) = self.world.resolved(texts).unwrap();
        let inputs = self.inputs();
        let mut differences = vec![];
        for (first, a) in inputs.iter().enumerate() {
            for (second, b) in inputs.iter().enumerate() {
                let [from, to] = [first, second].map(|row| &self.raws[row]);
                let may_be = |feature: usize| {
                    let (from, to) = (from[feature], to[feature]);
                    from == to || (from.is_nan() && to.is_nan()) || may_differ(feature, from, to)
                };
                let is_met = (0..3).all(may_be)
                    && self.is_permitted(a, Side::A, &resolved)
                    && self.is_permitted(b, Side::B, &resolved)
                    && resolved.conjuncts.iter().all(|conjunct| conjunct.constraint.holds(Point::Two { a, b }));
                if is_met {
                    differences.push(self.margins[second].minus(&self.margins[first]));
                }
            }
        }
        differences
    }
}

fn exact(number: f64) -> Exact {
    Exact::from_f64(number).unwrap()
}

#[derive(Debug, Default)]
struct Tally {
    optimal: usize,
    infeasible: usize,
    undecided: usize,
    refused: usize,
}

impl Tally {
    /// Takes in an answer to the question for the greatest number, of which those of a grid are known.
    fn add(
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
                assert_eq!(stopped, Stopped::Rounding, "{context}");
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

    fn assert_enough(&self, problems: u64) {
        let problems = usize::try_from(problems).unwrap();
        let is_enough =
            self.optimal * 3 > problems && self.infeasible * 40 > problems && self.undecided * 20 < problems;
        assert!(is_enough, "{self:?}");
    }
}

#[test]
fn one_input_is_confined_as_brute_force_says() {
    let (first, problems) = (setting("TREEPROOF_SEED", 1), setting("TREEPROOF_PROBLEMS", 250));
    let mut tally = Tally::default();
    for seed in first..first + problems {
        let mut random = Random(seed.wrapping_mul(0x517C_C1B7_2722_0A95));
        let world = World::random(&mut random, Inputs::One);
        let texts = world.conditions(&mut random);
        let context = format!("seed {seed}: {texts:?}");
        if world.resolved(&texts).is_none() {
            tally.refused += 1;
            continue;
        }
        let mut task = Task::new(Question::Max);
        (task.conditions, task.limits.threads) = (texts.clone(), Some(1));
        let report = treeproof::solve(&task, &world.model, None, &Unwatched)
            .unwrap_or_else(|error| panic!("{context}: {error}"));
        let rows = Rows::new(&world, &texts);
        let known = rows.of_one(&texts).into_iter().max();
        match report.finding {
            Finding::One(answer) => {
                let found = (answer.verdict, answer.stopped);
                tally.add(found, [answer.lower, answer.upper], known, &world, &context);
            }
            Finding::Infeasible(found) => {
                tally.add((Verdict::Infeasible, Stopped::Optimal), [None; 2], known, &world, &context);
                let named: Vec<String> = texts.iter().filter(|text| found.conflict.contains(text)).cloned().collect();
                assert!(rows.of_one(&named).is_empty(), "{context}: {named:?} do not conflict");
            }
            other => panic!("{context}: {other:?}"),
        }
    }
    tally.assert_enough(problems);
}

#[test]
fn two_inputs_are_confined_as_brute_force_says() {
    let (first, problems) = (setting("TREEPROOF_SEED", 1), setting("TREEPROOF_PROBLEMS", 250));
    let mut tally = Tally::default();
    for seed in first..first + problems {
        let mut random = Random(seed.wrapping_mul(0x3C6E_F372_FE94_F82B));
        let world = World::random(&mut random, Inputs::Two);
        let texts = world.conditions(&mut random);
        let context = format!("seed {seed}: {texts:?}");
        let Some((conditions, resolved)) = world.resolved(&texts) else {
            tally.refused += 1;
            continue;
        };
        let mut limits = TaskLimits::default();
        limits.threads = Some(1);
        let allowed = Allowed { conditions: &conditions, resolved: &resolved, ..Allowed::everything() };
        let asked = Setting { allowed, limits: &limits, watcher: &Unwatched };
        let rows = Rows::new(&world, &texts);
        let (answer, known) = if random.chance(3) {
            let is_turned = random.chance(2);
            let trend = if is_turned { Trend::Decreasing } else { Trend::Increasing };
            let rises = |feature: usize, from: f64, to: f64| feature == 0 && from <= to;
            let differences = rows.of_two(&texts, rises).into_iter();
            let step = |difference: Exact| if is_turned { difference } else { difference.negated() };
            (monotone(&world.model, (0, trend), 0, &asked).unwrap(), differences.map(step).max())
        } else {
            let protected: Vec<usize> = (0..3).filter(|feature| random.chance(2) || *feature == 0).collect();
            let differences = rows.of_two(&texts, |feature, _, _| protected.contains(&feature)).into_iter();
            let answer = fair_difference(&world.model, &protected, 0, &asked).unwrap();
            (answer, differences.map(|difference| difference.magnitude()).max())
        };
        // Whether the library shows it is another question.
        let is_shown = matches!(answer.verdict, Verdict::Undecided) && answer.gap.is_some_and(|gap| gap < 1e-6);
        let verdict = if is_shown { Verdict::Optimal } else { answer.verdict };
        tally.add((verdict, answer.stopped), [answer.lower, answer.upper], known.as_ref(), &world, &context);
        if let (Some(found), Verdict::Infeasible) = (answer.found.as_ref(), answer.verdict) {
            panic!("{context}: {found:?}");
        }
    }
    tally.assert_enough(problems);
}

/// How far two rows without missing values are apart; none if one cannot become the other.
fn distance(model: &Ensemble, norm: Norm, from: &[f64], to: &[f64]) -> Option<f64> {
    let along = |feature: usize| match model.features()[feature].is_category() {
        true if from[feature] == to[feature] => Some(0.0),
        true => (norm == Norm::L0).then_some(1.0),
        false if norm == Norm::L0 => Some(f64::from(u8::from(from[feature] != to[feature]))),
        false => Some((from[feature] - to[feature]).abs()),
    };
    let along: Vec<f64> = (0..from.len()).map(along).collect::<Option<_>>()?;
    Some(match norm {
        Norm::Linf => along.into_iter().fold(0.0, f64::max),
        Norm::L2 => along.iter().map(|along| along * along).sum::<f64>().sqrt(),
        Norm::L1 | Norm::L0 => along.iter().sum(),
    })
}

#[test]
fn nearest_inputs_are_what_brute_force_says() {
    let (first, problems) = (setting("TREEPROOF_SEED", 1), setting("TREEPROOF_PROBLEMS", 250));
    let mut tally = Tally::default();
    let mut answers = [0; 4];
    for seed in first..first + problems {
        let mut random = Random(seed.wrapping_mul(0x6A09_E667_F3BC_C909));
        let mut world = World::random(&mut random, Inputs::WithReference);
        let texts: Vec<String> =
            world.conditions(&mut random).into_iter().filter(|text| !text.contains("missing")).collect();
        let norm = random.pick(&[Norm::L1, Norm::L1, Norm::Linf, Norm::L0, Norm::L2]);
        let context = format!("seed {seed}, {norm:?}: {texts:?}");
        let choices: Vec<Vec<f64>> = (0..3)
            .map(|feature| world.values(feature, &texts).into_iter().filter(|value| !value.is_nan()).collect())
            .collect();
        let raws = product(&choices);
        if raws.is_empty() || world.resolved(&texts).is_none() {
            tally.refused += 1;
            continue;
        }
        let from = raws[random.below(raws.len())].clone();
        // Some row's own output, so that there are both labels.
        let output = |row: &[f64]| world.model.evaluate(row).unwrap().outputs[0];
        let threshold = output(&raws[random.below(raws.len())]);
        let class = |row: &[f64]| output(row) > threshold;
        let (_, resolved) = world.resolved(&texts).unwrap();
        let reference = Input::new(&world.model, &from).unwrap();
        let is_met = |row: &[f64]| {
            let input = Input::new(&world.model, row).unwrap();
            let point = Point::One { input: &input, reference: Some(&reference) };
            resolved.conjuncts.iter().all(|conjunct| conjunct.constraint.holds(point))
        };
        let others = raws.iter().filter(|row| class(row) != class(&from) && is_met(row));
        let known = others.filter_map(|row| distance(&world.model, norm, &from, row)).reduce(f64::min);
        let Ok(conditions) = Conditions::new(&world.model, &Groups::NONE, &texts, None).unwrap() else {
            assert!(known.is_none(), "{context}: {known:?}");
            tally.infeasible += 1;
            continue;
        };
        let mut limits = TaskLimits::default();
        limits.threads = Some(1);
        let (metric, is_grid) = (Metric::new(norm, &world.model, &Groups::NONE), world.is_grid);
        world.is_grid = false;
        let ensemble = Arc::new(world.model);
        let mut asked = Closest {
            ensemble,
            metric,
            goal: Goal::Other,
            threshold: Some(threshold),
            conditions,
            within: None,
            count: 1,
            bisection: None,
            limits,
        };
        let nearest = match asked.ask(&from, &|| true) {
            Ok(nearest) => nearest,
            // Sums that may overflow have no labels about which something can be proved.
            Err(error) => {
                assert!(!error.to_string().contains("internal"), "{context}: {error}");
                tally.refused += 1;
                continue;
            }
        };
        let (lower, upper) = (nearest.lower.unwrap_or(f64::INFINITY), nearest.upper.unwrap_or(f64::INFINITY));
        let slack = 1e-9;
        match (nearest.verdict, known) {
            (Verdict::Infeasible, known) => {
                assert!(known.is_none(), "{context}: {known:?}");
                tally.infeasible += 1;
            }
            (verdict, Some(known)) => {
                assert!(lower <= known + slack, "{context}: {lower}, but {known}");
                assert!(!is_grid || upper >= known - slack, "{context}: {upper}, but {known}");
                if verdict == Verdict::Optimal {
                    assert!(upper <= known + slack, "{context}: {upper}, but {known}");
                    tally.optimal += 1;
                } else {
                    assert!(norm == Norm::L2 || !is_grid, "{context}: {lower}, {upper}, but {known}");
                    tally.undecided += 1;
                }
            }
            (verdict, None) => assert!(!is_grid || verdict == Verdict::Undecided, "{context}: {lower}, {upper}"),
        }
        let radius = random.pick(&[0.5, 1.0, 2.0, 3.0]);
        asked.within = Some(radius);
        let robust = asked.ask(&from, &|| true).unwrap();
        let is_near = known.is_some_and(|known| known <= radius);
        match robust.verdict {
            Verdict::Holds | Verdict::Infeasible => assert!(!is_near, "{context}: {known:?} within {radius}"),
            Verdict::Violated => assert!(!is_grid || is_near, "{context}: {known:?} within {radius}"),
            _ => assert!(norm == Norm::L2 || !is_grid, "{context}: {known:?} within {radius}"),
        }
        answers[match robust.verdict {
            Verdict::Holds => 0,
            Verdict::Violated => 1,
            Verdict::Infeasible => 2,
            _ => 3,
        }] += 1;
    }
    let problems = usize::try_from(problems).unwrap();
    assert!(tally.optimal * 6 > problems && tally.undecided * 8 < problems, "{tally:?}");
    assert!(answers[0] * 8 > problems && answers[1] * 40 > problems && answers[3] * 20 < problems, "{answers:?}");
}
