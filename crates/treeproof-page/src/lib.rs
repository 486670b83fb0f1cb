//! An answer as a page: what was asked and what was proved in words, then facts, tables and plots, as self-contained HTML;
//! or the first of these as data and as text, for notebooks and terminals.
//!
//! This crate knows the JSON of answers and nothing of models or searches. Whatever is in that JSON, there is a page: what is
//! missing or of another kind is left out, and every text is escaped.
//!
//! ```
//! let answer = serde_json::json!({"question": "max", "verdict": "optimal", "lower": 1.5, "upper": 1.5, "stopped": "optimal"});
//! let saved = treeproof_page::Saved::read(answer)?;
//! let page = treeproof_page::html(&[saved], treeproof_page::Spelling::Flags);
//! assert!(page.contains("The largest margin is 1.5: proved."));
//! # Ok::<(), treeproof_page::NotAnAnswer>(())
//! ```

mod about;
mod answer;
mod content;
mod curve;
mod facts;
mod grid;
mod html;
mod image;
mod inputs;
mod lists;
mod page;
mod plot;
mod proved;
mod question;
mod rows;
mod saved;
mod surface;
mod text;
mod words;

pub use self::about::{About, Recorder, Search};
pub use self::content::{Content, Mark, Table, Text};
pub use self::curve::Curve;
pub use self::saved::{NotAnAnswer, Saved};
pub use self::surface::Spelling;
pub use self::text::Part;

/// Recognises a page by its beginning.
pub fn is_page(start: &[u8]) -> bool {
    const MARK: &[u8] = br#"<meta name="generator" content="treeproof">"#;
    start.starts_with(b"<!DOCTYPE html>") && start[..start.len().min(2048)].windows(MARK.len()).any(|part| part == MARK)
}

/// One page for an answer or several: UTF-8, without anything from elsewhere.
pub fn html(answers: &[Saved], spelling: Spelling) -> String {
    html::document(answers, spelling)
}
