//! The statement of a question, in the words of a proof.

use treeproof_ensemble::exact::Exact;
use treeproof_ensemble::values::{CategorySet, Present, ValueSet};
use treeproof_language::{Constraint, Groups, Side};
use treeproof_proof::statement::condition::{Condition, Direction, Domain, LinearTerm, Relation, Variable};
use treeproof_proof::statement::distance::{Distance, DistanceBound, Norm};
use treeproof_proof::statement::{Feature, Goal, GoalSum, GoalTerm, ModelFeature, Number, Row, Statement};

use crate::problem::{self, AdmissibleInputs, Ball, Form, MatchedFeature, Nearness, position};

/// The parts of a question that its statement is made of.
pub(crate) struct StatementSource<'a> {
    pub(crate) form: &'a Form<'a>,
    pub(crate) groups: &'a Groups,
    pub(crate) constraints: Vec<&'a Constraint>,
    pub(crate) nearness: Nearness<'a>,
    pub(crate) goal: Goal,
}

/// One input that is compared with a row.
pub(crate) struct FromRow<'a> {
    pub(crate) row: &'a [f64],
    pub(crate) near: Distance,
    /// Bounds on other distances.
    pub(crate) within: Vec<DistanceBound>,
    /// Largest number of units that change: features, or groups.
    pub(crate) most_changed: Option<usize>,
    /// Lists of features, of each of which one at least stays as it is.
    pub(crate) not_all: &'a [Vec<usize>],
}

impl FromRow<'_> {
    /// Adds the row and its conditions to a statement.
    pub(crate) fn add(self, statement: &mut Statement, groups: &Groups) {
        statement.reference = Some(row(self.row));
        statement.near = Some(self.near);
        statement.within = self.within;
        if let Some(most) = self.most_changed {
            let units = units(groups, self.row.len());
            statement.conditions.push(Condition::Changed { units, at_least: 0, at_most: most as u64 });
        }
        for features in self.not_all {
            let mut units: Vec<Vec<u32>> = vec![];
            for feature in features {
                let unit = match groups.of(*feature) {
                    Some(group) => group.columns.iter().copied().map(position).collect(),
                    None => vec![position(*feature)],
                };
                if !units.contains(&unit) {
                    units.push(unit);
                }
            }
            let at_most = (units.len() as u64).saturating_sub(1);
            statement.conditions.push(Condition::Changed { units, at_least: 0, at_most });
        }
    }
}

impl<'a> StatementSource<'a> {
    /// The statement that there are inputs.
    pub(crate) fn anything(form: &'a Form<'a>, allowed: &AdmissibleInputs<'a>, nearness: Nearness<'a>) -> Self {
        Self { form, groups: allowed.groups, constraints: allowed.across(), nearness, goal: Goal::Anything }
    }

    /// The statement.
    pub(crate) fn statement(self) -> Statement {
        let space = &self.form.space;
        let feature = |feature: &MatchedFeature<'_>| Feature {
            name: feature.name().to_owned(),
            readers: feature
                .readers()
                .iter()
                .map(|reader| ModelFeature { model: position(reader.model), feature: position(reader.feature) })
                .collect(),
        };
        let mut conditions: Vec<Condition> =
            self.constraints.iter().map(|constraint| condition(constraint, &space.inputs)).collect();
        let mut reference = None;
        let mut near = None;
        match self.nearness {
            Nearness::Any => {}
            Nearness::Ball(ball) => near = Some(ball_near(ball)),
            Nearness::Start(start) => {
                let units = units(self.groups, start.row.len());
                conditions.push(Condition::Changed { units, at_least: 0, at_most: start.at_most as u64 });
                reference = Some(row(&start.row));
            }
        }
        let inputs: Vec<Vec<Domain>> =
            space.inputs.iter().map(|domains| domains.iter().map(domain).collect()).collect();
        Statement {
            features: space.features.iter().map(feature).collect(),
            ties: if inputs.len() == 2 { space.ties.clone() } else { vec![] },
            inputs,
            groups: self.groups.iter().map(|group| group.columns.iter().copied().map(position).collect()).collect(),
            reference,
            conditions,
            near,
            within: vec![],
            goal: self.goal,
        }
    }
}

/// Units of which each change counts once: a feature, or the columns of a group.
fn units(groups: &Groups, num_features: usize) -> Vec<Vec<u32>> {
    let alone =
        (0..num_features).filter(|feature| groups.of(*feature).is_none()).map(|feature| vec![position(feature)]);
    let together = groups.iter().map(|group| group.columns.iter().copied().map(position).collect());
    alone.chain(together).collect()
}

/// The goal to maximise the value of a form.
pub(crate) fn goal_of_sums(cases: &[Vec<problem::Sum>]) -> Goal {
    let term = |term: &problem::Term| GoalTerm {
        model: position(term.model),
        input: position(term.input),
        output: position(term.output),
        negated: term.negated,
    };
    let sum =
        |sum: &problem::Sum| GoalSum { terms: sum.terms.iter().map(term).collect(), constant: sum.constant.clone() };
    Goal::Sums(cases.iter().map(|case| case.iter().map(sum).collect()).collect())
}

/// A row of raw values.
pub(crate) fn row(row: &[f64]) -> Row {
    Row(row.iter().copied().map(Number).collect())
}

fn ball_near(ball: &Ball) -> Distance {
    let mut near = metric_near(&ball.metric, |feature| ball.missing_cost(feature));
    near.radius = Some(Number(ball.radius));
    near
}

/// A distance, given the cost of becoming or ceasing to be missing for each feature.
pub(crate) fn metric_near(metric: &problem::Metric, missing_cost: impl Fn(usize) -> Option<f64>) -> Distance {
    Distance {
        norm: Norm::from(metric.norm),
        factors: metric.factors.iter().copied().map(Number).collect(),
        number_factors: metric
            .scales
            .as_ref()
            .filter(|_| !metric.rule().counts_changes)
            .map(|scales| (0..scales.len()).map(|feature| Number(metric.number_factor(feature))).collect()),
        missing_costs: (0..metric.factors.len()).map(|feature| missing_cost(feature).map(Number)).collect(),
        category_cost: metric.category_price().map(Number),
        radius: None,
    }
}

fn domain(domain: &problem::Domain) -> Domain {
    match domain {
        problem::Domain::Numbers { numbers, missing } => Domain::Numbers {
            ranges: numbers.ranges().iter().map(|range| (Number(range.low), Number(range.high))).collect(),
            steps: numbers.steps().to_vec(),
            missing: *missing,
        },
        problem::Domain::Categories { codes, unknown, missing } => {
            Domain::Categories { codes: codes.clone(), unknown: *unknown, missing: *missing }
        }
    }
}

fn variable(variable: treeproof_language::Variable) -> Variable {
    Variable { input: u32::from(variable.side == Side::B), feature: position(variable.feature) }
}

/// A condition in the words of a proof, on inputs that may have these values.
pub(crate) fn condition(constraint: &Constraint, inputs: &[Vec<problem::Domain>]) -> Condition {
    let all = |parts: &[Constraint]| parts.iter().map(|part| condition(part, inputs)).collect();
    match constraint {
        Constraint::All(parts) => Condition::All(all(parts)),
        Constraint::Any(parts) => Condition::Any(all(parts)),
        Constraint::Values(of, values) => {
            let own = variable(*of);
            value_set(own, values, &inputs[own.input as usize][own.feature as usize])
        }
        Constraint::Multiple { variable: of, step, is_negated } => {
            Condition::Multiple { variable: variable(*of), step: step.clone(), negated: *is_negated }
        }
        Constraint::Linear(linear) => {
            let scaled = |(coefficient, of): &(Exact, treeproof_language::Variable)| LinearTerm {
                coefficient: coefficient.clone(),
                variable: variable(*of),
            };
            let relation = match linear.relation {
                treeproof_language::Relation::Below => Relation::Below,
                treeproof_language::Relation::AtMost => Relation::AtMost,
                treeproof_language::Relation::Equal => Relation::Equal,
            };
            Condition::Linear {
                terms: linear.terms.iter().map(scaled).collect(),
                relation,
                constant: linear.constant.clone(),
            }
        }
        Constraint::Count { columns, number } => Condition::Count {
            columns: columns.iter().copied().map(variable).collect(),
            at_least: number.at_least as u64,
            at_most: number.at_most as u64,
        },
        Constraint::Same { feature, is_negated } => {
            Condition::Same { feature: position(*feature), negated: *is_negated }
        }
        Constraint::Moved { feature, direction } => Condition::Moved {
            feature: position(*feature),
            direction: match direction {
                treeproof_language::Movement::AtLeast => Direction::AtLeast,
                treeproof_language::Movement::AtMost => Direction::AtMost,
                treeproof_language::Movement::Above => Direction::Above,
                treeproof_language::Movement::Below => Direction::Below,
            },
        },
        Constraint::Changed { units, number } => Condition::Changed {
            units: units.iter().map(|unit| unit.iter().copied().map(position).collect()).collect(),
            at_least: number.at_least as u64,
            at_most: number.at_most as u64,
        },
    }
}

/// The condition that a variable is in a value set.
fn value_set(of: Variable, values: &ValueSet, possible: &problem::Domain) -> Condition {
    let missing = values.missing;
    match &values.present {
        Present::Numbers(ranges) => Condition::Values(
            of,
            Domain::Numbers {
                ranges: ranges.iter().map(|range| (Number(range.low), Number(range.high))).collect(),
                steps: vec![],
                missing,
            },
        ),
        Present::Categories(CategorySet::Only(codes)) => Condition::Values(
            of,
            Domain::Categories { codes: codes.iter().copied().collect(), unknown: false, missing },
        ),
        Present::Categories(CategorySet::Except(others)) => {
            let possible = if let problem::Domain::Categories { codes, .. } = possible { &codes[..] } else { &[] };
            let codes = possible.iter().copied().filter(|code| !others.contains(code)).collect();
            Condition::Values(of, Domain::Categories { codes, unknown: true, missing })
        }
    }
}
