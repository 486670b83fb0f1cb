//! Errors as Python's users catch them, in Python's words.

use pyo3::PyErr;
use treeproof::sources::AskError;
use treeproof::task::TaskError;

/// The exceptions, as the package defines them.
mod exceptions {
    pyo3::import_exception!(treeproof.errors, DataError);
    pyo3::import_exception!(treeproof.errors, InternalError);
    pyo3::import_exception!(treeproof.errors, ModelError);
    pyo3::import_exception!(treeproof.errors, ProofError);
    pyo3::import_exception!(treeproof.errors, TaskError);
}

/// A model cannot be read.
pub(crate) fn of_model(error: &impl ToString) -> PyErr {
    exceptions::ModelError::new_err(worded(&error.to_string()))
}

/// Rows cannot be read.
pub(crate) fn of_data(error: &impl ToString) -> PyErr {
    exceptions::DataError::new_err(worded(&error.to_string()))
}

/// A proof cannot be read or written.
pub(crate) fn of_proof(error: &impl ToString) -> PyErr {
    exceptions::ProofError::new_err(worded(&error.to_string()))
}

/// Something that should not happen.
pub(crate) fn internal(what: &str) -> PyErr {
    let what = format!("internal error: {what}; please report it with the call and the model");
    exceptions::InternalError::new_err(what)
}

/// A task is wrong.
pub(crate) fn of_text(what: &str) -> PyErr {
    exceptions::TaskError::new_err(worded(what))
}

/// A task that was made of arguments is wrong: it has no lines that anybody sees.
pub(crate) fn of_arguments(what: &str) -> PyErr {
    let Some((before, place)) = what.split_once(" at line ") else { return of_text(what) };
    let after = place.trim_start_matches(|c: char| c.is_ascii_digit() || " column".contains(c));
    of_text(&format!("{before}{after}"))
}

/// A task is wrong, or cannot be answered.
pub(crate) fn of_task(error: &TaskError) -> PyErr {
    let text = match error {
        TaskError::Row { .. } => return of_data(error),
        TaskError::WitnessRefused { .. } => return exceptions::InternalError::new_err(error.to_string()),
        TaskError::Field { field, what } => format!("{} {what}", argument(field)),
        TaskError::Value { field, what } => format!("{}: {what}", argument(field)),
        error => error.to_string(),
    };
    exceptions::TaskError::new_err(worded(&text))
}

/// A question cannot be asked.
pub(crate) fn of_ask(error: &AskError) -> PyErr {
    match error {
        AskError::Model(error) => of_model(error),
        AskError::Task(error) => of_task(error),
        AskError::NoModel { .. } => exceptions::TaskError::new_err(error.to_string()),
        error => of_data(error),
    }
}

/// The argument that sets a field of a task.
fn argument(field: &str) -> &str {
    match field.trim_start_matches("limits.") {
        "class" => "class_",
        // An argument names one or several, a task lists them.
        "features" => "feature",
        "other_model" => "the other model",
        field => field,
    }
}

/// A message in which flags are called as arguments are: `--missing-value` is `missing_value` here.
pub(crate) fn worded(text: &str) -> String {
    let mut words = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(place) = rest.find("--") {
        words.push_str(&rest[..place]);
        rest = &rest[place + 2..];
        let end = rest.find(|c: char| !(c.is_ascii_lowercase() || c == '-')).unwrap_or(rest.len());
        let (flag, after) = rest.split_at(end);
        match flag {
            // The command line's own.
            "" | "help" => words.extend(["--", flag]),
            "class" => words.push_str("class_"),
            "group" => words.push_str("groups"),
            flag => words.push_str(&flag.replace('-', "_")),
        }
        rest = after;
    }
    words + rest
}
