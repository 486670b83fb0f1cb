//! `enumerate`: the output configurations of the largest margins.

use std::time::{Duration, Instant};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use treeproof_ensemble::exact::Exact;
use treeproof_proof::conclusion::{Claim, Conclusion, ListedRegion};
use treeproof_proof::header::BoxSide;
use treeproof_proof::statement::Number;
use treeproof_search::{
    Abandoned, Cells, Configuration, Enumeration as Engine, Limits, MAX_MASK_BYTES, Method, Observer, Status, Stop,
    StopReason, Wanted,
};

use super::common::CommonFields;
use super::context::Context;
use super::max::{Margin, within_space};
use crate::elaborate::{Section, StatementSource, follow, goal_of_sums};
use crate::error::{TaskError, refuse};
use crate::limits::Method as SearchMethod;
use crate::problem::{Compiled, Domain, Form, Nearness, position, unsplit_values};
use crate::report::{
    AskedValues, ConfigurationReport, EnumerateAnswer, Finding, Report, Stats, Stopped, Verdict, configuration_domain,
    feature_values, prediction,
};
use crate::stop::{Clock, Grace};
use crate::watch::{Begun, Event};
use crate::witness::check;

/// The output configurations of the largest margins.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Enumerate {
    /// Only configurations whose exact sum is above this. Default: all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub above: Option<f64>,
    /// How many configurations. Default 100.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub top: Option<usize>,
}

impl Enumerate {
    /// How many configurations are asked for.
    pub fn top(&self) -> usize {
        self.top.unwrap_or(100)
    }

    pub(super) fn validate(&self, common: &CommonFields<'_>) -> Result<(), TaskError> {
        common.refuse_surplus(&[
            "data",
            "threshold",
            "method",
            "limits.gap",
            "limits.stop_above",
            "limits.stop_below",
        ])?;
        if self.above.is_some_and(|above| !above.is_finite()) {
            return refuse("above", "is not a finite number");
        }
        if self.top == Some(0) {
            return refuse("top", "must be at least 1");
        }
        Ok(())
    }

    /// Lists configurations.
    pub(super) fn answer(&self, context: &Context<'_>) -> Result<Report, TaskError> {
        within_space(context, |margin| {
            if !margin.setting.allowed.across().is_empty() {
                let what = "must be about single features for `enumerate`, as no region is bounded by sums";
                return refuse("where", what);
            }
            Ok(enumerate(margin, self)?.map(Finding::Enumerate))
        })
    }
}

/// Between two looks at what has become certain.
const PAUSE: Duration = Duration::from_millis(100);

/// Ends a run now and then, and for good when the clock says so.
struct Until<'a> {
    pause: Instant,
    clock: &'a Clock<'a>,
}

impl Stop for Until<'_> {
    fn is_stopped(&self) -> bool {
        self.clock.is_stopped()
    }
}

impl Observer for Until<'_> {
    fn observe(&self, _: &Status, _: Option<&[u32]>) -> bool {
        Instant::now() < self.pause && !self.clock.is_stopped()
    }
}

/// A configuration that passed its check.
struct Passed {
    exact: Exact,
    report: ConfigurationReport,
}

/// An enumeration under way.
struct Enumeration<'a> {
    margin: &'a Margin<'a, 'a>,
    form: &'a Form<'a>,
    compiled: Compiled,
    values: AskedValues,
    above: Option<Exact>,
    top: usize,
    listed: Vec<Passed>,
    /// The exact outputs of the configurations that were looked at, listed or not.
    seen: Vec<Exact>,
    peak_memory: usize,
}

/// Lists configurations; `None` if no input meets the conditions.
fn enumerate(margin: &Margin<'_, '_>, fields: &Enumerate) -> Result<Option<EnumerateAnswer>, TaskError> {
    let (context, allowed) = (margin.context, &margin.setting.allowed);
    let (ensemble, start) = (context.ensemble(), context.start);
    let form = margin.form(false);
    let stated = || StatementSource::anything(&form, allowed, Nearness::Any);
    let proof = context.watcher.proof();
    let clock = Clock::new(start, context.common.time, context.watcher);
    context.watcher.prepare(ensemble.trees().len());
    let compiled = match form.compile_until(Nearness::Any, &[], None, &clock) {
        Ok(Some(compiled)) => compiled,
        Ok(None) => return Ok(stated().prove_empty(proof).map(|()| None)?),
        Err(Abandoned) => return Ok(Some(unsearched(&form, &clock, start, proof.is_some()))),
    };
    let memory_bytes = context.common.limits.memory.map(|memory| memory.0);
    context.watcher.begin(&Begun { memory_bytes, ..Begun::new("enumerate", &compiled, SearchMethod::Auto) });
    let above = fields.above.and_then(Exact::from_f64);
    let top = fields.top();
    let mut wanted = Wanted::best(top);
    if let Some(above) = &above {
        wanted.least = compiled.least_above(above);
        // From here on rounding cannot have lifted a value above the number.
        wanted.counted = wanted.least.saturating_add(compiled.slack());
    }
    let mut section = None;
    if let Some(writer) = proof {
        let statement = StatementSource { goal: goal_of_sums(&form.cases), ..stated() }.statement();
        section = Some(Section::begin(writer, statement, &form, &compiled, vec![])?);
    }
    let values = |domains: &[Domain]| feature_values(ensemble, &unsplit_values(ensemble, allowed.groups, domains));
    let values =
        AskedValues { everything: values(&Domain::everything(ensemble)), allowed: values(&margin.space.inputs[0]) };
    let mut run =
        Enumeration { margin, form: &form, compiled, values, above, top, listed: vec![], seen: vec![], peak_memory: 0 };
    let (answer, conclusion, rest) = follow(section.as_ref(), &form.models, |journal| {
        let Ok(mut engine) = Engine::prepare(&run.compiled.problem, wanted, MAX_MASK_BYTES, &clock) else {
            return Ok((unsearched(&form, &clock, start, proof.is_some()), Claim::Nothing.into(), None));
        };
        if let Some(journal) = journal {
            engine.set_journal(journal);
        }
        let stopped = run.search(&mut engine, &clock, start)?;
        engine.end_journal();
        let conclusion = run.conclusion(&engine);
        Ok::<_, TaskError>((run.answer(&engine, stopped, start), conclusion, engine.rest()))
    })?;
    if let Some(section) = section {
        section.finish(&conclusion, rest)?;
    }
    Ok(Some(answer))
}

/// The answer where time is too short to list anything.
fn unsearched(form: &Form<'_>, clock: &Clock<'_>, start: Instant, is_proved: bool) -> EnumerateAnswer {
    // With a proof, the answer says only what the proof shows.
    let most = if is_proved { None } else { form.plain_bound(&Grace::new()).ok().flatten() };
    EnumerateAnswer {
        verdict: Verdict::Undecided,
        others_at_most: most.map(|most| most.ceil_f64()).filter(|most| most.is_finite()),
        stopped: clock.ended().unwrap_or(Stopped::Interrupted),
        seconds: start.elapsed().as_secs_f64(),
        ..EnumerateAnswer::default()
    }
}

impl Enumeration<'_> {
    /// Searches until a limit is reached, or nothing is left.
    fn search(&mut self, engine: &mut Engine<'_>, clock: &Clock<'_>, start: Instant) -> Result<Stopped, TaskError> {
        let mut limits = Limits::default();
        limits.memory = self.margin.context.common.limits.memory_bytes();
        loop {
            let reason = engine.run(&limits, &Until { pause: Instant::now() + PAUSE, clock });
            self.learn(engine)?;
            let goes_on = self.tell(engine, start);
            match reason {
                StopReason::Optimal => return Ok(Stopped::Optimal),
                StopReason::Memory => return Ok(Stopped::Memory),
                _ if !goes_on => return Ok(Stopped::Interrupted),
                _ => {
                    if let Some(why) = clock.look() {
                        return Ok(why);
                    }
                }
            }
        }
    }

    /// Lists what has become certain.
    fn learn(&mut self, engine: &Engine<'_>) -> Result<(), TaskError> {
        self.peak_memory = self.peak_memory.max(engine.status().memory);
        for number in self.seen.len()..engine.num_certain() {
            let listed = self.checked(&engine.configuration(number));
            let listed = listed.map_err(|what| TaskError::WitnessRefused { what })?;
            self.seen.push(listed.exact.clone());
            if self.above.as_ref().is_none_or(|above| listed.exact > *above) {
                self.listed.push(listed);
            }
        }
        Ok(())
    }

    /// What a proof says of all configurations that are certain, and of all inputs that are in none of them.
    fn conclusion(&self, engine: &Engine<'_>) -> Conclusion {
        let rest = engine.rest().map_or(f64::NEG_INFINITY, |value| self.compiled.real(value).ceil_f64());
        let side = |(axis, cells): (usize, &Cells)| {
            let all = &self.compiled.problem.axes[axis];
            let is_whole = cells.ordered == (0..all.ordered) && cells.special.len() == all.special as usize;
            let (low, high) = (cells.ordered.start, cells.ordered.end);
            (!is_whole).then(|| BoxSide { axis: position(axis), low, high, special: cells.special.clone() })
        };
        let listed = self.seen.iter().enumerate().map(|(number, output)| ListedRegion {
            sides: engine.configuration(number).cells.iter().enumerate().filter_map(side).collect(),
            output: output.clone(),
        });
        Conclusion { claim: Claim::AtMost(Number(rest)), witness: None, listed: listed.collect() }
    }

    /// Evaluates two opposite corners of a configuration by the model alone. An error says what fails.
    fn checked(&self, configuration: &Configuration) -> Result<Passed, String> {
        let (ensemble, output, allowed) =
            (self.margin.context.ensemble(), self.margin.output, &self.margin.setting.allowed);
        let corners = self.compiled.corners(&configuration.cells);
        let mut margins = vec![];
        let mut outputs = vec![];
        for row in &corners {
            let mut evaluations = check(self.form, allowed, &vec![vec![row.clone()]])?;
            let mut evaluation = evaluations.swap_remove(0).swap_remove(0);
            margins.push(evaluation.margins.swap_remove(output));
            outputs = evaluation.outputs;
        }
        let [first, last] = &margins[..] else { unreachable!("there are two corners") };
        let (Some(exact), Some(other)) = (&first.exact, &last.exact) else {
            return Err("the sum of a configuration is not finite".to_owned());
        };
        if exact != other || first.library.to_bits() != last.library.to_bits() {
            return Err(format!("{:?} and {:?} are not of one configuration", corners[0], corners[1]));
        }
        let (most, least) = (configuration.value, configuration.value.saturating_sub(self.compiled.slack()));
        if *exact > self.compiled.real(most) || *exact < self.compiled.real(least) {
            return Err(format!("{:?} has not the output that it was listed for", corners[0]));
        }
        let (probability, prediction) = match prediction(ensemble, output, &outputs) {
            // Other margins than this one, of which the configuration says nothing, are part of these.
            Some(_) if ensemble.num_margins() > 1 => (None, None),
            Some((probability, true)) => (Some(probability), None),
            Some((prediction, false)) => (None, Some(prediction)),
            None => (None, None),
        };
        let report = ConfigurationReport {
            output: first.library,
            lower: exact.floor_f64(),
            upper: exact.ceil_f64(),
            rounding: first.error,
            probability,
            prediction,
            domain: configuration_domain(
                ensemble,
                allowed.groups,
                &self.compiled.values(&configuration.cells),
                &self.values,
            ),
        };
        Ok(Passed { exact: exact.clone(), report })
    }

    /// Tells the watcher. Returns whether it wants to go on.
    fn tell(&self, engine: &Engine<'_>, start: Instant) -> bool {
        let status = engine.status();
        self.margin.context.watcher.watch(&Event {
            seconds: start.elapsed().as_secs_f64(),
            upper: status.upper.map(|value| self.compiled.upper(value)).filter(|upper| upper.is_finite()),
            found: Some(self.listed.len() as u64),
            regions: status.steps,
            open: status.open as u64,
            memory_bytes: status.memory as u64,
            is_better: true,
            ..Event::new("enumerate")
        })
    }

    fn answer(mut self, engine: &Engine<'_>, stopped: Stopped, start: Instant) -> EnumerateAnswer {
        // Values are rounded up by a little, so that neighbours may have come in the wrong order.
        self.listed.sort_by(|a, b| b.exact.cmp(&a.exact));
        let rest = engine.rest().map(|value| self.compiled.real(value));
        let left_out = self.listed.get(self.top).map(|listed| listed.exact.clone());
        let others = rest.max(left_out).map(|others| others.ceil_f64());
        self.listed.truncate(self.top);
        EnumerateAnswer {
            verdict: if stopped == Stopped::Optimal { Verdict::Optimal } else { Verdict::Undecided },
            regions: self.listed.into_iter().map(|listed| listed.report).collect(),
            others_at_most: others.filter(|others| others.is_finite()),
            stopped,
            seconds: start.elapsed().as_secs_f64(),
            stats: Stats { regions: engine.status().steps, memory_bytes: self.peak_memory as u64 },
        }
    }
}
