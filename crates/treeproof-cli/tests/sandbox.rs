//! A temporary folder in which the real binary runs, so that answers name files by short relative paths.

use std::ffi::OsStr;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// A model small enough to be read: 0.5, minus 1 for those below 40, plus 2 for the others.
pub(crate) const TINY: &str = r#"{"treeproof": 1,
 "source": {"format": "treeproof JSON", "objective": "by hand"},
 "features": [{"name": "age", "kind": "numeric"}, {"name": "income", "kind": "numeric"}],
 "input": {"precision": "f64", "accepts_missing": true, "accepts_infinite": true, "absent": "zero"},
 "num_outputs": 1,
 "aggregate": {"rule": "sum", "precision": "f64", "base": [0.5], "base_position": "first", "fixed_order": true},
 "link": {"function": "logistic", "slope": 1.0},
 "label": {"rule": "margin_above", "threshold": 0.0},
 "classes": ["no", "yes"],
 "trees": [{"left": [1, -1, -1], "right": [2, -1, -1], "feature": [0, -1, -1], "test": "<", "threshold": [40, 0, 0],
            "missing_left": [1, 0, 0], "output": 0, "value": [0, -1.0, 2.0]}]}"#;

/// Generous: the tests run unoptimised code, on busy machines.
const TIME_LIMIT: Duration = Duration::from_secs(5);

pub(crate) struct Sandbox(TempDir);

pub(crate) struct Outcome {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Sandbox {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    /// With the model [`TINY`] as `model.json`.
    pub(crate) fn with_model() -> Self {
        let sandbox = Self::new();
        sandbox.write("model.json", TINY);
        sandbox
    }

    pub(crate) fn path(&self, name: impl AsRef<Path>) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn write(&self, name: impl AsRef<Path>, content: impl AsRef<[u8]>) {
        std::fs::write(self.path(name), content).unwrap();
    }

    /// Copies a model of a library from the loaders' fixtures.
    pub(crate) fn copy(&self, fixture: &str, name: &str) {
        std::fs::copy(fixtures().join(fixture), self.path(name)).unwrap();
    }

    /// Runs the binary in this folder.
    pub(crate) fn run<S: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = S>) -> Outcome {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("treeproof"));
        command.args(args);
        self.finish(command)
    }

    /// The same with at most 1 GB of address space, where the system can be told so.
    pub(crate) fn run_confined<S: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = S>) -> Outcome {
        if !cfg!(target_os = "linux") {
            return self.run(args);
        }
        let mut command = Command::new("bash");
        command.args(["-c", "ulimit -v 1000000 && exec \"$0\" \"$@\""]);
        command.arg(assert_cmd::cargo::cargo_bin!("treeproof")).args(args);
        self.finish(command)
    }

    /// Runs a line of a shell that knows the binary as `$treeproof`.
    pub(crate) fn shell(&self, line: &str) -> Outcome {
        let mut command = Command::new("bash");
        command.args(["-c", line]).env("treeproof", assert_cmd::cargo::cargo_bin!("treeproof"));
        self.finish(command)
    }

    fn finish(&self, mut command: Command) -> Outcome {
        // Help is wrapped to the terminal, of which a test has none.
        let output = command.current_dir(self.0.path()).env_remove("COLUMNS").output().unwrap();
        let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
        Outcome { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
    }

    /// The one line with which a command is refused, within the limits of time and memory.
    #[track_caller]
    pub(crate) fn refusal<S: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = S>, about: &str) -> String {
        let start = Instant::now();
        let Outcome { code, stdout, stderr } = self.run_confined(args);
        assert!(start.elapsed() < TIME_LIMIT, "{about}: took {:?}", start.elapsed());
        assert_eq!(code, Some(2), "{about}: {stderr}");
        assert!(stdout.is_empty(), "{about}: printed {stdout:.200}");
        assert!(!stderr.contains("panicked") && !stderr.contains("internal error"), "{about}: {stderr}");
        let line = stderr.strip_prefix("treeproof: ").and_then(|line| line.strip_suffix('\n'));
        let line = line.unwrap_or_else(|| panic!("{about}: not a line of treeproof: {stderr:?}"));
        assert!(!line.contains('\n'), "{about}: more than one line: {stderr}");
        line.to_owned()
    }
}

impl Outcome {
    /// What a command printed that had nothing to complain about.
    #[track_caller]
    pub(crate) fn answer(self) -> String {
        assert_eq!((self.code, self.stderr.as_str()), (Some(0), ""), "{}", self.stdout);
        self.stdout
    }
}

pub(crate) fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../treeproof-ensemble/tests/fixtures")
}

/// The content of a fixture, not gzipped.
pub(crate) fn plain(fixture: &str) -> Vec<u8> {
    let content = std::fs::read(fixtures().join(fixture)).unwrap();
    if !fixture.ends_with(".gz") {
        return content;
    }
    let mut plain = Vec::new();
    flate2::read::GzDecoder::new(content.as_slice()).read_to_end(&mut plain).unwrap();
    plain
}
