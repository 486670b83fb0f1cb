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
use crate::facts::Facts;
use crate::grid::{Badge, Tone};
use crate::page::{Drawn, Page};
use crate::proved::Proved;
use crate::scene::Scene;
use crate::surface::Surface;

/// The words of an answer.
trait Words {
    /// The answer in one sentence.
    fn answer(&self) -> String;

    /// The statements that were proved, and those that were not.
    fn prove(&self, proved: &mut Proved);

    /// The facts beside the sentence.
    fn facts(&self, facts: &mut Facts);

    /// Tables, plots and images.
    fn draw(&self, drawn: &mut Drawn);

    /// True if the bounds are as near to each other as was asked for, and not equal.
    fn is_only_close(&self) -> bool {
        false
    }

    /// The distance of the library's sum for the witness from the exact one.
    fn rounding(&self) -> Option<f64> {
        None
    }
}

/// The words of the answer to each question.
fn words(scene: Scene<'_>) -> Box<dyn Words + '_> {
    match &scene.report.finding {
        Finding::Max(answer) => Box::new(extreme::Extreme { scene, answer, is_least: false }),
        Finding::Min(answer) => Box::new(extreme::Extreme { scene, answer, is_least: true }),
        Finding::Range(answer) => Box::new(range::Range { scene, answer }),
        Finding::Enumerate(answer) => Box::new(enumerate::Enumerate { scene, answer }),
        Finding::Robust(answer) => Box::new(robust::Robust { scene, answer }),
        Finding::Closest(answer) => Box::new(closest::Closest { scene, answer }),
        Finding::Dominant(found) => Box::new(dominant::Dominant { scene, found }),
        Finding::DominantEach(answer) => Box::new(dominant_each::DominantEach { scene, answer }),
        Finding::Fair(answer) => Box::new(fair::Fair { scene, answer }),
        Finding::FairRows(answer) => Box::new(fair_rows::FairRows { scene, answer }),
        Finding::Monotone(answer) => Box::new(monotone::Monotone { scene, answer }),
        Finding::MonotoneEach(answer) => Box::new(monotone_each::MonotoneEach { scene, answer }),
        Finding::Stable(answer) => Box::new(difference::Difference { scene, answer, is_between_models: false }),
        Finding::Diff(answer) => Box::new(difference::Difference { scene, answer, is_between_models: true }),
        Finding::Maximise(answer) => Box::new(maximise::Maximise { scene, answer }),
        Finding::Infeasible(answer) => Box::new(infeasible::Nothing { answer }),
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
    let told = words(scene).answer();
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
    let words = words(scene);
    let mut page = Page {
        question: asked(scene),
        region: scene.region(),
        verdict: report.verdict().into(),
        answer: answer(report, about, surface),
        ..Page::default()
    };
    words.facts(&mut page.facts);
    words.draw(&mut page.drawn);
    if !surface.is_brief {
        page.verdict = badge(report.verdict(), words.is_only_close());
        words.prove(&mut page.proved);
        page.proved.scope(scene, words.rounding());
        page.proved.no(MODEL_ONLY);
    }
    page
}

/// The limit of every proof.
const MODEL_ONLY: &str = "That the model is right about the world: this is about what it computes.";

/// The verdict for those who did not ask: "optimal" is said of a search, not of a number.
fn badge(verdict: Verdict, is_only_close: bool) -> Badge {
    match verdict {
        Verdict::Optimal if is_only_close => Badge { word: "close enough", tone: Tone::Good },
        Verdict::Optimal => Badge::EXACT,
        other => other.into(),
    }
}
