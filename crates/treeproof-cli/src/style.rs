//! Colours of answers, errors and headings. Output goes through `anstream`, which removes colours in files and pipes, with
//! NO_COLOR, on dumb terminals (but not in logs of CI servers) and with `--color never`.

use anstream::ColorChoice;
use anstyle::{AnsiColor, Style};
use treeproof_render::{Content, Mark, Part};

/// Sets the choice of colours for all further output.
pub(crate) fn set_colours(choice: clap::ColorChoice) {
    match choice {
        clap::ColorChoice::Auto => ColorChoice::Auto,
        clap::ColorChoice::Always => ColorChoice::Always,
        clap::ColorChoice::Never => ColorChoice::Never,
    }
    .write_global();
}

pub(crate) const DIM: Style = Style::new().dimmed();
pub(crate) const BOLD: Style = Style::new().bold();
pub(crate) const GOOD: Style = AnsiColor::Green.on_default();
pub(crate) const BAD: Style = AnsiColor::Red.on_default();
pub(crate) const OPEN: Style = AnsiColor::Yellow.on_default();

/// A text in a style.
pub(crate) fn paint(style: Style, text: &str) -> String {
    format!("{style}{text}{style:#}")
}

/// The style of an answer that ends with this exit code.
pub(crate) fn of_code(code: u8) -> Style {
    match code {
        0 => GOOD,
        1 => BAD,
        _ => OPEN,
    }
}

/// An answer in words: the verdict in the colour of its exit code, dim headings, bold changes.
pub(crate) fn answer(content: &Content, code: u8) -> String {
    content.text(|part, text| match part {
        Part::Answer => paint(of_code(code), text),
        Part::Title => paint(BOLD, text),
        Part::Heading | Part::More => paint(DIM, text),
        Part::Marked(Mark::Changed) => paint(BOLD, text),
        Part::Marked(Mark::Good) => paint(GOOD, text),
        Part::Marked(Mark::Bad) => paint(BAD, text),
        Part::Marked(Mark::Open) => paint(OPEN, text),
        Part::Marked(Mark::Neutral) => text.to_owned(),
    }) + "\n"
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use treeproof_render::Spelling;
    use treeproof_report::{About, AnyReport};

    use super::*;

    #[test]
    fn sentences_have_the_colour_of_the_answer_and_headings_are_dim() {
        let found = json!({"question": "fair", "verdict": "violated", "witness": {"a": {"x": 1}, "b": {"x": 3}}});
        let found = AnyReport::Question(serde_json::from_value(found).unwrap());
        let content = Content::of(&found, &About::default(), Spelling::Flags);
        let painted = answer(&content, 1);
        let [red, dim, bold] = [BAD, DIM, BOLD].map(|style| style.render().to_string());
        let end = "\u{1b}[0m";
        assert!(painted.starts_with(&format!("{red}Two inputs")), "{painted:?}");
        assert!(painted.contains(&format!("{end}\n\n{dim}feature  a  b  change{end}\n")), "{painted:?}");
        assert!(painted.ends_with(&format!("x        {bold}1{end}  {bold}3{end}  {bold}+2{end}\n")), "{painted:?}");
        assert_eq!(anstream::adapter::strip_str(&painted).to_string(), content.plain() + "\n");
    }
}
