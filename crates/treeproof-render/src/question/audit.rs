//! Many questions about one model, each with an expectation: `audit`.

use treeproof_report::{About, AuditReport, Checked, Outcome};

use super::{MODEL_ONLY, answer};
use crate::lists::between;
use crate::page::Page;
use crate::proved::Proved;
use crate::surface::Surface;
use crate::tables::{Badge, Look, PageTable, TableCell};
use crate::words::{clean, counted, decimal, further, short, some_of};

pub(super) const ASKED: &str = "Does the model pass all checks?";

pub(super) fn page(report: &AuditReport, surface: Surface) -> Page {
    let mut page = Page {
        question: ASKED.to_owned(),
        verdict: report.verdict.into(),
        answer: sentence(report),
        ..Page::default()
    };
    page.facts.time(report.summary.seconds, None);
    if !surface.is_brief {
        prove(report, &mut page.proved);
        page.proved.no(MODEL_ONLY);
    }
    page
}

pub(super) fn sentence(report: &AuditReport) -> String {
    let checks = &report.checks;
    let with = |outcome| checks.iter().filter(|check| check.outcome == outcome && !check.passes).count();
    let passed = checks.iter().filter(|check| check.passes).count();
    let failed = with(Outcome::Fail);
    let others = [
        further(failed, if failed == 1 { "fails" } else { "fail" }),
        further(with(Outcome::Undecided), "undecided"),
        further(with(Outcome::Infeasible), "infeasible"),
    ];
    format!("{}{}.", some_of(passed, checks.len(), "check", ["passes", "pass"]), others.concat())
}

fn prove(report: &AuditReport, proved: &mut Proved) {
    let with = |outcome| report.checks.iter().filter(|check| check.outcome == outcome).count();
    proved.count(true, with(Outcome::Pass), "check", "what is expected was proved");
    proved.count(false, with(Outcome::Fail), "check", "the contrary was proved; the section of each shows it");
    proved.count(false, with(Outcome::Undecided), "check", "open within the limits");
    let infeasible = "nothing meets the conditions, so that nothing is known";
    proved.count(false, with(Outcome::Infeasible), "check", infeasible);
    let allowed = report.checks.iter().filter(|check| is_allowed(check)).count();
    if allowed > 0 {
        proved.no(format!("{} counted as passed, as the file allows.", counted(allowed, "open check")));
    }
}

/// True if a check counts as passed although it is open.
fn is_allowed(check: &Checked) -> bool {
    check.outcome == Outcome::Undecided && check.passes
}

/// The expectation of a check, and what was measured.
pub(crate) fn expected(check: &Checked) -> (String, String) {
    let limits = [("at most", check.at_most), ("at least", check.at_least)];
    let limits: Vec<String> =
        limits.iter().filter_map(|(word, limit)| Some(format!("{word} {}", decimal((*limit)?)))).collect();
    if limits.is_empty() {
        return ("holds".to_owned(), String::new());
    }
    let measured = check.measured.as_ref().map_or(String::new(), |number| {
        format!("{}: {}", clean(&number.what), between((number.lower, number.upper), short).text)
    });
    (limits.join(" and "), measured)
}

/// The checks of an audit, each with a link to its section.
pub(crate) fn checks(report: &AuditReport, parts: &[About], id: &str, surface: Surface) -> PageTable {
    let unknown = About::default();
    let line = |(place, check): (usize, &Checked)| {
        let found = check.report.as_ref().map_or("not asked: interrupted".to_owned(), |report| {
            answer(report, parts.get(place).unwrap_or(&unknown), surface)
        });
        let (expected, measured) = expected(check);
        let lines: Vec<String> = [found, measured].into_iter().filter(|text| !text.is_empty()).collect();
        let outcome = match is_allowed(check) {
            true => Badge { word: "undecided, allowed", ..Badge::default() },
            false => check.outcome.into(),
        };
        let link = Some(format!("#{id}-{}", place + 1));
        let mut cells = vec![
            TableCell { text: clean(&check.name), sort: None, look: Look::Head(link) },
            TableCell::badge(outcome),
            TableCell::new(expected),
            TableCell { text: lines.join(" "), sort: None, look: Look::Lines(lines) },
        ];
        if !surface.is_brief {
            cells.push(TableCell::number(Some((check.seconds * 1000.0).round() / 1000.0)));
        }
        cells
    };
    let rows = report.checks.iter().enumerate().map(line).collect();
    let names = ["check", "outcome", "expected", "found", "seconds#"];
    PageTable::list("All checks", if surface.is_brief { &names[..4] } else { &names }, rows, String::new())
}
