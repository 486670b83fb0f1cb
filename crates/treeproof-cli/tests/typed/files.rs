//! The files of a folder in which random commands run: good ones of every kind, and damaged copies of them.

use std::path::Path;

use super::random::Random;
use crate::sandbox::{Sandbox, plain};

/// Small models of every format.
const MODELS: &[(&str, &str)] = &[
    ("xgboost/bin/model.json.gz", "xgboost.json"),
    ("xgboost/cat/model.json.gz", "categories.json"),
    ("xgboost/reg_d3_ubj/model.ubj", "xgboost.ubj"),
    ("refused/xgboost_dump.json", "dump.json"),
    ("lightgbm/cat/model.txt.gz", "lightgbm.txt"),
    ("lightgbm/multi/model.txt.gz", "classes.txt"),
    ("catboost/onehot/model.json.gz", "catboost.json"),
    ("onnx/cls_multi/model.onnx.gz", "classes.onnx"),
    ("pipelines/forest/model.json.gz", "pipeline.json"),
    ("scikit_learn/forest_two/model.json.gz", "forest.json"),
];
/// Models and data, tasks and audits that belong together.
const EXAMPLES: &[&str] =
    &["new.json", "old.json", "homes.json", "people.csv", "named.json", "raise.json", "two.json", "loans.audit.toml"];
/// Made by the program itself.
const MADE: &[(&str, &[&str])] = &[
    ("max.proof", &["max", "new.json", "--proof", "max.proof"]),
    ("robust.proof", &["robust", "new.json", "people.csv", "--norm", "l1", "--radius", "1", "--proof", "robust.proof"]),
    ("own.json", &["convert", "lightgbm.txt", "own.json"]),
    ("own.json.gz", &["convert", "categories.json", "own.json.gz"]),
    ("rows.csv", &["closest", "new.json", "people.csv", "--norm", "linf", "--output", "rows.csv"]),
];

/// The name of each file with what it holds: read once, written into many folders.
pub(super) struct Files(Vec<(String, Vec<u8>)>);

impl Files {
    pub(super) fn collect() -> Self {
        let sandbox = Sandbox::new();
        let mut files: Vec<(String, Vec<u8>)> =
            MODELS.iter().map(|(fixture, name)| ((*name).to_owned(), plain(fixture))).collect();
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let mut add = |folder: &str, name: &str| {
            let path = root.join(folder).join(name);
            let content = std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            files.push((name.to_owned(), content));
        };
        EXAMPLES.iter().for_each(|name| add("docs/examples", name));
        add("crates/treeproof-ensemble/tests/fixtures/xgboost/bin", "rows.npy");
        for name in ["digits.ubj.gz", "referral.json.gz", "patients.csv.gz"] {
            add("crates/treeproof-cli/demo", name);
        }
        for name in ["deflated.npz", "gzip_1.parquet", "bom.csv.gz", "comma.csv"] {
            add("crates/treeproof-data/tests/fixtures", name);
        }
        for (name, content) in &files {
            sandbox.write(name, content);
        }
        for (name, command) in MADE {
            let outcome = sandbox.run(*command);
            let content =
                std::fs::read(sandbox.path(name)).unwrap_or_else(|_| panic!("{command:?}: {}", outcome.stderr));
            files.push(((*name).to_owned(), content));
        }
        let answer = sandbox.run(["monotone", "new.json", "--json"]).stdout;
        files.push(("answer.json".to_owned(), answer.into_bytes()));
        files.push(("rows.libsvm".to_owned(), b"1 0:1 1:2.5\n0 1:3\n".to_vec()));
        files.push(("empty".to_owned(), vec![]));
        files.push(("two words\n.csv".to_owned(), b"age,income,status\n1,2,single\n".to_vec()));
        Self(files)
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(name, _)| name.as_str())
    }

    /// Writes all of them into a folder, and a few damaged ones, `damaged-0` and so on.
    pub(super) fn write(&self, sandbox: &Sandbox, random: &mut Random) {
        for (name, content) in &self.0 {
            sandbox.write(name, content);
        }
        std::fs::create_dir(sandbox.path("folder")).unwrap();
        for number in 0..4 {
            let (_, content) = random.pick(&self.0);
            sandbox.write(format!("damaged-{number}"), damage(content.clone(), random));
        }
    }
}

fn damage(mut content: Vec<u8>, random: &mut Random) -> Vec<u8> {
    for _ in 0..=random.below(4) {
        let (from, to) = (random.below(content.len()), random.below(content.len()));
        match random.below(5) {
            0 => content.truncate(from),
            1 if from < content.len() => content[from] = u8::try_from(random.below(256)).unwrap(),
            2 if from < to => drop(content.drain(from..to)),
            3 if from < to => {
                let part = content[from..to].to_vec();
                content.splice(from..from, part);
            }
            _ => {
                let word = *random.pick(&["9", "-1", "null", "\"", "}", "NaN", "1e999", ",", "\n", "[["]);
                content.splice(from..from, word.bytes());
            }
        }
    }
    content
}
