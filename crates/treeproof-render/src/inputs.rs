//! Inputs as tables: one, or two side by side. The features that matter stand first.

use std::collections::HashMap;

use treeproof_report::{About, PairWitness, Witness, WitnessValue};

use crate::surface::Surface;
use crate::tables::{Look, PageTable, RowGroup, TableCell, columns, signed};
use crate::words::{clean, counted};

/// Numbers that differ by less than this share of them, or by less than this, stand on two sides of one threshold.
const HAIR: f64 = 1e-6;
const NOTHING: f64 = 1e-30;

/// The name of a feature, and its values in two inputs, or twice the same in one.
type Feature<'v> = (&'v str, &'v WitnessValue, &'v WitnessValue);

/// The features that some tree tests by their places, the most tested first; `None` if that is not known.
pub(crate) struct Tested<'a>(Option<HashMap<&'a str, usize>>);

impl<'a> Tested<'a> {
    pub(crate) fn of(about: &'a About) -> Self {
        let places =
            |names: &'a Vec<String>| names.iter().enumerate().map(|(place, name)| (name.as_str(), place)).collect();
        Self(about.tested.as_ref().map(places))
    }

    /// True unless the feature is known to move nothing.
    fn is_tested(&self, name: &str) -> bool {
        self.0.as_ref().is_none_or(|places| places.contains_key(name))
    }

    fn place(&self, name: &str) -> usize {
        self.0.as_ref().and_then(|places| places.get(name)).copied().unwrap_or(usize::MAX)
    }
}

/// An input, or two side by side.
pub(crate) fn inputs(witness: &PairWitness, caption: &str, tested: &Tested<'_>, surface: Surface) -> PageTable {
    match witness {
        PairWitness::One(input) => one(input, caption, tested, surface),
        PairWitness::Two(pair) => beside(["a", "b"], pair.both(), caption, tested, surface),
    }
}

/// An input.
pub(crate) fn one(input: &Witness, caption: &str, tested: &Tested<'_>, surface: Surface) -> PageTable {
    let features =
        Shown::of(input.0.iter().map(|(name, value)| (&**name, value, value)).collect(), tested, surface.features);
    let line = |(name, value, _): Feature<'_>| vec![TableCell::head(clean(name)), TableCell::value(value)];
    let more = features.more(surface);
    PageTable::new(caption, &["feature", "value#"], features.shown.into_iter().map(line).collect(), more)
}

/// Two inputs side by side: the features that differ first, and marked.
pub(crate) fn beside(
    names: [&str; 2],
    [old, new]: [&Witness; 2],
    caption: &str,
    tested: &Tested<'_>,
    surface: Surface,
) -> PageTable {
    let line = |(name, was, now): Feature<'_>| {
        let by = match (was.finite(), now.finite()) {
            (Some(was), Some(now)) if was != now => {
                TableCell { text: signed(now - was), sort: Some(now - was), look: Look::Plain }
            }
            _ if was == now => TableCell::default(),
            _ => TableCell::new("changed"),
        };
        vec![TableCell::head(clean(name)), TableCell::value(was), TableCell::value(now), by]
    };
    let old: HashMap<&str, &WitnessValue> = old.0.iter().map(|(name, value)| (&**name, value)).collect();
    let both = new.0.iter().filter_map(|(name, now)| Some((&**name, *old.get(&**name)?, now)));
    let (mut differing, equal): (Vec<Feature<'_>>, Vec<_>) = both.partition(|(_, was, now)| was != now);
    let (many_differ, many_agree) = (differing.len(), equal.len());
    // What differs by a hair is a step over a threshold; what people would call a change stands before it.
    differing.sort_by_key(|(name, was, now)| (is_hair(was, now), tested.place(name)));
    let (many_change, many_step) = {
        let steps = differing.iter().filter(|(_, was, now)| is_hair(was, now)).count();
        if steps == many_differ { (many_differ, 0) } else { (many_differ - steps, steps) }
    };
    let mut equal = Shown::of(equal, tested, surface.equal);
    let hidden = many_differ.saturating_sub(surface.features);
    equal.hidden += hidden;
    equal.are_zero &= hidden == 0;
    let more = equal.more(surface);
    let all = many_differ + many_agree;
    let mut lines = differing.into_iter().take(surface.features).map(line);
    let differing = RowGroup {
        heading: format!("What differs ({many_change} of {all})"),
        rows: lines.by_ref().take(many_change).collect(),
        is_changed: true,
    };
    let stepping = RowGroup {
        heading: format!("What differs by less than a millionth, on both sides of a threshold ({many_step} of {all})"),
        rows: lines.collect(),
        is_changed: true,
    };
    let equal = RowGroup {
        heading: format!("The same in both ({many_agree})"),
        rows: equal.shown.into_iter().map(line).collect(),
        is_changed: false,
    };
    let [first, second] = names.map(|name| format!("{name}#"));
    PageTable {
        caption: caption.to_owned(),
        columns: columns(&["feature", &first, &second, "change#"]),
        groups: [differing, stepping, equal].into_iter().filter(|group| !group.rows.is_empty()).collect(),
        more,
        ..PageTable::default()
    }
}

/// True if two numbers are next to each other, for all that people can tell.
fn is_hair(was: &WitnessValue, now: &WitnessValue) -> bool {
    match (was.finite(), now.finite()) {
        (Some(was), Some(now)) => (now - was).abs() <= (HAIR * was.abs().max(now.abs())).max(NOTHING),
        _ => false,
    }
}

/// Some features, and how many are not among them.
struct Shown<'v> {
    shown: Vec<Feature<'v>>,
    hidden: usize,
    /// True if those that are hidden are all 0.
    are_zero: bool,
    /// Those that move nothing.
    untested: usize,
}

impl<'v> Shown<'v> {
    /// The most tested features first, those that are 0 last: they tell least.
    fn of(mut features: Vec<Feature<'v>>, tested: &Tested<'_>, most: usize) -> Self {
        let all = features.len();
        features.retain(|feature| tested.is_tested(feature.0));
        let untested = all - features.len();
        let is_zero = |feature: &Feature<'_>| feature.1.finite() == Some(0.0);
        if tested.0.is_some() || features.len() > most {
            features.sort_by_key(|feature| (is_zero(feature), tested.place(feature.0)));
        }
        let telling = features.iter().filter(|feature| !is_zero(feature)).count();
        // Where not all can be shown, zeros are not.
        let shown = if features.len() <= most { most } else { telling.clamp(1, most) };
        let hidden = features.len().saturating_sub(shown);
        features.truncate(shown);
        Self { shown: features, hidden, are_zero: telling <= shown, untested }
    }

    fn more(&self, surface: Surface) -> String {
        let mut more = vec![];
        if self.hidden > 0 {
            let are_zero = if self.are_zero { " that are 0" } else { "" };
            more.push(format!("{}{are_zero} ({}).", counted(self.hidden, "more feature"), surface.all()));
        }
        if self.untested > 0 {
            more.push(format!("{} that no tree tests.", counted(self.untested, "feature")));
        }
        more.join(" ")
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Map, Value, json};

    use super::*;
    use crate::surface::Spelling;

    fn inputs(witness: &Value, tested: Option<&[&str]>) -> Option<PageTable> {
        let witness: PairWitness = serde_json::from_value(witness.clone()).ok()?;
        let tested = tested.map(|names| names.iter().map(|name| (*name).to_owned()).collect());
        let about = About { tested, ..About::default() };
        Some(super::inputs(&witness, "", &Tested::of(&about), Surface::brief(Spelling::Flags)))
    }

    fn texts(grid: &PageTable) -> Vec<Vec<&str>> {
        let rows = grid.groups.iter().flat_map(|group| &group.rows);
        rows.map(|row| row.iter().map(|cell| cell.text.as_str()).collect()).collect()
    }

    #[test]
    fn what_differs_stands_first() {
        let pair = json!({"a": {"x": 1.0, "y": 2, "z": "u"}, "b": {"x": 1, "y": 0.5, "z": null}});
        let grid = inputs(&pair, None).unwrap();
        assert_eq!(texts(&grid), [["y", "2", "0.5", "-1.5"], ["z", "u", "missing", "changed"], ["x", "1", "1", ""]]);
        assert_eq!([grid.groups[0].is_changed, grid.groups[1].is_changed], [true, false]);
        let grid = inputs(&pair, Some(&["z"])).unwrap();
        assert_eq!(texts(&grid)[0][0], "z", "the most tested first");
        assert_eq!((texts(&grid).len(), grid.more.as_str()), (2, "1 feature that no tree tests."));
    }

    #[test]
    fn steps_over_a_threshold_stand_behind_changes() {
        let (low, high) = (23.265_f64, 23.265_f64.next_up());
        let pair = json!({"a": {"x": low, "y": 1, "z": 5}, "b": {"x": high, "y": 2, "z": 5}});
        let grid = inputs(&pair, Some(&["x", "y", "z"])).unwrap();
        let headings: Vec<&str> = grid.groups.iter().map(|group| group.heading.as_str()).collect();
        assert_eq!(headings[0], "What differs (1 of 3)");
        assert!(headings[1].starts_with("What differs by less than a millionth"), "{}", headings[1]);
        assert_eq!(texts(&grid).iter().map(|row| row[0]).collect::<Vec<_>>(), ["y", "x", "z"]);
        let alone = json!({"a": {"x": low}, "b": {"x": high}});
        assert_eq!(inputs(&alone, None).unwrap().groups[0].heading, "What differs (1 of 1)");
    }

    #[test]
    fn features_called_a_and_b_are_no_pair() {
        let grid = inputs(&json!({"a": 1, "b": 2}), None).unwrap();
        assert_eq!(texts(&grid), [["a", "1"], ["b", "2"]]);
        assert!(inputs(&json!([1]), None).is_none());
    }

    #[test]
    fn what_tells_most_is_shown_and_the_rest_is_counted() {
        let input = json!({"x": 0, "y": 5, "z": 1, "w": 7});
        let grid = inputs(&input, Some(&["z", "x", "y"])).unwrap();
        assert_eq!(texts(&grid), [["z", "1"], ["y", "5"], ["x", "0"]]);
        assert_eq!(grid.more, "1 feature that no tree tests.");
        let mut many: Map<String, Value> = (0..20).map(|place| (format!("f{place}"), json!(place % 10))).collect();
        let shown = |many: &Map<String, Value>| inputs(&Value::Object(many.clone()), None).unwrap();
        assert_eq!(shown(&many).more, "5 more features (--json has all).");
        assert_eq!((texts(&shown(&many)).len(), texts(&shown(&many))[0][0]), (15, "f1"));
        many.values_mut().skip(5).for_each(|value| *value = json!(0));
        assert_eq!(shown(&many).more, "16 more features that are 0 (--json has all).");
    }
}
