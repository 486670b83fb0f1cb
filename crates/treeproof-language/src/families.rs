//! Detection of columns that look like one-hot columns but are in no group.

use std::collections::BTreeSet;

use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::tree::Test;

use super::groups::Groups;

/// Characters between the name of a feature and its value.
const SEPARATORS: [char; 6] = ['_', '=', '.', ':', '-', ' '];

/// Columns or families that a hint names.
const SHOWN: usize = 3;

/// The least number of columns beside which a non-binary one may have a similar name, as `education_num` has.
const MANY: usize = 3;

/// The least threshold of a binary column: one just above 0 only separates zero from nonzero.
const LEAST_HALF: f64 = 0.25;

/// Columns that look like the one-hot columns of one feature.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Family {
    /// The common part of the names.
    pub name: String,
    /// The pattern that matches all of them.
    pub pattern: String,
    /// The only other feature that matches it.
    pub left_out: Option<String>,
    /// Their names.
    pub columns: Vec<String>,
}

impl Family {
    /// The flags that declare it a group.
    pub fn flags(&self) -> String {
        let Self { name, pattern, left_out, .. } = self;
        let left_out = left_out.as_ref().map_or(String::new(), |column| format!(" --group {name}='!{column}'"));
        format!("--group {name}='{pattern}'{left_out}")
    }
}

/// The families of columns in no group: names with a common start, and at most one threshold, which separates 0 from 1. In the
/// given rows their columns are 0 or 1, and no two are 1 at once.
pub fn families<'r, I: Iterator<Item = &'r [f64]>>(
    ensemble: &Ensemble,
    groups: &Groups,
    rows: impl Fn() -> I,
) -> Vec<Family> {
    let features = ensemble.features();
    let mut is_bit: Vec<bool> = features.iter().map(|feature| !feature.is_category()).collect();
    let mut thresholds: Vec<Option<f64>> = vec![None; features.len()];
    for split in ensemble.trees().iter().flat_map(|tree| tree.splits()) {
        let feature = split.feature as usize;
        // Some libraries compare with 1, some with a half, some with the least number above 0; none with several.
        match split.test {
            Test::Below(at) if at > 0.0 && at <= 1.0 && thresholds[feature].is_none_or(|known| known == at) => {
                thresholds[feature] = Some(at);
            }
            _ => is_bit[feature] = false,
        }
    }
    for row in rows() {
        let are_bits = is_bit.iter_mut().zip(row).filter(|(_, value)| !value.is_nan());
        are_bits.for_each(|(is_bit, value)| *is_bit &= *value == 0.0 || *value == 1.0);
    }
    let is_tested = |column: usize| !is_bit[column] || thresholds[column].is_some();
    // Of amounts that are mostly 0, such as gains and losses, many a tree asks no more than whether there is any.
    let has_rows = rows().next().is_some();
    let tells_bits = |columns: &[usize]| {
        let is_half = |column: &usize| thresholds[*column].is_some_and(|at| at >= LEAST_HALF);
        has_rows || columns.len() >= MANY || columns.iter().any(is_half)
    };
    let are_exclusive =
        |columns: &[usize]| rows().all(|row| columns.iter().filter(|column| row[**column] == 1.0).count() <= 1);
    let mut known: BTreeSet<usize> = groups.iter().flat_map(|group| group.columns.clone()).collect();
    let mut sorted: Vec<usize> = (0..features.len()).collect();
    sorted.sort_by_key(|feature| &features[*feature].name);
    let members = |beginning: &str| -> Vec<usize> {
        let from = sorted.partition_point(|feature| features[*feature].name.as_str() < beginning);
        let like = sorted[from..].iter().take_while(|feature| features[**feature].name.starts_with(beginning));
        let mut members: Vec<usize> = like.copied().collect();
        members.sort_unstable();
        members
    };
    let mut families = vec![];
    for (index, feature) in features.iter().enumerate() {
        if known.contains(&index) {
            continue;
        }
        // The shortest beginning makes the largest family, of which the longest beginning is the name. What begins like
        // other features may be anything.
        let ends = feature.name.char_indices().filter(|(at, letter)| *at > 0 && SEPARATORS.contains(letter));
        let beginnings = ends.map(|(at, letter)| &feature.name[..at + letter.len_utf8()]);
        let mut found: Option<(&str, Vec<usize>)> = None;
        for beginning in beginnings {
            let members = members(beginning);
            match &found {
                None if members.len() > 1 => found = Some((beginning, members)),
                Some((_, largest)) if *largest == members => found = Some((beginning, members)),
                _ => {}
            }
        }
        let Some((beginning, members)) = found else { continue };
        known.extend(&members);
        let (columns, others): (Vec<usize>, Vec<usize>) = members.into_iter().partition(|member| is_bit[*member]);
        let is_family = columns.len() >= if others.is_empty() { 2 } else { MANY }
            && others.len() <= 1
            && columns.iter().any(|column| is_tested(*column))
            && tells_bits(&columns)
            && are_exclusive(&columns);
        let name = beginning[..beginning.len() - 1].to_owned();
        if is_family && !name.contains(['*', '?']) && ensemble.feature_named(&name).is_none() {
            let name_of = |column: &usize| features[*column].name.clone();
            let (left_out, columns) = (others.first().map(name_of), columns.iter().map(name_of).collect());
            families.push(Family { name, pattern: format!("{beginning}*"), left_out, columns });
        }
    }
    families
}

/// One line that says so, and how to declare the first; none if there are none.
pub fn hint(families: &[Family], declaration: impl FnOnce(&Family) -> String) -> Option<String> {
    let (first, others) = families.split_first()?;
    let list = |names: Vec<&str>| {
        let more = if names.len() > SHOWN { ", …" } else { "" };
        format!("{}{more}", names[..names.len().min(SHOWN)].join(", "))
    };
    let columns = list(first.columns.iter().map(String::as_str).collect());
    let also = match others {
        [] => String::new(),
        _ => format!(" (and so do {})", list(others.iter().map(|family| family.pattern.as_str()).collect())),
    };
    let declaration = declaration(first);
    Some(format!("columns {columns} look like one-hot columns of one feature{also}; {declaration} says so"))
}

#[cfg(test)]
mod tests {
    use std::iter;

    use super::*;
    use treeproof_ensemble::load::{LoadOptions, load_bytes};

    fn model(features: &[(&str, Option<f64>)]) -> Ensemble {
        load_bytes(text(features, None).as_bytes(), &LoadOptions::default()).unwrap()
    }

    /// A stump for each threshold, and another one for the first feature.
    fn text(features: &[(&str, Option<f64>)], again: Option<f64>) -> String {
        let names: Vec<String> =
            features.iter().map(|(name, _)| format!(r#"{{"name": "{name}", "kind": "numeric"}}"#)).collect();
        let thresholds = features.iter().enumerate().filter_map(|(feature, (_, at))| Some((feature, (*at)?)));
        let trees: Vec<String> = thresholds
            .chain(again.map(|at| (0, at)))
            .map(|(feature, threshold)| {
                format!(
                    r#"{{"left": [1, -1, -1], "right": [2, -1, -1], "feature": [{feature}, -1, -1], "test": "<",
                    "threshold": [{threshold:e}, 0, 0], "missing_left": [1, 0, 0], "output": 0, "value": [0, 0, 1]}}"#
                )
            })
            .collect();
        format!(
            r#"{{"treeproof": 1, "source": {{"format": "treeproof JSON"}}, "features": [{}],
            "input": {{"precision": "f64", "accepts_missing": true, "accepts_infinite": true, "absent": "zero"}},
            "num_outputs": 1,
            "aggregate": {{"rule": "sum", "precision": "f64", "base": [0], "base_position": "first", "fixed_order": true}},
            "link": {{"function": "identity"}}, "label": {{"rule": "none"}}, "classes": [], "trees": [{}]}}"#,
            names.join(", "),
            trees.join(", ")
        )
    }

    fn patterns(features: &[(&str, Option<f64>)]) -> Vec<String> {
        families(&model(features), &Groups::NONE, iter::empty).into_iter().map(|family| family.pattern).collect()
    }

    #[test]
    fn names_that_begin_alike_are_a_family_if_all_may_be_bits() {
        assert_eq!(patterns(&[("sex_a", Some(0.5)), ("age", Some(40.0)), ("sex_b", None)]), ["sex_*"]);
        assert_eq!(patterns(&[("m_s_a", Some(1.0)), ("m_s_b c_1", Some(1e-35)), ("m_s_b c_2", None)]), ["m_s_*"]);
        assert_eq!(patterns(&[("c=x", Some(0.5)), ("c=y", Some(0.5)), ("c_n", Some(9.0))]), ["c=*"]);
        assert_eq!(patterns(&[("e_x", None), ("e_A-1", Some(0.5)), ("e_A-2", None), ("e_num", Some(9.0))]), ["e_*"]);
        assert_eq!(patterns(&[("e_A-1", Some(0.5)), ("e_A-2", None), ("e_num", Some(9.0))]), [""; 0]);
        assert_eq!(patterns(&[("x_1", Some(0.5)), ("x_2", Some(1.5))]), [""; 0]);
        assert_eq!(patterns(&[("x_1", None), ("x_2", None), ("y", Some(7.0))]), [""; 0], "no tree looks at them");
        assert_eq!(patterns(&[("x_1", Some(0.5)), ("y_2", Some(0.5))]), [""; 0]);
        assert_eq!(patterns(&[("x", None), ("x_1", Some(0.5)), ("x_2", Some(0.5))]), [""; 0], "the name is taken");
    }

    #[test]
    fn amounts_are_no_bits() {
        let none = [""; 0];
        // One threshold tells bits; two, or one that only asks whether there is anything, tell amounts.
        let gains = [("capital-gain", Some(1e-35)), ("capital-loss", Some(1e-35))];
        assert_eq!(patterns(&gains), none);
        assert_eq!(patterns(&[("sex_f", Some(0.5)), ("sex_m", Some(0.5))]), ["sex_*"]);
        let of_rows = |features: &[(&str, Option<f64>)], values: &[f64]| {
            let model = model(features);
            families(&model, &Groups::NONE, || values.chunks(features.len())).len()
        };
        for (values, families) in [
            ([0.0, 1.0, 1.0, 0.0], 1),
            ([0.0, 0.0, f64::NAN, 1.0], 1),
            ([0.0, 2174.0, 1.0, 0.0], 0),
            ([0.5, 0.0, 1.0, 0.0], 0),
            // Two that are 1 at once are no values of one feature.
            ([1.0, 1.0, 1.0, 0.0], 0),
        ] {
            assert_eq!(of_rows(&[("a_1", Some(0.5)), ("a_2", Some(0.5))], &values), families, "{values:?}");
        }
        assert_eq!(of_rows(&gains, &[0.0, 1.0, 1.0, 0.0]), 1);
    }

    #[test]
    fn columns_with_two_thresholds_are_no_bits() {
        let twice = |second: f64| {
            let again = load_bytes(
                text(&[("a_1", Some(0.5)), ("a_2", Some(0.5))], Some(second)).as_bytes(),
                &LoadOptions::default(),
            );
            families(&again.unwrap(), &Groups::NONE, iter::empty).len()
        };
        assert_eq!([0.5, 0.75].map(twice), [1, 0]);
    }

    #[test]
    fn what_is_declared_needs_no_hint() {
        let jobs = model(&[("a_1", Some(0.5)), ("a_2", None), ("b_1", Some(0.5)), ("b_2", None)]);
        let groups = Groups::new(&jobs, [("a", &["a_*"][..])]).unwrap();
        assert_eq!(
            hint(&families(&jobs, &groups, iter::empty), Family::flags).unwrap(),
            "columns b_1, b_2 look like one-hot columns of one feature; --group b='b_*' says so"
        );
        assert_eq!(
            hint(&families(&jobs, &Groups::NONE, iter::empty), Family::flags).unwrap(),
            "columns a_1, a_2 look like one-hot columns of one feature (and so do b_*); --group a='a_*' says so"
        );
        assert_eq!(hint(&[], Family::flags), None);
        let education = model(&[("e_1", Some(0.5)), ("e_2", None), ("e_3", None), ("e_num", Some(9.0))]);
        assert_eq!(
            hint(&families(&education, &Groups::NONE, iter::empty), Family::flags).unwrap(),
            "columns e_1, e_2, e_3 look like one-hot columns of one feature; --group e='e_*' --group e='!e_num' says so"
        );
    }
}
