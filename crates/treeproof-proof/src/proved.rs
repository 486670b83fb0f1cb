//! What is proved, in words.

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
                write!(f, "no input{within} that meets the conditions has {goal}")?;
            }
            Claim::Never => write!(f, "no input{within} has {goal}")?,
            Claim::NotNearer(distance) => write!(f, "no input with {goal} is nearer than {} ({norm})", distance.0)?,
            Claim::Infeasible => write!(f, "no input meets the conditions")?,
            Claim::Reached => write!(f, "the witness has {goal}")?,
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
        Goal::OtherLabel { class: None, .. } => "two different labels".to_owned(),
        Goal::OtherLabel { class: Some(class), .. } => format!("another label than class {class}"),
        Goal::Label { class, .. } => format!("the label of class {class}"),
        Goal::Output { number, above: true } => format!("an output above {}", number.0),
        Goal::Output { number, above: false } => format!("an output below {}", number.0),
        Goal::Moved { by } => format!("an output that differs by more than {}", by.0),
        Goal::Anything => "any input".to_owned(),
    }
}

fn sum(sum: &Sum, num_inputs: usize) -> String {
    let is_second = |term: &Term| term.input == 1 && !term.negated;
    let what = match (&sum.terms[..], num_inputs) {
        ([one], 1) if one.negated => "minus the margin",
        ([_], 1) => "the margin",
        (_, 1) => "the difference of the margins",
        ([one, other], _) if one.input == other.input || one.negated == other.negated => "the sum asked about",
        ([one, other], _) if is_second(one) || is_second(other) => {
            "the margin of the second input minus that of the first"
        }
        ([_, _], _) => "the margin of the first input minus that of the second",
        _ => "the sum asked about",
    };
    match sum.constant.to_f64() {
        0.0 => what.to_owned(),
        constant if constant < 0.0 => format!("{what} minus {}", -constant),
        constant => format!("{what} plus {constant}"),
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
