//! The answer that nothing meets the conditions.

use treeproof_report::Infeasible;

use crate::page::Page;
use crate::words::clean;

pub(super) fn sentence(answer: &Infeasible) -> String {
    let conflict: Vec<String> = answer.conflict.iter().map(|text| format!("`{}`", clean(text))).collect();
    match conflict.as_slice() {
        [] => "Nothing meets the conditions: no two inputs can agree where they must.".to_owned(),
        [alone] => format!("Nothing meets the conditions: {alone} never holds."),
        several => format!("Nothing meets the conditions: {} exclude each other.", several.join(" and ")),
    }
}

pub(super) fn fill(page: &mut Page) {
    page.proved.yes("No input meets all conditions together.");
    page.proved.no("Anything about the model: there was nothing to ask. This is not a pass.");
}
