//! Columns of a table, matched to the features of a model: by name, else by position.

use std::collections::HashMap;

use treeproof_data::Table;
use treeproof_data::error::quote;
use treeproof_ensemble::input::Feature;
use treeproof_language::suggest::closest_name;

use super::error::DataError;

/// The columns of a table, matched to features.
#[derive(Debug, PartialEq)]
pub(super) struct Matching {
    /// For each feature its column.
    pub(super) columns: Vec<usize>,
    /// The columns without a feature; the label is not among them.
    pub(super) ignored: Vec<usize>,
    /// True if columns have names, but none of a feature.
    pub(super) is_despite_names: bool,
}

impl Matching {
    /// Matches columns to features.
    ///
    /// All features are found by name: extra columns are ignored. Some are: an error, since a name is misspelt.
    /// None is, or the table has no names: by position, and then the number of columns must be right.
    pub(super) fn find(table: &Table, features: &[Feature], label: Option<&str>) -> Result<Self, DataError> {
        let label = label.map(|label| find_label(table, label)).transpose()?;
        let free: Vec<usize> = (0..table.num_columns()).filter(|column| Some(*column) != label).collect();
        let Some(names) = table.names() else { return Self::by_position(free, features, None) };
        let lookup = Lookup::new(names, &free);
        let found: Vec<Option<usize>> =
            features.iter().map(|feature| lookup.find(&feature.name)).collect::<Result<_, _>>()?;
        if found.iter().all(Option::is_none) {
            return Self::by_position(free, features, Some(names));
        }
        if let Some((feature, _)) = features.iter().zip(&found).find(|(_, column)| column.is_none()) {
            let unmatched =
                free.iter().filter(|column| !found.contains(&Some(**column))).map(|column| names[*column].as_str());
            let suggestion = closest_name(&feature.name, unmatched);
            return Err(DataError::MissingColumn { feature: feature.name.clone(), suggestion });
        }
        let columns: Vec<usize> = found.into_iter().flatten().collect();
        let mut is_used = vec![false; table.num_columns()];
        columns.iter().for_each(|column| is_used[*column] = true);
        let ignored = free.into_iter().filter(|column| !is_used[*column]).collect();
        Ok(Self { columns, ignored, is_despite_names: false })
    }

    fn by_position(columns: Vec<usize>, features: &[Feature], names: Option<&[String]>) -> Result<Self, DataError> {
        if columns.len() == features.len() {
            let is_despite_names = names.is_some_and(|names| !are_places(names));
            return Ok(Self { columns, ignored: Vec::new(), is_despite_names });
        }
        let mut hint = String::new();
        if let (Some(_), Some(feature)) = (names, features.first()) {
            hint = format!(", and no column has a feature's name such as {}", quote(&feature.name));
        }
        if columns.len() == features.len() + 1 {
            let is_index = names.is_some_and(|names| columns.first().is_some_and(|first| names[*first].is_empty()));
            hint += match (names, is_index) {
                (_, true) => "; is the first column a pandas index? write the file with index=False",
                (Some(_), false) => "; if one of them is the label, say which",
                (None, false) => "; is one of them the label? leave it out",
            };
        }
        Err(DataError::Width { columns: columns.len(), features: features.len(), hint })
    }
}

/// True if names only count the columns, as those of a frame that was given none.
fn are_places(names: &[String]) -> bool {
    names.iter().enumerate().all(|(place, name)| *name == place.to_string())
}

/// The position of the label column.
pub(super) fn find_label(table: &Table, label: &str) -> Result<usize, DataError> {
    let names = table.names().unwrap_or_default();
    let all: Vec<usize> = (0..names.len()).collect();
    Lookup::new(names, &all).find(label)?.ok_or_else(|| {
        let meant = closest_name(label, names.iter().map(String::as_str))
            .map(|name| format!("; did you mean {}?", quote(&name)));
        // Labels mostly stand last.
        let last = || names.last().map(|last| format!("; the last one is {}", quote(last)));
        DataError::NoLabel { name: label.to_owned(), hint: meant.or_else(last).unwrap_or_default() }
    })
}

/// Columns by name.
struct Lookup<'a> {
    names: &'a [String],
    exact: HashMap<&'a str, Vec<usize>>,
    loose: HashMap<String, Vec<usize>>,
}

impl<'a> Lookup<'a> {
    fn new(names: &'a [String], columns: &[usize]) -> Self {
        let (mut exact, mut loose): (HashMap<_, Vec<_>>, HashMap<_, Vec<_>>) = Default::default();
        for column in columns {
            exact.entry(names[*column].as_str()).or_default().push(*column);
            loose.entry(loosen(&names[*column])).or_default().push(*column);
        }
        Self { names, exact, loose }
    }

    fn find(&self, name: &str) -> Result<Option<usize>, DataError> {
        let columns = self.exact.get(name).or_else(|| self.loose.get(&loosen(name)));
        match columns.map(Vec::as_slice) {
            None | Some([]) => Ok(None),
            Some([column]) => Ok(Some(*column)),
            Some([column, ..]) => Err(DataError::RepeatedColumn { name: self.names[*column].clone() }),
        }
    }
}

/// Headers are written as `a, b`, and LightGBM writes `_` for spaces in names.
fn loosen(name: &str) -> String {
    name.trim().replace(char::is_whitespace, "_")
}

#[cfg(test)]
mod tests {
    use super::*;
    use treeproof_data::read_bytes;

    fn find(header: &str, features: &[&str], label: Option<&str>) -> Result<Matching, DataError> {
        let table = read_bytes("x.csv".as_ref(), format!("{header}\n").into_bytes()).unwrap();
        let features: Vec<Feature> = features.iter().map(|name| Feature::numeric(*name)).collect();
        Matching::find(&table, &features, label)
    }

    fn message(result: Result<Matching, DataError>) -> String {
        result.unwrap_err().to_string()
    }

    #[test]
    fn by_name_in_any_order_with_columns_to_spare() {
        let matching = find("y,b,id,a", &["a", "b"], Some("y")).unwrap();
        assert_eq!((matching.columns, matching.ignored, matching.is_despite_names), (vec![3, 1], vec![2], false));
        assert_eq!(find("a, b c", &["b_c", "a"], None).unwrap().columns, [1, 0]);
        assert_eq!(find("a, a", &[" a", "a"], None).unwrap().columns, [1, 0]);
    }

    #[test]
    fn names_that_only_count_are_places() {
        let are_places = |names: &[&str]| are_places(&names.iter().map(ToString::to_string).collect::<Vec<_>>());
        assert!(are_places(&["0", "1", "2"]));
        assert!(!are_places(&["1", "0"]) && !are_places(&["1", "2"]) && !are_places(&["0", "b"]));
    }

    #[test]
    fn by_position_where_no_name_is_known() {
        let matching = find("x,y,z", &["f0", "f1"], Some("y")).unwrap();
        assert_eq!((matching.columns, matching.is_despite_names), (vec![0, 2], true));
    }

    #[test]
    fn a_mismatch_names_the_column() {
        let missing = message(find("Age,sex,id", &["age", "sex"], None));
        assert_eq!(missing, "the data has no column `age`; did you mean `Age`?");
        let missing = message(find("sex,q", &["age", "sex"], None));
        assert_eq!(missing, "the data has no column `age`; columns are matched by name: add it, or rename one");
        assert_eq!(
            message(find("a,b,a", &["a", "b"], None)),
            "the data has more than one column `a`; keep one of them"
        );
        assert_eq!(message(find("a,b", &["a", "b"], Some("B"))), "the data has no label column `B`; did you mean `b`?");
        let width = message(find(",x,y", &["f0", "f1"], None));
        assert!(width.starts_with("the data has 3 columns, the model has 2 features") && width.contains("index=False"));
    }
}
