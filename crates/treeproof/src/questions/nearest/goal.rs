//! Goals: other answers than the model gives for a row.

use treeproof_ensemble::decision::Labels;
use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::evaluate::Evaluation;
use treeproof_ensemble::exact::Exact;
use treeproof_proof::statement as proof;

use crate::error::{TaskError, refuse};
use crate::problem::{Sum, Term, best};
use crate::questions::labels;

/// Another answer than the model gives for a row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RowGoal {
    /// Any other label.
    Other,
    /// This label, by its place among the classes.
    Class(usize),
    /// An output above a number.
    Above(f64),
    /// An output below a number.
    Below(f64),
    /// An output that differs by more than this.
    Moved(f64),
}

/// A goal for one row, in terms of margins.
pub(super) struct Aim {
    /// For every input that reaches the goal, all sums of one of these are at least 0.
    pub(super) cases: Vec<Vec<Sum>>,
    /// If all sums of a case are above this, the goal is reached in whatever order the library adds.
    pub(super) certain: Exact,
    /// A class whose library margin is further than this below another's is not chosen.
    tie_width: Option<f64>,
    /// `None` if every input reaches it.
    goal: Option<RowGoal>,
    /// The class or the output of the row.
    class: Option<usize>,
    output: f64,
    threshold: Option<f64>,
}

impl Aim {
    /// Every input will do.
    pub(super) fn anything() -> Self {
        Self {
            cases: vec![vec![Sum::of([]).plus(&Exact::one())]],
            certain: Exact::zero(),
            tie_width: None,
            goal: None,
            class: None,
            output: f64::NAN,
            threshold: None,
        }
    }

    /// # Errors
    /// If the model has no labels, or not one output, about which something can be proved.
    pub(super) fn new(
        ensemble: &Ensemble,
        goal: RowGoal,
        threshold: Option<f64>,
        row: &Evaluation,
    ) -> Result<Self, TaskError> {
        let output = row.outputs.first().copied().unwrap_or(f64::NAN);
        let mut aim = Self { cases: vec![], goal: Some(goal), output, threshold, ..Self::anything() };
        match goal {
            RowGoal::Other | RowGoal::Class(_) => {
                let labels = Labels::new(ensemble, threshold)?;
                aim.class = labels.class(row);
                aim.certain = labels.certain().clone();
                aim.tie_width = labels.tie_width();
                aim.cases = match goal {
                    RowGoal::Class(class) if class < labels.num_classes() => vec![labels::possible(&labels, class, 0)],
                    RowGoal::Class(_) => {
                        return refuse("target", format!("is none of the {} classes", labels.num_classes()));
                    }
                    _ => labels::beating(&labels, aim.class, 0),
                };
            }
            RowGoal::Above(number) => {
                let refused = |error| refusal(ensemble, number, "output_above", error);
                aim.add(ensemble, number, 1).map_err(refused)?;
            }
            RowGoal::Below(number) => {
                let refused = |error| refusal(ensemble, number, "output_below", error);
                aim.add(ensemble, number.next_down(), 0).map_err(refused)?;
            }
            RowGoal::Moved(by) => {
                let (Some(output), Some(by)) = (Exact::from_f64(aim.output), Exact::from_f64(by)) else {
                    return refuse("within", "needs a finite output");
                };
                // What no margin gives is no way to move.
                for (number, class) in
                    [(output.plus(&by).floor_f64(), 1), (output.minus(&by).ceil_f64().next_down(), 0)]
                {
                    if ensemble.num_margins() != 1 || !Labels::is_out_of_reach(ensemble, number, class) {
                        aim.add(ensemble, number, class)?;
                    }
                }
            }
        }
        Ok(aim)
    }

    /// Adds outputs on one side of a number.
    fn add(&mut self, ensemble: &Ensemble, number: f64, class: usize) -> Result<(), TaskError> {
        let labels = Labels::of_output(ensemble, number)?;
        self.certain = labels.certain().clone().max(self.certain.clone());
        self.cases.push(labels::possible(&labels, class, 0));
        Ok(())
    }

    /// The goal in the words of a proof.
    pub(super) fn stated(&self) -> proof::Goal {
        let threshold = self.threshold.map(proof::Number);
        let class = |class: usize| u32::try_from(class).expect("classes are few");
        let Some(goal) = self.goal else { return proof::Goal::Anything };
        match goal {
            RowGoal::Other => proof::Goal::OtherLabel { class: self.class.map(class), threshold },
            RowGoal::Class(wanted) => proof::Goal::Label { class: class(wanted), threshold },
            RowGoal::Above(number) => proof::Goal::Output { number: proof::Number(number), above: true },
            RowGoal::Below(number) => proof::Goal::Output { number: proof::Number(number), above: false },
            RowGoal::Moved(by) => proof::Goal::Moved { by: proof::Number(by) },
        }
    }

    /// True if the library's evaluation of an input reaches the goal.
    pub(super) fn is_reached(&self, ensemble: &Ensemble, evaluation: &Evaluation) -> bool {
        let class = || Labels::class_by(ensemble, self.threshold, evaluation);
        let output = evaluation.outputs.first().copied().unwrap_or(f64::NAN);
        let Some(goal) = self.goal else { return true };
        match goal {
            RowGoal::Other => class() != self.class,
            RowGoal::Class(wanted) => class() == Some(wanted),
            RowGoal::Above(number) => output > number,
            RowGoal::Below(number) => output < number,
            RowGoal::Moved(by) => match (Exact::from_f64(output), Exact::from_f64(self.output), Exact::from_f64(by)) {
                (Some(output), Some(own), Some(by)) => output.minus(&own).magnitude() > by,
                _ => true,
            },
        }
    }

    /// True if the goal is reached in whatever order the library adds: its evaluation alone decides if the
    /// order is fixed.
    pub(super) fn is_surely_reached(&self, ensemble: &Ensemble, evaluation: &Evaluation) -> bool {
        let is_clear = || self.clearance(evaluation).is_some_and(|clearance| clearance > self.certain);
        self.is_reached(ensemble, evaluation) && (is_order_fixed(ensemble) || is_clear())
    }

    /// True if the goal is reached in some order in which the library may add.
    pub(super) fn may_be_reached(&self, ensemble: &Ensemble, evaluation: &Evaluation) -> bool {
        match is_order_fixed(ensemble) {
            true => self.is_reached(ensemble, evaluation),
            false => self.clearance(evaluation).is_none_or(|clearance| clearance >= Exact::zero()),
        }
    }

    /// True if no input reaches the goal by a case that reaches the same leaves as one that does not, in the trees of that
    /// case.
    pub(super) fn is_refuted_alike(&self, ensemble: &Ensemble, case: usize, evaluation: &Evaluation) -> bool {
        if !is_order_fixed(ensemble) {
            return !self.may_be_reached(ensemble, evaluation);
        }
        let is_of_case =
            |sum: &usize| self.cases[case].iter().flat_map(|sum| &sum.terms).any(|term| term.output == *sum);
        let sums = self.refuting(ensemble, case, evaluation);
        sums.is_some_and(|sums| ensemble.num_margins() == 1 || sums.iter().all(is_of_case))
    }

    /// The margins which alone say, being what they are, that the goal is not reached by a case.
    pub(super) fn refuting(&self, ensemble: &Ensemble, case: usize, evaluation: &Evaluation) -> Option<Vec<usize>> {
        let class = Labels::class_by(ensemble, self.threshold, evaluation);
        let is_behind = |sum: &&Sum| {
            let [one, other] = sum.terms[..] else { return false };
            let (ahead, behind) = if one.negated { (one, other) } else { (other, one) };
            let margin = |term: Term| evaluation.margins[term.output].library;
            // Of equal margins the library always prefers the same one.
            let is_preferred = || margin(behind) == margin(ahead) && class == Some(ahead.output);
            // The sum of the two is rounded, but never to the other side of a number.
            self.tie_width.is_some_and(|width| margin(behind) + width < margin(ahead) || is_preferred())
        };
        if let Some(sum) = self.cases[case].iter().find(is_behind) {
            return Some(sum.terms.iter().map(|term| term.output).collect());
        }
        (!self.is_reached(ensemble, evaluation)).then(|| (0..ensemble.num_accumulators()).collect())
    }

    /// How far an input clears the goal, in exact sums; none if a sum is not finite.
    pub(super) fn clearance(&self, evaluation: &Evaluation) -> Option<Exact> {
        best(&self.cases, |_| evaluation)
    }
}

/// Why nothing can be asked about outputs on one side of a number: perhaps no margin gives any on the other.
fn refusal(ensemble: &Ensemble, number: f64, field: &'static str, error: TaskError) -> TaskError {
    let is_beyond = |class: usize| Labels::is_out_of_reach(ensemble, number, class);
    if ensemble.num_margins() != 1 || ![0, 1].into_iter().any(is_beyond) {
        return error;
    }
    let what =
        format!("{number} is beyond all outputs of such models: it is compared with the output, not with the margin");
    TaskError::Value { field, what }
}

/// True if the library always adds in the same order.
pub(super) fn is_order_fixed(ensemble: &Ensemble) -> bool {
    ensemble.summation().is_some_and(|summation| summation.fixed_order)
}
