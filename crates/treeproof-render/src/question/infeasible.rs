//! The answer that nothing meets the conditions.

use treeproof_report::Infeasible;

use super::Words;
use crate::facts::Facts;
use crate::page::Drawn;
use crate::proved::Proved;
use crate::words::clean;

pub(super) struct Nothing<'a> {
    pub(super) answer: &'a Infeasible,
}

impl Words for Nothing<'_> {
    fn answer(&self) -> String {
        let conflict: Vec<String> = self.answer.conflict.iter().map(|text| format!("`{}`", clean(text))).collect();
        match conflict.as_slice() {
            [] => "Nothing meets the conditions: no two inputs can agree where they must.".to_owned(),
            [alone] => format!("Nothing meets the conditions: {alone} never holds."),
            several => format!("Nothing meets the conditions: {} exclude each other.", several.join(" and ")),
        }
    }

    fn prove(&self, proved: &mut Proved) {
        proved.yes("No input meets all conditions together.");
        proved.no("Anything about the model: there was nothing to ask. This is not a pass.");
    }

    fn facts(&self, _facts: &mut Facts) {}

    fn draw(&self, _drawn: &mut Drawn) {}
}
