//! Cells of categorical columns: what they are to the model's library, in every file that a question names.

use serde_json::json as value;

use crate::questions::{json, number};
use crate::sandbox::Sandbox;

/// A LightGBM model of one categorical column, as the library writes it: the first category has 8, the second −1, and what is
/// neither has `rest`.
fn model(names: &str, rest: &str) -> String {
    let (leaves, splits) = match rest {
        "-1" => (
            "num_leaves=2\nnum_cat=1",
            "split_feature=0\nsplit_gain=1\nthreshold=0\ndecision_type=1\nleft_child=-1\nright_child=-2\nleaf_value=8 -1\n\
             leaf_weight=40 40\nleaf_count=40 40\ninternal_value=3\ninternal_weight=80\ninternal_count=80\n\
             cat_boundaries=0 1\ncat_threshold=1"
                .to_owned(),
        ),
        rest => (
            "num_leaves=3\nnum_cat=2",
            format!(
                "split_feature=0 0\nsplit_gain=2 1\nthreshold=0 1\ndecision_type=1 1\nleft_child=-1 -2\nright_child=1 -3\n\
                 leaf_value=8 -1 {rest}\nleaf_weight=40 40 40\nleaf_count=40 40 40\ninternal_value=3 0.5\n\
                 internal_weight=120 80\ninternal_count=120 80\ncat_boundaries=0 1 2\ncat_threshold=1 2"
            ),
        ),
    };
    let infos = if rest == "-1" { "-1:0:1" } else { "-1:0:1:2" };
    format!(
        "tree\nversion=v4\nnum_class=1\nnum_tree_per_iteration=1\nlabel_index=0\nmax_feature_idx=0\nobjective=regression\n\
         feature_names=c\nfeature_infos={infos}\n\nTree=0\n{leaves}\n{splits}\nis_linear=0\nshrinkage=1\n\n\nend of trees\n\n\
         pandas_categorical:[{names}]\n"
    )
}

fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("words.txt", model(r#"["False", "Maybe", "True"]"#, "2"));
    sandbox.write("truths.txt", model("[true, false]", "-1"));
    sandbox.write("numbers.txt", model("[10, 20, 30]", "2"));
    sandbox.write("truths.csv", "c\nTrue\nFalse\n");
    sandbox.write("maybe.csv", "c\nTrue\nMaybe\n");
    sandbox
}

fn upper(sandbox: &Sandbox, args: &[&str]) -> f64 {
    let (answer, code) = json(sandbox, args);
    assert_eq!(code, Some(0), "{args:?}: {answer}");
    number(&answer["upper"])
}

#[test]
fn a_domain_holds_the_rows_that_it_is_taken_from() {
    let sandbox = sandbox();
    let domain = |model, data| upper(&sandbox, &["max", model, "--domain", data]);
    assert_eq!(domain("truths.txt", "truths.csv"), 8.0, "`true` is the first category, and not code 1");
    assert_eq!(domain("words.txt", "maybe.csv"), 2.0);
    sandbox.write("true.csv", "c\nTrue\n");
    assert_eq!(upper(&sandbox, &["max", "truths.txt", "--domain", "true.csv"]), 8.0);
    sandbox.write("numbers.csv", "c\n20\n30\n");
    assert_eq!(domain("numbers.txt", "numbers.csv"), 2.0);
    let is = |model, data, expected: &[f64]| {
        let rows = json(&sandbox, &["predict", model, data]).0["rows"].clone();
        let outputs: Vec<f64> = rows.as_array().unwrap().iter().map(|row| number(&row["output"])).collect();
        assert_eq!(outputs, expected, "{model} {data}");
    };
    is("truths.txt", "truths.csv", &[8.0, -1.0]);
    is("words.txt", "maybe.csv", &[2.0, -1.0]);
    is("numbers.txt", "numbers.csv", &[-1.0, 2.0]);
}

/// pandas reads truth values, of which LightGBM makes "missing": nobody can have meant that.
#[test]
fn what_is_spelt_like_a_category_and_is_none_is_refused_wherever_it_is() {
    let sandbox = sandbox();
    sandbox.write(
        "audit.toml",
        "model = 'words.txt'\ndomain = 'truths.csv'\n[[check]]\nname = 'a'\nquestion = 'max'\nat_most = 9\n",
    );
    let near = ["words.txt", "truths.csv", "--norm", "l0"];
    for args in [
        &["predict", "words.txt", "truths.csv"][..],
        &["max", "words.txt", "--domain", "truths.csv"],
        &["monotone", "words.txt", "--domain", "truths.csv"],
        &[&["closest"], &near[..], &["--output-above", "5"]].concat(),
        &[&["robust"], &near[..], &["--radius", "1", "--within", "1"]].concat(),
        &["fair", "words.txt", "truths.csv", "--protected", "c"],
        &["audit", "audit.toml"],
    ] {
        let line = sandbox.refusal(args, "truths.csv");
        assert!(line.contains("column `c`, row 0: `True` is spelt like a category"), "{line}");
        assert!(line.contains("--categories text") && line.contains("--categories codes"), "{line}");
    }
}

#[test]
fn what_cells_are_can_be_said() {
    let sandbox = sandbox();
    let max = ["max", "words.txt", "--domain", "truths.csv", "--categories", "text"];
    assert_eq!(upper(&sandbox, &max), 8.0);
    sandbox.write("codes.csv", "c\n1\n2\n");
    assert_eq!(upper(&sandbox, &["max", "words.txt", "--domain", "codes.csv", "--categories", "codes"]), 2.0);
    // In tasks and audits too.
    let printed = sandbox.run([&max[..], &["--print-task"]].concat()).answer();
    assert!(printed.contains("\"categories\": \"text\""), "{printed}");
    sandbox.write("task.json", printed);
    assert_eq!(upper(&sandbox, &["solve", "task.json"]), 8.0);
    let check = "[[check]]\nname = 'a'\nquestion = 'max'\nat_least = 8\nat_most = 8\n";
    let reading = "[reading]\ncategories = 'text'\n";
    sandbox.write("audit.toml", format!("model = 'words.txt'\ndomain = 'truths.csv'\n{reading}{check}"));
    assert_eq!(json(&sandbox, &["audit", "audit.toml"]).1, Some(0));
}

/// A witness that is given back is the same row.
#[test]
fn witnesses_have_the_types_of_categories() {
    let sandbox = sandbox();
    let witness = |model| json(&sandbox, &["max", model]).0["witness"].clone();
    assert_eq!(witness("truths.txt"), value!({"c": true}));
    assert_eq!(witness("numbers.txt"), value!({"c": 10.0}));
    assert_eq!(witness("words.txt"), value!({"c": "False"}));
    for (model, condition, expected) in [
        ("truths.txt", "c == False", -1.0),
        ("truths.txt", "c == true", 8.0),
        ("numbers.txt", "c == 20.0", -1.0),
        ("numbers.txt", "c in {20, 30}", 2.0),
        ("words.txt", "c == True", 2.0),
    ] {
        assert_eq!(upper(&sandbox, &["max", model, "--where", condition]), expected, "{condition}");
    }
    sandbox.refusal(["max", "words.txt", "--where", "c == true"], "no category");
}
