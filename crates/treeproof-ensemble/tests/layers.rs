//! The order of the top-level modules of every crate: each uses only those below it, and no new cycle appears.
//!
//! `layers.txt` holds the order, lowest first. Modules on one line use each other in a cycle: such a knot may shrink, not grow.
//! After a change on purpose, `TREEPROOF_LAYERS=write cargo test -p treeproof-ensemble --test layers` writes the file anew.

#[path = "layers/graph.rs"]
mod graph;
#[path = "layers/source.rs"]
mod source;

use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

use self::graph::Graph;

const HEAD: &str = "# The top-level modules of each crate, lowest first: a module uses only those above its line. Modules on one line form a cycle.
# Read and written by layers.rs, which explains it.
";

/// The lines of one crate in a text as `layers.txt`.
fn recorded(text: &str, name: &str) -> Vec<Vec<String>> {
    let heading = format!("[{name}]");
    let lines = text.lines().skip_while(|line| *line != heading).skip(1).take_while(|line| !line.starts_with('['));
    lines.filter(|line| !line.is_empty()).map(|line| line.split(' ').map(str::to_owned).collect()).collect()
}

#[test]
fn modules_use_only_those_below_them() {
    let home = Path::new(env!("CARGO_MANIFEST_DIR"));
    let file = home.join("tests/layers.txt");
    let known = fs::read_to_string(&file).unwrap();
    let mut crates: Vec<_> = fs::read_dir(home.parent().unwrap()).unwrap().map(|entry| entry.unwrap().path()).collect();
    crates.retain(|path| path.join("src").is_dir());
    crates.sort();

    let (mut found, mut cycles, mut changes) = (HEAD.to_owned(), String::new(), String::new());
    for path in crates {
        let name = path.file_name().unwrap().to_str().unwrap();
        let graph = Graph::new(source::uses(&path.join("src")));
        let recorded = recorded(&known, name);
        let order = graph.order(&recorded);
        for knot in order.iter().filter(|modules| modules.len() > 1 && !is_known(modules, &recorded)) {
            writeln!(cycles, "{name}: {}", graph.cycle(knot, &recorded)).unwrap();
        }
        writeln!(found, "\n[{name}]").unwrap();
        order.iter().for_each(|modules| writeln!(found, "{}", modules.join(" ")).unwrap());
        for line in order.iter().filter(|line| !recorded.contains(line)) {
            writeln!(changes, "{name}: new: {}", line.join(" ")).unwrap();
        }
        for line in recorded.iter().filter(|line| !order.contains(line)) {
            writeln!(changes, "{name}: gone: {}", line.join(" ")).unwrap();
        }
        if recorded != order {
            graph.upward(&recorded).iter().for_each(|(user, used, place)| {
                writeln!(changes, "{name}: `{user}` uses `{used}`, which is recorded above it ({place})").unwrap();
            });
        }
    }
    assert!(
        cycles.is_empty(),
        "modules of a crate use each other in a new cycle:\n{cycles}Move what both need to a module below them."
    );
    if env::var_os("TREEPROOF_LAYERS").is_some_and(|value| value == "write") {
        fs::write(&file, found).unwrap();
        return;
    }
    assert!(
        found == known,
        "the order of modules is not that of {}:\n{changes}If this is meant, write it anew: \
         TREEPROOF_LAYERS=write cargo test -p treeproof-ensemble --test layers",
        file.display()
    );
}

/// True if a knot is part of a recorded one; a member may have got another name.
fn is_known(knot: &[String], recorded: &[Vec<String>]) -> bool {
    recorded.iter().any(|line| {
        let is_elsewhere = |module: &String| recorded.iter().any(|other| other != line && other.contains(module));
        knot.len() <= line.len() && knot.iter().any(|module| line.contains(module)) && !knot.iter().any(is_elsewhere)
    })
}

#[test]
fn a_new_cycle_is_shown_with_its_files() {
    let uses = [("low", "high", "low.rs"), ("high", "middle", "high/a.rs"), ("middle", "low", "middle.rs")];
    let uses = uses.map(|(user, used, place)| ((user.to_owned(), used.to_owned()), place.to_owned()));
    let graph =
        Graph::new(source::Uses { modules: ["low", "middle", "high"].map(str::to_owned).into(), uses: uses.into() });
    let order = graph.order(&[]);
    assert_eq!(order, [["high", "low", "middle"]]);
    assert!(!is_known(&order[0], &[vec!["low".to_owned()], vec!["middle".to_owned(), "high".to_owned()]]));
    assert_eq!(
        graph.cycle(&order[0], &[]),
        "`high` uses `middle` (high/a.rs), `middle` uses `low` (middle.rs), `low` uses `high` (low.rs)"
    );
}
