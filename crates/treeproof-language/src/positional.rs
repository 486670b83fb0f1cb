//! Names in place of positions: the feature `f0` by its name.

use super::expression::{Arithmetic, Condition, FeatureName, Formula, NamePattern, Position, Quoting, Side};
use super::lexer::{TokenKind, is_keyword, is_plain_word, token};
use super::vocabulary::Vocabulary;

impl Vocabulary<'_> {
    /// The text of a condition with the names of the features that it gives by position.
    pub fn with_names(&self, condition: &Condition) -> String {
        let mut found = vec![];
        self.in_formula(&condition.formula, &mut found);
        found.sort_by_key(|(name, _)| name.at.0);
        let mut text = condition.text.clone();
        for (name, spelt) in found.iter().rev() {
            let range = name.at.0..name.at.0 + name.text.len();
            if text.get(range.clone()) == Some(&name.text) {
                text.replace_range(range, spelt);
            }
        }
        text
    }

    /// A text that begins with a feature, as in `f0`, `f0=3` and `f0:{1}|{2}`, with the feature's name.
    pub fn with_first_name(&self, text: &str) -> String {
        let Ok(first) = token(text, 0) else { return text.to_owned() };
        let name = FeatureName { text: first.text.to_owned(), at: Position(first.at), quoting: Quoting::Plain };
        match self.spelt(&name).filter(|_| first.kind == TokenKind::Word) {
            Some(spelt) => format!("{spelt}{}", &text[first.end()..]),
            None => text.to_owned(),
        }
    }

    fn in_formula<'f>(&self, formula: &'f Formula, found: &mut Vec<(&'f FeatureName, String)>) {
        match formula {
            Formula::And(parts) | Formula::Or(parts) => parts.iter().for_each(|part| self.in_formula(part, found)),
            Formula::Not(of) => self.in_formula(of, found),
            Formula::Implies(left, right) => [left, right].iter().for_each(|part| self.in_formula(part, found)),
            Formula::Comparison { first, rest } => {
                let before = found.len();
                let sides = || std::iter::once(first).chain(rest.iter().map(|(_, side)| side));
                sides().for_each(|side| self.in_arithmetic(side, found));
                // Beside a feature or group that has categories, any other word may be one of them.
                let is_category = |side: &&Arithmetic| matches!(side, Arithmetic::Name(name) if self.is_category(name));
                match sides().filter(is_category).count() {
                    0 => {}
                    1 => {
                        let own = found.drain(before..).filter(|(name, _)| self.is_category(name)).collect::<Vec<_>>();
                        found.extend(own);
                    }
                    _ => found.truncate(before),
                }
            }
            Formula::Membership { name, .. } => self.add(name, found),
            Formula::Statement { names, .. } => self.in_patterns(names, found),
        }
    }

    fn in_arithmetic<'f>(&self, of: &'f Arithmetic, found: &mut Vec<(&'f FeatureName, String)>) {
        match of {
            Arithmetic::Value(_) | Arithmetic::Distance { .. } => {}
            Arithmetic::Name(name) => self.add(name, found),
            Arithmetic::Changed { names, .. } => self.in_patterns(names, found),
            Arithmetic::Abs(of, _) | Arithmetic::Negative(of) => self.in_arithmetic(of, found),
            Arithmetic::Operation { first, rest } => {
                self.in_arithmetic(first, found);
                rest.iter().for_each(|(_, part)| self.in_arithmetic(part, found));
            }
        }
    }

    fn in_patterns<'f>(&self, patterns: &'f [NamePattern], found: &mut Vec<(&'f FeatureName, String)>) {
        for pattern in patterns {
            if let NamePattern::One(name) = pattern {
                self.add(name, found);
            }
        }
    }

    fn add<'f>(&self, name: &'f FeatureName, found: &mut Vec<(&'f FeatureName, String)>) {
        found.extend(self.spelt(name).map(|spelt| (name, spelt)));
    }

    /// True if the name means a feature or a group whose values are words.
    fn is_category(&self, name: &FeatureName) -> bool {
        self.group(name).is_some() || self.find(name).is_some_and(|(_, feature)| self.feature(feature).is_category())
    }

    /// The name of a feature that is given by position, as a condition spells it.
    fn spelt(&self, name: &FeatureName) -> Option<String> {
        if name.quoting != Quoting::Plain || self.is_name(name) {
            return None;
        }
        let (side, feature) = self.find(name)?;
        let known = &self.feature(feature).name;
        let side = match side {
            Some(Side::A) => "a.",
            Some(Side::B) => "b.",
            Some(Side::Only) | None => "",
        };
        match (is_plain_word(known) && !is_keyword(known), known.contains('`')) {
            (true, _) => Some(format!("{side}{known}")),
            (false, false) => Some(format!("{side}`{known}`")),
            // Such a name cannot be written.
            (false, true) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Groups, Inputs};
    use super::*;
    use treeproof_ensemble::load::{LoadOptions, load_bytes};

    #[test]
    fn positions_are_told_by_name() {
        let model = br#"{"treeproof": 1, "source": {"format": "treeproof JSON"},
            "features": [{"name": "age", "kind": "numeric"}, {"name": "my income", "kind": "numeric"},
                         {"name": "job", "kind": "category", "encoding": {"rule": "lightgbm"}, "names": ["f0", "clerk"]}],
            "input": {"precision": "f64", "accepts_missing": true, "accepts_infinite": true, "absent": "zero"},
            "num_outputs": 1, "aggregate": {"rule": "sum", "precision": "f64", "base": [0.5], "base_position": "first",
            "fixed_order": true}, "link": {"function": "identity"}, "label": {"rule": "none"}, "classes": [],
            "trees": [{"left": [1, -1, -1], "right": [2, -1, -1], "feature": [0, -1, -1], "test": "<", "threshold": [40, 0, 0],
                       "missing_left": [1, 0, 0], "output": 0, "value": [0, -1.0, 2.0]}]}"#;
        let model = load_bytes(model, &LoadOptions::default()).unwrap();
        let told = |inputs, text: &str| {
            let groups = Groups::NONE;
            Vocabulary::new(&model, &groups, inputs).with_names(&Condition::parse(text).unwrap())
        };
        let one = |text| told(Inputs::One, text);
        assert_eq!(one("f0 < 30 and 2*f1 - f0 >= age"), "age < 30 and 2*`my income` - age >= age");
        assert_eq!(one("not (missing(f1) or f0  in {1, 2})"), "not (missing(`my income`) or age  in {1, 2})");
        assert_eq!(one("atmost(1, f0, f*) implies f0 == 1"), "atmost(1, age, f*) implies age == 1");
        assert_eq!((one("f2 == clerk"), one("f2 in {f0}")), ("job == clerk".into(), "job in {f0}".into()));
        assert_eq!(one("f2 == f0"), "job == f0");
        for as_typed in ["job == f0", "f2 == job", "age < 3", "`f0` < 3", "f00 < 3", "f3 < 3"] {
            assert_eq!(one(as_typed), as_typed);
        }
        assert_eq!(told(Inputs::Two, "a.f0 <= b.f1 and fixed(f0)"), "a.age <= b.`my income` and fixed(age)");
        let groups = Groups::NONE;
        let vocabulary = Vocabulary::new(&model, &groups, Inputs::One);
        let first = |text| vocabulary.with_first_name(text);
        assert_eq!(
            (first("f0"), first("f1=3"), first("f2:{f0}|{clerk}")),
            ("age".into(), "`my income`=3".into(), "job:{f0}|{clerk}".into())
        );
        assert_eq!(
            (first("f01"), first("f*"), first("`f0`"), first("")),
            ("f01".into(), "f*".into(), "`f0`".into(), String::new())
        );
    }
}
