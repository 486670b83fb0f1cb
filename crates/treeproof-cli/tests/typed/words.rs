//! What people type for a value: sensible words for what a help text calls it, and words that make no sense there.

use super::random::Random;

const NUMBERS: &[&str] = &[
    "0",
    "1",
    "2",
    "3",
    "0.5",
    "-1",
    "1e-300",
    "1e308",
    "1e999",
    "-0",
    "nan",
    "inf",
    "40",
    "20000",
    "99999999999999999999",
];
const FEATURES: &[&str] = &[
    "age",
    "income",
    "status",
    "f0",
    "f1",
    "f4",
    "f999",
    "home",
    "home_own",
    "agee",
    "`two words`",
    "a.age",
    "b.income",
];
const STRANGE: &[&str] = &[
    "",
    " ",
    "-",
    "--",
    "---",
    "=",
    ",",
    "*",
    "?",
    "!",
    "'",
    "\"",
    "\\",
    "\u{202e}",
    "\u{0}",
    "日本",
    "🌳",
    "../..",
    "/",
    "~",
    "%s%n",
    "{}",
    "[",
    "(((((((((",
    "$(true)",
    "; true",
    "--json=1",
    "-h",
    "-V",
    "--help=x",
    "\n",
    "\t",
    "NaN",
    "null",
    "treeproof",
];
const MODELS: &[&str] = &[
    "new.json",
    "new.json",
    "new.json",
    "new.json",
    "digits.ubj.gz",
    "referral.json.gz",
    "old.json",
    "homes.json",
    "xgboost.json",
    "categories.json",
    "xgboost.ubj",
    "dump.json",
    "lightgbm.txt",
    "classes.txt",
    "catboost.json",
    "classes.onnx",
    "pipeline.json",
    "forest.json",
    "own.json",
    "own.json.gz",
];
const DATA: &[&str] = &[
    "people.csv",
    "people.csv",
    "rows.npy",
    "deflated.npz",
    "gzip_1.parquet",
    "rows.libsvm",
    "patients.csv.gz",
    "comma.csv",
    "two words\n.csv",
];

/// A word for a value that is called `name` by the flag or argument `of`; now and then any word at all.
pub(super) fn word(name: &str, of: &str, random: &mut Random, files: &[String]) -> String {
    if random.is_one_in(25) {
        return any(random, files);
    }
    if random.is_one_in(40) {
        return random.pick(files).clone();
    }
    if random.is_one_in(2)
        && let Some(words) = fitting(name, of)
    {
        return (*random.pick(words)).to_owned();
    }
    let pick = |random: &mut Random, words: &[&str]| (*random.pick(words)).to_owned();
    match (of, name) {
        ("--time", _) => pick(random, &["1ms", "20ms", "0.05s", "0s", "40ms"]),
        ("--memory", _) => pick(random, &["1MB", "0", "100MB", "1B", "2GiB"]),
        ("--threads", _) => pick(random, &["1", "2", "3", "64"]),
        ("--norm", _) => pick(random, &["linf", "l1", "l2", "l0"]),
        ("--gap", _) => pick(random, &["0", "1%", "0.1", "100%", "1e-9"]),
        ("--within" | "--radius", _) => pick(random, &["0", "0.1", "1", "1000", "1e300"]),
        ("--scale", _) => pick(random, &["std:people.csv", "range:people.csv", "std:", "2"]),
        ("--given" | "--weights", _) => format!("{}={}", random.pick(FEATURES), random.pick(NUMBERS)),
        ("--baseline", _) if random.is_one_in(2) => format!("people.csv:{}", random.below(6)),
        ("--baseline", _) => format!("{}={}", random.pick(FEATURES), random.pick(NUMBERS)),
        ("--label", _) => pick(random, &["outcome", "age", "labels.csv", "nothing"]),
        ("--rows", _) => pick(random, &["0", "2", "1..3", "0,2", ":2", "7", "-1"]),
        ("--class" | "--target", _) => pick(random, &["0", "1", "2", "granted", "refused", "yes", "setosa"]),
        ("--method", _) => pick(random, &["auto", "veritas", "merge", "best"]),
        ("--api", _) => pick(random, &["sklearn", "booster", "c"]),
        ("--protected" | "--vary" | "--feature", _) => names(random),
        (_, "EXPR") => condition(random, 3),
        (_, "N" | "K") => pick(random, &["1", "2", "1", "3", "0", "-1", "70000"]),
        (_, "NAME=GLOB") => {
            pick(random, &["home=home_*", "x=f*", "home=home_*,!home_own", "status=status", "=", "a=b=c"])
        }
        (_, "DATA") => pick(random, DATA),
        (_, "PROOF") => pick(random, &["max.proof", "max.proof", "robust.proof", "damaged-0"]),
        (_, "TASK") => pick(random, &["named.json", "raise.json", "two.json", "answer.json", "damaged-1"]),
        ("FILE", _) => pick(random, &["loans.audit.toml", "loans.audit.toml", "damaged-2", "answer.json"]),
        (_, "FILE" | "OUT" | "DIR") => pick(
            random,
            &[
                "out.json",
                "out.csv",
                "out.html",
                "out.parquet",
                "out",
                "no/such/folder/out",
                "folder",
                "/dev/full",
                "-",
            ],
        ),
        (_, name) if name.starts_with("MODEL") => pick(random, MODELS),
        _ if random.is_one_in(5) => pick(random, NUMBERS),
        _ => pick(random, &["0", "1", "0.5", "2", "30", "-1"]),
    }
}

/// Words that fit each other: about one model and its data.
fn fitting(name: &str, of: &str) -> Option<&'static [&'static str]> {
    Some(match (of, name) {
        ("--protected" | "--vary" | "--feature", _) => &["age", "status", "income,age"],
        ("--label", _) => &["outcome"],
        ("--class" | "--target", _) => &["granted"],
        ("--within" | "--radius", _) => &["1", "1000"],
        ("--api", _) => &["sklearn"],
        (_, "EXPR") => &[
            "age >= 30",
            "age < 20 and age > 30",
            "income < 1 and income > 2",
            "income <= 40000",
            "status == single",
            "integer(age)",
        ],
        (_, "DATA") => &["people.csv"],
        (_, name) if name.starts_with("MODEL") => &["new.json", "old.json"],
        _ => return None,
    })
}

/// A word that nobody expects.
pub(super) fn any(random: &mut Random, files: &[String]) -> String {
    match random.below(6) {
        0 | 1 => (*random.pick(STRANGE)).to_owned(),
        2 => (*random.pick(NUMBERS)).to_owned(),
        3 => random.pick(files).clone(),
        4 => condition(random, 2),
        _ => {
            let letters = ['a', 'é', '0', '-', '=', '.', ',', '*', ' ', '`', '{', '\u{7f}', '\u{feff}'];
            (0..random.below(2000)).map(|_| *random.pick(&letters)).collect()
        }
    }
}

fn names(random: &mut Random) -> String {
    let names: Vec<&str> = (0..=random.below(2)).map(|_| *random.pick(FEATURES)).collect();
    match random.below(4) {
        0 => "*".to_owned(),
        1 => "status:{single}|{married}".to_owned(),
        _ => names.join(","),
    }
}

/// A condition, more or less.
fn condition(random: &mut Random, depth: usize) -> String {
    let (one, other) = (*random.pick(FEATURES), *random.pick(FEATURES));
    let number = *random.pick(NUMBERS);
    let compares = *random.pick(&["<", "<=", ">", ">=", "==", "!=", "=", "in"]);
    if depth > 0 && random.is_one_in(3) {
        let (left, right) = (condition(random, depth - 1), condition(random, depth - 1));
        let joined = *random.pick(&["and", "or", "implies", "&&"]);
        return match random.below(3) {
            0 => format!("not ({left})"),
            1 => format!("({left}) {joined} ({right})"),
            _ => format!("{left} {joined} {right}"),
        };
    }
    let count = random.below(4);
    match random.below(16) {
        0 => format!("{number} <= {one} < {}", random.pick(NUMBERS)),
        1 => format!("{number}*{one} - {other} {compares} {number}"),
        2 => format!("{} ({count}, {one}, {other})", random.pick(&["atmost", "atleast", "exactly"])),
        3 => format!(
            "{}({one})",
            random.pick(&["missing", "maybemissing", "integer", "fixed", "onlyincrease", "onlydecrease"])
        ),
        4 => format!("step({one}, {number})"),
        5 => format!("onehot({one}, {other})"),
        6 => "status in {single, married}".to_owned(),
        7 => format!("changed <= {count}"),
        8 => format!("abs(a.{one} - b.{one}) <= {number}"),
        9 => format!("{one} {compares} {other}"),
        10 => format!("{one} {compares}"),
        12 => format!("age {} {}", random.pick(&["<", ">="]), 20 + random.below(30)),
        13 => format!("income >= {} and income < {}", 1000 * random.below(40), 1000 * random.below(40)),
        11 => format!("{}{one} > {number}{}", "(".repeat(random.below(300)), ")".repeat(random.below(300))),
        _ => format!("{one} {compares} {number}"),
    }
}
