//! Formulas: conditions joined by all, any and counts, with verdicts of three values.

use treeproof_language::CountRange;

/// Conditions joined by all, any and counts.
#[derive(Clone, Debug)]
pub(in crate::problem) enum Formula<L> {
    /// A condition by itself.
    Leaf(L),
    /// All of these hold.
    All(Vec<Self>),
    /// One of these holds at least.
    Any(Vec<Self>),
    /// The number of choices for which "yes" holds.
    Count { choices: Vec<CountedChoice<L>>, number: CountRange },
}

/// Two formulas of which one holds, for whatever values.
#[derive(Clone, Debug)]
pub(in crate::problem) struct CountedChoice<L> {
    pub(super) yes: Formula<L>,
    pub(super) no: Formula<L>,
}

impl<L> Formula<L> {
    /// Visits every leaf.
    pub(in crate::problem) fn visit<'a>(&'a self, see: &mut impl FnMut(&'a L)) {
        match self {
            Self::Leaf(leaf) => see(leaf),
            Self::All(parts) | Self::Any(parts) => parts.iter().for_each(|part| part.visit(see)),
            Self::Count { choices, .. } => {
                choices.iter().flat_map(|choice| [&choice.yes, &choice.no]).for_each(|part| part.visit(see));
            }
        }
    }

    /// True if all leaves are such.
    pub(super) fn all(&self, is_such: impl Fn(&L) -> bool) -> bool {
        let mut are_such = true;
        self.visit(&mut |leaf| are_such &= is_such(leaf));
        are_such
    }

    /// The formula over other leaves. A part that is joined with no other stands for itself.
    pub(super) fn map<M>(&self, to: &impl Fn(&L) -> M) -> Formula<M> {
        match self {
            Self::Leaf(leaf) => Formula::Leaf(to(leaf)),
            Self::All(parts) | Self::Any(parts) if parts.len() == 1 => parts[0].map(to),
            Self::All(parts) => Formula::All(parts.iter().map(|part| part.map(to)).collect()),
            Self::Any(parts) => Formula::Any(parts.iter().map(|part| part.map(to)).collect()),
            Self::Count { choices, number } => {
                let choice =
                    |CountedChoice { yes, no }: &CountedChoice<L>| CountedChoice { yes: yes.map(to), no: no.map(to) };
                Formula::Count { choices: choices.iter().map(choice).collect(), number: *number }
            }
        }
    }

    /// The verdict, given that of each leaf: true if it certainly holds, false if it certainly does not.
    pub(super) fn decide(&self, leaf: &impl Fn(&L) -> Option<bool>) -> Option<bool> {
        match self {
            Self::Leaf(own) => leaf(own),
            Self::All(parts) => joined(parts.iter().map(|part| part.decide(leaf)), false),
            Self::Any(parts) => joined(parts.iter().map(|part| part.decide(leaf)), true),
            Self::Count { choices, number } => within(counted(choices, leaf), *number),
        }
    }
}

impl<L> CountedChoice<L> {
    /// True if "yes" certainly holds, false if "no" does.
    pub(super) fn decide(&self, leaf: &impl Fn(&L) -> Option<bool>) -> Option<bool> {
        self.yes.decide(leaf).or_else(|| self.no.decide(leaf).map(|no| !no))
    }
}

/// The verdict of parts, of which one `decisive` one decides all.
fn joined(parts: impl IntoIterator<Item = Option<bool>>, decisive: bool) -> Option<bool> {
    let mut is_open = false;
    for part in parts {
        match part {
            Some(decided) if decided == decisive => return Some(decisive),
            Some(_) => {}
            None => is_open = true,
        }
    }
    (!is_open).then_some(!decisive)
}

/// The number of choices that are certainly "yes", and of those that may be.
pub(super) fn counted<L>(choices: &[CountedChoice<L>], leaf: &impl Fn(&L) -> Option<bool>) -> (usize, usize) {
    choices.iter().map(|choice| choice.decide(leaf)).fold((0, 0), |(certain, possible), choice| match choice {
        Some(true) => (certain + 1, possible + 1),
        Some(false) => (certain, possible),
        None => (certain, possible + 1),
    })
}

/// True if a number between the two is certainly admissible, false if certainly not.
fn within((certain, possible): (usize, usize), number: CountRange) -> Option<bool> {
    match () {
        () if possible < number.at_least || certain > number.at_most => Some(false),
        () if number.contains(certain) && number.contains(possible) => Some(true),
        () => None,
    }
}
