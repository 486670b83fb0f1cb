//! The words of each question, in a file of its own: the question, its answer, what was proved, facts, tables and plots.

mod audit;
mod check;
mod closest;
mod difference;
mod distances;
mod dominant;
mod dominant_each;
mod enumerate;
mod extreme;
mod fair;
mod fair_rows;
mod infeasible;
mod maximise;
mod monotone;
mod monotone_each;
mod range;
mod robust;
#[cfg(test)]
mod tests;

use treeproof_report::{About, AnyReport, Finding, QuestionName, Report, Verdict};

pub(crate) use self::audit::{checks, expected};
use crate::page::Page;
use crate::scene::Scene;
use crate::surface::Surface;
use crate::tables::{Badge, Mark};

/// The answer to each question in one sentence.
fn sentence(scene: Scene<'_>) -> String {
    match &scene.report.finding {
        Finding::Max(answer) => extreme::sentence(scene, answer, false),
        Finding::Min(answer) => extreme::sentence(scene, answer, true),
        Finding::Range(answer) => range::sentence(scene, answer),
        Finding::Enumerate(answer) => enumerate::sentence(scene, answer),
        Finding::Robust(answer) => robust::sentence(scene, answer),
        Finding::Closest(answer) => closest::sentence(scene, answer),
        Finding::Dominant(answer) => dominant::sentence(scene, answer),
        Finding::DominantEach(answer) => dominant_each::sentence(scene, answer),
        Finding::Fair(answer) => fair::sentence(scene, answer),
        Finding::FairRows(answer) => fair_rows::sentence(scene, answer),
        Finding::Monotone(answer) => monotone::sentence(scene, answer),
        Finding::MonotoneEach(answer) => monotone_each::sentence(scene, answer),
        Finding::Stable(answer) => difference::sentence(scene, answer, false),
        Finding::Diff(answer) => difference::sentence(scene, answer, true),
        Finding::Maximise(answer) => maximise::sentence(scene, answer),
        Finding::Infeasible(answer) => infeasible::sentence(answer),
    }
}

/// Adds to the page of an answer what was proved, what was found, tables, plots and images.
fn fill(scene: Scene<'_>, page: &mut Page) {
    match &scene.report.finding {
        Finding::Max(answer) => extreme::fill(scene, answer, false, page),
        Finding::Min(answer) => extreme::fill(scene, answer, true, page),
        Finding::Range(answer) => range::fill(scene, answer, page),
        Finding::Enumerate(answer) => enumerate::fill(scene, answer, page),
        Finding::Robust(answer) => robust::fill(scene, answer, page),
        Finding::Closest(answer) => closest::fill(scene, answer, page),
        Finding::Dominant(answer) => dominant::fill(scene, answer, page),
        Finding::DominantEach(answer) => dominant_each::fill(scene, answer, page),
        Finding::Fair(answer) => fair::fill(scene, answer, page),
        Finding::FairRows(answer) => fair_rows::fill(scene, answer, page),
        Finding::Monotone(answer) => monotone::fill(scene, answer, page),
        Finding::MonotoneEach(answer) => monotone_each::fill(scene, answer, page),
        Finding::Stable(answer) => difference::fill(scene, answer, false, page),
        Finding::Diff(answer) => difference::fill(scene, answer, true, page),
        Finding::Maximise(answer) => maximise::fill(scene, answer, page),
        Finding::Infeasible(_) => infeasible::fill(page),
    }
}

/// The question, without its region.
fn asked(scene: Scene<'_>) -> String {
    let (margin, within) = (scene.margin(), scene.asked().within);
    match scene.report.question {
        QuestionName::Max => format!("How large can the {margin} be?"),
        QuestionName::Min => format!("How small can the {margin} be?"),
        QuestionName::Range => format!("Between which numbers does the {margin} stay?"),
        QuestionName::Enumerate => enumerate::asked(scene),
        QuestionName::Robust => robust::asked(scene),
        QuestionName::Closest => closest::asked(scene),
        QuestionName::Dominant => dominant::asked(scene),
        QuestionName::Fair => format!("Are inputs treated alike that differ only in {}?", scene.protected()),
        QuestionName::Monotone => monotone::asked(scene),
        QuestionName::Stable => format!("How far can the {margin} jump under {}?", scene.near()),
        QuestionName::Diff => difference::asked(within),
        QuestionName::Maximise => "How large can the sum of margins be?".to_owned(),
    }
}

/// The question with its region.
pub(crate) fn question(report: &AnyReport, about: &About, surface: Surface) -> String {
    match report {
        AnyReport::Question(report) => {
            let scene = Scene { report, about, surface };
            let asked = asked(scene);
            format!("{}{}?", asked.trim_end_matches('?'), scene.region())
        }
        AnyReport::Audit(_) => audit::ASKED.to_owned(),
        AnyReport::Check(_) => check::ASKED.to_owned(),
    }
}

/// The answer as a sentence; and another one if it rests on features that no tree tests.
pub(crate) fn answer(report: &Report, about: &About, surface: Surface) -> String {
    let scene = Scene { report, about, surface };
    let told = sentence(scene);
    match scene.not_tested() {
        Some(names) => format!("{told} No tree tests {names}."),
        None => told,
    }
}

/// Everything that is shown of an answer.
pub(crate) fn page(report: &AnyReport, about: &About, surface: Surface) -> Page {
    match report {
        AnyReport::Question(report) => page_of_report(report, about, surface),
        AnyReport::Audit(report) => audit::page(report, surface),
        AnyReport::Check(report) => check::page(report, surface),
    }
}

/// Everything that is shown of the answer to a task.
pub(crate) fn page_of_report(report: &Report, about: &About, surface: Surface) -> Page {
    let scene = Scene { report, about, surface };
    let mut page = Page {
        question: asked(scene),
        region: scene.region(),
        verdict: report.verdict().into(),
        answer: answer(report, about, surface),
        ..Page::default()
    };
    fill(scene, &mut page);
    if !surface.is_brief {
        page.verdict = badge(report.verdict(), page.is_only_close);
        page.proved.scope(scene, page.rounding);
        page.proved.no(MODEL_ONLY);
    }
    page
}

/// The limit of every proof.
const MODEL_ONLY: &str = "That the model is right about the world: this is about what it computes.";

/// The verdict for those who did not ask: "optimal" is said of a search, not of a number.
fn badge(verdict: Verdict, is_only_close: bool) -> Badge {
    match verdict {
        Verdict::Optimal if is_only_close => Badge { word: "close enough", mark: Mark::Good },
        Verdict::Optimal => Badge::EXACT,
        other => other.into(),
    }
}
