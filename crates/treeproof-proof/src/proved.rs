//! What is proved, in words.

use std::cmp::Ordering;
use std::fmt::{Display, Formatter, Result};

use treeproof_ensemble::exact::Exact;

use crate::section::{Conclusion, Header, Listed};
use crate::statement::{Claim, Goal, Statement, Sum, Term};

/// A section that is right: what is so.
#[derive(Debug)]
pub struct Proved {
    /// What is proved, but for the claim.
    pub header: Header,
    /// The claim, and the witness.
    pub conclusion: Conclusion,
    /// The number of records of its log.
    pub records: u64,
}

impl Display for Proved {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let statement = &self.header.statement;
        let goal = goal(statement);
        // A sum is a number, which reaches the goal where it is not negative.
        let reached = match statement.goal {
            Goal::Sums(_) => format!("{goal} at or above 0"),
            _ => goal.clone(),
        };
        if !self.header.name.is_empty() {
            write!(f, "{}: ", self.header.name)?;
        }
        let near = statement.near.as_ref();
        let norm = near.map_or("", |near| near.norm.name());
        let within = near.and_then(|near| near.radius).map_or(String::new(), |radius| match statement.inputs.len() {
            1 => format!(" within {} of the row ({norm})", radius.0),
            _ => format!(" of inputs at most {} apart ({norm})", radius.0),
        });
        match &self.conclusion.claim {
            Claim::Never if matches!(statement.goal, Goal::Anything) => {
                write!(f, "no input{within} meets the conditions")?
            }
            Claim::Reached if matches!(statement.goal, Goal::Anything) => {
                write!(f, "the witness{within} meets the conditions")?;
            }
            Claim::AtMost(most) if !self.conclusion.listed.is_empty() => {
                write!(f, "{goal} is {}, and ", listed(&self.conclusion.listed))?;
                match most.0 {
                    f64::NEG_INFINITY => write!(f, "there are no others")?,
                    most => write!(f, "at most {} in all others", most + 0.0)?,
                }
            }
            Claim::AtMost(most) => write!(f, "{goal}{within} is at most {}", most.0 + 0.0)?,
            Claim::Never if !statement.conditions.is_empty() => {
                write!(f, "no input{within} that meets the conditions has {reached}")?;
            }
            Claim::Never => write!(f, "no input{within} has {reached}")?,
            Claim::NotNearer(distance) => write!(f, "no input with {reached} is nearer than {} ({norm})", distance.0)?,
            Claim::Infeasible => write!(f, "no input{within} meets the conditions")?,
            Claim::Reached => write!(f, "the witness has {reached}")?,
            Claim::Nothing => write!(f, "nothing was proved about {goal}")?,
        }
        match self.records {
            1 => write!(f, " (1 step checked)"),
            records => write!(f, " ({records} steps checked)"),
        }
    }
}

/// What is asked about.
fn goal(statement: &Statement) -> String {
    match &statement.goal {
        Goal::Sums(cases) => match &cases[..] {
            [sums] if sums.len() == 1 => sum(&sums[0], statement.inputs.len()),
            _ => "the sum asked about".to_owned(),
        },
        Goal::OtherLabel { class: None, .. } if statement.inputs.len() == 1 => "any label".to_owned(),
        Goal::OtherLabel { class: None, .. } => "two different labels".to_owned(),
        Goal::OtherLabel { class: Some(class), .. } => format!("another label than class {class}"),
        Goal::Label { class, .. } => format!("the label of class {class}"),
        Goal::Output { number, above: true } => format!("an output above {}", number.0),
        Goal::Output { number, above: false } => format!("an output below {}", number.0),
        Goal::Moved { by } => format!("an output that differs by more than {}", by.0),
        Goal::Anything => "any input".to_owned(),
    }
}

/// A sum, if it is one that words say shortly.
fn sum(sum: &Sum, num_inputs: usize) -> String {
    let asked = || "the sum asked about".to_owned();
    let what = match &sum.terms[..] {
        [one] if num_inputs > 1 || one.model != 0 => asked(),
        [one] if one.negated => "minus the margin".to_owned(),
        [_] => "the margin".to_owned(),
        [one, other] if one.negated != other.negated => {
            let (added, taken) = if one.negated { (other, one) } else { (one, other) };
            difference(added, taken).unwrap_or_else(asked)
        }
        _ => asked(),
    };
    // To the last digit: what is claimed of the sum is exact, too.
    let size = sum.constant.magnitude();
    let number = size.to_f64();
    let text = if Exact::from_f64(number).as_ref() == Some(&size) { number.to_string() } else { size.to_string() };
    match sum.constant.cmp(&Exact::zero()) {
        Ordering::Equal => what,
        Ordering::Less => format!("{what} minus {text}"),
        Ordering::Greater => format!("{what} plus {text}"),
    }
}

/// One margin minus another, if they differ in one thing.
fn difference(added: &Term, taken: &Term) -> Option<String> {
    let place = |number: u32| if number == 0 { "first" } else { "second" };
    let of = |what: &str, [one, other]: [u32; 2]| {
        Some(format!("the margin of the {} {what} minus that of the {}", place(one), place(other)))
    };
    match (added.model != taken.model, added.input != taken.input, added.output != taken.output) {
        (false, true, false) => of("input", [added.input, taken.input]),
        (true, false, false) => of("model", [added.model, taken.model]),
        (false, false, true) => Some(format!("margin {} minus margin {}", added.output, taken.output)),
        _ => None,
    }
}

/// What listed regions are worth.
fn listed(listed: &[Listed]) -> String {
    let outputs = || listed.iter().map(|listed| &listed.output);
    let [least, most] = [outputs().min(), outputs().max()].map(|end| end.map_or(f64::NAN, Exact::to_f64) + 0.0);
    let between = if least == most { format!("{least}") } else { format!("{least} to {most}") };
    match listed.len() {
        1 => format!("{between} in one listed region"),
        count => format!("{between} in {count} listed regions"),
    }
}
