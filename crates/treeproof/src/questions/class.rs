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
    let refuse = |what: String| Err(TaskError::Unsuitable(what));
    let Some(class) = class else {
        return match margins {
            1 => Ok(0),
            _ => refuse(format!("the model has {margins} margins: say with --class which is meant ({known})")),
        };
    };
    // A name that is a number wins over a position.
    let by_name = names.iter().position(|name| name == class);
    let by_number = || class.parse().ok().filter(|number| *number < names.len());
    match (by_name.or_else(by_number), margins, names.len()) {
        (None, 1, _) if classes.is_empty() => {
            refuse(format!("the model has no classes, and so none called `{class}`: ask without a class"))
        }
        (Some(1), 1, 2) => Ok(0),
        (Some(_), 1, 2) => refuse(format!(
            "the only margin is that of class `{}`: the margin of `{}` is its negative, so ask min for max and max for min",
            names[1], names[0]
        )),
        (Some(place), ..) if place < margins => Ok(place),
        _ => refuse(format!("the model has no class `{class}`; it has {known}")),
    }
}
