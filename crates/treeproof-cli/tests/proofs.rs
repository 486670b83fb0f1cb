//! `--proof` and `check`: what is valid, what is not, and files that are none.

use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::comparisons::with_loans;
use crate::questions::{masked, with_hard_model};
use crate::sandbox::{Sandbox, TINY};
use crate::tasks::examples;

/// What `check` prints, and its exit code.
fn check(sandbox: &Sandbox, args: &[&str]) -> (Option<i32>, String) {
    let outcome = sandbox.run([&["check"], args].concat());
    assert_eq!(outcome.stderr, "", "{args:?}");
    (outcome.code, masked(&outcome.stdout))
}

fn ask(sandbox: &Sandbox, args: &[&str]) {
    let outcome = sandbox.run(args);
    assert!(matches!(outcome.code, Some(0 | 1)) && outcome.stderr.is_empty(), "{args:?}: {}", outcome.stderr);
}

#[test]
fn proofs_of_questions_are_valid() {
    let sandbox = with_loans();
    sandbox.write("other.json", TINY);
    let questions: [(&str, &[&str]); 6] = [
        ("max", &["max", "loans.json", "--where", "age < 50"]),
        ("min", &["min", "loans.json"]),
        ("range", &["range", "loans.json"]),
        ("diff", &["diff", "loans.json", "loans.json"]),
        ("monotone", &["monotone", "loans.json", "--feature", "age"]),
        ("fair", &["fair", "loans.json", "--protected", "status"]),
    ];
    for (name, question) in questions {
        ask(&sandbox, &[question, &["--proof", "a.proof"]].concat());
        let models: &[&str] = if name == "diff" { &["loans.json", "loans.json"] } else { &["loans.json"] };
        let (code, text) = check(&sandbox, &[&["a.proof"], models].concat());
        assert_eq!(code, Some(0), "{name}: {text}");
        assert_snapshot!(format!("valid_{name}"), text);
    }
    let (_, text) = check(&sandbox, &["a.proof", "loans.json", "--json"]);
    let answer: Value = serde_json::from_str(&text).unwrap();
    assert_eq!((&answer["question"], &answer["verdict"]), (&json!("check"), &json!("valid")));
}

/// Whatever is asked, and whatever the answer is: a valid proof, which says so.
#[test]
fn every_question_has_a_proof() {
    let sandbox = examples();
    let questions = [
        "enumerate new.json --top 3",
        "enumerate new.json --above 0.3",
        "enumerate new.json",
        "range new.json --domain people.csv",
        "monotone new.json",
        "stable new.json --radius 1000",
        "dominant new.json --given age=30 --vary * --at-most 2",
        "dominant new.json --given age=30 --vary * --each",
        "fair new.json people.csv --protected status",
        "robust new.json people.csv --norm linf --radius 10",
        "closest new.json people.csv --norm l1 --count 2",
        // The target is what is predicted already.
        "closest new.json people.csv --norm l2 --target granted",
        "solve raise.json",
        // Nothing is asked about, in one way or another.
        "max new.json --where age<30 --where age>50",
        "enumerate new.json --where age<30 --where age>50",
        "fair new.json --protected status --where age<30 --where age>50",
        "monotone new.json --feature age --where age<30 --where age>50",
        "closest new.json people.csv --norm l1 --where age<30 --where age>50",
        "robust new.json people.csv --norm l1 --radius 1 --where age>1000",
        "dominant new.json --given age=20 --vary income --where age>30",
        "fair new.json people.csv --protected status --where age>30",
    ];
    let mut all = String::new();
    for question in questions {
        let args: Vec<&str> = question.split(' ').collect();
        let outcome = sandbox.run([&args[..], &["--threads", "1", "--proof", "a.proof"]].concat());
        assert!(matches!(outcome.code, Some(0 | 1 | 4)) && outcome.stderr.is_empty(), "{question}: {}", outcome.stderr);
        let (code, text) = check(&sandbox, &["a.proof", "new.json"]);
        assert_eq!(code, Some(0), "{question}: {text}");
        all += &format!("$ treeproof {question}\n{text}");
    }
    assert_snapshot!("every_question", all);
}

#[test]
fn an_audit_has_one_proof_of_all_checks() {
    let sandbox = examples();
    let checks = "model = 'new.json'
        [[check]]\nname = 'grows'\nquestion = {monotone = {features = ['age']}}
        [[check]]\nname = 'as before'\nquestion = {diff = {other_model = 'old.json', within = 3}}
        [[check]]\nname = 'small'\nquestion = 'max'\nat_most = 1
        [[check]]\nname = 'itself'\nquestion = {diff = {other_model = 'new.json', within = 0}}
        [[check]]\nname = 'still as before'\nquestion = {diff = {other_model = 'old.json'}}\nat_most = 3\n";
    sandbox.write("audit.toml", checks.replace("\n        ", "\n"));
    ask(&sandbox, &["audit", "audit.toml", "--proof", "a.proof"]);
    let (code, text) = check(&sandbox, &["a.proof", "new.json", "old.json"]);
    assert_eq!(code, Some(0), "{text}");
    assert_snapshot!("audit", text);
    let (code, text) = check(&sandbox, &["a.proof", "new.json"]);
    assert_eq!((code, &*text), (Some(1), "invalid: it is about 2 models, not 1 model\n"));
    // The answer is told though its proof cannot be written.
    if cfg!(target_os = "linux") {
        let outcome = sandbox.run(["audit", "audit.toml", "--proof", "/dev/full"]);
        assert_eq!(
            (outcome.code, outcome.stdout.contains("5 of 5 checks pass")),
            (Some(2), true),
            "{}",
            outcome.stderr
        );
    }
}

/// How a model's file is read is part of what is proved.
#[test]
fn a_proof_says_how_its_model_is_read() {
    let sandbox = Sandbox::new();
    sandbox.copy("xgboost/best_iteration/model.json.gz", "early");
    sandbox.copy("refused/xgboost_dump.json", "dump.json");
    let most = |args: &[&str]| {
        let outcome = sandbox.run([&["max"], args, &["--json"]].concat());
        let answer: Value = serde_json::from_str(&outcome.stdout).unwrap();
        answer["upper"].as_f64().unwrap()
    };
    let dump = ["dump.json", "--classes", "1", "--base-margin"];
    for (one, other) in [
        (vec!["early", "--api", "booster"], vec!["early", "--api", "sklearn"]),
        (vec!["early", "--api", "sklearn"], vec!["early", "--api", "booster"]),
        (vec!["early", "--api", "booster", "--missing-value", "0.5"], vec!["early", "--missing-value", "0.25"]),
        ([&dump[..], &["0.5"]].concat(), [&dump[..], &["-1.5"]].concat()),
    ] {
        let upper = most(&one);
        ask(&sandbox, &[&["max"], &one[..], &["--proof", "a.proof"]].concat());
        let (code, text) = check(&sandbox, &["a.proof", one[0]]);
        assert_eq!(code, Some(0), "{one:?}: {text}");
        assert!(text.contains(&format!("at most {upper} ")), "{one:?}: {upper}: {text}");
        // It is the proof's word: whoever checks it is told.
        let is_told = |what: &str| text.contains(&format!("{} is read with {what}", one[0]));
        let told = match &one[1..] {
            ["--api", "sklearn"] => !text.contains("is read with"),
            ["--api", "booster"] => is_told("the native interface\n"),
            ["--api", ..] => is_told("the native interface, 0.5 as missing\n"),
            _ => is_told("base margin 0.5 and 1 classes\n"),
        };
        assert!(told, "{one:?}: {text}");
        // Whoever repeats the flags is right, and whoever says otherwise is told so.
        assert_eq!(check(&sandbox, &[&["a.proof"], &one[..]].concat()).0, Some(0), "{one:?}");
        let line = sandbox.refusal([&["check", "a.proof"], &other[..]].concat(), "another reading");
        let what = format!("the proof is for a different reading of {}; omit this flag", one[0]);
        assert!(line.starts_with("--") && line.ends_with(&what), "{other:?}: {line}");
    }
    assert!(most(&["early", "--api", "booster"]) > most(&["early", "--api", "sklearn"]));
    // A plain proof is about the plain reading.
    ask(&sandbox, &["max", "early", "--api", "sklearn", "--proof", "a.proof"]);
    assert_eq!(check(&sandbox, &["a.proof", "early"]).0, Some(0));
}

/// With one thread a proof is the same to the byte; with more it is another one, and as valid.
#[test]
fn proofs_repeat_themselves() {
    let sandbox = examples();
    sandbox.copy("xgboost/bin/model.json.gz", "model");
    let questions: [(&[&str], &str); 4] = [
        (&["max", "model"], "model"),
        (&["enumerate", "model", "--top", "20"], "model"),
        (&["closest", "new.json", "people.csv", "--norm", "l1"], "new.json"),
        (&["fair", "new.json", "people.csv", "--protected", "status"], "new.json"),
    ];
    for (question, model) in questions {
        let proof = |threads: &str| {
            sandbox.run([question, &["--threads", threads, "--proof", "a.proof"]].concat());
            let (code, text) = check(&sandbox, &["a.proof", model]);
            assert_eq!(code, Some(0), "{question:?}: {text}");
            std::fs::read(sandbox.path("a.proof")).unwrap()
        };
        assert!(proof("1") == proof("1"), "{question:?}");
        proof("2");
    }
}

/// A search that ends early proves what it has found out: by Ctrl-C, by time, by memory.
#[cfg(unix)]
#[test]
fn what_was_found_out_before_the_end_is_proved() {
    let sandbox = with_hard_model();
    let row = vec!["500"; 30].join(",");
    let names: Vec<String> = (0..30).map(|index| format!("f{index}")).collect();
    // So many that no machine is done with all when it is told to stop.
    sandbox.write("rows.csv", format!("{}\n{}", names.join(","), format!("{row}\n").repeat(200)));
    let questions = [
        "max hard.json --time 60s",
        "enumerate hard.json --time 60s",
        "closest hard.json rows.csv --norm l2 --output-above 0.999999999 --time 60s",
    ];
    for (question, threads) in questions.iter().flat_map(|question| [(question, 1), (question, 2)]) {
        let question = format!("$treeproof {question} --json --threads {threads} --proof a.proof");
        let outcome = sandbox.shell(&format!("timeout --foreground -s INT 1.5 {question}"));
        let answer: Value = serde_json::from_str(&outcome.stdout).expect(&outcome.stderr);
        let rows = answer["rows"].as_array().cloned().unwrap_or_else(|| vec![answer.clone()]);
        // It may come just when a row is done.
        let are_left = answer["summary"]["left"].as_u64() > Some(0);
        assert!(are_left || rows.iter().any(|row| row["stopped"] == "interrupted"), "{question}: {answer}");
        let (code, text) = check(&sandbox, &["a.proof", "hard.json", "--json"]);
        // Of a row that was just begun nothing may be known.
        assert!(matches!(code, Some(0 | 3)), "{question}: {text}");
        let checked: Value = serde_json::from_str(&text).expect(&text);
        let proved = checked["proved"].as_array().unwrap();
        assert_eq!(proved.len(), rows.len(), "{question}: {text}");
        for row in rows {
            let name = if row["row"].is_null() { Value::Null } else { format!("row {}", row["row"]).into() };
            let place = proved.iter().position(|part| part["name"] == name).expect("each row has a statement");
            let claim = checked["statements"][place].as_str().unwrap();
            // Each claim is as strong as the answer.
            let bound = match question.contains("closest") {
                true if row["lower"] == 0.0 && row["witness"].is_null() => "nothing is proved".to_owned(),
                true if row["lower"] == 0.0 => "the witness, ".to_owned(),
                true => format!("no input with an output above 0.999999999 is nearer than {} (", row["lower"]),
                false if question.contains("enumerate") => "at most ".to_owned() + &row["others_at_most"].to_string(),
                false => format!("the margin is at most {} (", row["upper"]),
            };
            assert!(claim.starts_with(&bound) || claim.contains(&bound), "{question}: {bound}: {text}");
        }
    }
    let limits: [&[&str]; 2] = [&["--time", "0.3s"], &["--memory", "1MiB", "--time", "1s"]];
    for limit in limits {
        let outcome = sandbox.run([&["max", "hard.json", "--json", "--proof", "a.proof"], limit].concat());
        let answer: Value = serde_json::from_str(&outcome.stdout).expect(&outcome.stderr);
        let (code, text) = check(&sandbox, &["a.proof", "hard.json"]);
        assert_eq!(code, Some(0), "{limit:?}: {text}");
        assert!(text.contains(&format!("at most {} (", answer["upper"])), "{limit:?}: {answer} {text}");
    }
}

/// What is no proof is refused with one line, soon, and in little memory, however large it says that it is.
#[test]
fn hostile_files_are_refused_soon() {
    let sandbox = with_loans();
    ask(&sandbox, &["max", "loans.json", "--proof", "a.proof"]);
    let proof = std::fs::read(sandbox.path("a.proof")).unwrap();
    let mut random = 88_172_645_463_325_252_u64;
    let mut noise = |length: usize| -> Vec<u8> {
        let mut byte = || {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            random.to_le_bytes()[3]
        };
        (0..length).map(|_| byte()).collect()
    };
    const MAGIC: &[u8] = b"treeproof proof 2\n";
    let block = |section: u32, kind: u8, content: &[u8]| {
        let length = u32::try_from(content.len()).unwrap().to_le_bytes();
        [&section.to_le_bytes()[..], &[kind], &length, content].concat()
    };
    let packed = |content: &[u8]| {
        let mut encoder = flate2::write::ZlibEncoder::new(vec![], flate2::Compression::fast());
        std::io::Write::write_all(&mut encoder, content).unwrap();
        encoder.finish().unwrap()
    };
    let sealed = |blocks: &[Vec<u8>]| {
        let file = [MAGIC, &blocks.concat()].concat();
        let digits = treeproof_proof::model_file::digest(&file);
        let digest: Vec<u8> = (0..32).map(|at| u8::from_str_radix(&digits[2 * at..2 * at + 2], 16).unwrap()).collect();
        [file, block(0, b'E', &digest)].concat()
    };
    // 600 MB of zeros and of open lists, in a file of less than one.
    let zeros = packed(&vec![0; 600 << 20]);
    let lists = packed(&vec![b'['; 600 << 20]);
    let brackets = vec![b'['; 1 << 20];
    let own = |kind: u8| own_block(&proof, kind);
    let mut files: Vec<(String, Vec<u8>)> = vec![
        ("nothing".into(), vec![]),
        ("only the first line".into(), MAGIC.to_vec()),
        ("a block without an end".into(), [MAGIC, &[0, 0, 0, 0, b'M', 255, 255, 255, 255]].concat()),
        ("no preamble".into(), sealed(&[])),
        ("zeros for a preamble".into(), sealed(&[block(0, b'M', &zeros)])),
        ("lists for a preamble".into(), sealed(&[block(0, b'M', &brackets)])),
        ("zeros for a header".into(), sealed(&[own(b'M'), block(1, b'H', &zeros), own(b'C')])),
        ("lists for a header".into(), sealed(&[own(b'M'), block(1, b'H', &lists), own(b'C')])),
        ("lists for a conclusion".into(), sealed(&[own(b'M'), own(b'H'), own(b'L'), block(1, b'C', &brackets)])),
        ("zeros for a log".into(), sealed(&[own(b'M'), own(b'H'), block(1, b'L', &zeros), own(b'C')])),
        ("no log".into(), sealed(&[own(b'M'), own(b'H'), own(b'C')])),
        ("no conclusion".into(), sealed(&[own(b'M'), own(b'H'), own(b'L')])),
        ("no section".into(), sealed(&[own(b'M')])),
        ("many sections".into(), {
            let many: Vec<Vec<u8>> = (1..200_000).map(|section| block(section, b'H', &[])).collect();
            sealed(&[vec![own(b'M')], many].concat())
        }),
    ];
    files.extend((0..20).map(|place| (format!("noise {place}"), noise(place * 97))));
    files.extend(
        (0..20).map(|place| {
            (format!("noise {place} in blocks"), sealed(&[own(b'M'), block(1, b'H', &noise(place * 97))]))
        }),
    );
    files.extend((0..20).map(|place| (format!("cut at {place}"), proof[..proof.len() * place / 20].to_vec())));
    for (name, content) in files {
        sandbox.write("b.proof", &content);
        let start = std::time::Instant::now();
        let outcome = sandbox.run_confined(["check", "b.proof", "loans.json"]);
        assert!(start.elapsed().as_secs() < 20, "{name}: {:?}", start.elapsed());
        assert_eq!((outcome.code, &*outcome.stderr), (Some(1), ""), "{name}: {}", outcome.stdout);
        let line = outcome.stdout.strip_prefix("invalid: ").and_then(|line| line.strip_suffix('\n'));
        let is_line = line.is_some_and(|line| !line.contains('\n') && line.len() < 300);
        assert!(is_line, "{name}: {}", outcome.stdout);
    }
}

/// The blocks of a kind of a proof.
fn own_block(proof: &[u8], kind: u8) -> Vec<u8> {
    let (mut at, mut found) = (18, vec![]);
    while proof[at + 4] != b'E' {
        let length = u32::from_le_bytes([proof[at + 5], proof[at + 6], proof[at + 7], proof[at + 8]]) as usize;
        if proof[at + 4] == kind {
            found.extend_from_slice(&proof[at..at + 9 + length]);
        }
        at += 9 + length;
    }
    found
}

#[test]
fn a_proof_of_something_else_is_invalid() {
    let sandbox = with_loans();
    sandbox.write("other.json", TINY);
    ask(&sandbox, &["max", "loans.json", "--proof", "a.proof"]);
    let invalid = |name: &str, models: &[&str]| {
        let (code, text) = check(&sandbox, &[&[name], models].concat());
        assert_eq!(code, Some(1), "{text}");
        text
    };
    assert_snapshot!(invalid("a.proof", &["other.json"]), @"invalid: it is about another model: other.json is not the file that was asked about");
    assert_snapshot!(invalid("a.proof", &["loans.json", "other.json"]), @"invalid: it is about 1 model, not 2 models");
    let proof = std::fs::read(sandbox.path("a.proof")).unwrap();
    for at in [0, 30, proof.len() / 2, proof.len() - 1] {
        let mut changed = proof.clone();
        changed[at] ^= 4;
        sandbox.write("b.proof", &changed);
        let text = invalid("b.proof", &["loans.json"]);
        assert!(text.starts_with("invalid: it") && text.lines().count() == 1, "{at}: {text}");
    }
    sandbox.write("b.proof", &proof[..proof.len() - 1]);
    assert_snapshot!(invalid("b.proof", &["loans.json"]), @"invalid: it was cut off: it has no end");
    sandbox.write("b.proof", "age,income\n");
    assert_snapshot!(invalid("b.proof", &["loans.json"]), @"invalid: it is no proof of this program");
    let (code, text) = check(&sandbox, &["b.proof", "loans.json", "--json"]);
    let answer: Value = serde_json::from_str(&text).unwrap();
    assert_eq!((code, &answer["verdict"]), (Some(1), &json!("invalid")));
    assert_eq!(answer["wrong"], json!("it is no proof of this program"));
}

#[test]
fn files_that_cannot_be_read() {
    let sandbox = Sandbox::with_model();
    let line = sandbox.refusal(["check", "none.proof", "model.json"], "no proof");
    assert!(line.starts_with("none.proof: "), "{line}");
    ask(&sandbox, &["max", "model.json", "--proof", "a.proof"]);
    let line = sandbox.refusal(["check", "a.proof", "none.json"], "no model");
    assert_eq!(line, "none.json: no such file");
    let line = sandbox.refusal(["max", "model.json", "--proof", "none/a.proof"], "no folder");
    assert!(line.starts_with("none/a.proof: "), "{line}");
    let line = sandbox.refusal(["max", "model.json", "--method", "veritas", "--proof", "a.proof"], "a method");
    assert!(line.contains("leave out `--method`"), "{line}");
}

#[test]
fn a_proof_replaces_a_file_only_when_it_is_whole() {
    let sandbox = with_loans();
    ask(&sandbox, &["max", "loans.json", "--proof", "a.proof"]);
    let whole = std::fs::read(sandbox.path("a.proof")).unwrap();
    let refused = sandbox.run(["max", "loans.json", "--where", "no_such < 3", "--proof", "a.proof"]);
    assert_eq!(refused.code, Some(2));
    assert_eq!(std::fs::read(sandbox.path("a.proof")).unwrap(), whole);
    assert!(!sandbox.path("a.proof.partial").exists());
    let own = sandbox.run(["max", "loans.json", "--proof", "./loans.json"]);
    assert_eq!(own.code, Some(2));
    assert_snapshot!(own.stderr, @"treeproof: --proof: ./loans.json is a file that is read; name another one");
    assert_eq!(check(&sandbox, &["a.proof", "loans.json"]).0, Some(0));
}

/// What cannot be written beside the answer does not take the answer away.
#[cfg(target_os = "linux")]
#[test]
fn an_answer_is_told_though_its_proof_cannot_be_written() {
    let sandbox = with_loans();
    let outcome = sandbox.run(["max", "loans.json", "--proof", "/dev/full"]);
    assert_eq!(outcome.code, Some(2));
    assert!(outcome.stdout.contains("The largest margin"), "{}", outcome.stdout);
    assert_snapshot!(outcome.stderr, @"treeproof: /dev/full: No space left on device (os error 28)");
}

/// Who keeps what was proved needs more than words.
#[test]
fn what_was_checked_is_told_exactly() {
    let sandbox = Sandbox::with_model();
    ask(&sandbox, &["max", "model.json", "--where", "age <= 30", "--proof", "a.proof"]);
    let outcome = sandbox.run(["check", "a.proof", "model.json", "--json"]);
    let answer: Value = serde_json::from_str(&outcome.stdout).unwrap();
    let [proved] = &answer["proved"].as_array().unwrap()[..] else { panic!("{answer}") };
    assert_eq!(proved["claim"], serde_json::json!({"at_most": -0.5}), "{proved}");
    assert_eq!(proved["steps"], 1, "{proved}");
    assert_eq!(proved["statement"]["features"][0]["name"], "age", "{proved}");
    let ages = &proved["statement"]["inputs"][0][0]["numbers"]["ranges"];
    assert!(ages[0][1] == 30.0 && proved["witness"].is_array(), "{proved}");
    assert_eq!(answer["statements"].as_array().unwrap().len(), 1);
}
