//! A graph of modules: its knots, and an order of them.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::source::Uses;

/// Modules, and which of them each uses.
pub(crate) struct Graph {
    uses: Uses,
    /// Per module all that it uses, directly or not.
    reached: BTreeMap<String, BTreeSet<String>>,
}

impl Graph {
    pub(crate) fn new(uses: Uses) -> Self {
        let reached = uses.modules.iter().map(|module| {
            let (mut seen, mut pending) = (BTreeSet::new(), vec![module]);
            while let Some(user) = pending.pop() {
                for ((_, used), _) in uses.uses.iter().filter(|((from, _), _)| from == user) {
                    if seen.insert(used.clone()) {
                        pending.push(used);
                    }
                }
            }
            (module.clone(), seen)
        });
        let reached = reached.collect();
        Self { uses, reached }
    }

    /// The knots, and the modules in none by themselves, users behind what they use; as recorded as far as possible.
    pub(crate) fn order(&self, recorded: &[Vec<String>]) -> Vec<Vec<String>> {
        let knot = |module: &String| -> Vec<String> {
            let is_mutual =
                |other: &&String| self.reached[*other].contains(module) && self.reached[module].contains(*other);
            self.uses.modules.iter().filter(|other| *other == module || is_mutual(other)).cloned().collect()
        };
        let mut pending: BTreeSet<Vec<String>> = self.uses.modules.iter().map(knot).collect();
        let place = |knot: &Vec<String>| {
            let line = recorded.iter().position(|line| line.iter().any(|module| knot.contains(module)));
            (line.unwrap_or(usize::MAX), self.reached[&knot[0]].len(), knot.clone())
        };
        let mut order: Vec<Vec<String>> = vec![];
        while !pending.is_empty() {
            let is_ready = |knot: &&Vec<String>| {
                let needed = &self.reached[&knot[0]];
                !pending.iter().any(|other| other != *knot && needed.contains(&other[0]))
            };
            let next =
                pending.iter().filter(is_ready).min_by_key(|knot| place(knot)).expect("knots form no cycle").clone();
            pending.remove(&next);
            order.push(next);
        }
        order
    }

    /// The shortest cycle of a knot with a step that no recorded knot has, in words.
    pub(crate) fn cycle(&self, knot: &[String], recorded: &[Vec<String>]) -> String {
        let is_new =
            |user: &String, used: &String| !recorded.iter().any(|line| line.contains(user) && line.contains(used));
        let steps = self.uses.uses.keys().filter(|(user, used)| knot.contains(user) && knot.contains(used));
        let cycles = steps.filter(|(user, used)| is_new(user, used)).map(|(user, used)| {
            let mut cycle = vec![user.clone()];
            cycle.extend(self.path(used, user));
            cycle
        });
        let cycle = cycles.min_by_key(Vec::len).expect("a new knot has a new step");
        let step = |pair: &[String]| {
            let place = &self.uses.uses[&(pair[0].clone(), pair[1].clone())];
            format!("`{}` uses `{}` ({place})", pair[0], pair[1])
        };
        cycle.windows(2).map(step).collect::<Vec<_>>().join(", ")
    }

    /// The shortest path between two modules of one knot.
    fn path(&self, from: &str, to: &str) -> Vec<String> {
        let mut pending = VecDeque::from([vec![from.to_owned()]]);
        let mut seen = BTreeSet::from([from.to_owned()]);
        while let Some(path) = pending.pop_front() {
            let last = path.last().expect("a path is not empty");
            if last == to {
                return path;
            }
            for (_, used) in self.uses.uses.keys().filter(|(user, _)| user == last) {
                if seen.insert(used.clone()) {
                    pending.push_back([path.as_slice(), std::slice::from_ref(used)].concat());
                }
            }
        }
        unreachable!("modules of one knot reach each other")
    }

    /// Uses that go against the recorded order: user, used, and the file that says so.
    pub(crate) fn upward(&self, recorded: &[Vec<String>]) -> Vec<(&String, &String, &String)> {
        let line = |module: &String| recorded.iter().position(|line| line.contains(module));
        let is_upward = |user, used| line(user).zip(line(used)).is_some_and(|(user, used)| user < used);
        let uses = self.uses.uses.iter().filter(|((user, used), _)| is_upward(user, used));
        uses.map(|((user, used), place)| (user, used, place)).collect()
    }
}
