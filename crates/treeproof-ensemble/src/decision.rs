//! Conditions on exact margins for a class or an output, necessary ones and
//! wide enough for every rounding error of the library.
//!
//! A link is taken to be the true function up to a few units in the last place, which the C library's `exp` is.

use crate::ensemble::Ensemble;
use crate::evaluate::Evaluation;
use crate::exact::Exact;
use crate::float::{Precision, bisect};
use crate::label::LabelRule;
use crate::link::{Link, PairRule};
use crate::sum::Summation;

/// Largest error of a computed output, in units of roundoff.
const LINK_ERROR: f64 = 64.0;

/// A signed sum of margins of one model, plus a number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MarginSum {
    /// The margins, each with whether it is subtracted.
    pub terms: Vec<(usize, bool)>,
    /// The number.
    pub constant: Exact,
}

/// A model whose labels or output cannot be verified.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("nothing can be proved about the model's labels: {what}")]
pub struct NoDecision {
    /// The reason.
    pub what: &'static str,
}

/// The label rule of a model, in terms of margins.
pub struct Labels<'a> {
    ensemble: &'a Ensemble,
    /// The threshold of the question, if it is not the library's own.
    threshold: Option<f64>,
    decision: Decision,
    certain: Exact,
}

enum Decision {
    /// Two classes by one margin.
    Threshold {
        /// The second class needs an exact margin above this.
        second_above: Exact,
        /// The first class needs one below this.
        first_below: Exact,
    },
    /// The class of the largest margin, up to a tolerance for each pair of classes.
    Largest {
        widths: Vec<Vec<Exact>>,
        /// The tolerance for margins as the library computes them.
        tie_width: f64,
    },
}

impl<'a> Labels<'a> {
    /// The library's own rule, or another threshold of its probability.
    ///
    /// # Errors
    /// If the model has no labels, or they cannot be verified.
    pub fn new(ensemble: &'a Ensemble, threshold: Option<f64>) -> Result<Self, NoDecision> {
        let refuse = |what| Err(NoDecision { what });
        if threshold.is_some() && !has_one_output(ensemble) {
            return refuse("a threshold is for models of two classes with one probability");
        }
        let other_rule = threshold.map(|threshold| LabelRule::OutputAbove { threshold });
        let rule = other_rule.as_ref().unwrap_or_else(|| ensemble.label_rule());
        let Some(summation) = ensemble.summation() else { return refuse("it is no sum of trees") };
        let errors: Vec<f64> =
            (0..ensemble.num_margins()).map(|output| sum_error(ensemble, summation, output)).collect();
        if errors.iter().any(|error| !error.is_finite()) {
            return refuse("its sums may overflow");
        }
        let exact = |x: f64| Exact::from_f64(x).expect("finite");
        let decision = match rule {
            LabelRule::None => return refuse("it has none"),
            LabelRule::LargestMargin => Decision::largest(&errors, 0.0),
            LabelRule::LargestScored if !is_always_scored(ensemble) => {
                return refuse("which classes get a score depends on the input, which is not supported yet");
            }
            LabelRule::LargestScored => Decision::largest(&errors, 0.0),
            LabelRule::LargestOutput => match tie_width(ensemble) {
                Some(width) => Decision::largest(&errors, width),
                None => return refuse("its probabilities tie where its margins differ, which is not supported yet"),
            },
            rule => {
                let Some((first_up_to, second_from)) = ends(ensemble.link(), rule) else {
                    return refuse("one margin gives all inputs the same label");
                };
                let error = exact(errors[0]);
                Decision::Threshold {
                    second_above: exact(first_up_to).minus(&error),
                    first_below: exact(second_from).plus(&error),
                }
            }
        };
        let certain = match &decision {
            Decision::Threshold { second_above, first_below } => first_below.minus(second_above),
            Decision::Largest { widths, .. } => {
                let widest = widths.iter().flatten().max().cloned().unwrap_or_else(Exact::zero);
                widest.plus(&widest)
            }
        };
        Ok(Self { ensemble, threshold, decision, certain })
    }

    /// Two classes of a model with one output: at most a number, and above it.
    ///
    /// # Errors
    /// If it has several outputs, or its output cannot be verified.
    pub fn of_output(ensemble: &'a Ensemble, number: f64) -> Result<Self, NoDecision> {
        if !has_one_output(ensemble) {
            return Err(NoDecision { what: "it has several outputs: ask about a class" });
        }
        Self::new(ensemble, Some(number))
    }

    /// True if no margin gives an output above a number or, for the first class, an output at most the number.
    pub fn is_out_of_reach(ensemble: &Ensemble, number: f64, class: usize) -> bool {
        let rule = LabelRule::OutputAbove { threshold: number };
        let is_other = |margin: f64| {
            let is_number = ensemble.link().apply(&[margin]).iter().all(|output| !output.is_nan());
            is_number && is_surely(ensemble.link(), &rule, 1 - class, margin)
        };
        // Links are monotone: every output lies between those of the two ends.
        let is_narrow = ensemble.summation().is_some_and(|summation| summation.precision == Precision::F32);
        let most = if is_narrow { f64::from(f32::MAX) } else { f64::MAX };
        [-most, most].into_iter().all(is_other)
    }

    /// The number of classes.
    pub fn num_classes(&self) -> usize {
        match &self.decision {
            Decision::Threshold { .. } => 2,
            Decision::Largest { widths, .. } => widths.len(),
        }
    }

    /// Sums that are all non-negative wherever the library may choose a class.
    ///
    /// # Panics
    /// If there is no such class.
    pub fn possible(&self, class: usize) -> Vec<MarginSum> {
        match &self.decision {
            Decision::Threshold { second_above, .. } if class == 1 => {
                vec![MarginSum { terms: vec![(0, false)], constant: second_above.negated() }]
            }
            Decision::Threshold { first_below, .. } => {
                vec![MarginSum { terms: vec![(0, true)], constant: first_below.clone() }]
            }
            Decision::Largest { widths, .. } => {
                let others = (0..widths.len()).filter(|other| *other != class);
                others.map(|other| MarginSum::beats(class, other, &widths[class][other])).collect()
            }
        }
    }

    /// Cases that cover every input of another class: in one of them, all sums are non-negative.
    ///
    /// # Panics
    /// If there is no such class.
    pub fn beating(&self, class: Option<usize>) -> Vec<Vec<MarginSum>> {
        let others = (0..self.num_classes()).filter(|other| Some(*other) != class);
        match (&self.decision, class) {
            (Decision::Largest { widths, .. }, Some(class)) => {
                others.map(|other| vec![MarginSum::beats(other, class, &widths[other][class])]).collect()
            }
            _ => others.map(|other| self.possible(other)).collect(),
        }
    }

    /// The bound above which, if all sums of a class exceed it, the library chooses the class in any order of addition.
    pub fn certain(&self) -> &Exact {
        &self.certain
    }

    /// The distance below another margin, as computed by the library, at which a class is never chosen,
    /// whatever the other margins are; `None` if classes have no margins of their own.
    pub fn tie_width(&self) -> Option<f64> {
        match self.decision {
            Decision::Threshold { .. } => None,
            Decision::Largest { tie_width, .. } => Some(tie_width),
        }
    }

    /// The class that is chosen.
    pub fn class(&self, evaluation: &Evaluation) -> Option<usize> {
        Self::class_by(self.ensemble, self.threshold, evaluation)
    }

    /// The chosen class, at a threshold of the output if given.
    pub fn class_by(ensemble: &Ensemble, threshold: Option<f64>, evaluation: &Evaluation) -> Option<usize> {
        let class = match threshold.map(|threshold| LabelRule::OutputAbove { threshold }) {
            Some(rule) => rule.class(&evaluation.library_margins(), &evaluation.outputs, &[]),
            None => evaluation.class,
        };
        class.filter(|class| *class < ensemble.num_margins().max(2))
    }
}

/// True for a model of one margin whose link makes one output of it.
fn has_one_output(ensemble: &Ensemble) -> bool {
    ensemble.num_margins() == 1 && ensemble.link().num_outputs(1) == 1
}

impl MarginSum {
    /// The sum that is non-negative if one margin is at most a width below another.
    fn beats(winner: usize, other: usize, width: &Exact) -> Self {
        Self { terms: vec![(winner, false), (other, true)], constant: width.clone() }
    }
}

impl Decision {
    fn largest(errors: &[f64], tie_width: f64) -> Self {
        let exact = |x: f64| Exact::from_f64(x).expect("finite");
        let between = |a: &f64, b: &f64| exact(*a).plus(&exact(*b)).plus(&exact(tie_width));
        Self::Largest {
            widths: errors.iter().map(|a| errors.iter().map(|b| between(a, b)).collect()).collect(),
            tie_width,
        }
    }
}

/// The largest distance between the library's sum of an output and the exact one, at any input; infinite if it may overflow.
fn sum_error(ensemble: &Ensemble, summation: &Summation, output: usize) -> f64 {
    let outputs = if summation.fold_pair { vec![0, 1] } else { vec![output] };
    let reach = |output: usize| {
        let (mut terms, mut magnitude) = (0, 0.0);
        for (index, tree) in ensemble.trees().iter().enumerate() {
            let weight = summation.weights.as_ref().map_or(1.0, |weights| weights.per_tree[index].abs());
            let of_leaf = |leaf: usize| {
                let own = tree.terms(leaf).iter().filter(|term| term.output as usize == output);
                own.fold((0, 0.0), |(count, sum), term| (count + 1, sum + term.value.abs()))
            };
            let leaves = (0..tree.leaves().len()).map(of_leaf);
            let (most, largest) = leaves
                .fold((0, 0.0_f64), |(most, largest), (count, sum): (usize, f64)| (most.max(count), largest.max(sum)));
            terms += most;
            magnitude += largest * weight;
        }
        // The additions just made are rounded themselves.
        (terms, magnitude * (1.0 + 1e-6))
    };
    let (terms, magnitude) = outputs.into_iter().map(reach).fold((0, 0.0_f64), |a, b| (a.0.max(b.0), a.1.max(b.1)));
    let largest = (summation.base[output.min(summation.base.len() - 1)].abs() + magnitude)
        * summation.scale.map_or(1.0, f64::abs).max(1.0)
        / summation.divisor.map_or(1.0, f64::abs).min(1.0);
    // A margin that a link in f32 cannot take in gives any label.
    if precision(ensemble.link()) == Precision::F32 && largest > f64::from(f32::MAX) / 4.0 {
        return f64::INFINITY;
    }
    summation.a_priori_error(output, terms, magnitude)
}

/// The largest excess of the largest margin over that of the class with the largest output; `None` if unbounded.
fn tie_width(ensemble: &Ensemble) -> Option<f64> {
    let mut link = ensemble.link();
    let mut scale = 1.0_f64;
    while let Link::Averaged { divisor, then } = link {
        (link, scale) = (then, scale * divisor.abs());
    }
    let unit = precision(link).unit_roundoff();
    match link {
        // The largest margin has the power 1 before all are divided by one sum: another ties with it only if its power
        // rounds to nearly 1.
        Link::SoftmaxXgboost | Link::Softmax | Link::SoftmaxOnnx => Some(4.0 * LINK_ERROR * unit * scale.max(1.0)),
        // Without a division or narrowing the outputs are the margins.
        Link::Identity if scale == 1.0 => Some(0.0),
        _ => None,
    }
}

/// The type in which a link computes.
fn precision(link: &Link) -> Precision {
    match link {
        Link::Averaged { then, .. } => precision(then),
        Link::Logistic { .. } | Link::Softmax | Link::Exp | Link::LogOnePlusExp | Link::SignedSquare => Precision::F64,
        Link::Isolation { .. } | Link::Identity => Precision::F64,
        _ => Precision::F32,
    }
}

/// Two margins: up to the first the rule surely chooses the first class, from the second on the second class; `None` if
/// there are no such margins.
fn ends(link: &Link, rule: &LabelRule) -> Option<(f64, f64)> {
    let is_first = |margin| is_surely(link, rule, 0, margin);
    let is_second = |margin| is_surely(link, rule, 1, margin);
    let largest = f64::from(f32::MAX);
    if !is_first(-largest) || !is_second(largest) {
        return None;
    }
    Some((bisect(-largest, largest, is_first).0, bisect(-largest, largest, |margin| !is_second(margin)).1))
}

/// True if a rule chooses a class for a margin, whatever the error of the library's link.
fn is_surely(link: &Link, rule: &LabelRule, class: usize, margin: f64) -> bool {
    let error = LINK_ERROR * precision(link).unit_roundoff();
    let outputs = link.apply(&[margin]);
    // One minus a number near 1 has that number's error.
    let least = if subtracts_from_one(link) { 1.0 } else { 0.0 };
    [-error, 0.0, error].into_iter().all(|error| {
        let moved: Vec<f64> = outputs.iter().map(|output| output * (1.0 + error) + least * error).collect();
        rule.class(&[margin], &moved, &[]) == Some(class)
    })
}

/// True if a link computes small outputs as one minus another number.
fn subtracts_from_one(link: &Link) -> bool {
    match link {
        Link::LogisticOnnx | Link::PairOnnx { rule: PairRule::Logistic } => true,
        Link::Averaged { then, .. } => subtracts_from_one(then),
        _ => false,
    }
}

/// True if every class gets a score at every input: from a tree all of whose leaves score it.
fn is_always_scored(ensemble: &Ensemble) -> bool {
    (0..ensemble.num_accumulators()).all(|class| {
        ensemble.trees().iter().any(|tree| {
            let scores = |leaf: usize| tree.terms(leaf).iter().any(|term| term.output as usize == class);
            (0..tree.leaves().len()).all(scores)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_sure_but_for_a_narrow_band() {
        let xgboost = ends(&Link::LogisticXgboost, &LabelRule::OutputAbove { threshold: 0.5 }).unwrap();
        assert!(xgboost.0 < 8.9e-8 && xgboost.1 > 8.9e-8 && xgboost.1 - xgboost.0 < 1e-4, "{xgboost:?}");
        let lightgbm = ends(&Link::Logistic { slope: 1.0 }, &LabelRule::OutputAboveComplement).unwrap();
        assert!(lightgbm.0 < 1.6e-16 && lightgbm.1 > 1.7e-16 && lightgbm.1 - lightgbm.0 < 1e-12, "{lightgbm:?}");
        let above = ends(&Link::Identity, &LabelRule::MarginAbove { threshold: 1.0 }).unwrap();
        assert_eq!(above, (1.0, 1.0_f64.next_up()));
        let at_least = ends(&Link::Identity, &LabelRule::MarginAtLeast { threshold: 0.0 }).unwrap();
        assert_eq!(at_least, (-f64::from_bits(1), 0.0));
        let outlier = ends(&Link::Isolation { scale: 100.0 }, &LabelRule::Outlier { offset: -0.5 }).unwrap();
        assert!(outlier.0 <= 100.0 && outlier.1 >= 100.0 && outlier.1 - outlier.0 < 1e-10, "{outlier:?}");
        assert_eq!(ends(&Link::LogisticXgboost, &LabelRule::OutputAbove { threshold: 2.0 }), None);
    }
}
