//! Random questions whose answers are written as proofs into memory.

pub(crate) mod near;
pub(crate) mod parts;
pub(crate) mod tamper;
pub(crate) mod truth;

use std::io::{Cursor, Write};
use std::sync::{Arc, Mutex};

use treeproof::internals::StartingRow;
use treeproof::internals::{
    AdmissibleInputs, Comparison, Setting, diff, dominant, fair_difference, fair_label, monotone,
};
use treeproof::report::{Finding, Verdict};
use treeproof::task::{Gap, GroupColumns, Question, Task, TaskError, TaskLimits};
use treeproof::watch::{Event, Watcher};
use treeproof_checker::check::{Proved, check_section};
use treeproof_ensemble::ensemble::{Ensemble, Trend};
use treeproof_ensemble::input::Feature;
use treeproof_language::{Groups, Inputs};
use treeproof_proof::model_file::Preamble;
use treeproof_proof::reader::ProofReader;
use treeproof_proof::writer::ProofWriter;

use crate::pairs::random_partner;
use crate::relations::{World, product};
use crate::support::{Random, random_builder, random_classifier, random_ensemble, random_input};

/// A proof in memory.
#[derive(Clone, Default)]
struct Memory(Arc<Mutex<Vec<u8>>>);

impl Write for Memory {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Lets a search write, and ends it when it first tells something, or never.
struct Prover {
    writer: ProofWriter,
    is_patient: bool,
}

impl Watcher for Prover {
    fn watch(&self, _: &Event) -> bool {
        self.is_patient
    }

    fn proof(&self) -> Option<&ProofWriter> {
        Some(&self.writer)
    }
}

/// Asks, and returns the answer and the proof.
pub(crate) fn prove<T>(is_patient: bool, ask: impl FnOnce(&dyn Watcher) -> T) -> (T, Vec<u8>) {
    let memory = Memory::default();
    let preamble = Preamble { question: "a random question".to_owned(), models: vec![] };
    let writer = ProofWriter::new(Box::new(memory.clone()), &preamble).unwrap();
    let prover = Prover { writer, is_patient };
    let answer = ask(&prover);
    prover.writer.finish().unwrap();
    let bytes = memory.0.lock().unwrap().clone();
    (answer, bytes)
}

/// Checks all sections of a proof.
pub(crate) fn check(proof: &[u8], models: &[Ensemble]) -> Result<Vec<Proved>, String> {
    let mut reader = ProofReader::new(Cursor::new(proof)).map_err(|error| error.to_string())?;
    reader.preamble().map_err(|error| error.to_string())?;
    let sections = reader.sections();
    let check = |section| check_section(&mut reader, section, models).map_err(|error| error.to_string());
    sections.into_iter().map(check).collect()
}

/// What the last section of a proof states, for people.
pub(crate) fn stated(proof: &[u8]) -> String {
    let mut reader = ProofReader::new(Cursor::new(proof)).unwrap();
    let section = *reader.sections().last().unwrap();
    serde_json::to_string(&reader.header(section).unwrap().statement).unwrap()
}

/// A question that was asked, and its proof.
pub(crate) struct Asked {
    pub(crate) name: &'static str,
    pub(crate) models: Vec<Ensemble>,
    pub(crate) proof: Vec<u8>,
    /// What the report says that each section proves: no more than this.
    pub(crate) uppers: Vec<Option<f64>>,
    /// Whether the search ended before it had to.
    pub(crate) is_early: bool,
}

/// How a question was asked that has no proof.
pub(crate) enum Unproved {
    /// It is none, or the model has no such answer.
    Refused(String),
    /// No input is left before the search begins.
    Empty,
}

fn limits(random: &mut Random) -> TaskLimits {
    let mut limits = TaskLimits::default();
    limits.threads = Some(if random.chance(8) { 2 } else { 1 });
    limits.seed = random.next() % 100;
    if random.chance(4) {
        limits.gap = Some(Gap::Absolute(random.pick(&[0.1, 10.0, 100.0])));
    }
    if random.chance(8) {
        limits.stop_below = Some(random.pick(&[0.0, 50.0, 500.0]));
    }
    limits
}

/// One random question of those that are proved.
pub(crate) fn random_question(random: &mut Random) -> Result<Asked, Unproved> {
    match random.below(9) {
        8 => configurations(random),
        0 | 1 => one_input(random),
        2 => grouped(random),
        3 => two_models(random),
        4 => labels(random),
        5 => from_a_row(random),
        _ => two_inputs(random),
    }
}

fn solved(
    random: &mut Random,
    model: Ensemble,
    (name, mut task): (&'static str, Task),
    conditions: Vec<String>,
) -> Result<Asked, Unproved> {
    (task.conditions, task.limits) = (conditions, limits(random));
    let is_patient = !random.chance(5);
    let (report, proof) = prove(is_patient, |watcher| task.clone().about(&model).run_with(watcher));
    let report = report.map_err(|error| refused(&error))?;
    let of_max = |answer: &treeproof::report::Answer| answer.upper;
    let of_min = |answer: &treeproof::report::Answer| answer.lower.map(|lower| -lower);
    let uppers = match (&task.question, &report.finding) {
        (_, Finding::Infeasible(_)) => return infeasible(name, model, proof),
        (Question::Enumerate(_), Finding::Enumerate(answer)) => {
            vec![Some(answer.others_at_most.unwrap_or(f64::NEG_INFINITY))]
        }
        (_, Finding::Min(answer)) => vec![of_min(answer)],
        (_, Finding::Max(answer)) => vec![of_max(answer)],
        (_, Finding::Range(range)) => vec![of_min(&range.min), of_max(&range.max)],
        (_, other) => panic!("{other:?}"),
    };
    Ok(Asked { name, models: vec![model], proof, uppers, is_early: !is_patient || task.limits.gap.is_some() })
}

/// What has no input before the search begins has a section too.
fn infeasible(name: &'static str, model: Ensemble, proof: Vec<u8>) -> Result<Asked, Unproved> {
    Ok(Asked { name, models: vec![model], proof, uppers: vec![], is_early: false })
}

fn refused(error: &TaskError) -> Unproved {
    let text = error.to_string();
    assert!(!text.contains("internal"), "{text}");
    Unproved::Refused(text)
}

fn questions(random: &mut Random) -> (&'static str, Task) {
    match random.below(3) {
        0 => ("max", Task::new(Question::Max)),
        1 => ("min", Task::new(Question::Min)),
        _ => ("range", Task::new(Question::Range)),
    }
}

fn one_input(random: &mut Random) -> Result<Asked, Unproved> {
    let question = questions(random);
    if random.chance(3) {
        let model = random_ensemble(random);
        let missing = model.features().iter().filter(|_| model.input().accepts_missing && random.chance(3));
        let conditions = missing.map(|feature| format!("maybemissing({})", feature.name)).collect();
        return solved(random, model, question, conditions);
    }
    let world = World::random(random, Inputs::One);
    let conditions = world.conditions(random);
    solved(random, world.model, question, conditions)
}

fn configurations(random: &mut Random) -> Result<Asked, Unproved> {
    let mut fields = treeproof::task::Enumerate::default();
    fields.top = random.chance(2).then(|| random.below(6) + 1);
    fields.above = random.chance(2).then(|| random.pick(&[-50.0, 0.0, 50.0]));
    let question = ("enumerate", Task::new(Question::Enumerate(fields)));
    if random.chance(2) {
        let model = random_ensemble(random);
        let missing = model.features().iter().filter(|_| model.input().accepts_missing && random.chance(3));
        let conditions = missing.map(|feature| format!("maybemissing({})", feature.name)).collect();
        return solved(random, model, question, conditions);
    }
    let world = World::random(random, Inputs::One);
    let conditions = world.conditions(random);
    solved(random, world.model, question, conditions)
}

fn grouped(random: &mut Random) -> Result<Asked, Unproved> {
    let mut input = random_input(random);
    input.missing_value = input.missing_value.filter(|value| ![0.0, 1.0].contains(value));
    let names = ["gbit_0", "gbit_1", "x", "gbit_2", "hbit_0", "hbit_1"];
    let model = random_builder(random, input, names.map(Feature::numeric).to_vec(), 1).finish().unwrap();
    let (name, mut task) = questions(random);
    task.groups.insert("g".into(), GroupColumns::Like("gbit_*".into()));
    task.groups.insert("h".into(), GroupColumns::Like("hbit_*".into()));
    let all = [
        "g == 1",
        "g != 0 or x < 1",
        "x + 2*gbit_1 - gbit_2 <= 1",
        "gbit_0 + 2*hbit_1 >= 1",
        "atmost(1, gbit_0, gbit_1, hbit_1)",
        "x >= -2 and x <= 3",
        "integer(x)",
        "h == hbit_1 implies x > 0",
    ];
    let conditions = all.into_iter().filter(|_| random.chance(4)).map(str::to_owned).collect();
    solved(random, model, (name, task), conditions)
}

fn compared(
    name: &'static str,
    models: Vec<Ensemble>,
    (answer, proof): (Result<Comparison, TaskError>, Vec<u8>),
    is_early: bool,
) -> Result<Asked, Unproved> {
    let answer = answer.map_err(|error| refused(&error))?;
    let uppers = if answer.verdict == Verdict::Infeasible { vec![] } else { vec![answer.upper] };
    Ok(Asked { name, models, proof, uppers, is_early })
}

fn two_models(random: &mut Random) -> Result<Asked, Unproved> {
    let model = random_ensemble(random);
    let partner = if random.chance(5) { model.clone() } else { random_partner(random, &model) };
    let (limits, is_patient) = (limits(random), !random.chance(5));
    let within = random.chance(2).then(|| random.pick(&[1.0, 100.0, 500.0]));
    let ask = |watcher: &dyn Watcher| {
        let setting = Setting { allowed: AdmissibleInputs::everything(), limits: &limits, watcher };
        diff([&model, &partner], within, &setting)
    };
    let found = prove(is_patient, ask);
    compared("diff", vec![model, partner], found, !is_patient || limits.gap.is_some())
}

fn labels(random: &mut Random) -> Result<Asked, Unproved> {
    let model = random_classifier(random);
    let protected = [random.below(model.features().len())];
    let (limits, is_patient) = (limits(random), !random.chance(5));
    let ask = |watcher: &dyn Watcher| {
        let setting = Setting { allowed: AdmissibleInputs::everything(), limits: &limits, watcher };
        fair_label(&model, None, &protected, None, &setting)
    };
    let found = prove(is_patient, ask);
    compared("fair: labels", vec![model], found, !is_patient || limits.gap.is_some())
}

fn two_inputs(random: &mut Random) -> Result<Asked, Unproved> {
    let world = World::random(random, Inputs::Two);
    let texts = world.conditions(random);
    let Some((conditions, resolved)) = world.resolved(&texts) else {
        return Err(Unproved::Refused("conditions that are none".to_owned()));
    };
    let allowed = AdmissibleInputs { conditions: &conditions, resolved: &resolved, ..AdmissibleInputs::everything() };
    let (limits, is_patient) = (limits(random), !random.chance(5));
    let protected: Vec<usize> = (0..3).filter(|feature| random.chance(2) || *feature == 0).collect();
    let trend = random.pick(&[Trend::Decreasing, Trend::Increasing]);
    let is_monotone = random.chance(2);
    let ask = |watcher: &dyn Watcher| {
        let setting = Setting { allowed, limits: &limits, watcher };
        if is_monotone {
            monotone(&world.model, (0, trend), 0, &setting)
        } else {
            fair_difference(&world.model, None, &protected, 0, &setting)
        }
    };
    let found = prove(is_patient, ask);
    let name = if is_monotone { "monotone" } else { "fair: margins" };
    compared(name, vec![world.model], found, !is_patient || limits.gap.is_some())
}

fn from_a_row(random: &mut Random) -> Result<Asked, Unproved> {
    let is_dominant = random.chance(2);
    let world = World::random(random, if is_dominant { Inputs::One } else { Inputs::Two });
    let texts = world.conditions(random);
    let Some((conditions, resolved)) = world.resolved(&texts) else {
        return Err(Unproved::Refused("conditions that are none".to_owned()));
    };
    let rows = product(&(0..3).map(|feature| world.values(feature, &texts)).collect::<Vec<_>>());
    if rows.is_empty() {
        return Err(Unproved::Empty);
    }
    let row = rows[random.below(rows.len())].clone();
    let groups = Groups::NONE;
    let allowed = AdmissibleInputs {
        conditions: &conditions,
        resolved: &resolved,
        groups: &groups,
        ..AdmissibleInputs::everything()
    };
    let (limits, is_patient) = (limits(random), !random.chance(5));
    let direction = random.pick(&[Trend::Increasing, Trend::Decreasing]);
    let varied: Vec<usize> = (0..3).filter(|_| !random.chance(4)).collect();
    let start = StartingRow { row: row.clone(), at_most: random.below(4) };
    let ask = |watcher: &dyn Watcher| {
        let setting = Setting { allowed, limits: &limits, watcher };
        if is_dominant {
            dominant(&world.model, (&start, &varied), (0, direction), &setting)
        } else {
            fair_difference(&world.model, Some(&row), &varied, 0, &setting)
        }
    };
    let found = prove(is_patient, ask);
    let name = if is_dominant { "dominant" } else { "fair: margins from a row" };
    compared(name, vec![world.model], found, !is_patient || limits.gap.is_some())
}
