//! How far away the nearest input is that changes the answer.
//!
//! One search answers `closest` (bounds on the distance itself) and `robust` (is there one within a radius). The cells of every
//! feature cost what their value nearest to the row costs, so a point of the search stands for the one input that is nearest
//! among all that reach the same leaves. Whether that input changes the answer is decided by the library's own arithmetic.
//!
//! | file | what |
//! |---|---|
//! | [`conditions`](Conditions) | what features may become |
//! | [`goal`](Goal) | what counts as another answer |
//! | `ball` | what is not too far away |
//! | `units` | costs as whole numbers |
//! | `reached` | whether points change the answer |
//! | `refuted` | what is known not to change the answer |
//! | [`closest`](Closest) | the question |
//! | [`nearest`](Nearest) | the answer |
//! | `search`, `clock`, `ended` | the search, when it ends, and how it ended |
//! | `stated` | what a proof says of it |
//! | `bisection` | the way of the Veritas paper, to compare with |

mod ball;
mod bisection;
mod clock;
mod closest;
mod conditions;
mod ended;
mod goal;
mod nearest;
mod reached;
mod refuted;
mod search;
mod stated;
mod units;

pub(crate) use self::bisection::refuse_other_than_boxes;
pub use self::closest::Closest;
pub use self::conditions::Conditions;
pub use self::goal::Goal;
pub use self::nearest::{Another, Nearest};
