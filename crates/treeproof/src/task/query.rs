//! A query: a task with the models, rows and data it is about, ready to run.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::norm::Norm;
use treeproof_proof::model_file::{ModelFile, Preamble};

use super::{Closest, Diff, Dominant, Enumerate, Fair, Monotone, Question, Robust, Span, Stable, Task, TaskFile};
use crate::error::{TaskError, refuse};
use crate::file_kind::PROOF;
use crate::limits::TaskLimits;
use crate::model::Model;
use crate::outputs::Outputs;
use crate::problem::{Observed, Predicate};
use crate::questions::common::validate_conditions;
use crate::questions::subject::Subject;
use crate::replace::ProofFile;
use crate::report::Report;
use crate::rows::{Rows, TrueLabel};
use crate::watch::{Recording, Unwatched, Watcher};

/// A task with the models, rows and data it is about: the one door to an answer.
#[derive(Clone, Debug)]
pub struct Query {
    task: TaskFile,
    subject: Subject,
    /// Files of the models, for a proof.
    files: Vec<Option<ModelFile>>,
    proof: Option<PathBuf>,
}

/// Questions about a model at hand. Each returns a [`Query`], to which conditions, limits and data are added.
impl Task {
    /// Asks for the largest margin.
    ///
    /// ```
    /// use treeproof::{Model, Task};
    /// use std::time::Duration;
    /// use treeproof::report::Finding;
    ///
    /// let model = Model::read("examples/loans.json")?;
    /// let report = Task::max(&model).given("age < 30")?.time(Duration::from_secs(10)).run()?;
    /// let Finding::Max(answer) = &report.finding else { panic!("{report:?}") };
    /// assert_eq!(answer.upper, Some(0.5));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn max(model: impl Into<Model>) -> Query {
        Self::new(Question::Max).about(model)
    }

    /// Asks for the smallest margin.
    ///
    /// ```
    /// use treeproof::{Model, Task};
    /// use treeproof::report::Finding;
    ///
    /// let model = Model::read("examples/loans.json")?;
    /// let report = Task::min(&model).run()?;
    /// let Finding::Min(answer) = &report.finding else { panic!("{report:?}") };
    /// assert_eq!(answer.lower, Some(-3.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn min(model: impl Into<Model>) -> Query {
        Self::new(Question::Min).about(model)
    }

    /// Asks for the smallest and the largest margin.
    ///
    /// ```
    /// use treeproof::{Model, Task};
    /// use treeproof::report::Finding;
    ///
    /// let model = Model::read("examples/loans.json")?;
    /// let report = Task::range(&model).run()?;
    /// let Finding::Range(answer) = &report.finding else { panic!("{report:?}") };
    /// assert_eq!((answer.lower, answer.upper), (Some(-3.0), Some(2.5)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn range(model: impl Into<Model>) -> Query {
        Self::new(Question::Range).about(model)
    }

    /// Asks for the output configurations of the largest margins.
    ///
    /// ```
    /// use treeproof::{Model, Task};
    /// use treeproof::report::Finding;
    ///
    /// let model = Model::read("examples/loans.json")?;
    /// let report = Task::enumerate(&model).given("income < 2")?.run()?;
    /// let Finding::Enumerate(answer) = &report.finding else { panic!("{report:?}") };
    /// let outputs: Vec<f64> = answer.regions.iter().map(|region| region.output).collect();
    /// assert_eq!(outputs, [-0.5, -1.0, -2.5, -3.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn enumerate(model: impl Into<Model>) -> Query {
        Self::new(Enumerate::default()).about(model)
    }

    /// Asks where two models differ most.
    ///
    /// ```
    /// use treeproof::{Model, Task};
    /// use treeproof::report::Finding;
    ///
    /// let model = Model::read("examples/loans.json")?;
    /// let report = Task::diff(&model, Model::read("examples/loans-2.json")?).run()?;
    /// let Finding::Diff(answer) = &report.finding else { panic!("{report:?}") };
    /// assert_eq!(answer.upper, Some(0.5));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn diff(first: impl Into<Model>, second: impl Into<Model>) -> Query {
        Query::new(Self::new(Diff::default()), [first.into(), second.into()])
    }

    /// Asks if the margin never falls as a number rises: for each number that the model tests.
    ///
    /// ```
    /// use treeproof::{Model, Task};
    /// use treeproof::report::Verdict;
    ///
    /// let model = Model::read("examples/loans.json")?;
    /// let report = Task::monotone(&model).run()?;
    /// assert_eq!(report.verdict(), Verdict::Violated, "it falls as `sex` rises");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn monotone(model: impl Into<Model>) -> Query {
        Self::new(Monotone::default()).about(model)
    }

    /// Asks if two inputs that differ in protected features alone are treated alike.
    ///
    /// ```
    /// use treeproof::{Model, Task};
    /// use treeproof::report::Verdict;
    ///
    /// let model = Model::read("examples/loans.json")?;
    /// let report = Task::fair(&model, ["sex"]).run()?;
    /// assert_eq!(report.verdict(), Verdict::Violated);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn fair<T: Into<String>>(model: impl Into<Model>, protected: impl IntoIterator<Item = T>) -> Query {
        Self::new(Fair::of(protected)).about(model)
    }

    /// Asks if no input within a radius of a row changes its label.
    ///
    /// ```
    /// use treeproof::{Model, Rows, Task};
    /// use treeproof::report::Verdict;
    /// use treeproof::rows::RowOptions;
    /// use treeproof_ensemble::norm::Norm;
    ///
    /// let model = Model::read("examples/loans.json")?;
    /// let table = treeproof_data::read("examples/people.csv".as_ref())?;
    /// let rows = Rows::from_table(&table, model.ensemble(), &RowOptions::default())?;
    /// let report = Task::robust(&model, rows, Norm::Linf, 0.1).run()?;
    /// assert_eq!(report.verdict(), Verdict::Holds);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn robust(model: impl Into<Model>, rows: Rows, norm: Norm, radius: f64) -> Query {
        Self::new(Robust::new(norm, radius)).about(model).rows(rows)
    }

    /// Asks for the nearest input to each row that changes its label.
    ///
    /// ```
    /// use treeproof::{Model, Rows, Task};
    /// use treeproof::report::Finding;
    /// use treeproof::rows::RowOptions;
    /// use treeproof_ensemble::norm::Norm;
    ///
    /// let model = Model::read("examples/loans.json")?;
    /// let table = treeproof_data::read("examples/people.csv".as_ref())?;
    /// let rows = Rows::from_table(&table, model.ensemble(), &RowOptions::default())?;
    /// let report = Task::closest(&model, rows, Norm::L1).run()?;
    /// let Finding::Closest(answer) = &report.finding else { panic!("{report:?}") };
    /// assert_eq!(answer.rows[0].changed[0].feature, "sex");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn closest(model: impl Into<Model>, rows: Rows, norm: Norm) -> Query {
        Self::new(Closest::new(norm)).about(model).rows(rows)
    }

    /// Asks for the largest jump of the margin between two inputs within a radius of each other.
    ///
    /// ```
    /// use treeproof::{Model, Task};
    /// use treeproof::report::Finding;
    /// use treeproof_ensemble::norm::Norm;
    ///
    /// let model = Model::read("examples/loans.json")?;
    /// let report = Task::stable(&model, Norm::Linf, 1.0).run()?;
    /// let Finding::Stable(answer) = &report.finding else { panic!("{report:?}") };
    /// assert_eq!(answer.upper, Some(5.5));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn stable(model: impl Into<Model>, norm: Norm, radius: f64) -> Query {
        Self::new(Stable::new(norm, radius)).about(model)
    }

    /// Asks which of the features like these patterns moves the margin most, from a point at which all is 0 but the values given.
    ///
    /// ```
    /// use treeproof::{Model, Task};
    /// use treeproof::report::Finding;
    ///
    /// let model = Model::read("examples/loans.json")?;
    /// let report = Task::dominant(&model, ["sex=1"], ["*"]).run()?;
    /// let Finding::Dominant(found) = &report.finding else { panic!("{report:?}") };
    /// assert_eq!((found.answer.upper, &found.changes[0].attribute[..]), (Some(3.0), "income"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn dominant<T: Into<String>>(
        model: impl Into<Model>,
        given: impl IntoIterator<Item = T>,
        vary: impl IntoIterator<Item = T>,
    ) -> Query {
        Self::new(Dominant::new(given, vary)).about(model)
    }

    /// This task about a model.
    pub fn about(self, model: impl Into<Model>) -> Query {
        Query::new(self, [model.into()])
    }
}

impl Query {
    /// A task about models, in the order in which it names them.
    ///
    /// ```
    /// use treeproof::report::Finding;
    /// use treeproof::task::TaskFile;
    /// use treeproof::{Model, Query};
    ///
    /// let task = r#"{"treeproof": 1, "models": {"m": null}, "maximise": [{"model": "m"}, {"model": "m", "input": "b", "sign": -1}],
    ///     "inputs": {"b": {"same_as": "a", "except": ["age"]}}}"#;
    /// let report = Query::new(TaskFile::read(task)?, [Model::read("examples/loans.json")?]).run()?;
    /// let Finding::Maximise(answer) = &report.finding else { panic!("{report:?}") };
    /// assert_eq!(answer.upper, Some(2.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    /// If there are no models.
    pub fn new(task: impl Into<TaskFile>, models: impl IntoIterator<Item = Model>) -> Self {
        let (models, files): (Vec<_>, Vec<_>) = models.into_iter().map(|model| (model.ensemble, model.file)).unzip();
        assert!(!models.is_empty(), "a task is about a model");
        Self { task: task.into(), subject: Subject::of(models), files, proof: None }
    }

    /// Adds a condition, in the language of `docs/constraints.md`.
    ///
    /// # Errors
    /// If it cannot be understood.
    pub fn given(mut self, condition: impl Into<String>) -> Result<Self, TaskError> {
        let condition = condition.into();
        validate_conditions(std::slice::from_ref(&condition))?;
        self.task.conditions_mut().push(condition);
        Ok(self)
    }

    /// Adds a condition that is code, for `max`, `min`, `range` and `diff`.
    #[must_use]
    pub fn given_code(mut self, predicate: Arc<dyn Predicate>) -> Self {
        self.subject.predicate = Some(predicate);
        self
    }

    /// Sets the time limit.
    #[must_use]
    pub fn time(mut self, time: Duration) -> Self {
        self.task.limits_mut().time = Some(Span(time));
        self
    }

    /// Sets all limits.
    #[must_use]
    pub fn limits(mut self, limits: TaskLimits) -> Self {
        *self.task.limits_mut() = limits;
        self
    }

    /// Sets the rows to ask about, one by one.
    #[must_use]
    pub fn rows(mut self, rows: Rows) -> Self {
        self.subject.rows = Some(rows);
        self
    }

    /// Sets the true labels of the rows.
    #[must_use]
    pub fn labels(mut self, labels: Vec<TrueLabel>) -> Self {
        self.subject.labels = Some(labels);
        self
    }

    /// Sets the rows by whose standard deviations distances are divided, where the task names such a scale.
    #[must_use]
    pub fn scale(mut self, rows: Rows) -> Self {
        self.subject.scale = Some(rows);
        self
    }

    /// Confines the features to the ranges, categories and missing values of data.
    #[must_use]
    pub fn domain(self, observed: Observed) -> Self {
        let observed = Some(Arc::new(observed));
        self.domains([observed.clone(), observed])
    }

    /// Confines each of two inputs to data.
    #[must_use]
    pub(crate) fn domains(mut self, observed: [Option<Arc<Observed>>; 2]) -> Self {
        self.subject.observed = observed;
        self
    }

    /// Writes a proof to a file, which replaces a proof there but no other file. The models must have been read from files, as
    /// [`Model::read`] does.
    ///
    /// ```
    /// use treeproof::{Model, Task};
    ///
    /// let model = Model::read("examples/loans.json")?;
    /// let proof = std::env::temp_dir().join("loans.proof");
    /// let report = Task::max(&model).proof(&proof).run()?;
    /// assert!(report.is_done() && proof.exists());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn proof(mut self, path: impl AsRef<Path>) -> Self {
        self.proof = Some(path.as_ref().to_owned());
        self
    }

    /// The task.
    pub fn task(&self) -> &TaskFile {
        &self.task
    }

    /// The models, in order.
    pub fn models(&self) -> Vec<&Ensemble> {
        self.subject.all_models()
    }

    /// All rows that were read, for whatever use.
    pub fn all_rows(&self) -> Vec<&Rows> {
        let Subject { rows, scale, observed, .. } = &self.subject;
        rows.iter().chain(scale).chain(observed[0].iter().map(|observed| &observed.rows)).collect()
    }

    /// Answers the task.
    ///
    /// # Errors
    /// If the task or a condition is wrong, or the model is none about which questions can be answered.
    pub fn run(&self) -> Result<Report, TaskError> {
        self.run_with(&Unwatched)
    }

    /// Answers the task, and tells an observer how the search goes.
    ///
    /// # Errors
    /// As [`Self::run`].
    pub fn run_with(&self, watcher: &dyn Watcher) -> Result<Report, TaskError> {
        let Some(path) = &self.proof else { return self.answer(watcher) };
        let Some(models) = self.files.iter().cloned().collect::<Option<Vec<ModelFile>>>() else {
            return refuse("proof", "needs models that were read from files");
        };
        let unwritten = |error: std::io::Error| TaskError::Value { field: "proof", what: error.to_string() };
        let named = models.iter().map(|model| Path::new(&model.name));
        let opened = Outputs::new(named, false).open("proof", path, PROOF);
        let file = opened.map_err(|refused| TaskError::Value { field: "proof", what: refused.to_string() })?;
        let preamble = Preamble { question: self.task.name().to_owned(), models };
        let mut proof = ProofFile::begin(file, &preamble).map_err(unwritten)?;
        let report = self.answer(&Recording::new(watcher, proof.writer()))?;
        proof.finish().map_err(unwritten)?;
        Ok(report)
    }

    fn answer(&self, watcher: &dyn Watcher) -> Result<Report, TaskError> {
        match &self.task {
            TaskFile::Named(task) => {
                let has_data = task.data.is_some() || self.subject.rows.is_some();
                task.validate_with(has_data)?;
                task.question.answer(task.common(has_data), &self.subject, watcher)
            }
            TaskFile::General(_) if self.subject.predicate.is_some() => {
                refuse("where", "can be code only for `max`, `min`, `range` and `diff`: write it as a text")
            }
            TaskFile::General(task) => {
                task.validate()?;
                task.answer(&self.subject, watcher)
            }
        }
    }
}
