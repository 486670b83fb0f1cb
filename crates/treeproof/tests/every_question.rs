//! Every question is known everywhere: to task files, to audits, and by a program in `examples`, which runs.

use std::path::{Path, PathBuf};
use std::process::Command;

use treeproof::audit;
use treeproof::report::QuestionName;
use treeproof::task::TaskFile;

#[test]
fn tasks_and_audits_know_every_question() {
    let schema = TaskFile::schema();
    for name in QuestionName::ALL.map(QuestionName::name) {
        assert!(schema.contains(&format!("\"{name}\"")), "{name}");
        let check = format!("model = 'm.json'\n[[check]]\nname = 'one'\nquestion = '{name}'\nat_most = 1\n");
        // A field may be missing, or nothing be expected of the question.
        let wrong = audit::read(&check, Path::new("audit.toml")).err().unwrap_or_default();
        assert_eq!(wrong.contains("unknown word"), name == "maximise", "{wrong}");
    }
}

/// The program of an example, which Cargo builds beside the tests.
fn program(name: &str) -> PathBuf {
    let tests = std::env::current_exe().unwrap();
    tests.parent().unwrap().with_file_name("examples").join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
}

#[test]
fn every_question_has_an_example_that_runs() {
    for question in QuestionName::ALL {
        let program = program(question.name());
        assert!(program.exists(), "{} is not built: test the whole package", program.display());
        let output = Command::new(&program).output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && !output.stdout.is_empty(), "{}: {errors}", question.name());
    }
}
