//! Wrong, damaged and hostile files through the real binary: one line that names the file and the reason, exit code
//! 2, soon and in little memory. The loaders' own tests try many more, inside one process.

use std::io::Write;

use serde_json::Value;

use crate::sandbox::{Sandbox, TINY, fixtures, plain};
use crate::tasks::examples;

#[track_caller]
fn bad_model(about: &str, content: impl AsRef<[u8]>, expected: &str) {
    let sandbox = Sandbox::new();
    sandbox.write("bad.model", content);
    let line = sandbox.refusal(["inspect", "bad.model"], about);
    assert!(line.starts_with("bad.model: ") && line.contains(expected), "{about}: {line}");
}

/// The tiny model with one part replaced.
#[track_caller]
fn changed(about: &str, from: &str, to: &str, expected: &str) {
    assert!(TINY.contains(from), "{from}");
    bad_model(about, TINY.replace(from, to), expected);
}

#[track_caller]
fn bad_data(name: &str, content: impl AsRef<[u8]>, expected: &str) {
    let sandbox = Sandbox::with_model();
    sandbox.write(name, content);
    let line = sandbox.refusal(["predict", "model.json", name, "--threads", "1"], expected);
    assert_eq!(line, format!("{name}: {expected}"));
}

#[test]
fn files_that_are_no_models() {
    let sandbox = Sandbox::new();
    std::fs::create_dir(sandbox.path("folder")).unwrap();
    assert_eq!(sandbox.refusal(["inspect", "none"], "missing"), "none: no such file");
    assert_eq!(sandbox.refusal(["inspect", "folder"], "folder"), "folder: is a directory, not a model file");
    bad_model("empty", "", "the file is empty");
    bad_model("white space", " \n ", "not a model file");
    bad_model("a pickle", b"\x80\x04\x95\x10\0\0\0\0\0\0\0", "treeproof.load(estimator).save(\"model.json\")");
    bad_model("joblib, compressed", b"x\x9c\xed\xbd", "treeproof.load(estimator).save(\"model.json\")");
    bad_model("CatBoost's own", b"CBM1\x08\0\0\0", "save_model(path, format=\"json\")");
    bad_model("an old XGBoost", b"binf\0\0", "save it as .json or .ubj");
    bad_model("a text dump", "booster[0]:\n0:[f0<0.5] yes=1,no=2\n", "save_model(\"model.json\")");
    bad_model("data", "age,income\n1,2\n", "this looks like a table, which is data, not a model");
    bad_model("noise", [0xff, 0xfe, 7, 0, 200], "not a model file");
    bad_model("other JSON", "{\"a\": 1}", "a JSON document, but not a model");
}

#[test]
fn names_that_are_nearly_those_of_files() {
    let sandbox = Sandbox::with_model();
    sandbox.write("people.csv", "age,income\n1,2\n");
    sandbox.write("m.ubj", "");
    std::fs::create_dir(sandbox.path("sub")).unwrap();
    sandbox.write("sub/people.csv", "age,income\n1,2\n");
    for (args, expected) in [
        (&["max", "modle.json"][..], "modle.json: no such file; did you mean model.json?"),
        (&["inspect", "Model.jsn"], "Model.jsn: no such file; did you mean model.json?"),
        (&["inspect", "m.txt"], "m.txt: no such file; did you mean m.ubj?"),
        (&["inspect", "other"], "other: no such file"),
        (&["inspect", "none/model.json"], "none/model.json: no such file: there is no folder none"),
        (&["predict", "model.json", "poeple.csv"], "poeple.csv: no such file; did you mean people.csv?"),
        (&["predict", "model.json", "sub/peple.csv"], "sub/peple.csv: no such file; did you mean sub/people.csv?"),
        (&["max", "model.json", "--domain", "people.cvs"], "people.cvs: no such file; did you mean people.csv?"),
        (&["check", "x.proof", "model.json"], "x.proof: no such file"),
        (&["solve", "modelx.json"], "modelx.json: no such file; did you mean model.json?"),
    ] {
        assert_eq!(sandbox.refusal(args, &args.join(" ")), expected);
    }
}

#[test]
fn data_where_the_model_should_be() {
    let sandbox = Sandbox::with_model();
    sandbox.write("people.csv", "age,income\n1,2\n");
    let table = "people.csv: this looks like a table, which is data, not a model";
    assert_eq!(sandbox.refusal(["max", "people.csv"], "alone"), table);
    assert_eq!(sandbox.refusal(["predict", "people.csv", "people.csv"], "no model at all"), table);
    for question in [
        &["predict", "people.csv", "model.json"][..],
        &["robust", "people.csv", "model.json", "--norm", "l1", "--radius", "1"],
        &["fair", "people.csv", "model.json", "--protected", "age"],
    ] {
        let expected = format!("{table}; model.json is one: MODEL comes before DATA");
        assert_eq!(sandbox.refusal(question, "swapped"), expected);
    }
}

#[test]
fn what_cannot_be_exact_or_contradicts_itself() {
    let folder = fixtures().join("refused");
    let list: Vec<Value> = serde_json::from_slice(&std::fs::read(folder.join("refused.json")).unwrap()).unwrap();
    for refusal in list {
        let (file, reason) = (refusal["file"].as_str().unwrap(), refusal["reason"].as_str().unwrap());
        let line = Sandbox::new().refusal(["inspect".as_ref(), folder.join(file).as_os_str()], file);
        assert!(line.contains(file) && line.to_lowercase().contains(&reason.to_lowercase()), "{line}");
    }
}

#[test]
fn trees_that_are_none() {
    changed("a cycle", "\"left\": [1, -1", "\"left\": [0, -1", "tree 0, node 0: the node is missing, or reached twice");
    changed(
        "a node reached twice",
        "\"right\": [2,",
        "\"right\": [1,",
        "tree 0, node 1: the node is missing, or reached twice",
    );
    changed("a child out of range", "\"right\": [2,", "\"right\": [3,", "child 3 is out of range");
    changed("a negative child", "\"right\": [2,", "\"right\": [-2,", "out of range");
    changed("a feature past the end", "\"feature\": [0,", "\"feature\": [2,", "feature 2");
    changed("a NaN leaf", "-1.0, 2.0]", "-1.0, NaN]", "");
    changed("an infinite leaf", "-1.0, 2.0]", "-1.0, \"inf\"]", "");
    changed("a leaf that overflows", "-1.0, 2.0]", "-1.0, 1e999]", "");
    changed("a text for a number", "\"threshold\": [40,", "\"threshold\": [\"forty\",", "");
    changed("a number for a list", "\"left\": [1, -1, -1]", "\"left\": 1", "invalid type");
    changed("short columns", "\"left\": [1, -1, -1]", "\"left\": [1, -1]", "entries");
    changed("a fraction for a child", "\"right\": [2,", "\"right\": [1.5,", "");
    changed("an unknown field", "\"num_outputs\"", "\"outputs\": 1, \"num_outputs\"", "unknown field `outputs`");
    changed("too many outputs", "\"num_outputs\": 1", "\"num_outputs\": 2147483648", "");
}

#[test]
fn texts_that_are_not_utf_8() {
    let broken = |text: &[u8], name: &[u8]| {
        let at = text.windows(name.len()).position(|window| window == name).unwrap();
        [&text[..at], &b"\xff\xfe"[..], &text[at + 2..]].concat()
    };
    bad_model("treeproof", broken(TINY.as_bytes(), b"income"), "");
    bad_model("LightGBM", broken(&plain("lightgbm/reg_l7/model.txt.gz"), b"Column_0"), "");
}

#[test]
fn models_that_were_cut_off() {
    for fixture in [
        "xgboost/reg_d1/model.json.gz",
        "xgboost/reg_d3_ubj/model.ubj",
        "lightgbm/reg_l2/model.txt",
        "catboost/reg_d1/model.json.gz",
        "onnx/reg_gt/model.onnx.gz",
        "scikit_learn/tree_regressor/model.json.gz",
        "pipelines/forest/model.json.gz",
    ] {
        let content = plain(fixture);
        // Behind the trees of a LightGBM file stand only things that prediction does not need.
        let needed = content.windows(12).position(|window| window == b"end of trees").unwrap_or(content.len());
        let needed = content[..needed].trim_ascii_end().len();
        for cut in (0..needed).step_by(needed / 40) {
            // Where enough is left to know the format, the line says what happened.
            let said = if fixture.contains(".json") && cut > needed / 2 { "it was cut off" } else { "" };
            bad_model(&format!("{fixture} cut at byte {cut} of {needed}"), &content[..cut], said);
        }
    }
    let gzip = std::fs::read(fixtures().join("xgboost/bin/model.json.gz")).unwrap();
    bad_model("a gzip file cut off", &gzip[..gzip.len() / 2], "gzip stream: damaged");
}

#[test]
fn files_that_attack() {
    let deep = |open: &str| open.repeat(100_000);
    for (about, content) in [
        ("arrays", deep("[")),
        ("objects", deep("{\"a\":")),
        ("XGBoost", format!("{{\"learner\":{}", deep("{\"a\":"))),
        ("CatBoost trees", format!("{{\"model_info\":{{}},\"trees\":[{}", deep("{\"left\":"))),
        ("treeproof", format!("{{\"treeproof\":1,\"trees\":{}", deep("["))),
        ("a dump", deep("[{\"children\":")),
    ] {
        bad_model(&format!("{about}, 100,000 deep"), content, "");
    }
    bad_model("UBJSON of 2^31 numbers", b"{L\0\0\0\0\0\0\0\x07learner[$d#L\0\0\0\0\x80\0\0\0", "");
    bad_model(
        "2^31 features",
        "tree\nversion=v4\nnum_class=1\nnum_tree_per_iteration=1\nmax_feature_idx=2147483646\n",
        "",
    );

    let mut bomb = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    bomb.write_all(b"{\"learner\": ").unwrap();
    (0..1000).for_each(|_| bomb.write_all(&[b' '; 1 << 20]).unwrap());
    let bomb = bomb.finish().unwrap();
    bad_model("a gzip bomb", &bomb, "a gzip bomb");
    let line = {
        let sandbox = Sandbox::with_model();
        sandbox.write("bomb.csv.gz", &bomb);
        sandbox.refusal(["predict", "model.json", "bomb.csv.gz", "--threads", "1"], "a bomb as data")
    };
    assert!(line.starts_with("bomb.csv.gz: "), "{line}");
}

#[test]
fn columns_that_do_not_fit() {
    bad_data("rows.csv", "agee,income\n1,2\n", "the data has no column `age`; did you mean `agee`?");
    bad_data(
        "rows.csv",
        "income,note\n1,2\n",
        "the data has no column `age`; columns are matched by name: add it, or rename one",
    );
    bad_data("rows.csv", "age,age,income\n1,2,3\n", "the data has more than one column `age`; keep one of them");
    bad_data(
        "rows.csv",
        "a,b,c,d\n1,2,3,4\n",
        "the data has 4 columns, the model has 2 features, and no column has a feature's name such as `age`",
    );
    bad_data("rows.svm", "1 0:1 7:2\n", "row 0: index 7 in data that counts from 0, but the model has 2 features");
}

#[test]
fn cells_that_do_not_fit() {
    bad_data(
        "rows.csv",
        "age,income\n41,1\nold,2\n",
        "column `age`, row 1: `old` is not a number (for a missing value leave the cell empty)",
    );
    let sandbox = Sandbox::new();
    sandbox.write("model.json", TINY.replace("\"accepts_missing\": true", "\"accepts_missing\": false"));
    sandbox.write("rows.csv", "age,income\n41,1\n,2\n");
    let line = sandbox.refusal(["predict", "model.json", "rows.csv", "--threads", "1"], "a missing value");
    assert_eq!(line, "rows.csv: row 1: feature `age`: missing value, which this model's library refuses");

    sandbox.copy("xgboost/frame_categories/model.json.gz", "model.json.gz");
    sandbox.write("rows.csv", "text,number,code\nw,1,7\nqq,1,7\n");
    let line = sandbox.refusal(["predict", "model.json.gz", "rows.csv", "--threads", "1"], "an unknown category");
    assert!(line.starts_with("rows.csv: column `text`, row 1: the model knows no category `qq`; it knows"), "{line}");
}

#[test]
fn files_that_are_no_data() {
    let sandbox = Sandbox::with_model();
    std::fs::create_dir(sandbox.path("folder")).unwrap();
    let refusal = |data: &str| sandbox.refusal(["predict", "model.json", data, "--threads", "1"], data);
    assert_eq!(refusal("none.csv"), "none.csv: no such file");
    assert_eq!(refusal("folder"), "folder: is a directory, not a data file");
    assert!(refusal("model.json").contains("looks like JSON (a model?)"));
    bad_data("rows.csv", "", "is empty");
    bad_data("rows.npy", "age\n", "has the extension .npy, but is not a npy file; it may be damaged");
    sandbox.write("rows.csv", "age,income\n1,2\n3\n");
    let ragged = refusal("rows.csv");
    assert!(ragged.starts_with("rows.csv: line 3: "), "{ragged}");
}

#[test]
fn damaged_parquet_is_an_error_and_nothing_more() {
    let sandbox = Sandbox::with_model();
    let file = fixtures().join("../../../treeproof-data/tests/fixtures/zstd_2.parquet");
    let content = std::fs::read(file).unwrap();
    for step in 0..60 {
        let mut damaged = content.clone();
        let at = 4 + step * (content.len() - 8) / 60;
        damaged[at] = damaged[at].wrapping_add(1 + step as u8);
        sandbox.write("rows.parquet", damaged);
        // A damaged name or number may still be a table, which then does not suit the model.
        let line = sandbox.refusal(["predict", "model.json", "rows.parquet", "--threads", "1"], "damaged Parquet");
        assert!(line.starts_with("rows.parquet: "), "byte {at}: {line}");
    }
}

#[test]
fn what_never_ends_is_not_read_to_its_end() {
    let sandbox = examples();
    assert_eq!(sandbox.run(["max", "new.json", "--proof", "max.proof"]).code, Some(0));
    for args in [
        &["inspect", "/dev/zero"][..],
        &["check", "max.proof", "/dev/zero"],
        &["predict", "new.json", "/dev/zero"],
        &["max", "new.json", "--domain", "/dev/zero"],
        &["solve", "/dev/zero"],
        &["audit", "/dev/zero"],
    ] {
        let line = sandbox.refusal(args, &args.join(" "));
        assert!(line.starts_with("/dev/zero: "), "{line}");
    }
}
