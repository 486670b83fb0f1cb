//! The goal as cases of exact sums, which are necessary for it, and as the library's own decision.

mod symmetry;

use treeproof_ensemble::decision::{Labels, MarginSum, NoDecision};
use treeproof_ensemble::evaluate::Evaluation;
use treeproof_ensemble::exact::Exact;
use treeproof_proof::statement::{Goal, GoalSum, GoalTerm, Number, Statement};

use crate::error::{Refused, ensure};
use crate::space::Space;

/// A goal for the models of a statement.
#[derive(Debug)]
pub struct ResolvedGoal<'a> {
    space: &'a Space<'a>,
    /// The cases: at every input that reaches the goal all sums of some case are at least 0.
    pub cases: Vec<Vec<GoalSum>>,
    /// The bound from which on all sums of a case make the library reach the goal in any order of addition.
    certain: Exact,
    /// The width by which the library's margin of a class must be below another's to rule it out, whatever the others are.
    pub tie_width: Option<f64>,
    /// The output at the reference.
    own: f64,
}

impl From<NoDecision> for Refused {
    fn from(error: NoDecision) -> Self {
        Self(error.to_string())
    }
}

impl<'a> ResolvedGoal<'a> {
    /// Resolves the goal of a statement.
    ///
    /// # Errors
    /// If it names something that does not exist, or cannot be proved.
    pub fn new(space: &'a Space<'a>) -> Result<Self, Refused> {
        let mut goal = Self { space, cases: vec![], certain: Exact::zero(), tie_width: None, own: f64::NAN };
        let last = space.statement.inputs.len() - 1;
        let (model, threshold) = (&space.models[0], |threshold: &Option<Number>| threshold.map(|number| number.0));
        match &space.statement.goal {
            Goal::Sums(cases) => {
                ensure(!cases.is_empty() && cases.iter().all(|case| !case.is_empty()), || {
                    "a case has no sum".to_owned()
                })?;
                cases.iter().flatten().flat_map(|sum| &sum.terms).try_for_each(|term| is_there(space, term))?;
                goal.cases = cases.clone();
            }
            Goal::Anything => goal.cases = vec![vec![GoalSum { terms: vec![], constant: Exact::one() }]],
            Goal::OtherLabel { class, threshold: number } => {
                let labels = Labels::new(model, threshold(number))?;
                goal.certain = labels.certain().clone();
                goal.tie_width = labels.tie_width();
                let classes = 0..labels.num_classes();
                ensure(class.is_none_or(|class| classes.contains(&(class as usize))), || {
                    "there is no such class".to_owned()
                })?;
                goal.cases = match class {
                    None if last == 1 => {
                        let pairs = classes.clone().flat_map(|one| classes.clone().map(move |other| (one, other)));
                        // The other order of exchangeable inputs is the same question.
                        let is_asked = pairs_asked(space.statement);
                        let pair = |(one, other)| [at(labels.possible(one), 0), at(labels.possible(other), 1)].concat();
                        pairs.filter(is_asked).map(pair).collect()
                    }
                    class => labels
                        .beating(class.map(|class| class as usize))
                        .into_iter()
                        .map(|case| at(case, last))
                        .collect(),
                };
            }
            Goal::Label { class, threshold: number } => {
                let labels = Labels::new(model, threshold(number))?;
                ensure((*class as usize) < labels.num_classes(), || "there is no such class".to_owned())?;
                goal.certain = labels.certain().clone();
                goal.tie_width = labels.tie_width();
                goal.cases = vec![at(labels.possible(*class as usize), last)];
            }
            Goal::Output { number, above: true } => goal.add(number.0, 1)?,
            Goal::Output { number, above: false } => goal.add(number.0.next_down(), 0)?,
            Goal::Moved { by } => {
                goal.own = goal.output_at_reference()?;
                let (Some(own), Some(by)) = (Exact::from_f64(goal.own), Exact::from_f64(by.0)) else {
                    return Err(Refused::because("an output that is not finite does not move"));
                };
                let ends = [(own.plus(&by).floor_f64(), 1), (own.minus(&by).ceil_f64().next_down(), 0)];
                for (number, class) in ends {
                    // Outputs that no margin gives are out of reach.
                    if model.num_margins() != 1 || !Labels::is_out_of_reach(model, number, class) {
                        goal.add(number, class)?;
                    }
                }
            }
        }
        Ok(goal)
    }

    /// Adds a case of outputs at most a number (class 0), or above it (class 1).
    fn add(&mut self, number: f64, class: usize) -> Result<(), Refused> {
        let labels = Labels::of_output(self.space.models[0], number)?;
        self.certain = labels.certain().clone().max(self.certain.clone());
        self.cases.push(at(labels.possible(class), self.space.statement.inputs.len() - 1));
        Ok(())
    }

    fn output_at_reference(&self) -> Result<f64, Refused> {
        let reference =
            self.space.statement.reference.as_ref().ok_or_else(|| Refused::because("there is no reference"))?;
        let model = &self.space.models[0];
        let features = 0..u32::try_from(model.features().len()).unwrap_or(u32::MAX);
        let row: Vec<f64> = features.map(|feature| reference.0[self.space.place(0, feature).0].0).collect();
        let evaluation = model.evaluate(&row).map_err(|error| Refused(format!("the reference: {error}")))?;
        Ok(evaluation.outputs.first().copied().unwrap_or(f64::NAN))
    }

    /// The largest case's smallest sum at evaluated inputs; `None` if a margin is not finite.
    pub fn value(&self, evaluations: &[Vec<Evaluation>]) -> Option<Exact> {
        let margin = |term: &GoalTerm| {
            let evaluation = &evaluations[term.input as usize][term.model as usize];
            let exact = evaluation.margins[term.output as usize].exact.as_ref()?;
            Some(if term.negated { exact.negated() } else { exact.clone() })
        };
        let sum = |sum: &GoalSum| {
            sum.terms.iter().try_fold(sum.constant.clone(), |total, term| Some(total.plus(&margin(term)?)))
        };
        let case = |sums: &Vec<GoalSum>| sums.iter().map(sum).collect::<Option<Vec<Exact>>>()?.into_iter().min();
        self.cases.iter().map(case).collect::<Option<Vec<Exact>>>()?.into_iter().max()
    }

    /// True if the library's own results for the inputs reach the goal, in every order of addition if it has no fixed one.
    pub fn is_reached(&self, evaluations: &[Vec<Evaluation>]) -> bool {
        let model = &self.space.models[0];
        let of = |input: usize| &evaluations[input][0];
        let last = evaluations.len() - 1;
        let output = of(last).outputs.first().copied().unwrap_or(f64::NAN);
        let class =
            |input: usize, number: &Option<Number>| Labels::class_by(model, number.map(|number| number.0), of(input));
        let is_said = match &self.space.statement.goal {
            Goal::Sums(_) => return self.value(evaluations).is_some_and(|value| value >= Exact::zero()),
            Goal::Anything => return true,
            Goal::OtherLabel { class: None, threshold } if last == 1 => class(0, threshold) != class(1, threshold),
            Goal::OtherLabel { class: own, threshold } => class(last, threshold) != own.map(|own| own as usize),
            Goal::Label { class: wanted, threshold } => class(last, threshold) == Some(*wanted as usize),
            Goal::Output { number, above: true } => output > number.0,
            Goal::Output { number, above: false } => output < number.0,
            Goal::Moved { by } => match (Exact::from_f64(output), Exact::from_f64(self.own), Exact::from_f64(by.0)) {
                (Some(output), Some(own), Some(by)) => output.minus(&own).magnitude() > by,
                _ => true,
            },
        };
        let is_fixed = model.summation().is_some_and(|summation| summation.fixed_order);
        is_said && (is_fixed || self.value(evaluations).is_some_and(|value| value > self.certain))
    }
}

/// A filter of the pairs of classes that two inputs may have.
fn pairs_asked(statement: &Statement) -> impl Fn(&(usize, usize)) -> bool {
    let is_symmetric = symmetry::is_symmetric(statement);
    move |(one, other)| if is_symmetric { one < other } else { one != other }
}

fn is_there(space: &Space<'_>, term: &GoalTerm) -> Result<(), Refused> {
    let model = space.models.get(term.model as usize);
    let has_output = model.is_some_and(|model| (term.output as usize) < model.num_margins());
    let has_input = (term.input as usize) < space.statement.inputs.len();
    ensure(has_output && has_input, || "a sum has a margin that is not there".to_owned())
}

/// Sums of the first model's margins at an input.
fn at(sums: Vec<MarginSum>, input: usize) -> Vec<GoalSum> {
    let number = |place: usize| u32::try_from(place).unwrap_or(u32::MAX);
    let term = |(output, negated)| GoalTerm { model: 0, input: number(input), output: number(output), negated };
    sums.into_iter()
        .map(|sum| GoalSum { terms: sum.terms.into_iter().map(term).collect(), constant: sum.constant })
        .collect()
}
