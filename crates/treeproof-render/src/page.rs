//! The parts of a page about an answer: sentences, facts, plots, images and tables.

use treeproof_report::{Bounds, PairWitness, Witness};

use crate::facts::Facts;
use crate::image::{self, Strip};
use crate::inputs::{Tested, inputs};
use crate::plot::{Plot, bounds_of};
use crate::proved::Proved;
use crate::scene::Scene;
use crate::tables::{Badge, PageTable};

/// An answer as it is shown.
#[derive(Debug, Default)]
pub(crate) struct Page {
    pub(crate) question: String,
    /// The region, after the question.
    pub(crate) region: String,
    pub(crate) verdict: Badge,
    pub(crate) answer: String,
    pub(crate) proved: Proved,
    pub(crate) facts: Facts,
    pub(crate) plots: Vec<Plot>,
    pub(crate) strips: Vec<Strip>,
    pub(crate) grids: Vec<PageTable>,
    /// Tables that are opened by those who want to see them.
    pub(crate) folded: Vec<PageTable>,
    /// True if the bounds are as close as was asked for, but not equal.
    pub(crate) is_only_close: bool,
    /// The distance of the library's sum for the witness from the exact one.
    pub(crate) rounding: Option<f64>,
}

impl Page {
    /// Adds the improvement of the bounds of a search.
    pub(crate) fn bounds(&mut self, scene: Scene<'_>, bounds: Bounds, seconds: f64) {
        self.is_only_close = !bounds.is_exact();
        if !scene.surface.is_brief {
            self.plots.extend(bounds_of(&scene.about.trace, "margin", |_| (seconds, bounds)));
        }
    }

    /// Adds the table of an input, and its image.
    pub(crate) fn input(&mut self, witness: Option<&Witness>, scene: Scene<'_>) {
        self.pair(witness.map(|witness| PairWitness::One(witness.clone())).as_ref(), scene);
    }

    /// Adds the table of an input or two, and their images.
    pub(crate) fn pair(&mut self, witness: Option<&PairWitness>, scene: Scene<'_>) {
        let Some(witness) = witness else { return };
        let caption = if witness.two().is_some() { "The two inputs" } else { "The input" };
        self.grids.push(inputs(witness, caption, &Tested::of(scene.about), scene.surface));
        if !scene.surface.is_brief {
            self.strips.extend(image::of_inputs(witness));
        }
    }

    /// Adds tables: one is shown, several are opened by those who want to see them.
    pub(crate) fn fold(&mut self, grids: Vec<PageTable>) {
        if grids.len() == 1 { self.grids.extend(grids) } else { self.folded = grids }
    }
}
