//! The smallest and the largest margin: `range`.

use treeproof_report::{Answer, Bounds, RangeAnswer};

use super::{Words, badge};
use crate::facts::Facts;
use crate::grid::{Cell, Grid};
use crate::inputs::{Tested, beside};
use crate::page::Drawn;
use crate::plot::bounds_of;
use crate::proved::Proved;
use crate::scene::{Scene, between};
use crate::words::number;

/// A number that only some models have.
type Extra = fn(&Answer) -> Option<f64>;

pub(super) struct Range<'a> {
    pub(super) scene: Scene<'a>,
    pub(super) answer: &'a RangeAnswer,
}

impl Range<'_> {
    fn ends(&self) -> [(&'static str, &Answer); 2] {
        [("smallest", &self.answer.min), ("largest", &self.answer.max)]
    }

    /// The end whose search is not over, if there is one.
    fn open_end(&self) -> Option<Bounds> {
        self.ends().into_iter().map(|(_, end)| Bounds::from(end)).find(|end| !end.is_exact())
    }

    /// Both ends as a table.
    fn table(&self) -> Grid {
        let is_brief = self.scene.surface.is_brief;
        let extra: [(&str, Extra); 3] = [
            ("output", |end| end.output),
            ("probability", |end| end.probability),
            ("prediction", |end| end.prediction),
        ];
        let is_told = |of: Extra| self.ends().iter().any(|(_, end)| of(end).is_some());
        let extra: Vec<_> = extra.into_iter().filter(|(_, of)| is_told(*of)).collect();
        let line = |(name, end): (&str, &Answer)| {
            let of_end = if is_brief { end.verdict.into() } else { badge(end.verdict, !Bounds::from(end).is_exact()) };
            let known = [end.lower, end.upper].map(|bound| Cell::new(number(bound)));
            let shown = extra.iter().map(|(_, of)| Cell::decimal(of(end)));
            [Cell::head(name), Cell::badge(of_end)].into_iter().chain(known).chain(shown).collect()
        };
        let mut names = ["end", "verdict", "at least#", "at most#"].map(str::to_owned).to_vec();
        names.extend(extra.iter().map(|(name, _)| format!("{name} there#")));
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        Grid::new("Both ends", &names, self.ends().into_iter().map(line).collect(), String::new())
    }
}

impl Words for Range<'_> {
    fn answer(&self) -> String {
        let RangeAnswer { verdict, lower, upper, .. } = *self.answer;
        let both = Bounds { verdict, lower, upper, ..Bounds::default() };
        // Of both ends, the one that is open tells why.
        let why = self.scene.why(self.open_end().unwrap_or(both));
        format!("The {} is {}: {why}.", self.scene.margin(), between(both))
    }

    fn prove(&self, proved: &mut Proved) {
        let what = format!("a {}", self.scene.margin());
        let [(_, min), (_, max)] = self.ends();
        proved.smallest(min.into(), &what, min.witness.as_ref().map(|_| "The input at the smallest"));
        proved.largest(max.into(), &what, max.witness.as_ref().map(|_| "The input at the largest"));
    }

    fn facts(&self, facts: &mut Facts) {
        // The table has no room for these.
        let rounding = self.ends().iter().filter_map(|(_, end)| end.rounding).max_by(f64::total_cmp);
        if let Some(rounding) = rounding.filter(|_| self.scene.surface.is_brief) {
            facts.tell("rounding", format!("the library's own sums are within {rounding:.1e} of the exact ones"));
        }
        for (name, end) in self.ends() {
            facts.nearest(&format!("nearest ({name})"), end.nearest_row.as_ref(), "a", self.scene);
        }
        facts.time(self.answer.seconds, None);
        let witnesses = self.ends().into_iter().filter_map(|(_, end)| end.witness.as_ref());
        facts.hint(&self.scene.surface.option("domain"), witnesses, self.scene);
    }

    fn draw(&self, drawn: &mut Drawn) {
        let Scene { about, surface, .. } = self.scene;
        if !surface.is_brief {
            let ended = |name: &str| {
                let end = if name == "min" { &self.answer.min } else { &self.answer.max };
                (end.seconds, Bounds::from(end))
            };
            drawn.plots.extend(bounds_of(&about.trace, "margin", ended));
        }
        drawn.grids.push(self.table());
        match [&self.answer.min.witness, &self.answer.max.witness] {
            [Some(low), Some(high)] => {
                let names = ["at the smallest", "at the largest"];
                let tested = Tested::of(about);
                drawn.grids.push(beside(names, [low, high], "An input at each end", &tested, surface));
            }
            [low, high] => drawn.input(low.as_ref().or(high.as_ref()), self.scene),
        }
    }

    fn is_only_close(&self) -> bool {
        self.open_end().is_some()
    }
}
