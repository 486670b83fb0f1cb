//! What the questions answer on small models, for people and as JSON, as snapshots; and what must hold of any answer.

use insta::assert_snapshot;
use serde_json::Value;

use crate::sandbox::{Sandbox, fixtures};

const PEOPLE: &str = "income,age,note\n10,39.5,a\n20,40,b\n30,,c\n";

fn people() -> Sandbox {
    let sandbox = Sandbox::with_model();
    sandbox.write("people.csv", PEOPLE);
    sandbox
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

#[test]
fn inspect_for_people() {
    let sandbox = Sandbox::with_model();
    assert_snapshot!("inspect_treeproof", sandbox.run(["inspect", "model.json"]).answer());
    for (name, fixture) in [
        ("xgboost", "xgboost/bin/model.json.gz"),
        ("lightgbm", "lightgbm/frame_categories/model.txt.gz"),
        ("catboost", "catboost/multi/model.json.gz"),
        ("onnx", "onnx/cls_multi/model.onnx.gz"),
        ("scikit_learn", "scikit_learn/ada_regressor/model.json.gz"),
    ] {
        // The format is found by content: a name without an extension will do.
        sandbox.copy(fixture, "model");
        assert_snapshot!(format!("inspect_{name}"), sandbox.run(["inspect", "model"]).answer());
    }
}

#[test]
fn inspect_as_json() {
    let sandbox = Sandbox::with_model();
    let answer = sandbox.run(["inspect", "model.json", "--json"]).answer();
    assert_snapshot!("inspect_json", answer);
    let answer = json(&answer);
    assert_eq!((&answer["question"], &answer["trees"]), (&"inspect".into(), &1.into()));
}

#[test]
fn inspect_shows_the_most_tested_features_only() {
    let names: Vec<String> = (0..30).map(|index| format!("{{\"name\":\"f{index}\",\"kind\":\"numeric\"}}")).collect();
    let tree = |feature: usize| {
        format!(
            r#"{{"left":[1,-1,-1],"right":[2,-1,-1],"feature":[{feature},-1,-1],"test":"<","threshold":[1e300,0,0],
                "missing_left":[0,0,0],"output":0,"value":[0,-1e-9,2]}}"#
        )
    };
    let trees: Vec<String> = (0..30).flat_map(|feature| vec![tree(feature); feature + 1]).collect();
    let start = crate::sandbox::TINY.find("\"trees\"").unwrap();
    let model = format!("{}\"trees\":[{}]}}", &crate::sandbox::TINY[..start], trees.join(","));
    let two = r#"[{"name": "age", "kind": "numeric"}, {"name": "income", "kind": "numeric"}]"#;
    let sandbox = Sandbox::new();
    sandbox.write("model.json", model.replace(two, &format!("[{}]", names.join(","))));
    let answer = sandbox.run(["inspect", "model.json"]).answer();
    assert!(
        answer.contains("\nf29 ") && !answer.contains("\nf14 ") && answer.ends_with("and 15 more (--json lists all)\n")
    );
    let all = json(&sandbox.run(["inspect", "model.json", "--json"]).answer());
    assert_eq!(all["features_used"].as_array().unwrap().len(), 30);
}

#[test]
fn predict_for_people_and_as_json() {
    let sandbox = people();
    let run = |flags: &[&str]| sandbox.run([&["predict", "model.json", "people.csv"][..], flags].concat()).answer();
    assert_snapshot!("predict", run(&[]));
    assert_snapshot!("predict_margin", run(&["--margin"]));
    assert_snapshot!("predict_leaves", run(&["--leaves"]));
    assert_snapshot!("predict_json", run(&["--json"]));
    let answer = json(&run(&["--json", "--leaves"]));
    let row = &answer["rows"][1];
    assert_eq!((&row["row"], &row["margin"], &row["label"]), (&1.into(), &2.5.into(), &"yes".into()));
    assert_eq!(row["leaves"], Value::from(vec![2]));
}

#[test]
fn predict_gives_a_list_where_there_are_several_outputs() {
    let sandbox = Sandbox::new();
    sandbox.copy("xgboost/softprob/model.json.gz", "model.json.gz");
    sandbox.write("rows.csv", "f0,f1,f2,f3,f4,f5\n1,2,3,4,5,6\n");
    assert_snapshot!("predict_classes", sandbox.run(["predict", "model.json.gz", "rows.csv"]).answer());
    assert_snapshot!("predict_classes_json", sandbox.run(["predict", "model.json.gz", "rows.csv", "--json"]).answer());
}

#[test]
fn predictions_do_not_depend_on_threads_or_format() {
    let sandbox = Sandbox::new();
    sandbox.copy("lightgbm/cat/model.txt.gz", "model.txt.gz");
    sandbox.copy("lightgbm/cat/rows.npy", "rows.npy");
    let run = |model: &str, threads: &str| sandbox.run(["predict", model, "rows.npy", "--threads", threads]).answer();
    let expected = run("model.txt.gz", "1");
    assert_eq!(run("model.txt.gz", "3"), expected);
    for converted in ["own.json", "own.json.gz"] {
        sandbox.run(["convert", "model.txt.gz", converted]).answer();
        assert_eq!(run(converted, "1"), expected);
    }
    let gzip = std::fs::read(sandbox.path("own.json.gz")).unwrap();
    assert!(gzip.starts_with(&[0x1f, 0x8b]) && !sandbox.path("own.json.partial").exists());
}

#[test]
fn convert_writes_the_own_format() {
    let sandbox = Sandbox::with_model();
    assert_snapshot!("convert", sandbox.run(["convert", "model.json", "-"]).answer());
    assert_eq!(sandbox.run(["convert", "model.json", "out.json"]).answer(), "");
    let again = sandbox.run(["convert", "out.json", "-"]).answer();
    assert_eq!(again, sandbox.run(["convert", "model.json", "-"]).answer());
}

#[test]
fn libsvm_counts_from_0_or_1_and_notes_go_to_standard_error() {
    let sandbox = Sandbox::with_model();
    sandbox.write("rows.svm", "1 1:50\n");
    let run = |flags: &[&str]| sandbox.run([&["predict", "model.json", "rows.svm", "--json"][..], flags].concat());
    let unclear = run(&[]);
    assert_eq!(json(&unclear.stdout)["rows"][0]["label"], "no", "index 1 is the income");
    assert!(unclear.stderr.starts_with("treeproof: note: rows.svm: ") && unclear.stderr.contains("--index-base 1"));
    assert_eq!(json(&run(&["--index-base", "1"]).answer())["rows"][0]["label"], "yes");
    assert_eq!(json(&run(&["--index-base", "0"]).answer())["rows"][0]["label"], "no");
}

#[test]
fn no_rows_are_an_answer() {
    let sandbox = Sandbox::with_model();
    sandbox.write("rows.csv", "age,income\n");
    assert_eq!(sandbox.run(["predict", "model.json", "rows.csv"]).answer(), "row,output,label\n");
    let answer = json(&sandbox.run(["predict", "model.json", "rows.csv", "--json"]).answer());
    assert_eq!(answer["rows"], Value::Array(vec![]));
}

#[cfg(target_os = "linux")]
#[test]
fn paths_need_not_be_utf_8() {
    use std::os::unix::ffi::OsStrExt;
    let name = |bytes| std::ffi::OsStr::from_bytes(bytes);
    let (model, rows, out) = (name(b"m\xff.json"), name(b"r\xff.csv"), name(b"o\xff.json"));
    let sandbox = Sandbox::new();
    sandbox.write(model, crate::sandbox::TINY);
    sandbox.write(rows, PEOPLE);
    let answer = json(&sandbox.run([name(b"predict"), model, rows, name(b"--json")]).answer());
    assert_eq!(answer["model"], "m\u{fffd}.json");
    let answer = json(&sandbox.run([name(b"inspect"), model, name(b"--json")]).answer());
    assert_eq!(answer["model"], "m\u{fffd}.json");
    sandbox.run([name(b"convert"), model, out]).answer();
    assert!(sandbox.path(out).exists());
    let line = sandbox.refusal([name(b"inspect"), name(b"no\xff.json")], "no such file");
    assert_eq!(line, "no\u{fffd}.json: no such file");
}

#[test]
fn a_closed_pipe_is_no_error() {
    let sandbox = people();
    sandbox.write("many.csv", format!("age,income\n{}", "41.25,7\n".repeat(20_000)));
    sandbox.copy("xgboost/reg_d8/model.json.gz", "large.json.gz");
    for command in
        ["predict model.json many.csv", "predict model.json many.csv --json", "convert large.json.gz -", "--help"]
    {
        let outcome = sandbox.shell(&format!("$treeproof {command} | head -c 1 >/dev/null; exit ${{PIPESTATUS[0]}}"));
        assert_eq!((outcome.code, outcome.stderr.as_str()), (Some(0), ""), "{command}");
    }
}

#[test]
fn every_fixture_can_be_inspected() {
    let mut count = 0;
    for library in ["xgboost", "lightgbm", "catboost", "onnx", "scikit_learn"] {
        for case in std::fs::read_dir(fixtures().join(library)).unwrap() {
            let files = std::fs::read_dir(case.unwrap().path()).unwrap().map(|file| file.unwrap().path());
            for model in files.filter(|path| path.file_name().unwrap().to_string_lossy().starts_with("model.")) {
                let text = Sandbox::new().run([model.as_os_str(), "inspect".as_ref()].iter().rev()).answer();
                assert!(text.lines().all(|line| line.trim_end() == line), "{}: {text}", model.display());
                count += 1;
            }
        }
    }
    assert!(count > 100, "{count} models");
}
