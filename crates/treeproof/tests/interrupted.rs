//! Questions that are ended at every moment: what is said then is never wrong.
//!
//! Everything that takes time asks a watcher whether to go on. Here the watcher says no when it is asked for the n-th time,
//! for all n until the question comes to its end by itself; so the end falls into every phase of every question.
//!
//! `TREEPROOF_PROBLEMS` sets how many, `TREEPROOF_SEED` the random numbers.

#[expect(dead_code, reason = "the other tests use the rest")]
mod pairs;
#[expect(dead_code, reason = "the other tests use the rest")]
mod support;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use pairs::random_partner_builder;
use serde_json::{Value, json};
use support::{Random, brute_force, random_classifier, setting};
use treeproof::internals::{Domain, MarginObjective};
use treeproof::report::{Finding, Verdict};
use treeproof::rows::CategoryCells;
use treeproof::task::{Question, Span, Task};
use treeproof::watch::{Event, Watcher};
use treeproof::{Model, Query, Report, Rows};
use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::exact::Exact;

/// Ends a question when it is asked for the n-th time.
struct Nth {
    asked: AtomicU64,
    last: u64,
}

impl Nth {
    fn after(last: u64) -> Self {
        Self { asked: AtomicU64::new(0), last }
    }

    fn goes_on(&self) -> bool {
        self.asked.fetch_add(1, Ordering::Relaxed) < self.last
    }

    fn has_ended_it(&self) -> bool {
        self.asked.load(Ordering::Relaxed) > self.last
    }
}

impl Watcher for Nth {
    fn watch(&self, _: &Event) -> bool {
        self.goes_on()
    }

    fn is_interrupted(&self) -> bool {
        !self.goes_on()
    }
}

/// A model, another one with the same features, and rows.
struct World {
    model: Arc<Ensemble>,
    other: Ensemble,
    rows: Rows,
}

impl World {
    fn new(random: &mut Random) -> Self {
        let mut model = random_classifier(random);
        // A partner has one margin or two.
        while model.num_margins() > 2 {
            model = random_classifier(random);
        }
        let mut other = random_partner_builder(random, &model);
        while other.num_outputs != model.num_margins() {
            other = random_partner_builder(random, &model);
        }
        // Of another meaning the margins would not be compared.
        (other.link, other.label) = (model.link().clone(), model.label_rule().clone());
        other.classes = model.classes().to_vec();
        let other = other.finish().expect("a partner");
        let readable = |feature: usize, raw: f64| model.input().read(&model.features()[feature], raw).is_ok();
        let value = |feature: usize, random: &mut Random| {
            let raw = random.pick(if model.features()[feature].is_category() {
                &[0.0, 1.0, 2.0, 3.0]
            } else {
                &[0.0, 1.0, 0.5, 2.0]
            });
            if readable(feature, raw) { raw } else { 3.0 }
        };
        let width = model.features().len();
        let values = (0..2).flat_map(|_| (0..width).map(|feature| value(feature, random)).collect::<Vec<f64>>());
        let rows = Rows::from_matrix(values.collect(), width, &model, CategoryCells::Typed).expect("plain numbers");
        Self { model: Arc::new(model), other, rows }
    }

    /// The answer; an error if the question does not suit the model.
    fn answer(&self, task: &Task, watcher: &dyn Watcher) -> Result<Report, String> {
        let query = task.clone().about(&self.model);
        let query = match &task.question {
            Question::Diff(_) => Query::new(task.clone(), [Model::from(&self.model), Model::from(&self.other)]),
            Question::Robust(_) | Question::Closest(_) => query.rows(self.rows.clone()),
            _ if task.data.is_some() => query.rows(self.rows.clone()),
            _ => query,
        };
        query.run_with(watcher).map_err(|error| error.to_string())
    }
}

/// All questions, in all norms and by all methods.
fn questions(first: &str) -> Vec<(Value, Value)> {
    let plain = json!({});
    let rows = json!({"data": "rows.csv"});
    let mut all = vec![
        (json!("max"), plain.clone()),
        (json!("min"), plain.clone()),
        (json!("range"), plain.clone()),
        (json!("max"), json!({"method": "veritas"})),
        (json!("max"), json!({"method": "merge"})),
        (json!({"enumerate": {"top": 5}}), plain.clone()),
        (json!({"diff": {"other_model": "other.json"}}), plain.clone()),
        (json!({"diff": {"other_model": "other.json", "within": 10.0}}), plain.clone()),
        (json!({"monotone": {}}), plain.clone()),
        (json!({"fair": {"protected": [first]}}), plain.clone()),
        (json!({"fair": {"protected": [first]}}), rows.clone()),
        (json!({"dominant": {"vary": ["*"], "at_most": 2}}), plain.clone()),
        (json!({"closest": {"norm": "linf"}}), json!({"data": "rows.csv", "method": "veritas"})),
    ];
    for norm in ["linf", "l2", "l1", "l0"] {
        all.push((json!({"stable": {"norm": norm, "radius": 1.0}}), plain.clone()));
        all.push((json!({"closest": {"norm": norm}}), rows.clone()));
        all.push((json!({"robust": {"norm": norm, "radius": 1.0}}), rows.clone()));
    }
    all
}

fn task(question: &Value, fields: &Value, random: &mut Random, model: &Ensemble) -> Result<Task, String> {
    let mut task = json!({"treeproof": 1, "question": question, "model": "model.json", "limits": {"threads": 1}});
    fields.as_object().expect("fields").iter().for_each(|(name, value)| task[name] = value.clone());
    let is_about_margins = ["max", "min", "range", "enumerate", "monotone", "stable", "dominant"];
    let task_of = |task: &Value| serde_json::from_value::<Task>(task.clone()).map_err(|error| error.to_string());
    if is_about_margins.contains(&task_of(&task)?.question.name()) && model.num_margins() > 1 {
        task["class"] = json!("0");
    }
    let first = &model.features()[0];
    if random.chance(3) && !first.is_category() {
        task["where"] = json!([format!("{} <= 3", first.name)]);
    } else if random.chance(3)
        && let [first, second, ..] = model.features()
        && !first.is_category()
        && !second.is_category()
    {
        task["where"] = json!([format!("{} + {} <= 3", first.name, second.name)]);
    }
    task_of(&task)
}

/// Names of rows, features and directions of an answer.
fn name(answer: &Value) -> String {
    let parts = ["row", "feature", "attribute"].iter().filter_map(|name| answer.get(name));
    parts.map(|part| part.to_string()).collect::<Vec<_>>().join(" ")
}

/// Every answer within a report that has a verdict, by where it stands.
fn answers<'v>(value: &'v Value, place: &str, all: &mut BTreeMap<String, &'v Value>) {
    match value {
        Value::Object(fields) => {
            if fields.contains_key("verdict") {
                all.insert(place.to_owned(), value);
            }
            fields.iter().for_each(|(field, value)| answers(value, &format!("{place}/{field}"), all));
        }
        Value::Array(values) => {
            values.iter().for_each(|value| answers(value, &format!("{place}[{}]", name(value)), all));
        }
        _ => {}
    }
}

/// Asserts that nothing in an answer contradicts the whole one.
fn assert_no_contradiction(cut: &Value, whole: &Value, context: &str) {
    let number = |answer: &Value, name: &str| answer.get(name).and_then(Value::as_f64);
    let is_above = |least: Option<f64>, most: Option<f64>| least.zip(most).is_some_and(|(least, most)| least > most);
    assert!(!is_above(number(cut, "lower"), number(whole, "upper")), "{context}: {cut} is not {whole}");
    assert!(!is_above(number(whole, "lower"), number(cut, "upper")), "{context}: {cut} is not {whole}");
    let verdict = |answer: &Value| answer["verdict"].as_str().expect("a verdict").to_owned();
    if verdict(cut) != "undecided" && verdict(whole) != "undecided" {
        assert_eq!(verdict(cut), verdict(whole), "{context}: {cut} is not {whole}");
    }
    if let (Some(listed), Some(all)) = (cut.get("regions"), whole.get("regions")) {
        let (Some(listed), Some(all)) = (listed.as_array(), all.as_array()) else { return };
        let rest = number(cut, "others_at_most");
        let others = all.iter().filter(|region| !listed.contains(region));
        for other in others {
            assert!(!is_above(number(other, "lower"), rest), "{context}: {other} is above {rest:?}");
            assert!(rest.is_some() || verdict(cut) == "undecided", "{context}: {other} is left out");
        }
        let is_right = |region: &Value| all.contains(region) || all.len() >= 5;
        assert!(listed.iter().all(is_right), "{context}: {cut} is not {whole}");
    }
}

#[test]
fn wherever_a_question_is_ended_its_answer_is_right() {
    let first = setting("TREEPROOF_SEED", 1);
    let mut asked = BTreeMap::<String, [u64; 2]>::new();
    for seed in first..first + setting("TREEPROOF_PROBLEMS", 40) {
        let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        let world = World::new(&mut random);
        for (question, fields) in questions(&world.model.features()[0].name) {
            let task = task(&question, &fields, &mut random, &world.model);
            let task = task.unwrap_or_else(|error| panic!("{question}, {fields}: {error}"));
            let context = format!("seed {seed}, {question}, {fields}");
            // Not every question suits every model: without labels, with categories.
            let Ok(whole) = world.answer(&task, &Nth::after(400)) else { continue };
            let whole = serde_json::to_value(&whole).unwrap();
            let mut last = 0;
            loop {
                let nth = Nth::after(last);
                let cut = world.answer(&task, &nth).unwrap_or_else(|error| panic!("{context}, {last}: {error}"));
                if !nth.has_ended_it() {
                    break;
                }
                let cut = serde_json::to_value(&cut).unwrap();
                let (mut of_whole, mut of_cut) = (BTreeMap::new(), BTreeMap::new());
                answers(&whole, "", &mut of_whole);
                answers(&cut, "", &mut of_cut);
                for (place, cut) in &of_cut {
                    let counts = asked.entry(task.question.name().to_owned()).or_default();
                    counts[0] += 1;
                    if let Some(whole) = of_whole.get(place) {
                        counts[1] += 1;
                        assert_no_contradiction(cut, whole, &format!("{context}, {last}, {place}"));
                    }
                }
                // Nearly all moments, and in long questions some.
                last += 1 + last / 8;
            }
        }
    }
    for (question, [answers, compared]) in &asked {
        assert!(*compared > 10 && compared * 2 > *answers, "{question}: {compared} of {answers} compared");
    }
    assert!(asked.len() == 11, "{:?}", asked.keys());
}

#[test]
fn without_time_bounds_hold_and_there_is_an_input() {
    let mut with_input = 0;
    for seed in 0..400 {
        let mut random = Random(seed);
        let model = support::random_ensemble(&mut random);
        let mut domains = Domain::everything(&model);
        for domain in &mut domains {
            if let Domain::Categories { unknown, .. } = domain {
                *unknown = false;
            }
            match domain {
                Domain::Numbers { missing, .. } | Domain::Categories { missing, .. } => *missing = false,
            }
        }
        for negated in [false, true] {
            let mut task = Task::new(if negated { Question::Min } else { Question::Max });
            task.class = (model.num_margins() > 1).then(|| "0".to_owned());
            task.limits.time = Some(Span(Duration::ZERO));
            let report = task.clone().about(&model).run().unwrap();
            let (Finding::Max(answer) | Finding::Min(answer)) = &report.finding else {
                panic!("seed {seed}: {report:?}")
            };
            assert_eq!(answer.verdict, Verdict::Undecided, "seed {seed}");
            let best = brute_force(&model, &domains, MarginObjective { output: 0, negated }).expect("there are rows");
            let best = if negated { best.negated() } else { best };
            let exact = |bound: f64| Exact::from_f64(bound).expect("bounds are finite");
            assert!(answer.lower.is_none_or(|lower| exact(lower) <= best), "seed {seed}: {answer:?}");
            assert!(answer.upper.is_none_or(|upper| best <= exact(upper)), "seed {seed}: {answer:?}");
            with_input += u32::from(answer.witness.is_some());
        }
    }
    assert!(with_input > 700, "{with_input}");
}
