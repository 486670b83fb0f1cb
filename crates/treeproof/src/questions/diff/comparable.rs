//! Meaning of a model's margins, so that probabilities are never subtracted from log-odds.

use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::label::{ClassName, LabelRule};
use treeproof_ensemble::link::{Link, PairRule};

use crate::error::TaskError;

/// A message names so many classes.
const SHOWN: usize = 5;

/// Refuses two models whose margins mean different things, or stand for different classes: their difference would mean nothing.
///
/// # Errors
/// If so: what the margins are.
pub(in crate::questions) fn are_comparable(models: [&Ensemble; 2]) -> Result<(), TaskError> {
    if let [Some(first), Some(second)] = models.map(meaning)
        && first != second
    {
        return Err(unlike(&format!("margins are {first} in the first, {second} in the second")));
    }
    match models.map(classes) {
        [Some(first), Some(second)] if first != second => {
            Err(unlike(&format!("classes are {} in the first, {} in the second", shown(first), shown(second))))
        }
        _ => Ok(()),
    }
}

fn unlike(what: &str) -> TaskError {
    let hint = "`solve` takes sums of any margins";
    TaskError::Unsuitable(format!("the models cannot be compared by their margins: {what}; {hint}"))
}

/// Meaning of the margins; `None` where the file does not say.
fn meaning(model: &Ensemble) -> Option<String> {
    // A dump has trees alone: what it is compared with says what they mean.
    if model.source().format.contains("dump") {
        return None;
    }
    Some(of_link(model, model.link()))
}

fn of_link(model: &Ensemble, link: &Link) -> String {
    const LOG_ODDS: &str = "log-odds";
    const SCORES: &str = "logarithms of the classes' probabilities, up to a constant";
    let is_raw = model.source().objective.as_deref() == Some("binary:logitraw");
    match link {
        Link::Identity if is_raw => LOG_ODDS.to_owned(),
        Link::Identity | Link::Narrow if *model.label_rule() == LabelRule::None => "the output itself".to_owned(),
        Link::Identity | Link::Narrow => scores(model),
        Link::PairOnnx { rule: PairRule::Complement } => "the probability of the second class".to_owned(),
        Link::PairOnnx { rule: PairRule::Negation } => "a score of the second class".to_owned(),
        Link::PairOnnx { rule: PairRule::Logistic } | Link::LogisticXgboost | Link::LogisticOnnx => LOG_ODDS.to_owned(),
        Link::Logistic { slope: 1.0 } => LOG_ODDS.to_owned(),
        Link::Logistic { slope } => format!("log-odds divided by {slope}"),
        Link::SoftmaxXgboost | Link::Softmax | Link::SoftmaxOnnx | Link::ClassIndex => SCORES.to_owned(),
        Link::ExpF32 | Link::Exp => "the logarithm of the output".to_owned(),
        Link::Hinge => "a score of the second class by hinge loss".to_owned(),
        Link::LogOnePlusExp => "what log1p(exp) makes the output of".to_owned(),
        Link::SignedSquare => "the root of the output".to_owned(),
        Link::Isolation { scale } => format!("path lengths added up, {scale} on average"),
        Link::VersionDependent => "the output itself, before versions order it".to_owned(),
        Link::Averaged { divisor, then } => format!("{divisor} times {}", of_link(model, then)),
    }
}

/// Meaning for a classifier whose outputs are its margins: probabilities of forests, or votes.
fn scores(model: &Ensemble) -> String {
    match model.label_rule() {
        LabelRule::MarginAbove { threshold: 0.5 } | LabelRule::OutputAbove { threshold: 0.5 } => {
            "the probability of the second class".to_owned()
        }
        LabelRule::LargestMargin | LabelRule::LargestOutput | LabelRule::LargestScored => {
            "the probabilities, or scores, of the classes".to_owned()
        }
        _ => "a score of the second class".to_owned(),
    }
}

/// The classes that margins stand for; none where they have only numbers in order, as files without names have.
fn classes(model: &Ensemble) -> Option<&[ClassName]> {
    let is_place = |(place, class): (usize, &ClassName)| match class {
        ClassName::Int(number) => usize::try_from(*number) == Ok(place),
        ClassName::Bool(is_true) => usize::from(*is_true) == place,
        ClassName::Text(text) => *text == place.to_string(),
    };
    let classes = model.classes();
    (!classes.iter().enumerate().all(is_place)).then_some(classes)
}

fn shown(classes: &[ClassName]) -> String {
    let shown: Vec<String> = classes.iter().take(SHOWN).map(ToString::to_string).collect();
    format!("{}{}", shown.join(", "), if classes.len() > SHOWN { ", …" } else { "" })
}
