//! The margin that a question is about.

use treeproof_ensemble::ensemble::Ensemble;
use treeproof_language::suggest::closest_name;

use crate::error::TaskError;

/// How many classes a message lists.
const LISTED: usize = 8;

/// The first of some classes, and the one that may be meant by a name.
pub(super) fn listed(names: &[String], meant: Option<&str>) -> String {
    let more = if names.len() > LISTED { ", …" } else { "" };
    let known = format!("{}{more}", names[..names.len().min(LISTED)].join(", "));
    let is_name = |name: &&str| name.parse::<f64>().is_err();
    match meant.filter(is_name).and_then(|name| closest_name(name, names.iter().map(String::as_str))) {
        Some(meant) => format!("{known}; did you mean `{meant}`?"),
        None => known,
    }
}

/// The margin of a class, given by name or else by number; the only one where there is one.
pub(super) fn output(ensemble: &Ensemble, class: Option<&str>) -> Result<usize, TaskError> {
    let (margins, classes) = (ensemble.num_margins(), ensemble.classes());
    let names: Vec<String> = match classes.is_empty() {
        true => (0..margins).map(|output| output.to_string()).collect(),
        false => classes.iter().map(ToString::to_string).collect(),
    };
    let known = listed(&names, class);
    let Some(class) = class else {
        return if margins == 1 { Ok(0) } else { Err(TaskError::ClassNeeded { margins, known }) };
    };
    // A name that is a number wins over a position.
    let by_name = names.iter().position(|name| name == class);
    let by_number = || class.parse().ok().filter(|number| *number < names.len());
    let Some(place) = by_name.or_else(by_number) else {
        return Err(match (margins, classes.is_empty()) {
            (1, true) => TaskError::NoClasses { class: class.to_owned() },
            _ => TaskError::NoSuchClass { class: class.to_owned(), known },
        });
    };
    match (margins, names.len()) {
        (1, 2) if place == 1 => Ok(0),
        (1, 2) => Err(TaskError::OtherClass { class: names[0].clone(), has: names[1].clone() }),
        _ if place < margins => Ok(place),
        _ => Err(TaskError::NoSuchClass { class: class.to_owned(), known }),
    }
}
