//! The demo as a newcomer meets it: with nothing at hand, and what it shows is what the commands print.

use crate::sandbox::{Outcome, Sandbox};

#[test]
fn every_command_that_is_shown_prints_what_is_shown() {
    let sandbox = Sandbox::new();
    let shown = sandbox.run(["demo"]).answer();
    let commands: Vec<&str> = shown.lines().filter_map(|line| line.strip_prefix("$ ")).collect();
    assert_eq!(commands[0], "cd treeproof-demo");
    assert_eq!(commands.len(), 1 + 10 + 3, "{shown}");
    assert!(shown.contains("\nWith your own model\n$ treeproof inspect model.json "), "{shown}");
    // The sentence that follows a command is what it prints, each time: these questions are too small for several threads.
    for command in commands[1..11].iter().filter(|command| word(command) != "stable") {
        let line = format!("cd treeproof-demo && ${command}");
        let Outcome { stdout, stderr, .. } = sandbox.shell(&line);
        assert_eq!(stderr, "", "{line}");
        let sentence = stdout.lines().next().unwrap_or_else(|| panic!("{line} prints nothing"));
        assert!(shown.contains(&format!("$ {command}\n{sentence}\n")), "{line}: {stdout}");
    }
    for result in ["max.proof", "digits.ubj", "report.html"] {
        assert!(sandbox.path("treeproof-demo").join(result).is_file(), "{result}");
    }
}

/// The question of a command.
fn word(command: &str) -> &str {
    command.split(' ').nth(1).unwrap_or_default()
}

#[test]
fn files_of_others_are_not_overwritten() {
    let sandbox = Sandbox::new();
    std::fs::create_dir(sandbox.path("mine")).unwrap();
    for name in ["patients.csv", "max.proof"] {
        sandbox.write(format!("mine/{name}"), "mine");
        let line = sandbox.refusal(["demo", "--dir", "mine"], name);
        assert_eq!(line, format!("mine/{name}: exists and is not from a demo; choose another folder with --dir"));
        assert_eq!(std::fs::read_dir(sandbox.path("mine")).unwrap().count(), 1, "nothing else is written");
        assert_eq!(std::fs::read_to_string(sandbox.path("mine").join(name)).unwrap(), "mine");
        std::fs::remove_file(sandbox.path("mine").join(name)).unwrap();
    }
    sandbox.write("file", "");
    let line = sandbox.refusal(["demo", "--dir", "file"], "a file");
    assert!(line.starts_with("file: "), "{line}");
}
