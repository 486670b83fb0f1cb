//! The laws of bounds, for every method: valid at every moment, never worse than before, with a point that has the value.

use std::sync::Mutex;

use treeproof_search::{Limits, Method, Observer, Search, Status, StopReason, Value};

use super::Known;

/// Checks the bounds at every event of a run.
pub(crate) struct Judge<'k> {
    known: &'k Known,
    last: Mutex<(Value, Value)>,
}

impl<'k> Judge<'k> {
    pub(crate) fn of(known: &'k Known) -> Self {
        Self { known, last: Mutex::new((Value::MIN, Value::MAX)) }
    }

    fn judge(&self, lower: Option<Value>, upper: Option<Value>, about: &str) -> (Value, Value) {
        let (lower, upper) = (lower.unwrap_or(Value::MIN), upper.unwrap_or(Value::MAX));
        let Known { name, optimum, .. } = self.known;
        assert!(lower <= *optimum && *optimum <= upper, "{name}{about}: {lower} <= {optimum} <= {upper} is wrong");
        let mut last = self.last.lock().unwrap();
        assert!(lower >= last.0 && upper <= last.1, "{name}{about}: a bound got worse");
        *last = (lower, upper);
        *last
    }
}

impl treeproof_search::Stop for Judge<'_> {}

impl Observer for Judge<'_> {
    fn observe(&self, status: &Status, solution: Option<&[u32]>) -> bool {
        self.judge(status.lower, status.upper, "");
        if let Some(point) = solution {
            let Known { name, problem, .. } = self.known;
            assert_eq!(problem.worth(point), status.lower, "{name}: a point without its value");
        }
        true
    }
}

/// The laws of a method at one moment; returns its bounds.
pub(crate) fn check_now<M: Method>(method: &M, judge: &Judge<'_>) -> (Value, Value) {
    let about = format!(", step {}", method.status().steps);
    let (lower, upper) = judge.judge(method.lower(), method.upper(), &about);
    let Known { name, problem, .. } = judge.known;
    assert_eq!(method.lower().is_some(), method.solution().is_some(), "{name}{about}");
    if let Some(point) = method.solution() {
        assert!(problem.worth(point) >= Some(lower), "{name}{about}: the solution is worth less than said");
    }
    assert_eq!(method.is_done(), method.status().open == 0, "{name}{about}");
    assert!(!method.is_done() || lower == upper, "{name}{about}: done with a gap");
    (lower, upper)
}

/// Runs to the end, which only memory may prevent; `observe` sees the method before and after every step. Returns the
/// steps.
pub(crate) fn check<M: Method>(mut method: M, known: &Known, mut observe: impl FnMut(&M, bool)) -> u64 {
    let name = &known.name;
    let judge = Judge::of(known);
    let mut last = check_now(&method, &judge);
    loop {
        observe(&method, false);
        let (was_done, steps) = (method.is_done(), method.status().steps);
        let solution = method.solution().map(<[u32]>::to_vec);
        if !method.step() {
            break;
        }
        observe(&method, true);
        assert!(!was_done, "{name}: a step of a method that is done");
        assert_eq!(method.status().steps, steps + 1, "{name}");
        let bounds = check_now(&method, &judge);
        let is_same = method.solution() == solution.as_deref();
        assert!(is_same || bounds.0 > last.0, "{name}: another solution, no better");
        last = bounds;
        assert!(method.status().open == 0 || method.status().memory > 0);
    }
    if method.is_done() {
        check_solved(&method, known);
        assert!(!method.step(), "{name}");
    }
    method.status().steps
}

/// The optimum is proved, and a point attains it, or none counts.
pub(crate) fn check_solved<M: Method>(method: &M, known: &Known) {
    let Known { name, problem, optimum, .. } = known;
    let worth = (*optimum > Value::MIN).then_some(*optimum);
    assert_eq!((method.lower(), method.upper()), (worth, Some(*optimum)), "{name}");
    assert_eq!(method.solution().and_then(|point| problem.worth(point)), worth, "{name}");
}

/// However a run is portioned, the steps are the same and so is the answer.
pub(crate) fn check_portions(known: &Known, steps: u64) {
    let mut straight = Search::new(&known.problem);
    assert_eq!(straight.run(&Limits::default(), &Judge::of(known)), StopReason::Optimal, "{}", known.name);
    check_solved(&straight, known);
    let mut portion = Limits::default();
    portion.steps = Some(steps);
    let mut halting = Search::new(&known.problem);
    let judge = Judge::of(known);
    while halting.run(&portion, &judge) != StopReason::Optimal {}
    check_solved(&halting, known);
    assert_eq!(halting.status().steps, straight.status().steps, "{}: other steps in portions of {steps}", known.name);
    assert_eq!(halting.solution(), straight.solution(), "{}", known.name);
}
