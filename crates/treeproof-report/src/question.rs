//! The names of questions.

use crate::named::named;

named! {
    /// A question that is answered by a report.
    pub enum QuestionName {
        /// The largest margin.
        Max = "max",
        /// The smallest margin.
        Min = "min",
        /// The smallest and the largest margin.
        Range = "range",
        /// The best output configurations.
        Enumerate = "enumerate",
        /// Robustness of rows within a radius.
        Robust = "robust",
        /// The nearest inputs that change the answers about rows.
        Closest = "closest",
        /// The change that moves a margin most.
        Dominant = "dominant",
        /// Equal treatment of inputs that differ in protected features only.
        Fair = "fair",
        /// Monotonicity of a margin in features.
        Monotone = "monotone",
        /// The largest difference between near inputs.
        Stable = "stable",
        /// The largest difference between two models.
        Diff = "diff",
        /// The largest sum of margins: the general form.
        Maximise = "maximise",
    }
}
