//! Answers in words: the question, what was proved, facts, tables and plots, as text for terminals, as data for notebooks and as
//! self-contained HTML.
//!
//! This crate knows the types of answers and nothing of models or searches. Each question has its words in a file of its own,
//! `question/`; every text from elsewhere is escaped.
//!
//! The modules, lowest first:
//!
//! - `surface`: the place where an answer is shown; `words`: numbers, values and counts in words
//! - `scene`: a report with its origin and surface, and words about its task
//! - `tables`, `facts`, `plot`, `image`, `curve`: tables, facts, plots and images as data
//! - `configuration`, `lists`, `rows`, `inputs`: tables of configurations, bounds, rows and inputs
//! - `proved`: the statements about what was proved
//! - `page`: the parts of a page; `question`: the words of each question, one file each
//! - `content`, `text`, `html`: the outputs: data for notebooks, text for terminals, pages
//!
//! ```
//! use treeproof_report::SavedAnswer;
//!
//! let answer = serde_json::json!({"question": "max", "verdict": "optimal", "lower": 1.5, "upper": 1.5, "stopped": "optimal"});
//! let saved = SavedAnswer::read(answer)?;
//! let page = treeproof_render::html(&[saved], treeproof_render::Spelling::Flags);
//! assert!(page.contains("The largest margin is 1.5: proved."));
//! # Ok::<(), treeproof_report::NotAnAnswer>(())
//! ```

mod configuration;
mod content;
mod curve;
mod facts;
mod html;
mod image;
mod inputs;
mod lists;
mod page;
mod plot;
mod proved;
mod question;
mod rows;
mod scene;
mod surface;
mod tables;
mod text;
mod words;

use treeproof_report::SavedAnswer;

pub use self::content::{Content, Table, Text};
pub use self::curve::Curve;
pub use self::surface::Spelling;
pub use self::tables::Mark;
pub use self::text::Part;

/// Recognises a page by its beginning.
pub fn is_page(start: &[u8]) -> bool {
    const MARK: &[u8] = br#"<meta name="generator" content="treeproof">"#;
    start.starts_with(b"<!DOCTYPE html>") && start[..start.len().min(2048)].windows(MARK.len()).any(|part| part == MARK)
}

/// One page for an answer or several: UTF-8, without anything from elsewhere.
pub fn html(answers: &[SavedAnswer], spelling: Spelling) -> String {
    html::document(answers, spelling)
}
