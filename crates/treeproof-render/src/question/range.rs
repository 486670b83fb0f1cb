//! The smallest and the largest margin: `range`.

use treeproof_report::{Answer, Bounds, RangeAnswer};

use super::badge;
use crate::inputs::{Tested, beside};
use crate::page::Page;
use crate::plot::bounds_of;
use crate::scene::{Scene, between};
use crate::tables::{PageTable, TableCell};
use crate::words::number;

/// A number that only some models have.
type Extra = fn(&Answer) -> Option<f64>;

fn ends(answer: &RangeAnswer) -> [(&'static str, &Answer); 2] {
    [("smallest", &answer.min), ("largest", &answer.max)]
}

/// The end whose search is not over, if there is one.
fn open_end(answer: &RangeAnswer) -> Option<Bounds> {
    ends(answer).into_iter().map(|(_, end)| Bounds::from(end)).find(|end| !end.is_exact())
}

/// Both ends as a table.
fn table(answer: &RangeAnswer, is_brief: bool) -> PageTable {
    let extra: [(&str, Extra); 3] =
        [("output", |end| end.output), ("probability", |end| end.probability), ("prediction", |end| end.prediction)];
    let is_told = |of: Extra| ends(answer).iter().any(|(_, end)| of(end).is_some());
    let extra: Vec<_> = extra.into_iter().filter(|(_, of)| is_told(*of)).collect();
    let line = |(name, end): (&str, &Answer)| {
        let of_end = if is_brief { end.verdict.into() } else { badge(end.verdict, !Bounds::from(end).is_exact()) };
        let known = [end.lower, end.upper].map(|bound| TableCell::new(number(bound)));
        let shown = extra.iter().map(|(_, of)| TableCell::decimal(of(end)));
        [TableCell::head(name), TableCell::badge(of_end)].into_iter().chain(known).chain(shown).collect()
    };
    let mut names = ["end", "verdict", "at least#", "at most#"].map(str::to_owned).to_vec();
    names.extend(extra.iter().map(|(name, _)| format!("{name} there#")));
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    PageTable::new("Both ends", &names, ends(answer).into_iter().map(line).collect(), String::new())
}

pub(super) fn sentence(scene: Scene<'_>, answer: &RangeAnswer) -> String {
    let RangeAnswer { verdict, lower, upper, .. } = *answer;
    let both = Bounds { verdict, lower, upper, ..Bounds::default() };
    // Of both ends, the one that is open tells why.
    let why = scene.why(open_end(answer).unwrap_or(both));
    format!("The {} is {}: {why}.", scene.margin(), between(both))
}

pub(super) fn fill(scene: Scene<'_>, answer: &RangeAnswer, page: &mut Page) {
    let what = format!("a {}", scene.margin());
    let [(_, min), (_, max)] = ends(answer);
    page.proved.smallest(min.into(), &what, min.witness.as_ref().map(|_| "The input at the smallest"));
    page.proved.largest(max.into(), &what, max.witness.as_ref().map(|_| "The input at the largest"));
    // The table has no room for these.
    let rounding = ends(answer).iter().filter_map(|(_, end)| end.rounding).max_by(f64::total_cmp);
    if let Some(rounding) = rounding.filter(|_| scene.surface.is_brief) {
        page.facts.tell("rounding", format!("the library's own sums are within {rounding:.1e} of the exact ones"));
    }
    for (name, end) in ends(answer) {
        page.facts.nearest(&format!("nearest ({name})"), end.nearest_row.as_ref(), "a", scene);
    }
    page.facts.time(answer.seconds, None);
    page.facts.hint(ends(answer).into_iter().filter_map(|(_, end)| end.witness.as_ref()), scene);
    let Scene { about, surface, .. } = scene;
    if !surface.is_brief {
        let ended = |name: &str| {
            let end = if name == "min" { &answer.min } else { &answer.max };
            (end.seconds, Bounds::from(end))
        };
        page.plots.extend(bounds_of(&about.trace, "margin", ended));
    }
    page.grids.push(table(answer, surface.is_brief));
    match [&answer.min.witness, &answer.max.witness] {
        [Some(low), Some(high)] => {
            let names = ["at the smallest", "at the largest"];
            let tested = Tested::of(about);
            page.grids.push(beside(names, [low, high], "An input at each end", &tested, surface));
        }
        [low, high] => page.input(low.as_ref().or(high.as_ref()), scene),
    }
    page.is_only_close = open_end(answer).is_some();
}
