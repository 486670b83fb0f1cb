//! Questions: one file for each, with its fields, their validation, and the way to its answer.
//!
//! | file | content |
//! |---|---|
//! | `max` | `max`, `min`, `range` |
//! | `enumerate`, `diff`, `monotone`, `fair`, `robust`, `closest`, `stable`, `dominant` | the question of this name |
//! | `general` | the general form: a sum of margins |
//! | `pair` | comparisons of two models or two inputs |
//! | `nearest` | the search for the nearest input to a row |
//! | `question` | the questions by name |
//! | `common`, `subject` | what all questions share: fields of the task, models and data |
//! | `context`, `setting`, `form_search` | a question under way, its admissible inputs, and one search of it |
//! | `class`, `groups`, `items`, `labels` | names of classes, groups of columns, lists, label rules as sums |

mod class;
mod closest;
pub(crate) mod common;
pub(crate) mod context;
mod diff;
mod dominant;
mod enumerate;
mod fair;
mod form_search;
mod general;
pub(crate) mod groups;
pub(crate) mod items;
mod labels;
mod max;
mod monotone;
mod nearest;
mod pair;
mod question;
mod robust;
mod setting;
mod stable;
pub(crate) mod subject;

pub use self::closest::Closest;
pub use self::common::VERSION;
pub use self::diff::{Diff, diff};
pub use self::dominant::{Baseline, Dominant, dominant};
pub use self::enumerate::Enumerate;
pub use self::fair::{Fair, fair_difference, fair_label};
pub use self::general::{GeneralTask, SignedMargin, TaskInput};
pub use self::groups::GroupColumns;
pub use self::monotone::{Monotone, monotone};
pub use self::nearest::{Conditions, Measure, Nearest, NearestRequest, RowGoal};
pub use self::pair::Comparison;
pub use self::question::Question;
pub use self::robust::Robust;
pub use self::setting::Setting;
pub use self::stable::{Near, Stable, stable};
