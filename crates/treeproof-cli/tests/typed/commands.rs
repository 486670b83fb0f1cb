//! Random command lines. What can be typed is read off the help texts, so a new flag is tried as soon as it is there.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;

use super::random::Random;
use super::words;
use crate::sandbox::Sandbox;

/// A flag, with what its value is called if it has one.
struct Flag {
    name: String,
    value: Option<String>,
}

/// A question, with what its usage demands (flags with values, or arguments) and the flags that it takes.
struct Question {
    name: String,
    demanded: Vec<Demand>,
    flags: Vec<Flag>,
}

enum Demand {
    Argument { name: String, is_optional: bool },
    Flag(Flag),
}

pub(super) struct Commands {
    questions: Vec<Question>,
    files: Vec<String>,
}

impl Commands {
    pub(super) fn read<'a>(files: impl Iterator<Item = &'a str>) -> Self {
        let sandbox = Sandbox::new();
        let help = sandbox.run(["--help"]).answer();
        let names = help.lines().filter_map(|line| line.strip_prefix("  ")).filter_map(|line| {
            let name: String = line.chars().take_while(|c| c.is_ascii_lowercase()).collect();
            line[name.len()..].starts_with("  ").then_some(name).filter(|name| !name.is_empty() && name != "help")
        });
        let questions: Vec<Question> = names.map(|name| Question::read(name, &sandbox)).collect();
        assert!(questions.len() >= 17, "the help text is not understood");
        let damaged = (0..4).map(|number| format!("damaged-{number}"));
        let odd = ["folder", "missing.json", "/dev/null", "."].map(str::to_owned);
        Self { questions, files: files.map(str::to_owned).chain(damaged).chain(odd).collect() }
    }

    /// A command line: sensible, but for a few mistakes.
    pub(super) fn type_one(&self, random: &mut Random) -> Vec<OsString> {
        let mut question = random.pick(&self.questions);
        // It asks ten questions, and takes as long.
        while question.name == "demo" && !random.is_one_in(50) {
            question = random.pick(&self.questions);
        }
        let mut typed = vec![question.name.clone()];
        for demand in &question.demanded {
            match demand {
                Demand::Argument { is_optional: true, .. } if random.is_one_in(2) => {}
                Demand::Argument { name, .. } => typed.push(words::word(name, name, random, &self.files)),
                Demand::Flag(flag) => self.add(flag, &mut typed, random),
            }
        }
        for _ in 0..random.below(5) {
            let flag = random.pick(&question.flags);
            let is_rare = ["--help", "--print-task", "--classes", "--base-margin"].contains(&flag.name.as_str());
            // Few flags may be given twice, and few commands want these.
            if !(typed.contains(&flag.name) || is_rare) || random.is_one_in(8) {
                self.add(flag, &mut typed, random);
            }
        }
        // Conditions are the flag that people use most.
        if let Some(flag) = question.flags.iter().find(|flag| flag.name == "--where").filter(|_| random.is_one_in(3)) {
            self.add(flag, &mut typed, random);
        }
        // Nobody waits for a random question.
        let has_time = question.flags.iter().any(|flag| flag.name == "--time");
        if has_time && !typed.iter().any(|word| word.starts_with("--time")) {
            typed.extend(["--time".to_owned(), "30ms".to_owned()]);
        }
        let mut typed: Vec<OsString> = typed.into_iter().map(OsString::from).collect();
        if random.is_one_in(6) {
            self.mistype(&mut typed, random);
        }
        // The system takes no such argument from anybody.
        typed.retain(|word| !word.as_encoded_bytes().contains(&0));
        typed
    }

    fn add(&self, flag: &Flag, typed: &mut Vec<String>, random: &mut Random) {
        let value = flag.value.as_ref().map(|value| words::word(value, &flag.name, random, &self.files));
        match value {
            Some(value) if random.is_one_in(4) => typed.push(format!("{}={value}", flag.name)),
            Some(value) => typed.extend([flag.name.clone(), value]),
            None => typed.push(flag.name.clone()),
        }
    }

    fn mistype(&self, typed: &mut Vec<OsString>, random: &mut Random) {
        for _ in 0..=random.below(2) {
            let place = random.below(typed.len());
            match random.below(6) {
                0 if !typed.is_empty() => drop(typed.remove(place)),
                1 if !typed.is_empty() => typed.insert(place, typed[place].clone()),
                2 if !typed.is_empty() => {
                    let other = random.below(typed.len());
                    typed.swap(place, other);
                }
                3 if !typed.is_empty() => {
                    let mut bytes = typed[place].clone().into_vec();
                    let at = random.below(bytes.len());
                    bytes.insert(at.min(bytes.len()), u8::try_from(1 + random.below(255)).unwrap());
                    typed[place] = OsString::from_vec(bytes);
                }
                4 => {
                    let question = random.pick(&self.questions);
                    typed.insert(place, random.pick(&question.flags).name.clone().into());
                }
                _ => typed.insert(place, words::any(random, &self.files).into()),
            }
        }
    }
}

impl Question {
    fn read(name: String, sandbox: &Sandbox) -> Self {
        let help = sandbox.run([name.as_str(), "--help"]).answer();
        let usage = help.lines().find_map(|line| line.strip_prefix("Usage: ")).expect("every help text has it");
        let mut demanded = Vec::new();
        let mut words = usage.split_whitespace().skip(2).filter(|word| *word != "[OPTIONS]");
        while let Some(word) = words.next() {
            let inner = |word: &str| word.trim_matches(|c: char| !c.is_ascii_uppercase()).to_owned();
            demanded.push(match word.strip_prefix("--") {
                Some(_) => Demand::Flag(Flag { name: word.to_owned(), value: words.next().map(inner) }),
                None => Demand::Argument { name: inner(word), is_optional: word.starts_with('[') },
            });
        }
        let flags = help.lines().filter_map(|line| {
            let line = line.trim_start();
            // `-v, --verbose` or the long form alone.
            let line = line.find("--").filter(|at| matches!(at, 0 | 4)).map_or("", |at| &line[at..]);
            let (flag, rest) = line.split_once([' ', '\n']).unwrap_or((line, ""));
            let is_flag = flag.starts_with("--")
                && flag[2..].chars().all(|c| c.is_ascii_lowercase() || c == '-' || c.is_ascii_digit());
            let value = rest.strip_prefix('<').and_then(|rest| rest.split_once('>')).map(|(value, _)| value.to_owned());
            is_flag.then(|| Flag { name: flag.to_owned(), value })
        });
        let flags: Vec<Flag> = flags.collect();
        assert!(flags.iter().any(|flag| flag.name == "--help"), "{name}: the help text is not understood");
        Self { name, demanded, flags }
    }
}
