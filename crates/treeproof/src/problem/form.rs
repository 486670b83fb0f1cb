//! The form to maximise: sums of margins, each of a model at an input.

use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::evaluate::Evaluation;
use treeproof_ensemble::exact::Exact;

use super::space::Space;

/// `max over cases · min over sums · Σ ± margin + constant`, over the points of a space.
#[derive(Clone, Debug)]
pub struct Form<'a> {
    /// One or two models, each a sum; callers refuse others.
    pub models: Vec<&'a Ensemble>,
    /// The admissible inputs.
    pub space: Space<'a>,
    /// Alternatives, of which the best counts. At least one.
    pub cases: Vec<Vec<Sum>>,
}

/// A sum of margins. In a case the smallest sum counts.
#[derive(Clone, Debug)]
pub struct Sum {
    /// The margins.
    pub terms: Vec<Term>,
    /// The constant.
    pub constant: Exact,
}

/// A margin of a model at an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Term {
    /// The model, by its place in the form.
    pub model: usize,
    /// The input: 0, or 1 for the second of two. In conditions these are [`Side::Only`] or [`Side::A`], and [`Side::B`].
    ///
    /// [`Side::Only`]: treeproof_language::Side::Only
    /// [`Side::A`]: treeproof_language::Side::A
    /// [`Side::B`]: treeproof_language::Side::B
    pub input: usize,
    /// The margin.
    pub output: usize,
    /// True if it is subtracted.
    pub negated: bool,
}

/// The number to maximise: the margin of an output, or its negative.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MarginObjective {
    /// The output.
    pub output: usize,
    /// True to maximise the negative, which is to minimise.
    pub negated: bool,
}

/// Rows of raw values: for each input one per model, in the order of that model's features.
pub type InputRows = Vec<Vec<Vec<f64>>>;

impl Sum {
    /// The sum of these margins.
    pub fn of(terms: impl Into<Vec<Term>>) -> Self {
        Self { terms: terms.into(), constant: Exact::zero() }
    }

    /// The sum with a number added.
    #[must_use]
    pub fn plus(self, number: &Exact) -> Self {
        Self { constant: self.constant.plus(number), ..self }
    }
}

impl Form<'_> {
    /// Evaluates the models at rows. An error says which row a library refuses, and why.
    pub fn evaluate(&self, rows: &InputRows) -> Result<Vec<Vec<Evaluation>>, String> {
        let one = |(model, row): (&&Ensemble, &Vec<f64>)| model.evaluate(row).map_err(|error| error.to_string());
        rows.iter().map(|of_input| self.models.iter().zip(of_input).map(one).collect()).collect()
    }

    /// The exact value of the form: plain code, the reference for what is compiled. `None` if it is not finite.
    pub fn value(&self, evaluations: &[Vec<Evaluation>]) -> Option<Exact> {
        best(&self.cases, |term| &evaluations[term.input][term.model])
    }
}

/// The largest value of some cases, each the smallest of its sums, given the evaluation of each term's model at its input.
/// `None` if a margin is not finite.
pub(crate) fn best<'e>(cases: &[Vec<Sum>], evaluation: impl Fn(&Term) -> &'e Evaluation) -> Option<Exact> {
    let margin = |term: &Term| {
        let exact = evaluation(term).margins[term.output].exact.as_ref()?;
        Some(if term.negated { exact.negated() } else { exact.clone() })
    };
    let sum =
        |sum: &Sum| sum.terms.iter().try_fold(sum.constant.clone(), |total, term| Some(total.plus(&margin(term)?)));
    let case = |sums: &Vec<Sum>| sums.iter().map(sum).collect::<Option<Vec<Exact>>>()?.into_iter().min();
    cases.iter().map(case).collect::<Option<Vec<Exact>>>()?.into_iter().max()
}
