//! The evaluation of trees that are walked. Losses are known at the splits on the way to each best leaf, and not at the
//! cuts between them: falls are never too large, but may be smaller than they could be.

use super::{Evaluation, Request, poll};
use crate::compiled::{Dependency, DetourFinder, FlatTrees};
use crate::grid::{Axes, Region, Value, index};
use crate::method::{Abandoned, proceed};

/// The results of walks through all trees.
#[derive(Debug, Default)]
pub(super) struct Walked {
    finder: DetourFinder,
    known: WalkResults,
    before: WalkResults,
}

/// The results of walks through the trees of one region.
#[derive(Debug, Default)]
struct WalkResults {
    /// Per tree the last node that all points reach.
    starts: Vec<u32>,
    /// The dependencies of the walks, tree after tree, and the end of each tree's.
    dependencies: Vec<Dependency>,
    ends: Vec<u32>,
}

impl WalkResults {
    fn clear(&mut self) {
        self.starts.clear();
        self.dependencies.clear();
        self.ends.clear();
    }

    fn push(&mut self, start: u32, dependencies: &[Dependency]) {
        self.starts.push(start);
        self.dependencies.extend_from_slice(dependencies);
        self.ends.push(index(self.dependencies.len()));
    }

    /// The dependencies of the walks through a tree.
    fn dependencies(&self, tree: usize) -> &[Dependency] {
        let first = if tree == 0 { 0 } else { self.ends[tree - 1] };
        &self.dependencies[first as usize..self.ends[tree] as usize]
    }

    /// True if walks through a tree have equal results in a part of the region that has all its special cells.
    fn holds_in(&self, tree: usize, part: &Region) -> bool {
        self.dependencies(tree).iter().all(|dependency| dependency.holds_in(part))
    }
}

impl Walked {
    /// Walks through a tree from a node that all points of the region reach; returns the best leaf.
    fn walk(&mut self, space: &Axes, flat: &FlatTrees, region: &Region, node: u32) -> u32 {
        let (best, start) = self.finder.find(space, flat, region, node);
        self.known.push(start, &self.finder.dependencies);
        best
    }
}

impl Evaluation {
    /// Evaluates a region by walks; see [`Evaluation::evaluate_trees`].
    pub(super) fn evaluate_walk(
        &mut self,
        flat: &FlatTrees,
        request: Request<'_>,
        keeps: bool,
    ) -> Result<bool, Abandoned> {
        let Request { space, region, stop, .. } = request;
        let Self { losses, losses_before, walked, best, .. } = self;
        let mut trees = 0..flat.num_trees();
        let first = if keeps { trees.find(|tree| !walked.known.holds_in(*tree, region)) } else { Some(0) };
        let Some(first) = first else {
            self.work = 0;
            return Ok(false);
        };
        std::mem::swap(losses, losses_before);
        std::mem::swap(&mut walked.known, &mut walked.before);
        losses.clear();
        walked.known.clear();
        best.resize(flat.num_trees(), 0);
        let mut kept = losses_before.by_tree();
        for (tree, best) in best.iter_mut().enumerate() {
            poll(tree, stop)?;
            let before = &walked.before;
            if keeps && (tree < first || before.holds_in(tree, region)) {
                losses.copy_tree(&mut kept, tree, region);
                walked.known.push(before.starts[tree], before.dependencies(tree));
            } else {
                let start = if keeps { before.starts[tree] } else { flat.root(index(tree)) };
                *best = walked.walk(space, flat, region, start);
                losses.of_detours(space, tree, flat.value(*best), &walked.finder.detours);
            }
        }
        proceed(stop)?;
        self.plain = flat.base + best.iter().map(|best| flat.value(*best)).sum::<Value>();
        self.work = std::mem::take(&mut walked.finder.visits);
        self.finish(request, flat.share_shift, keeps);
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use super::super::losses::{AxisLosses, Losses};
    use super::*;
    use crate::bound::{BoundAim, Incumbent};
    use crate::compiled::CompiledProblem;
    use crate::grid::{CutPart, Place, RegionCut};
    use crate::method::Unobserved;
    use crate::problem::sample::problem;
    use crate::random::Random;

    /// A part of a region: without some ordered cells on some axes, or some special ones.
    fn part(space: &Axes, random: &mut Random, region: &Region) -> Region {
        let mut part = region.clone();
        for axis in 0..space.axes.len() {
            let cells = part.high[axis].saturating_sub(part.low[axis]);
            if cells > 1 && random.once_in(3) {
                let kept = 1 + random.below(cells);
                part.low[axis] += random.below(cells - kept + 1);
                part.high[axis] = part.low[axis] + kept;
            }
            let special: Vec<u32> = space.special_cells(&part, axis).collect();
            if !special.is_empty() && space.num_cells(&part, axis) > 1 && random.once_in(6) {
                space.remove_special(&mut part, axis, special[random.below(index(special.len())) as usize]);
            }
        }
        part
    }

    fn point(space: &Axes, random: &mut Random, region: &Region) -> Vec<u32> {
        let cells = |axis: usize| {
            let special = space.special_cells(region, axis).map(move |cell| space.axes[axis].ordered + cell);
            (region.low[axis]..region.high[axis]).chain(special)
        };
        (0..space.axes.len())
            .map(|axis| cells(axis).nth(random.below(space.num_cells(region, axis)) as usize).expect("one of them"))
            .collect()
    }

    fn request<'a>(space: &'a Axes, region: &'a Region) -> Request<'a> {
        Request { space, region, aim: BoundAim::margin(Incumbent::NONE, &[]), stop: &Unobserved }
    }

    /// Tree, axis, place and amount of every loss.
    fn facts(losses: &Losses) -> Vec<(u32, u32, u32, Value)> {
        let of_group = |group: &AxisLosses| {
            let (tree, axis) = (group.tree, group.axis);
            let own = &losses.losses[group.first as usize..group.end as usize];
            own.iter().map(move |loss| (tree, axis, loss.place, loss.amount))
        };
        losses.groups.iter().flat_map(of_group).collect()
    }

    /// Calls `each` with evaluations of regions that shrink, and says whether they changed.
    fn shrink(mut each: impl FnMut(&CompiledProblem, &FlatTrees, &Region, &Evaluation, bool, &mut Random)) {
        for seed in 0..200 {
            let compiled = CompiledProblem::new(&problem(seed), 0, &Unobserved).unwrap();
            let (flat, mut random) = (&compiled.cases[0][0].flat, Random(seed));
            let space = &compiled.space;
            let mut region = space.everything();
            let mut evaluation = Evaluation::default();
            evaluation.evaluate_walk(flat, request(space, &region), false).unwrap();
            for _ in 0..12 {
                each(&compiled, flat, &region, &evaluation, true, &mut random);
                region = part(space, &mut random, &region);
                let keeps = !evaluation.has_other_choices(space, &region);
                let changed = evaluation.evaluate_walk(flat, request(space, &region), keeps).unwrap();
                each(&compiled, flat, &region, &evaluation, changed, &mut random);
            }
        }
    }

    #[test]
    fn again_is_as_good_as_anew() {
        let mut counts = [0; 2];
        shrink(|compiled, flat, region, evaluation, changed, _| {
            counts[usize::from(changed)] += 1;
            let mut anew = Evaluation::default();
            anew.evaluate_walk(flat, request(&compiled.space, region), false).unwrap();
            assert_eq!((evaluation.plain, &evaluation.best), (anew.plain, &anew.best));
            assert_eq!(facts(&evaluation.losses), facts(&anew.losses));
        });
        assert!(counts.iter().all(|count| *count > 100), "{counts:?}");
    }

    #[test]
    fn a_point_loses_what_is_said_along_every_axis() {
        let mut tight = 0;
        shrink(|compiled, flat, region, evaluation, _, random| {
            let space = &compiled.space;
            for _ in 0..4 {
                let point = point(space, random, region);
                for group in &evaluation.losses.groups {
                    let (cell, shape) = (point[group.axis as usize], space.axes[group.axis as usize]);
                    let choice = if cell < shape.ordered { shape.special } else { cell - shape.ordered };
                    let lost = (group.first..).zip(&evaluation.losses.losses[group.first as usize..group.end as usize]);
                    let lost = lost.filter(|(number, loss)| match (group.is_mixed, *number < group.middle) {
                        (true, _) => loss.place == choice,
                        (false, true) => cell < loss.place,
                        (false, false) => cell >= loss.place,
                    });
                    let lost: Value = lost.map(|(_, loss)| loss.amount).sum();
                    let most = flat.value(evaluation.best[group.tree as usize]) - lost;
                    let value = flat.value_below(space, flat.root(group.tree), &point);
                    assert!(value <= most, "tree {} at {point:?}: {value} > {most}", group.tree);
                    tight += u32::from(lost > 0 && value == most);
                }
            }
        });
        assert!(tight > 1000, "{tight}");
    }

    /// Also where the region has shrunk and the evaluation was kept: its segments then reach beyond the region's ends.
    #[test]
    fn no_point_of_a_part_is_above_its_share_bound() {
        let mut tight = 0;
        shrink(|compiled, flat, region, evaluation, _, random| {
            let space = &compiled.space;
            for axis in 0..index(space.axes.len()) {
                let place = axis as usize;
                let (low, high) = (region.low[place], region.high[place]);
                if high < low + 2 || space.special_cells(region, place).next().is_some() {
                    continue;
                }
                let cell = low + 1 + random.below(high - low - 1);
                let cut = RegionCut { axis, place: Place::Below(cell) };
                for (part, ends) in [(CutPart::First, (low, cell)), (CutPart::Second, (cell, high))] {
                    let most = evaluation.plain - evaluation.share_fall(region, cut, part);
                    let mut half = region.clone();
                    (half.low[place], half.high[place]) = ends;
                    for _ in 0..64 {
                        let point = point(space, random, &half);
                        let trees = 0..index(flat.num_trees());
                        let values = trees.map(|tree| flat.value_below(space, flat.root(tree), &point));
                        let value = flat.base + values.sum::<Value>();
                        assert!(value <= most, "{cut:?}, {part:?}, {point:?}: {value} > {most}");
                        tight += u32::from(value == most);
                    }
                }
            }
        });
        assert!(tight > 100, "{tight}");
    }
}
