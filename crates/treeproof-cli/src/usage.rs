//! Usage errors on one line: the problem, a suggestion and a pointer to the help.

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, Error};

use treeproof_language::suggest::closest_name;

use crate::args::Treeproof;
use crate::typed;

/// The line for an error of the command line's parser.
pub(crate) fn one_line(error: &Error) -> String {
    let argument = first(error, ContextKind::InvalidArg);
    let value = first(error, ContextKind::InvalidValue).unwrap_or_default();
    let what = match (error.kind(), argument) {
        (ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand | ErrorKind::MissingSubcommand, _) => {
            "expected a command, such as `demo`, `inspect` or `max`".to_owned()
        }
        (ErrorKind::InvalidSubcommand, _) => {
            let name = first(error, ContextKind::InvalidSubcommand).unwrap_or_default();
            let by_parser = meant(error, ContextKind::SuggestedSubcommand);
            // The parser finds nothing like a name as short as `mx`.
            let command = Treeproof::command();
            let by_letters = || closest_name(&name, command.get_subcommands().map(clap::Command::get_name));
            let meant = match by_parser.is_empty() {
                true => by_letters().map(|known| format!("; did you mean `{known}`?")).unwrap_or_default(),
                false => by_parser,
            };
            format!("unknown command `{name}`{meant}")
        }
        (ErrorKind::UnknownArgument, Some(argument)) if argument.starts_with('-') => {
            format!("unknown flag `{argument}`{}", meant(error, ContextKind::SuggestedArg))
        }
        (ErrorKind::UnknownArgument, Some(argument)) => {
            let is_domain = std::path::Path::new(&argument).is_file() && takes(error, "domain");
            let meant = if is_domain { format!("; did you mean `--domain {argument}`?") } else { String::new() };
            format!("unexpected argument `{argument}`{meant}")
        }
        (ErrorKind::MissingRequiredArgument, Some(_)) => {
            format!("missing: {}", all(error, ContextKind::InvalidArg).join(" and "))
        }
        (ErrorKind::InvalidValue, Some(argument)) if value.is_empty() => format!("`{argument}` needs a value"),
        (ErrorKind::InvalidValue, Some(argument)) => {
            let known = all(error, ContextKind::ValidValue).join(" or ");
            format!("`{argument}` must be {known}, not `{value}`")
        }
        (ErrorKind::ValueValidation, Some(argument)) => {
            let why = std::error::Error::source(error).map(|why| format!(": {why}")).unwrap_or_default();
            format!("invalid value `{value}` for `{argument}`{why}")
        }
        (ErrorKind::ArgumentConflict, Some(argument)) => format!("`{argument}` was given more than once"),
        _ => fallback(error),
    };
    format!("{what} (see {} --help)", command(error))
}

/// The parser's own message on one line.
fn fallback(error: &Error) -> String {
    let rendered = error.render().to_string();
    let lines = rendered.lines().map(str::trim).filter(|line| !line.is_empty());
    let told: Vec<&str> =
        lines.take_while(|line| !line.starts_with("Usage:") && !line.starts_with("For more")).collect();
    told.join(" ").trim_start_matches("error: ").to_owned()
}

fn all(error: &Error, kind: ContextKind) -> Vec<String> {
    match error.get(kind) {
        Some(ContextValue::String(text)) => vec![text.clone()],
        Some(ContextValue::Strings(texts)) => texts.clone(),
        _ => vec![],
    }
}

fn first(error: &Error, kind: ContextKind) -> Option<String> {
    all(error, kind).into_iter().next()
}

fn meant(error: &Error, kind: ContextKind) -> String {
    // The parser lists the most similar name last.
    all(error, kind).pop().map(|name| format!("; did you mean `{name}`?")).unwrap_or_default()
}

/// True if the command of an error has a flag.
fn takes(error: &Error, flag: &str) -> bool {
    let treeproof = Treeproof::command();
    let question = command(error).split(' ').next_back().and_then(|name| treeproof.find_subcommand(name).cloned());
    question.is_some_and(|question| question.get_arguments().any(|arg| arg.get_long() == Some(flag)))
}

/// The command whose usage the error shows: `treeproof predict`, or `treeproof` alone.
fn command(error: &Error) -> String {
    let usage = error.get(ContextKind::Usage).map(ToString::to_string).unwrap_or_default();
    let is_name = |word: &&str| word.chars().all(|c| c.is_ascii_lowercase());
    let names: Vec<&str> = usage.split_whitespace().skip(1).take_while(is_name).collect();
    if !names.is_empty() {
        return names.join(" ");
    }
    // Errors about values carry no usage.
    let first = typed::arguments().first().and_then(|name| name.to_str());
    match first.filter(|name| Treeproof::command().find_subcommand(name).is_some()) {
        Some(name) => format!("treeproof {name}"),
        None => "treeproof".to_owned(),
    }
}
