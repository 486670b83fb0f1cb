//! Wording of proved claims. It is not part of the verification.

mod condition;
mod details;
mod inputs;
mod text;

use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::exact::Exact;
use treeproof_ensemble::label::ClassName;
use treeproof_proof::conclusion::{Claim, Conclusion, ListedRegion};
use treeproof_proof::header::Header;
use treeproof_proof::stated_options::{Interface, StatedDump, StatedOptions};
use treeproof_proof::statement::distance::{Distance, Norm};
use treeproof_proof::statement::{Goal, GoalSum, GoalTerm, Number};

use self::text::{class, count, exact, ordinal, said};
use crate::check::{Proved, chosen};
use crate::error::Refused;
use crate::space::Space;

/// The words of a proved section. All of them are made of what was checked; the section's own name is not among them.
#[derive(Debug)]
struct Words<'a> {
    header: &'a Header,
    conclusion: &'a Conclusion,
    /// The words for the inputs of the claim.
    inputs: String,
    /// The classes of the first model, as it names them.
    classes: Vec<ClassName>,
    /// Names of each model's margins, if it has several.
    margins: Vec<Option<Vec<String>>>,
    /// Wording of the distance, if there is one.
    norm: String,
    /// Upper bound on the distance of the witness.
    away: Option<f64>,
}

/// The claim of a section in words, then one line for each detail that it rests on.
///
/// # Errors
/// If the section is not about these models.
pub fn lines(proved: &Proved, models: &[Ensemble]) -> Result<Vec<String>, Refused> {
    let Proved { header, conclusion, records, witness_cost } = proved;
    let space = Space::new(&header.statement, chosen(models, &header.models)?)?;
    let near = space.statement.near.as_ref();
    let num_classes = space.models[0].num_margins().max(2);
    let words = Words {
        header,
        conclusion,
        inputs: inputs::inputs(&space),
        classes: (0..num_classes).map(|class| space.models[0].class_name(class)).collect(),
        margins: space.models.iter().map(|model| margins(model)).collect(),
        norm: near.map_or(String::new(), details::norm),
        away: near.zip(witness_cost.as_ref()).map(|(near, cost)| distance(near, cost)),
    };
    // A claim that the witness shows needs no log.
    let steps = match records {
        0 => String::new(),
        records => format!(" ({} checked)", count(*records, "step", "steps")),
    };
    if proved.is_vacuous() {
        return Ok(vec![format!("{}{steps}", words.unclaimed())]);
    }
    let mut lines = vec![format!("{}{}{steps}", words.claim(), words.inputs)];
    lines.extend(words.asked_in_full());
    lines.extend(details::details(&space));
    if is_shown(conclusion) {
        lines.extend(conclusion.witness.iter().flat_map(|rows| details::witness(&space, rows)));
    }
    Ok(lines)
}

impl Words<'_> {
    /// The words where nothing is claimed.
    fn unclaimed(&self) -> String {
        let reached = self.reached();
        match self.header.statement.goal {
            Goal::Anything => "nothing is proved, not even whether there is an input".to_owned(),
            Goal::Sums(_) => format!("nothing is proved of {}", self.goal()),
            _ => format!("nothing is proved, neither that some input has {reached} nor that none has"),
        }
    }

    /// The claim.
    fn claim(&self) -> String {
        let statement = &self.header.statement;
        let (goal, reached) = (self.goal(), self.reached());
        let are_two = statement.inputs.len() == 2;
        let radius = statement.near.as_ref().and_then(|near| near.radius).map(|radius| said(radius.0));
        let within = radius.as_ref().map_or(String::new(), |radius| match are_two {
            false => format!(" within {radius} of the row ({})", self.norm),
            true => format!(" of inputs at most {radius} apart ({})", self.norm),
        });
        let (none, witness) =
            if are_two { ("no two inputs", "the two inputs of the witness") } else { ("no input", "the witness") };
        let has = if are_two { "have" } else { "has" };
        // The distance of the witness is known even where nothing is claimed about others.
        let at = match (self.away, are_two) {
            (Some(away), false) => format!(", {} from the row ({}),", said(away), self.norm),
            (Some(away), true) => format!(", {} apart ({}),", said(away), self.norm),
            (None, _) => String::new(),
        };
        let meets = if are_two { "meet the conditions" } else { "meets the conditions" };
        match &self.conclusion.claim {
            Claim::Infeasible => format!("{none}{within} {meets}"),
            Claim::Never if matches!(statement.goal, Goal::Anything) => format!("{none}{within} {meets}"),
            Claim::Reached if matches!(statement.goal, Goal::Anything) => format!("{witness}{at} {meets}"),
            Claim::AtMost(most) if !self.conclusion.listed.is_empty() => {
                let others = match most.0 {
                    f64::NEG_INFINITY => "there are no others".to_owned(),
                    f64::INFINITY => "nothing is proved of all others".to_owned(),
                    most => format!("at most {} in all others", said(most)),
                };
                format!("{goal} is {}, and {others}", listed(&self.conclusion.listed))
            }
            Claim::AtMost(most) if most.0 == f64::NEG_INFINITY => format!("{none}{within} {meets}"),
            Claim::AtMost(most) => format!("{goal}{within} is at most {}", said(most.0)),
            Claim::Never => format!("{none}{within} {has} {reached}"),
            Claim::NotNearer(nearest) => {
                // Nothing is asked about beyond the radius.
                let is_beyond = |radius: Number| nearest.0 > radius.0;
                let is_all = statement.near.as_ref().and_then(|near| near.radius).is_some_and(is_beyond);
                let nearest = (nearest.0 > 0.0).then(|| match (is_all, are_two) {
                    (true, _) => format!("{none}{within} {has} {reached}"),
                    (false, false) => {
                        format!("{none} with {reached} is nearer than {} ({})", said(nearest.0), self.norm)
                    }
                    (false, true) => {
                        format!("{none} with {reached} are less than {} apart ({})", said(nearest.0), self.norm)
                    }
                });
                let found = self.conclusion.witness.as_ref().map(|_| format!("{witness}{at} {has} {reached}"));
                nearest.into_iter().chain(found).collect::<Vec<String>>().join(", and ")
            }
            Claim::Reached => format!("{witness}{at} {has} {reached}"),
            Claim::Nothing => String::new(),
        }
    }
}

/// True if the words of a claim mention the witness.
fn is_shown(conclusion: &Conclusion) -> bool {
    conclusion.witness.is_some() && matches!(conclusion.claim, Claim::Reached | Claim::NotNearer(_))
}

/// A distance of this cost, rounded up.
fn distance(near: &Distance, cost: &Exact) -> f64 {
    if near.norm != Norm::L2 {
        return cost.ceil_f64() + 0.0;
    }
    let reaches = |distance: f64| Exact::from_f64(distance).is_none_or(|distance| distance.times(&distance) >= *cost);
    let mut distance = cost.to_f64().sqrt();
    while !reaches(distance) {
        distance = distance.next_up();
    }
    while distance > 0.0 && reaches(distance.next_down()) {
        distance = distance.next_down();
    }
    distance
}

/// The margins of a model that has several: those of its classes have their names.
fn margins(model: &Ensemble) -> Option<Vec<String>> {
    let number = model.num_margins();
    let name = |place: usize| match model.classes().get(place) {
        Some(name) if model.classes().len() == number => format!("the margin of {}", class(name)),
        _ => format!("margin {place}"),
    };
    (number > 1).then(|| (0..number).map(name).collect())
}

impl Words<'_> {
    /// The goal.
    fn goal(&self) -> String {
        let statement = &self.header.statement;
        let goal = match &statement.goal {
            Goal::Sums(cases) => {
                return match &cases[..] {
                    [sums] if sums.len() == 1 => self.sum(&sums[0]).unwrap_or_else(|| ASKED.to_owned()),
                    _ => ASKED.to_owned(),
                };
            }
            Goal::OtherLabel { class: None, .. } if statement.inputs.len() == 1 => "any label".to_owned(),
            Goal::OtherLabel { class: None, .. } => "different labels".to_owned(),
            Goal::OtherLabel { class: Some(class), .. } => format!("another label than {}", self.class(*class)),
            Goal::Label { class, .. } => format!("the label {}", self.class(*class)),
            Goal::Output { number, above: true } => format!("an output above {}", said(number.0)),
            Goal::Output { number, above: false } => format!("an output below {}", said(number.0)),
            Goal::Moved { by } => format!("an output that differs from the row's by more than {}", said(by.0)),
            Goal::Anything => return "any input".to_owned(),
        };
        let threshold = match &statement.goal {
            Goal::OtherLabel { threshold, .. } | Goal::Label { threshold, .. } => *threshold,
            _ => None,
        };
        let threshold = threshold.map_or(String::new(), |number| format!(" at the threshold {}", said(number.0)));
        // The goal is about the second of two inputs, unless it is about both.
        let is_of_second = statement.inputs.len() == 2 && goal != "different labels";
        let second = if is_of_second { " at the second input" } else { "" };
        format!("{goal}{threshold}{second}{}", self.of_model(0))
    }

    /// The words for reaching the goal; a sum reaches it where it is not negative.
    fn reached(&self) -> String {
        let goal = self.goal();
        if matches!(self.header.statement.goal, Goal::Sums(_)) { format!("{goal} at or above 0") } else { goal }
    }

    /// Name of a class of the first model by its place.
    fn class(&self, place: u32) -> String {
        self.classes.get(place as usize).map_or(format!("class {place}"), class)
    }

    /// The number that is asked about, where a sentence does not say it.
    fn asked_in_full(&self) -> Option<String> {
        let Goal::Sums(cases) = &self.header.statement.goal else { return None };
        if !self.goal().starts_with(ASKED) {
            return None;
        }
        let least = |sums: &Vec<GoalSum>| match &sums[..] {
            [one] => self.formula(one),
            sums => {
                format!("the least of ({})", sums.iter().map(|sum| self.formula(sum)).collect::<Vec<_>>().join("), ("))
            }
        };
        let cases: Vec<String> = cases.iter().map(least).collect();
        Some(match &cases[..] {
            [one] => format!("{ASKED}: {one}"),
            cases => format!("{ASKED}: the largest of ({})", cases.join("), (")),
        })
    }

    /// A sum, whole.
    fn formula(&self, sum: &GoalSum) -> String {
        if let Some(said) = self.sum(sum) {
            return said;
        }
        let mut text = String::new();
        for term in &sum.terms {
            let sign = match (text.is_empty(), term.negated) {
                (true, false) => "",
                (true, true) => "minus ",
                (false, false) => " plus ",
                (false, true) => " minus ",
            };
            let margin = self.margin(term, "the margin");
            let are_two = self.header.statement.inputs.len() > 1;
            let input = if are_two { format!(" of the {} input", ordinal(term.input)) } else { String::new() };
            let model = if self.margins.len() > 1 {
                format!(" of the {} model", ordinal(self.place(term.model)))
            } else {
                self.of_model(term.model)
            };
            text += &format!("{sign}{margin}{input}{model}");
        }
        plus(if text.is_empty() { "0" } else { &text }, &sum.constant)
    }

    /// A sum, if it is one that words say shortly.
    fn sum(&self, sum: &GoalSum) -> Option<String> {
        let is_other = |term: &GoalTerm| self.header.statement.inputs.len() > 1 || term.model != 0;
        let what = match &sum.terms[..] {
            [one] if is_other(one) => return None,
            [one] => {
                let margin = self.margin(one, "the margin");
                let of_model = self.of_model(one.model);
                if one.negated { format!("minus {margin}{of_model}") } else { format!("{margin}{of_model}") }
            }
            [one, other] if one.negated != other.negated => {
                let (added, taken) = if one.negated { (other, one) } else { (one, other) };
                self.difference(added, taken)?
            }
            _ => return None,
        };
        Some(plus(&what, &sum.constant))
    }

    /// The margin, or which of several.
    fn margin(&self, term: &GoalTerm, only: &str) -> String {
        let names = self.margins.get(term.model as usize).and_then(Option::as_ref);
        names.and_then(|names| names.get(term.output as usize)).map_or(only.to_owned(), Clone::clone)
    }

    /// Which of the models of a file it is about, if it names some of them.
    fn of_model(&self, model: u32) -> String {
        let place = self.header.models.get(model as usize);
        place.map_or(String::new(), |place| format!(" of the {} model", ordinal(*place)))
    }

    /// The place of a model in the file.
    fn place(&self, model: u32) -> u32 {
        self.header.models.get(model as usize).copied().unwrap_or(model)
    }

    /// One margin minus another, if they differ in one thing.
    fn difference(&self, added: &GoalTerm, taken: &GoalTerm) -> Option<String> {
        let margin = self.margin(added, "the margin");
        let of = |what: &str, [one, other]: [u32; 2]| {
            format!("{margin} of the {} {what} minus that of the {}", ordinal(one), ordinal(other))
        };
        let is_one_input = self.header.statement.inputs.len() == 1;
        match (added.model != taken.model, added.input != taken.input, added.output != taken.output) {
            (false, true, false) => {
                let of_model = self.of_model(added.model).replacen(" of", " in", 1);
                Some(format!("{}{of_model}", of("input", [added.input, taken.input])))
            }
            (true, false, false) if is_one_input && margin == self.margin(taken, "the margin") => {
                Some(of("model", [self.place(added.model), self.place(taken.model)]))
            }
            (false, false, true) if is_one_input => {
                Some(format!("{margin} minus {}{}", self.margin(taken, ""), self.of_model(added.model)))
            }
            _ => None,
        }
    }
}

/// Placeholder for a number that a sentence leaves out.
const ASKED: &str = "the sum asked about";

/// A sum and a constant, to the last digit: what is claimed of the sum is exact, too.
fn plus(what: &str, constant: &Exact) -> String {
    let text = exact(&constant.magnitude());
    match constant.cmp(&Exact::zero()) {
        std::cmp::Ordering::Equal => what.to_owned(),
        std::cmp::Ordering::Less => format!("{what} minus {text}"),
        std::cmp::Ordering::Greater => format!("{what} plus {text}"),
    }
}

/// The outputs of listed regions.
fn listed(listed: &[ListedRegion]) -> String {
    let outputs = || listed.iter().map(|listed| &listed.output);
    let [least, most] = [outputs().min(), outputs().max()].map(|end| end.map_or(f64::NAN, Exact::to_f64) + 0.0);
    let between = if least == most { format!("{least}") } else { format!("{least} to {most}") };
    match listed.len() {
        1 => format!("{between} in one listed region"),
        count => format!("{between} in {count} listed regions"),
    }
}

/// Stated options in words.
pub(crate) fn options(options: &StatedOptions) -> String {
    let mut all = vec![];
    if options.api == Interface::Booster {
        all.push("the native interface".to_owned());
    }
    all.extend(options.missing_value.map(|number| format!("{} as missing", number.0)));
    if let Some(StatedDump { base_margin, classes }) = &options.dump {
        let margins: Vec<String> = base_margin.iter().map(|margin| margin.0.to_string()).collect();
        all.push(format!("base margin {} and {classes} classes", margins.join(" ")));
    }
    if options.catboost_json_reader {
        all.push("leaves as CatBoost rounds them when it reads JSON".to_owned());
    }
    all.join(", ")
}
