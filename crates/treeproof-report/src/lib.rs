//! Answers as typed data, one type for each question: written as the JSON that `--json` prints, and read back to the same value.
//!
//! A missing key reads as its default, so that answers of older versions can be read; an unknown key is ignored.
//!
//! The modules:
//!
//! - `saved`: a saved answer: the report and its origin
//! - `report`, `question`: the report, its finding by question; the names of questions
//! - `bounds`: `max`, `min`, `range`, and what stands in their place if nothing meets the conditions
//! - `difference`: `diff`, `fair`, `monotone`, `stable`; `combination`: the general form
//! - `distances`: `robust`, `closest`; `dominant`; `configurations`: `enumerate`
//! - `audit`, `check`: the answers of audits and of the checker
//! - `verdict`, `witness`, `pair`, `nearest`, `number`, `named`, `entries`: parts that answers share
//! - `row_facts`, `together`: summaries over rows
//! - `about`, `model`, `task`, `trace`: the origin of an answer: models, task, bounds over time

mod about;
mod audit;
mod bounds;
mod check;
mod combination;
mod configurations;
mod difference;
mod distances;
mod dominant;
mod entries;
mod model;
mod named;
mod nearest;
mod number;
mod pair;
mod question;
mod report;
mod row_facts;
mod saved;
mod task;
mod together;
mod trace;
mod verdict;
mod witness;

pub use treeproof_ensemble::ensemble::Trend;
pub use treeproof_ensemble::label::ClassName;
pub use treeproof_ensemble::norm::Norm;

pub use self::about::About;
pub use self::audit::{AuditReport, AuditSummary, Checked, MeasuredNumber, Outcome};
pub use self::bounds::{Answer, Infeasible, RangeAnswer};
pub use self::check::{CheckReport, CheckVerdict, ProvedStatement};
pub use self::combination::CombinationAnswer;
pub use self::configurations::{
    ConfigurationDomain, ConfigurationReport, Ends, EnumerateAnswer, FeatureDomain, FeatureValues,
};
pub use self::difference::{PairAnswer, PairRow, PairRowsAnswer, PairRowsSummary, PairsAnswer};
pub use self::distances::{Change, DistanceRow, DistancesAnswer, DistancesSummary, NearWitness};
pub use self::dominant::{DominantAnswer, FeatureChange, RankedFeature, RankingAnswer};
pub use self::model::ModelFacts;
pub use self::nearest::{NearestRow, NearestRows};
pub use self::pair::{Numbers, Pair, PairWitness};
pub use self::question::QuestionName;
pub use self::report::{Finding, Report};
pub use self::row_facts::RowFacts;
pub use self::saved::{AnyReport, NotAnAnswer, SavedAnswer};
pub use self::task::{BaselineField, InputFields, LimitFields, MarginFields, QuestionFields, TaskFields, TaskRecord};
pub use self::together::{RowsQuestion, Summary, Together, together};
pub use self::trace::{Recorder, SearchTrace, TracePoint};
pub use self::verdict::{Bounds, Stats, Stopped, Unit, Verdict};
pub use self::witness::{Witness, WitnessValue};
