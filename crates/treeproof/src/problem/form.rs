//! What is compiled: the largest of some cases of the smallest of some sums of margins, each of a model at an input.

use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::evaluate::Evaluation;
use treeproof_ensemble::exact::Exact;

use super::space::Space;

/// `max over cases · min over sums · Σ ± margin + constant`, over the points of a space.
#[derive(Clone, Debug)]
pub struct Form<'a> {
    /// One or two models. Each must be a sum; that is for whoever takes the question to see to.
    pub models: Vec<&'a Ensemble>,
    /// The values that the inputs may take.
    pub space: Space<'a>,
    /// The best case counts. At least one.
    pub cases: Vec<Vec<Sum>>,
}

/// Margins added up. Of a case the smallest counts.
#[derive(Clone, Debug)]
pub struct Sum {
    /// The margins.
    pub terms: Vec<Term>,
    /// What is added.
    pub constant: Exact,
}

/// The margin of a model at an input.
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
    /// Whether it is subtracted.
    pub negated: bool,
}

/// Which number is maximised: the margin of an output, or its negative.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Objective {
    /// The output.
    pub output: usize,
    /// Maximise the negative, which is to minimise.
    pub negated: bool,
}

/// Rows of raw values: for each input one per model, in the order of that model's features.
pub type InputRows = Vec<Vec<Vec<f64>>>;

impl Sum {
    /// The margins alone.
    pub fn of(terms: impl Into<Vec<Term>>) -> Self {
        Self { terms: terms.into(), constant: Exact::zero() }
    }

    /// The same with a number added.
    #[must_use]
    pub fn plus(self, number: &Exact) -> Self {
        Self { constant: self.constant.plus(number), ..self }
    }
}

impl Form<'_> {
    /// What the models make of rows. An error says which row a library would refuse, and why.
    pub fn evaluate(&self, rows: &InputRows) -> Result<Vec<Vec<Evaluation>>, String> {
        let one = |(model, row): (&&Ensemble, &Vec<f64>)| model.evaluate(row).map_err(|error| error.to_string());
        rows.iter().map(|of_input| self.models.iter().zip(of_input).map(one).collect()).collect()
    }

    /// The exact number that is maximised: plain code, the reference for what is compiled. None where it is not finite.
    pub fn value(&self, evaluations: &[Vec<Evaluation>]) -> Option<Exact> {
        best(&self.cases, |term| &evaluations[term.input][term.model])
    }
}

/// The largest of some cases of the smallest of their sums, by what the model of a term makes of its input. None where a margin
/// is not finite.
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
