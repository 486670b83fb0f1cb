//! Groups of one-hot columns: exactly one of them is 1, and all others are 0.

use thiserror::Error;
use treeproof_ensemble::ensemble::Ensemble;

use super::glob::{is_match, starred};
use super::suggest::{quote, suggestion};

/// Disjoint groups of columns.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Groups(Vec<Group>);

/// Columns of which exactly one is 1, and all others 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// The name of the group.
    pub name: String,
    /// The indices of its columns among the model's features, ascending.
    pub columns: Vec<usize>,
    /// The value that each column stands for.
    pub values: Vec<String>,
    patterns: Vec<String>,
}

/// Columns that cannot be a group.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("group {}: {what}", quote(group))]
pub struct GroupError {
    /// The name of the group.
    pub group: String,
    /// The problem, with a remedy.
    pub what: String,
}

impl Groups {
    /// No groups.
    pub const NONE: Self = Self(vec![]);

    /// Groups by name and patterns of their columns, as in `sex` and `sex_*`. The text matched by the star names the value.
    /// Columns that match a pattern behind `!` are left out.
    pub fn new<'a, P: AsRef<str> + 'a>(
        ensemble: &Ensemble,
        groups: impl IntoIterator<Item = (&'a str, &'a [P])>,
    ) -> Result<Self, GroupError> {
        let mut all = Self::default();
        for (name, patterns) in groups {
            let group = Group::new(ensemble, name, patterns)?;
            for column in &group.columns {
                if let Some(other) = all.of(*column) {
                    let (column, other) = (quote(&ensemble.features()[*column].name), quote(&other.name));
                    return Err(group.error(format!("{column} is in group {other} already")));
                }
            }
            all.0.push(group);
        }
        Ok(all)
    }

    /// Checks that a second model can share the groups; `alone` lists the features that only it has.
    pub fn fit(&self, second: &Ensemble, alone: &[&str]) -> Result<(), GroupError> {
        for group in &self.0 {
            group.must_be_read_as_numbers(second)?;
            if let Some(column) = alone.iter().find(|name| first_like(name, &group.patterns).is_some()) {
                let column = quote(column);
                let what = format!("only the second model has {column}; compare the models in the other order");
                return Err(group.error(what));
            }
        }
        Ok(())
    }

    /// The group with this name.
    pub fn named(&self, name: &str) -> Option<&Group> {
        self.0.iter().find(|group| group.name == name)
    }

    /// The group of a column.
    pub fn of(&self, column: usize) -> Option<&Group> {
        self.0.iter().find(|group| group.columns.binary_search(&column).is_ok())
    }

    /// All groups.
    pub fn iter(&self) -> impl Iterator<Item = &Group> {
        self.0.iter()
    }

    /// True without groups.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Checks that in every group of a row exactly one column is 1.
    pub fn check(&self, row: &[f64], ensemble: &Ensemble) -> Result<(), String> {
        self.0.iter().try_for_each(|group| group.value(row, ensemble).map(|_| ()))
    }
}

impl Group {
    fn new<P: AsRef<str>>(ensemble: &Ensemble, name: &str, patterns: &[P]) -> Result<Self, GroupError> {
        let error = |what| Err(GroupError { group: name.to_owned(), what });
        let features = ensemble.features();
        let number = name.strip_prefix('f').and_then(|number| number.parse::<usize>().ok());
        if ensemble.feature_named(name).is_some() || number.is_some_and(|number| number < features.len()) {
            return error("the model has a feature of this name; choose another".to_owned());
        }
        let names = || features.iter().map(|feature| feature.name.as_str());
        for pattern in patterns.iter().map(AsRef::as_ref) {
            let bare = pattern.strip_prefix('!').unwrap_or(pattern);
            if !names().any(|name| is_match(name, bare)) {
                let hint = suggestion(bare.trim_matches('*'), names);
                return error(format!("the model has no feature like {}{hint}", quote(bare)));
            }
        }
        let like = names().enumerate().filter_map(|(column, name)| Some((column, first_like(name, patterns)?)));
        let columns: Vec<(usize, &str)> = like.collect();
        let quoted = |column: usize| quote(&features[column].name);
        match columns[..] {
            [] => return error("the model has no feature like ``".to_owned()),
            [(column, _)] => {
                return error(format!("{} alone is no group, which needs two columns or more", quoted(column)));
            }
            _ => {}
        }
        if let Some((column, _)) = columns.iter().find(|(column, _)| features[*column].is_category()) {
            return error(format!("{} has categories, so it is no 0/1 column", quoted(*column)));
        }
        let named = |(column, pattern): &(usize, &str)| starred(&features[*column].name, pattern).map(str::to_owned);
        let mut values: Vec<String> = columns.iter().map_while(named).collect();
        let mut different = values.clone();
        different.sort_unstable();
        different.dedup();
        if different.len() < columns.len() {
            values = columns.iter().map(|(column, _)| features[*column].name.clone()).collect();
        }
        let patterns = patterns.iter().map(|pattern| pattern.as_ref().to_owned()).collect();
        let columns = columns.into_iter().map(|(column, _)| column).collect();
        let group = Self { name: name.to_owned(), columns, values, patterns };
        group.must_be_read_as_numbers(ensemble)?;
        Ok(group)
    }

    fn must_be_read_as_numbers(&self, ensemble: &Ensemble) -> Result<(), GroupError> {
        match ensemble.input().missing_value.filter(|number| [0.0, 1.0].contains(number)) {
            Some(number) => {
                let number = u8::from(number > 0.0);
                Err(self.error(format!("the model reads {number} as missing, so its columns cannot be 0 and 1")))
            }
            None => Ok(()),
        }
    }

    /// An error about this group.
    pub fn error(&self, what: String) -> GroupError {
        GroupError { group: self.name.clone(), what }
    }

    /// The position, among the columns, of the one that is 1; an error unless exactly one is.
    pub fn value(&self, row: &[f64], ensemble: &Ensemble) -> Result<usize, String> {
        let name = |place: usize| quote(&ensemble.features()[self.columns[place]].name);
        let is_one = |place: &usize| row[self.columns[*place]] == 1.0;
        let other = (0..self.columns.len()).find(|place| !is_one(place) && row[self.columns[*place]] != 0.0);
        let mut ones = (0..self.columns.len()).filter(is_one);
        let what = match (other, ones.next(), ones.next()) {
            (None, Some(one), None) => return Ok(one),
            (Some(place), ..) => format!("{} is {}", name(place), row[self.columns[place]]),
            (None, Some(one), Some(two)) => format!("{} and {} are 1", name(one), name(two)),
            (None, None, _) => "all are 0".to_owned(),
        };
        let group = quote(&self.name);
        Err(format!("of group {group} one column must be 1 and all others 0, but {what}: correct the row or the group"))
    }

    /// The position of a value by its name, or by the name of its column.
    pub fn place(&self, text: &str, ensemble: &Ensemble) -> Option<usize> {
        let by_column = || self.columns.iter().position(|column| ensemble.features()[*column].name == text);
        self.values.iter().position(|value| value == text).or_else(by_column)
    }
}

/// The first pattern that matches a name, unless one behind `!` does.
fn first_like<'p, P: AsRef<str>>(name: &str, patterns: &'p [P]) -> Option<&'p str> {
    let mut patterns = patterns.iter().map(AsRef::as_ref);
    let is_left_out = |pattern: &str| pattern.strip_prefix('!').is_some_and(|pattern| is_match(name, pattern));
    if patterns.clone().any(is_left_out) {
        return None;
    }
    patterns.find(|pattern| !pattern.starts_with('!') && is_match(name, pattern))
}

#[cfg(test)]
mod tests {
    use super::super::tests::laws::model;
    use super::*;

    #[test]
    fn groups_are_disjoint_columns_under_a_name_of_their_own() {
        let model = model();
        let groups = |groups: &[(&'static str, &'static [&'static str])]| {
            Groups::new(&model, groups.iter().copied()).map_err(|error| error.to_string())
        };
        let group = |name: &'static str, patterns| groups(&[(name, patterns)]).unwrap().named(name).unwrap().clone();
        assert_eq!(group("w", &["w_*"]).columns, [3, 4, 5]);
        assert_eq!(group("w", &["w_*"]).values, ["0", "1", "2"]);
        assert_eq!(group("w", &["w_1", "w_0"]).values, ["w_0", "w_1"]);
        assert_eq!(group("w", &["w_?", "w_0", "y"]).columns, [1, 3, 4, 5]);
        assert_eq!(group("w", &["w_*", "!*_1"]).values, ["0", "2"]);
        let error = |name, patterns| groups(&[(name, patterns)]).unwrap_err();
        assert_eq!(error("x", &["w_*"]), "group `x`: the model has a feature of this name; choose another");
        assert_eq!(error("f2", &["w_*"]), "group `f2`: the model has a feature of this name; choose another");
        assert_eq!(error("w", &["colr*"]), "group `w`: the model has no feature like `colr*`; did you mean `colour`?");
        assert_eq!(
            error("w", &["w_*", "q"]),
            "group `w`: the model has no feature like `q`; it has `x`, `y`, `z`, `w_0`, `w_1`, `w_2`, `colour`"
        );
        assert_eq!(error("c", &["c*", "x"]), "group `c`: `colour` has categories, so it is no 0/1 column");
        assert_eq!(error("w", &[]), "group `w`: the model has no feature like ``");
        assert_eq!(error("v", &["y"]), "group `v`: `y` alone is no group, which needs two columns or more");
        let two: &[(&str, &[&str])] = &[("w", &["w_*"]), ("v", &["*_1", "x"])];
        assert_eq!(groups(two).unwrap_err(), "group `v`: `w_1` is in group `w` already");
    }

    #[test]
    fn exactly_one_column_is_1() {
        let model = model();
        let groups = Groups::new(&model, [("w", &["w_*"][..])]).unwrap();
        let value = |columns: [f64; 3]| {
            let row = [&[7.0, 7.0, 7.0], &columns[..], &[0.0]].concat();
            groups.named("w").unwrap().value(&row, &model)
        };
        let refused = |what| {
            Err(format!("of group `w` one column must be 1 and all others 0, but {what}: correct the row or the group"))
        };
        assert_eq!(value([0.0, -0.0, 1.0]), Ok(2));
        assert_eq!(value([1.0, 0.0, 1.0]), refused("`w_0` and `w_2` are 1"));
        assert_eq!(value([0.0, 0.0, 0.0]), refused("all are 0"));
        assert_eq!(value([1.0, 0.5, 0.0]), refused("`w_1` is 0.5"));
        assert_eq!(value([1.0, f64::NAN, 0.0]), refused("`w_1` is NaN"));
    }
}
