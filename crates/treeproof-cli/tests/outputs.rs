//! Files that are written: never over what is read, never over a file of another kind, and whole.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use crate::questions::with_hard_model;
use crate::sandbox::{Sandbox, TINY, fixtures, plain};
use crate::tasks::examples;

fn line(args: &str) -> Vec<&str> {
    args.split(' ').collect()
}

/// No temporary file is left behind.
#[track_caller]
fn assert_no_litter(sandbox: &Sandbox) {
    let names = fs::read_dir(sandbox.path("")).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap());
    let litter: Vec<String> = names.filter(|name| name.ends_with(".partial")).collect();
    assert!(litter.is_empty(), "{litter:?}");
}

/// Models, data, tasks and audits, under whatever name and with or without --force.
#[test]
fn what_is_read_is_never_overwritten() {
    let sandbox = examples();
    sandbox.write("task.json", r#"{"treeproof": 1, "question": "max", "model": "new.json", "domain": "people.csv"}"#);
    sandbox.write("max.json", sandbox.run(line("max new.json --json")).answer());
    fs::create_dir(sandbox.path("sub")).unwrap();
    let inputs = ["new.json", "people.csv", "task.json", "loans.audit.toml", "max.json", "old.json"];
    let before = inputs.map(|name| fs::read(sandbox.path(name)).unwrap());
    let commands = [
        ("new.json", "convert new.json"),
        ("new.json", "max new.json --trace"),
        ("new.json", "max new.json --proof"),
        ("new.json", "max new.json --report"),
        ("old.json", "diff new.json old.json --proof"),
        ("people.csv", "max new.json --domain people.csv --trace"),
        ("people.csv", "max new.json --domain people.csv --proof"),
        ("people.csv", "closest new.json people.csv --norm l0 --output"),
        ("people.csv", "stable new.json --radius 1 --norm l1 --scale std:people.csv --trace"),
        ("task.json", "solve task.json --trace"),
        ("task.json", "solve task.json --proof"),
        ("people.csv", "solve task.json --proof"),
        ("new.json", "solve task.json --trace"),
        ("loans.audit.toml", "audit loans.audit.toml --proof"),
        ("new.json", "audit loans.audit.toml --proof"),
        ("new.json", "audit loans.audit.toml --report"),
        ("max.json", "report max.json --output"),
    ];
    for (input, command) in commands {
        let absolute = sandbox.path(input).display().to_string();
        let mut names = vec![input.to_owned(), format!("./{input}"), format!("sub/../{input}"), absolute];
        #[cfg(unix)]
        {
            let ending = Path::new(input).extension().unwrap().to_str().unwrap();
            let (soft, hard) = (format!("soft.{ending}"), format!("hard.{ending}"));
            for name in [&soft, &hard] {
                let _ = fs::remove_file(sandbox.path(name));
            }
            std::os::unix::fs::symlink(input, sandbox.path(&soft)).unwrap();
            fs::hard_link(sandbox.path(input), sandbox.path(&hard)).unwrap();
            names.extend([soft, hard]);
        }
        for name in names {
            for force in [&[][..], &["--force"]] {
                let args = [&line(command)[..], &[&name], force].concat();
                let refusal = sandbox.refusal(&args, &args.join(" "));
                assert!(refusal.ends_with(&format!(": {name} is a file that is read; name another one")), "{refusal}");
            }
        }
    }
    assert!(inputs.iter().zip(before).all(|(name, before)| fs::read(sandbox.path(name)).unwrap() == before));
    assert_no_litter(&sandbox);
}

const WRITERS: [(&str, &str, &str); 6] = [
    ("--proof", "max new.json --proof", "out"),
    ("--trace", "max new.json --trace", "out"),
    ("--report", "max new.json --report", "out"),
    ("--output", "closest new.json people.csv --norm l0 --output", "out.csv"),
    ("--output", "closest new.json people.csv --norm l0 --output", "out.parquet"),
    ("OUT", "convert new.json", "out"),
];

#[test]
fn a_file_of_another_kind_is_kept_unless_forced() {
    let sandbox = examples();
    let text = |text: &str| text.as_bytes().to_vec();
    let others = [
        text("notes\n"),
        text("{\"treeproof\": 1, \"question\": \"max\"}\n"),
        text("<!DOCTYPE html><html><body>mine</body></html>\n"),
        text("{\"question\":\"why\"}\n"),
        text("treeproof proof 2\nshows that the model is fine\n"),
        text("treeproof proof of concept\n"),
        text("{\"treeproof\": 1, \"trees\": 3, \"source\": \"a forest\", \"notes\": []}\n"),
        text("row,verdict,comment\n0,good,mine\n"),
        text("{\"question\":\"robust\",\"verdict\":\"yes\"}\n"),
        text("{\"question\":\"max\",\"seconds\":1,\"lower\":\"low\",\"upper\":2,\"regions\":3,\"open\":4}\n"),
        text("PAR1 mine, not treeproof's PAR1"),
        fs::read(fixtures().join("../../../treeproof-data/tests/fixtures/none_1.parquet")).unwrap(),
    ];
    for (option, command, name) in WRITERS {
        let args = [&line(command)[..], &[name]].concat();
        for other in &others {
            sandbox.write(name, other);
            let refusal = sandbox.refusal(&args, &args.join(" "));
            assert!(refusal.starts_with(&format!("{option}: {name} is not a")), "{refusal}");
            assert!(refusal.ends_with(" and is kept; name another file, or overwrite it with --force"), "{refusal}");
            assert_eq!(fs::read(sandbox.path(name)).unwrap(), *other);
        }
        // Forced, then its own kind, then an empty file, then none.
        sandbox.run([&args[..], &["--force"]].concat()).answer();
        let first = fs::read(sandbox.path(name)).unwrap();
        assert!(!others.contains(&first));
        sandbox.run(&args).answer();
        sandbox.write(name, "");
        sandbox.run(&args).answer();
        assert!(!fs::read(sandbox.path(name)).unwrap().is_empty());
        fs::remove_file(sandbox.path(name)).unwrap();
        sandbox.run(&args).answer();
        assert!(!fs::read(sandbox.path(name)).unwrap().is_empty());
    }
    assert_no_litter(&sandbox);
}

#[test]
fn no_kind_of_output_is_taken_for_another() {
    let sandbox = examples();
    for (place, (_, command, _)) in WRITERS.iter().enumerate() {
        // The two tables are of one kind.
        let name = if place == 3 || place == 4 { format!("{place}.csv") } else { place.to_string() };
        sandbox.run([&line(command)[..], &[&name]].concat()).answer();
        for (other, (_, command, _)) in WRITERS.iter().enumerate().filter(|(other, _)| *other != place && *other < 3) {
            sandbox.refusal([&line(command)[..], &[&name]].concat(), &format!("{other} over {place}"));
        }
    }
    let convert = sandbox.refusal(line("convert old.json 0"), "a model over a proof");
    assert_eq!(
        convert,
        "OUT: 0 is not a model in treeproof's own JSON and is kept; name another file, or overwrite it with --force"
    );
}

#[test]
fn two_outputs_are_not_one_file() {
    let sandbox = examples();
    let refusal = |args: &str| sandbox.refusal(line(args), args);
    assert_eq!(refusal("max new.json --trace a --proof ./a"), "--trace: a is where --proof goes; name another file");
    assert_eq!(
        refusal("closest new.json people.csv --norm l0 --output a.csv --report a.csv"),
        "--report: a.csv is where --output goes; name another file"
    );
    let outcome = sandbox.shell("\"$treeproof\" max new.json --report out.html > out.html");
    assert_eq!(outcome.stderr, "treeproof: --report: out.html is where standard output goes; name another file\n");
    assert!(!sandbox.path("a").exists() && !sandbox.path("a.csv").exists());
    // What is written through takes whatever comes.
    let both = sandbox.shell("\"$treeproof\" max new.json --json --trace /dev/null --proof /dev/null").answer();
    assert!(both.contains("optimal"));
    let through = sandbox.shell("\"$treeproof\" max new.json --json --trace /dev/stdout > all; wc -l < all").answer();
    assert!(through.trim().parse::<u32>().unwrap() >= 2, "{through}");
}

#[test]
fn a_partial_file_of_the_user_stays() {
    let sandbox = examples();
    for name in ["out.json.partial", "a.proof.partial", "page.html.partial"] {
        sandbox.write(name, "mine");
    }
    sandbox.run(line("convert new.json out.json")).answer();
    sandbox.run(line("max new.json --proof a.proof --report page.html")).answer();
    for name in ["out.json.partial", "a.proof.partial", "page.html.partial"] {
        assert_eq!(fs::read_to_string(sandbox.path(name)).unwrap(), "mine");
    }
}

#[test]
fn many_runs_that_write_one_file_leave_a_whole_one() {
    let sandbox = examples();
    let program = assert_cmd::cargo::cargo_bin!("treeproof");
    for round in 0..3 {
        let run = |model: &str| {
            let mut command = Command::new(program);
            command.args(["max", model, "--proof", "a.proof"]).current_dir(sandbox.path(""));
            command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
        };
        let runs: Vec<_> = (0..4).map(|place| run(["new.json", "old.json"][place % 2])).collect();
        for run in runs {
            let output = run.wait_with_output().unwrap();
            assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
        }
        let checks = ["new.json", "old.json"].map(|model| sandbox.run(["check", "a.proof", model]).code == Some(0));
        assert!(checks[0] != checks[1], "round {round}: {checks:?}");
    }
    assert_no_litter(&sandbox);
}

#[cfg(unix)]
#[test]
fn files_have_the_permissions_of_any_file_or_keep_theirs() {
    use std::os::unix::fs::PermissionsExt;
    let sandbox = examples();
    let mode = |name: &str| fs::metadata(sandbox.path(name)).unwrap().permissions().mode() & 0o777;
    sandbox.shell("umask 027; \"$treeproof\" max new.json --proof a.proof --trace a.trace").answer();
    assert_eq!((mode("a.proof"), mode("a.trace")), (0o640, 0o640));
    fs::set_permissions(sandbox.path("a.proof"), fs::Permissions::from_mode(0o604)).unwrap();
    sandbox.run(line("max new.json --proof a.proof")).answer();
    assert_eq!(mode("a.proof"), 0o604);
}

/// A link to an output stays a link, and what is behind it is replaced as a whole.
#[cfg(unix)]
#[test]
fn links_to_outputs_are_followed() {
    let sandbox = examples();
    fs::create_dir(sandbox.path("sub")).unwrap();
    std::os::unix::fs::symlink("sub/real.proof", sandbox.path("a.proof")).unwrap();
    for _ in 0..2 {
        sandbox.run(line("max new.json --proof a.proof")).answer();
        assert!(sandbox.path("a.proof").is_symlink() && sandbox.path("sub/real.proof").is_file());
        sandbox.run(line("check a.proof new.json")).answer();
    }
    sandbox.write("sub/real.proof", "mine");
    sandbox.refusal(line("max new.json --proof a.proof"), "behind a link");
}

/// A run on a model that it does not finish, once it has begun to write.
#[cfg(unix)]
fn run_under_way(sandbox: &Sandbox, args: &[&str]) -> Child {
    let program = assert_cmd::cargo::cargo_bin!("treeproof");
    let mut command = Command::new(program);
    command.args(["max", "hard.json", "--time", "60s"]).args(args);
    let mut run = command.current_dir(sandbox.path("")).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let is_under_way = || fs::read_dir(sandbox.path("")).unwrap().count() > args.len() / 2;
    while !is_under_way() && run.try_wait().unwrap().is_none() {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    run
}

#[cfg(unix)]
fn send(signal: &str, run: &Child) {
    Command::new("kill").args([signal, &run.id().to_string()]).status().unwrap();
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_leaves_no_litter() {
    for (signal, code) in [("-INT", 130), ("-TERM", 143)] {
        let sandbox = with_hard_model();
        let mut run = run_under_way(&sandbox, &["--proof", "a.proof", "--report", "a.html"]);
        // Until it ends: the first asks for what is known, another one does not wait for it.
        let status = loop {
            if let Some(status) = run.try_wait().unwrap() {
                break status;
            }
            send(signal, &run);
            std::thread::sleep(std::time::Duration::from_millis(400));
        };
        assert!([Some(code), Some(3)].contains(&status.code()), "{signal}: {status}");
        assert_no_litter(&sandbox);
    }
}

/// A file that appears between the check and the end is kept, unless it is of the same kind or its loss was asked for.
#[cfg(unix)]
#[test]
fn a_file_that_appears_meanwhile_is_kept() {
    for (theirs, force, is_kept) in [("mine\n", &[][..], true), ("", &[], false), ("mine\n", &["--force"], false)] {
        let sandbox = with_hard_model();
        let run = run_under_way(&sandbox, &[&["--proof", "a.proof"][..], force].concat());
        assert!(!sandbox.path("a.proof").exists());
        sandbox.write("a.proof", theirs);
        // The search begins after files are opened.
        std::thread::sleep(std::time::Duration::from_millis(500));
        send("-INT", &run);
        let output = run.wait_with_output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        if !is_kept {
            assert_eq!(output.status.code(), Some(3), "{stderr}");
            sandbox.run(line("check a.proof hard.json")).answer();
            assert_no_litter(&sandbox);
            continue;
        }
        assert_eq!(
            (output.status.code(), fs::read_to_string(sandbox.path("a.proof")).unwrap()),
            (Some(2), theirs.into())
        );
        let told = "a.proof: a file that is not a proof appeared there meanwhile and is kept; what was written is in ";
        let (_, beside) = stderr.split_once(told).unwrap_or_else(|| panic!("{stderr}"));
        fs::rename(beside.trim(), sandbox.path("b.proof")).unwrap();
        sandbox.run(line("check b.proof hard.json")).answer();
        assert_no_litter(&sandbox);
    }
}

#[test]
fn a_model_of_a_library_is_not_converted_in_place() {
    let sandbox = Sandbox::new();
    sandbox.write("model.json", TINY);
    let before = plain("xgboost/absolute/model.json.gz");
    sandbox.write("library.json", &before);
    sandbox.refusal(line("convert library.json library.json"), "itself");
    sandbox.refusal(line("convert model.json library.json"), "another");
    assert_eq!(fs::read(sandbox.path("library.json")).unwrap(), before);
    sandbox.run(line("convert library.json copy.json.gz")).answer();
    sandbox.run(line("convert model.json copy.json.gz")).answer();
}

/// The bytes hashed are the bytes loaded: a pipe can be read only once.
#[cfg(unix)]
#[test]
fn a_model_is_read_once() {
    let sandbox = examples();
    let asked = sandbox.shell("\"$treeproof\" max <(cat new.json) --json --proof a.proof").answer();
    let answer: serde_json::Value = serde_json::from_str(&asked).unwrap();
    assert!(answer["about"]["models"][0]["sha256"].is_string(), "{asked}");
    sandbox.run(line("check a.proof new.json")).answer();
    sandbox.shell("\"$treeproof\" check a.proof <(cat new.json)").answer();
    let piped = "cat people.csv | \"$treeproof\" closest new.json /dev/stdin --domain /dev/stdin --norm l0 --json";
    sandbox.shell(piped).answer();
}
