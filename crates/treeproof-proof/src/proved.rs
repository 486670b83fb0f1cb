//! What is proved, in words.

mod inputs;

use std::cmp::Ordering;
use std::fmt::{Display, Formatter, Result};

use treeproof_ensemble::exact::Exact;

use crate::file::section::{Conclusion, Header, Listed};
use crate::space::Space;
use crate::statement::{Claim, Goal, Sum, Term};

/// A section that is right: what is so.
#[derive(Debug)]
pub struct Proved {
    /// What is proved, but for the claim.
    pub header: Header,
    /// The claim, and the witness.
    pub conclusion: Conclusion,
    /// The number of records of its log.
    pub records: u64,
    /// Of which inputs it is proved, in words.
    inputs: String,
    /// Whether the models have one margin each.
    has_one_margin: bool,
}

impl Proved {
    /// What is so of the inputs of a space.
    pub(crate) fn new(space: &Space<'_>, header: &Header, conclusion: Conclusion, records: u64) -> Self {
        let has_one_margin = space.models.iter().all(|model| model.num_margins() == 1);
        Self { header: header.clone(), conclusion, records, inputs: inputs::inputs(space), has_one_margin }
    }
}

impl Display for Proved {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let statement = &self.header.statement;
        let goal = self.goal();
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
            1 => format!(" within {} of the row ({norm})", said(radius.0)),
            _ => format!(" of inputs at most {} apart ({norm})", said(radius.0)),
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
                    most => write!(f, "at most {} in all others", said(most))?,
                }
            }
            Claim::AtMost(most) => write!(f, "{goal}{within} is at most {}", said(most.0))?,
            Claim::Never => write!(f, "no input{within} has {reached}")?,
            Claim::NotNearer(distance) => {
                write!(f, "no input with {reached} is nearer than {} ({norm})", said(distance.0))?
            }
            Claim::Infeasible => write!(f, "no input{within} meets the conditions")?,
            Claim::Reached => write!(f, "the witness has {reached}")?,
            Claim::Nothing => write!(f, "nothing was proved about {goal}")?,
        }
        let steps = if self.records == 1 { "step" } else { "steps" };
        write!(f, "{} ({} {steps} checked)", self.inputs, self.records)
    }
}

/// A number: very large and very small ones with a power of ten.
fn said(number: f64) -> String {
    let size = number.abs();
    let is_plain = size == 0.0 || (1e-5..1e17).contains(&size) || !size.is_finite();
    if is_plain { (number + 0.0).to_string() } else { format!("{number:e}") }
}

fn count(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

impl Proved {
    /// What is asked about.
    fn goal(&self) -> String {
        let statement = &self.header.statement;
        let goal = match &statement.goal {
            Goal::Sums(cases) => {
                return match &cases[..] {
                    [sums] if sums.len() == 1 => self.sum(&sums[0]),
                    _ => "the sum asked about".to_owned(),
                };
            }
            Goal::OtherLabel { class: None, .. } if statement.inputs.len() == 1 => "any label".to_owned(),
            Goal::OtherLabel { class: None, .. } => "two different labels".to_owned(),
            Goal::OtherLabel { class: Some(class), .. } => format!("another label than class {class}"),
            Goal::Label { class, .. } => format!("the label of class {class}"),
            Goal::Output { number, above: true } => format!("an output above {}", said(number.0)),
            Goal::Output { number, above: false } => format!("an output below {}", said(number.0)),
            Goal::Moved { by } => format!("an output that differs by more than {}", said(by.0)),
            Goal::Anything => return "any input".to_owned(),
        };
        let threshold = match &statement.goal {
            Goal::OtherLabel { threshold, .. } | Goal::Label { threshold, .. } => *threshold,
            _ => None,
        };
        let threshold = threshold.map_or(String::new(), |number| format!(" at the threshold {}", said(number.0)));
        format!("{goal}{threshold}{}", self.of_model(0))
    }

    /// A sum, if it is one that words say shortly.
    fn sum(&self, sum: &Sum) -> String {
        let asked = || "the sum asked about".to_owned();
        let is_other = |term: &Term| self.header.statement.inputs.len() > 1 || term.model != 0;
        let what = match &sum.terms[..] {
            [one] if is_other(one) => asked(),
            [one] => {
                let margin = self.margin(one, "the margin");
                let of_model = self.of_model(one.model);
                if one.negated { format!("minus {margin}{of_model}") } else { format!("{margin}{of_model}") }
            }
            [one, other] if one.negated != other.negated => {
                let (added, taken) = if one.negated { (other, one) } else { (one, other) };
                self.difference(added, taken).unwrap_or_else(asked)
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

    /// The margin, or which of several.
    fn margin(&self, term: &Term, only: &str) -> String {
        if self.has_one_margin { only.to_owned() } else { format!("margin {}", term.output) }
    }

    /// Which of the models of a file it is about, if it names some of them.
    fn of_model(&self, model: u32) -> String {
        let place = self.header.models.get(model as usize);
        place.map_or(String::new(), |place| format!(" of the {} model", ordinal(*place)))
    }

    /// One margin minus another, if they differ in one thing.
    fn difference(&self, added: &Term, taken: &Term) -> Option<String> {
        let margin = self.margin(added, "the margin");
        let of = |what: &str, [one, other]: [u32; 2]| {
            Some(format!("{margin} of the {} {what} minus that of the {}", ordinal(one), ordinal(other)))
        };
        let place = |model: u32| self.header.models.get(model as usize).copied().unwrap_or(model);
        match (added.model != taken.model, added.input != taken.input, added.output != taken.output) {
            (false, true, false) => {
                let of_model = self.of_model(added.model).replacen(" of", " in", 1);
                of("input", [added.input, taken.input]).map(|said| format!("{said}{of_model}"))
            }
            (true, false, false) => of("model", [place(added.model), place(taken.model)]),
            (false, false, true) => Some(format!("margin {} minus margin {}", added.output, taken.output)),
            _ => None,
        }
    }
}

/// A place in a list.
fn ordinal(place: u32) -> String {
    match place {
        0 => "first".to_owned(),
        1 => "second".to_owned(),
        2 => "third".to_owned(),
        place => format!("{}th", place.saturating_add(1)),
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
