//! Whatever people type: random command lines about good and damaged files end with an answer or with one line, never with a panic,
//! soon, and without taking the machine's memory.
//!
//! `TREEPROOF_TYPED` sets how many are typed, `TREEPROOF_SEED` which.

#![allow(clippy::print_stdout, reason = "a test says how much it tried")]

mod commands;
mod files;
mod random;
mod words;

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use self::commands::Commands;
use self::files::Files;
use self::random::Random;
use crate::sandbox::Sandbox;

/// As many commands share a folder, in which some overwrite what others read.
const BATCH: u64 = 25;
/// Every search is told to end within 50 ms; the rest is for busy machines, unoptimised.
const TIME_LIMIT: Duration = Duration::from_secs(20);

#[test]
fn whatever_is_typed() {
    let setting = |name: &str, default: u64| std::env::var(name).map_or(default, |text| text.parse().unwrap());
    let (count, seed) = (setting("TREEPROOF_TYPED", 1000), setting("TREEPROOF_SEED", 1));
    let files = Files::collect();
    let commands = Commands::read(files.names());
    let batches = AtomicU64::new(0);
    let codes: Mutex<BTreeMap<i32, u64>> = Mutex::new(BTreeMap::new());
    let work = || {
        loop {
            let batch = batches.fetch_add(1, Ordering::Relaxed);
            if batch >= count.div_ceil(BATCH) {
                return;
            }
            let mut random = Random(seed.wrapping_add(batch.wrapping_mul(0x0100_0000)));
            let sandbox = Sandbox::new();
            files.write(&sandbox, &mut random);
            for _ in 0..BATCH {
                let typed = commands.type_one(&mut random);
                let code = run(&sandbox, &typed).unwrap_or_else(|what| {
                    panic!("seed {seed}, batch {batch}: {}\n{what}", shown(&typed));
                });
                *codes.lock().unwrap().entry(code).or_default() += 1;
            }
        }
    };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..cores).map(|_| scope.spawn(work)).collect();
        for worker in workers {
            if let Err(payload) = worker.join() {
                std::panic::resume_unwind(payload);
            }
        }
    });
    let codes = codes.into_inner().unwrap();
    println!("typed: {} commands, by exit code {codes:?}", codes.values().sum::<u64>());
    // Were all of them refused, nothing would have been tried. Whether some are undecided depends on the machine.
    for (code, least) in [(0, count / 10), (1, count / 100), (4, 1)] {
        assert!(codes.get(&code).is_some_and(|times| *times >= least), "too few end with {code}: {codes:?}");
    }
}

/// Runs a command and says what is wrong with how it ended, if anything is.
fn run(sandbox: &Sandbox, typed: &[OsString]) -> Result<i32, String> {
    let start = Instant::now();
    let mut command = Command::new("bash");
    // As much address space as many threads take; a wish for more memory must fail politely.
    command.args(["-c", "ulimit -v 8000000; ulimit -f 200000; exec timeout -s KILL 30 \"$0\" \"$@\""]);
    command.arg(assert_cmd::cargo::cargo_bin!("treeproof")).args(typed);
    let output =
        command.current_dir(sandbox.path("")).stdin(Stdio::null()).output().map_err(|error| error.to_string())?;
    let (stdout, stderr) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    let wrong =
        |what: &str| Err(format!("{what}\nexit: {}\nstdout: {stdout:.500}\nstderr: {stderr:.2000}", output.status));
    let Some(code @ 0..=4) = output.status.code() else { return wrong("no exit code of treeproof") };
    if start.elapsed() > TIME_LIMIT {
        return wrong("took too long");
    }
    if stderr.contains("panicked") || stderr.contains("internal error") || stderr.contains("RUST_BACKTRACE") {
        return wrong("a panic");
    }
    // What is said beside an error: notes, hints and, for those who want them, times.
    let beside = ["treeproof: note: ", "treeproof: hint: ", "["];
    let told: Vec<&str> = stderr.lines().filter(|line| !beside.iter().any(|word| line.starts_with(word))).collect();
    if code == 2 && told.len() != 1 {
        return wrong("an error is one line");
    }
    if let Some(line) = told.iter().find(|line| !line.starts_with("treeproof: ")) {
        return wrong(&format!("not a line of treeproof: {line}"));
    }
    let asks_for_json = typed.iter().any(|word| word == "--json") && !typed.iter().any(|word| is_other_output(word));
    if asks_for_json
        && code != 2
        && !serde_json::from_str::<serde_json::Value>(&stdout).is_ok_and(|json| json.is_object())
    {
        return wrong("not one JSON object");
    }
    Ok(code)
}

/// What prints something else, whatever stands beside it.
fn is_other_output(word: &OsStr) -> bool {
    let text = word.to_string_lossy();
    ["--help", "-h", "-V", "--version", "--print-task", "help", "convert"].contains(&text.as_ref())
}

/// Ready to be typed again.
fn shown(typed: &[OsString]) -> String {
    typed.iter().map(|word| format!("{word:?}")).collect::<Vec<_>>().join(" ")
}
