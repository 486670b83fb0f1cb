//! The groups of commands in the help text.

use anstyle::Style;
use clap::Subcommand;

use super::Command;

const GROUPS: [(&str, &[&str]); 7] = [
    ("Start here", &["demo"]),
    ("A model", &["inspect", "predict", "convert"]),
    ("Questions about outputs", &["max", "min", "range", "enumerate"]),
    ("Questions about rows of data", &["robust", "closest"]),
    ("Questions about two inputs or two models", &["monotone", "fair", "stable", "dominant", "diff"]),
    ("Questions in files, proofs and pages", &["solve", "audit", "check", "report"]),
    ("More", &["completions", "help"]),
];

/// The template of the help text: the parser itself does not group commands.
pub(super) fn help_template() -> String {
    let all = Command::augment_subcommands(clap::Command::new("treeproof"));
    // The style of the parser's own headings.
    let heading = Style::new().bold().underline();
    let name = Style::new().bold();
    let mut text = "{about-with-newline}\n{usage-heading} {usage}\n".to_owned();
    for (group, names) in GROUPS {
        text.push_str(&format!("\n{heading}{group}:{heading:#}\n"));
        for command in names {
            let about = all.find_subcommand(command).and_then(clap::Command::get_about).map(ToString::to_string);
            // The parser itself adds `help`.
            let about = about.unwrap_or_else(|| "Print this message or the help of a command".to_owned());
            text.push_str(&format!("  {name}{command:<11}{name:#}  {about}\n"));
        }
    }
    text + &format!("\n{heading}Options:{heading:#}\n{{options}}{{after-help}}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_fits_a_small_terminal() {
        for line in anstream::adapter::strip_str(&help_template()).to_string().lines() {
            assert!(line.chars().count() <= 80, "{line}");
        }
    }

    #[test]
    fn every_command_is_in_one_group() {
        let all = Command::augment_subcommands(clap::Command::new("treeproof"));
        let mut known: Vec<&str> = all.get_subcommands().map(clap::Command::get_name).chain(["help"]).collect();
        let mut grouped: Vec<&str> = GROUPS.iter().flat_map(|(_, names)| *names).copied().collect();
        known.sort_unstable();
        grouped.sort_unstable();
        assert_eq!(grouped, known);
    }
}
