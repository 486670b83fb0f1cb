//! The verification of a proof: `check`.

use treeproof_report::{CheckReport, CheckVerdict};

use super::MODEL_ONLY;
use crate::page::Page;
use crate::surface::Surface;
use crate::words::{clean, some_of};

pub(super) const ASKED: &str = "Is the proof right?";

pub(super) fn page(report: &CheckReport, surface: Surface) -> Page {
    let mut page = Page {
        question: ASKED.to_owned(),
        verdict: report.verdict.into(),
        answer: sentence(report),
        ..Page::default()
    };
    if surface.is_brief {
        for (text, proved) in report.statements.iter().zip(&report.proved) {
            let own = &proved.name;
            let name = if own.is_empty() { String::new() } else { format!("; the proof calls this \"{own}\"") };
            page.facts.tell("checked", clean(&format!("{text}{name}")));
        }
        for text in &report.readings {
            page.facts.tell("checked", clean(text));
        }
        return page;
    }
    if report.verdict == CheckVerdict::Invalid {
        page.proved.no("What the proof states.");
    } else {
        for (text, proved) in report.statements.iter().zip(&report.proved) {
            let told = format!("{}.", clean(text));
            if proved.is_vacuous { page.proved.no(told) } else { page.proved.yes(told) }
        }
    }
    page.proved.no(MODEL_ONLY);
    page
}

pub(super) fn sentence(report: &CheckReport) -> String {
    match (report.verdict, report.proved.len()) {
        (CheckVerdict::Valid, _) => "The proof is right.".to_owned(),
        (CheckVerdict::Undecided, 1) => "The proof is right, but claims nothing.".to_owned(),
        (CheckVerdict::Undecided, all) => {
            let nothing = report.proved.iter().filter(|proved| proved.is_vacuous).count();
            format!("The proof is right, but {} nothing.", some_of(nothing, all, "statement", ["claims", "claim"]))
        }
        (CheckVerdict::Invalid, _) => {
            format!("The proof is wrong: {}.", report.wrong.as_deref().map_or("unknown".to_owned(), clean))
        }
    }
}
