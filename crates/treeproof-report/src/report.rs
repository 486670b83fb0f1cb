//! A report: the answer to a task.

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use crate::bounds::{Answer, Infeasible, RangeAnswer};
use crate::combination::CombinationAnswer;
use crate::configurations::EnumerateAnswer;
use crate::difference::{PairAnswer, PairRowsAnswer, PairsAnswer};
use crate::distances::DistancesAnswer;
use crate::dominant::{DominantAnswer, RankingAnswer};
use crate::question::QuestionName;
use crate::verdict::{Stopped, Unit, Verdict};
use treeproof_ensemble::label::ClassName;

/// The answer to a task.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// The question.
    pub question: QuestionName,
    /// The class whose margin it is, in models with several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub class: Option<ClassName>,
    /// The unit of bounds and outputs.
    pub unit: Unit,
    /// Features that the question is about and that no tree tests, so that the answer is the same whatever they are. Of `robust`: all
    /// that may change, if no tree tests any of them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub not_tested: Vec<String>,
    /// The finding: that of the question, or that nothing meets the conditions.
    #[serde(flatten)]
    pub finding: Finding,
}

/// The finding of each question.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Finding {
    /// Bounds on the largest margin.
    Max(Answer),
    /// Bounds on the smallest margin.
    Min(Answer),
    /// Bounds on the smallest and the largest margin.
    Range(Box<RangeAnswer>),
    /// Output configurations.
    Enumerate(EnumerateAnswer),
    /// Robustness of each of some rows.
    Robust(DistancesAnswer),
    /// Distances of some rows from another answer.
    Closest(DistancesAnswer),
    /// The change of several features that moves a margin most.
    Dominant(Box<DominantAnswer>),
    /// The change of each feature by itself that moves a margin most.
    DominantEach(RankingAnswer),
    /// The difference between two inputs that differ in protected features only.
    Fair(Box<PairAnswer>),
    /// The difference between each of some rows and inputs that differ in protected features only.
    FairRows(PairRowsAnswer),
    /// Monotonicity in one feature.
    Monotone(Box<PairAnswer>),
    /// Monotonicity in each of some features.
    MonotoneEach(PairsAnswer),
    /// The difference between near inputs.
    Stable(Box<PairAnswer>),
    /// The difference between two models.
    Diff(Box<PairAnswer>),
    /// Bounds on a sum of margins.
    Maximise(Box<CombinationAnswer>),
    /// No input meets the conditions.
    Infeasible(Infeasible),
}

/// The fields that all reports have.
#[derive(Deserialize)]
struct ReportFields {
    question: QuestionName,
    #[serde(default)]
    class: Option<ClassName>,
    #[serde(default)]
    unit: Unit,
    #[serde(default)]
    not_tested: Vec<String>,
    #[serde(default)]
    verdict: Verdict,
}

impl<'de> Deserialize<'de> for Report {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let fields = Value::deserialize(deserializer)?;
        Self::read(&fields).map_err(serde::de::Error::custom)
    }
}

impl Report {
    /// Reads a report from its JSON.
    fn read(fields: &Value) -> serde_json::Result<Self> {
        let ReportFields { question, class, unit, not_tested, verdict } = ReportFields::deserialize(fields)?;
        let has = |name: &str| fields.get(name).is_some();
        // An answer about rows or features has a verdict of each.
        let is_infeasible = verdict == Verdict::Infeasible && !["rows", "features", "seconds"].into_iter().any(has);
        let finding = match question {
            _ if is_infeasible => Finding::Infeasible(Infeasible::deserialize(fields)?),
            QuestionName::Max => Finding::Max(Answer::deserialize(fields)?),
            QuestionName::Min => Finding::Min(Answer::deserialize(fields)?),
            QuestionName::Range => Finding::Range(Box::deserialize(fields)?),
            QuestionName::Enumerate => Finding::Enumerate(EnumerateAnswer::deserialize(fields)?),
            QuestionName::Robust => Finding::Robust(DistancesAnswer::deserialize(fields)?),
            QuestionName::Closest => Finding::Closest(DistancesAnswer::deserialize(fields)?),
            QuestionName::Dominant if has("attributes") => Finding::DominantEach(RankingAnswer::deserialize(fields)?),
            QuestionName::Dominant => Finding::Dominant(Box::deserialize(fields)?),
            QuestionName::Fair if has("rows") || has("summary") => {
                Finding::FairRows(PairRowsAnswer::deserialize(fields)?)
            }
            QuestionName::Fair => Finding::Fair(Box::deserialize(fields)?),
            QuestionName::Monotone if has("features") => Finding::MonotoneEach(PairsAnswer::deserialize(fields)?),
            QuestionName::Monotone => Finding::Monotone(Box::deserialize(fields)?),
            QuestionName::Stable => Finding::Stable(Box::deserialize(fields)?),
            QuestionName::Diff => Finding::Diff(Box::deserialize(fields)?),
            QuestionName::Maximise => Finding::Maximise(Box::deserialize(fields)?),
        };
        Ok(Self { question, class, unit, not_tested, finding })
    }

    /// The verdict.
    pub fn verdict(&self) -> Verdict {
        match &self.finding {
            Finding::Max(answer) | Finding::Min(answer) => answer.verdict,
            Finding::Range(answer) => answer.verdict,
            Finding::Enumerate(answer) => answer.verdict,
            Finding::Robust(answer) | Finding::Closest(answer) => answer.verdict,
            Finding::Dominant(answer) => answer.answer.verdict,
            Finding::DominantEach(answer) => answer.verdict,
            Finding::Fair(answer) | Finding::Monotone(answer) | Finding::Stable(answer) | Finding::Diff(answer) => {
                answer.verdict
            }
            Finding::FairRows(answer) => answer.verdict,
            Finding::MonotoneEach(answer) => answer.verdict,
            Finding::Maximise(answer) => answer.verdict,
            Finding::Infeasible(_) => Verdict::Infeasible,
        }
    }

    /// True if one search answered it, or two: the bounds of many in one picture would tell nothing.
    pub fn is_of_one_search(&self) -> bool {
        !matches!(
            self.finding,
            Finding::Robust(_)
                | Finding::Closest(_)
                | Finding::DominantEach(_)
                | Finding::FairRows(_)
                | Finding::MonotoneEach(_)
        )
    }

    /// True if the search did what was asked of it: an optimum, or a target reached.
    pub fn is_done(&self) -> bool {
        let is_done = |verdict, stopped| verdict == Verdict::Optimal || stopped == Stopped::Target;
        match &self.finding {
            Finding::Max(answer) | Finding::Min(answer) => is_done(answer.verdict, answer.stopped),
            Finding::Range(range) => [&range.min, &range.max].iter().all(|end| is_done(end.verdict, end.stopped)),
            Finding::Maximise(answer) => is_done(answer.verdict, answer.stopped),
            Finding::Dominant(found) => is_done(found.answer.verdict, found.answer.stopped),
            Finding::Enumerate(_) | Finding::DominantEach(_) => self.verdict() == Verdict::Optimal,
            Finding::Robust(_)
            | Finding::Closest(_)
            | Finding::Fair(_)
            | Finding::FairRows(_)
            | Finding::Monotone(_)
            | Finding::MonotoneEach(_)
            | Finding::Stable(_)
            | Finding::Diff(_) => matches!(self.verdict(), Verdict::Optimal | Verdict::Holds),
            Finding::Infeasible(_) => false,
        }
    }
}
