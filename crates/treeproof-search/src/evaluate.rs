//! The bound of a channel over a region, and how much it falls in either part of every cut.
//!
//! The plain bound is the sum of the best reachable leaves. A tree whose best leaf is cut off loses the difference to the
//! best leaf that remains; adding these losses over trees gives, for every cut of every axis, the exact fall of the
//! plain bound on both sides. The share bound spreads each tree's loss over the axes of its best leaf's path, with weights
//! that sum to at most one, so that axes become independent: whatever cell a point takes, it loses at least the cheapest one.

use crate::masks::{Masks, Step};
use crate::problem::Value;
use crate::region::{Cut, Place, Region, Space};
use crate::walk::{Confined, Walk};

/// Weights are counted in units of 2⁻¹⁶; products are rounded down, so that a bound never falls too far.
const WEIGHT_ONE: Value = 1 << 16;

/// What is known about a region, and the memory to find it out; used again for every region.
#[derive(Debug, Default)]
pub(crate) struct Evaluation {
    /// The sum of the best reachable leaves.
    pub(crate) plain: Value,
    /// The share bound, at most `plain`.
    pub(crate) bound: Value,
    pub(crate) reach: Vec<u64>,
    /// The best reachable leaf of every tree.
    pub(crate) best: Vec<u32>,
    groups: Vec<Group>,
    losses: Vec<Loss>,
    /// Per axis, what is lost wherever the point lies.
    axes: Vec<AxisLoss>,
    touched: Vec<u32>,
    /// Per axis and boundary: the fall below it, and at or above it.
    below: Vec<Value>,
    above: Vec<Value>,
    /// The same, weighted.
    share_below: Vec<Value>,
    share_above: Vec<Value>,
    /// Per axis and special cell: the fall in it, and without it; weighted, the fall in it.
    special: Vec<Value>,
    without: Vec<Value>,
    share_special: Vec<Value>,
    weights: Vec<f64>,
}

/// The losses of one tree along one axis: `losses[first..middle]` below its best leaf, `losses[middle..end]` above it;
/// on a mixed axis `losses[first..end]` are those of its cells.
#[derive(Clone, Copy, Debug)]
struct Group {
    tree: u32,
    axis: u32,
    first: u32,
    middle: u32,
    end: u32,
}

/// Below: a point below `place` loses `amount` more. Above: a point at or above it does. Mixed: a point in the special
/// cell `place` loses it, the ordered cells counting as the cell after the last special one.
#[derive(Clone, Copy, Debug)]
struct Loss {
    place: u32,
    amount: Value,
}

#[derive(Clone, Copy, Debug, Default)]
struct AxisLoss {
    is_touched: bool,
    is_mixed: bool,
    /// The cell that loses least, and how little.
    cheapest: u32,
    least: Value,
    share_least: Value,
    /// Mixed: the fall in the ordered cells, and without them; weighted, the fall in them.
    ordered: Value,
    without_ordered: Value,
    share_ordered: Value,
}

/// Where each axis keeps its numbers.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    first_cut: Vec<u32>,
    first_special: Vec<u32>,
    num_cuts: usize,
    num_special: usize,
}

impl Layout {
    pub(crate) fn new(space: &Space) -> Self {
        let (mut first_cut, mut first_special) = (vec![], vec![]);
        let (mut cuts, mut special) = (0, 0);
        for axis in &space.axes {
            first_cut.push(cuts);
            first_special.push(special);
            cuts += axis.ordered + 1;
            special += axis.special;
        }
        Self { first_cut, first_special, num_cuts: cuts as usize, num_special: special as usize }
    }

    #[inline]
    fn cut(&self, axis: u32, cell: u32) -> usize {
        (self.first_cut[axis as usize] + cell) as usize
    }

    #[inline]
    fn special(&self, axis: u32, cell: u32) -> usize {
        (self.first_special[axis as usize] + cell) as usize
    }
}

impl Evaluation {
    /// Evaluates a region that has points.
    pub(crate) fn evaluate(&mut self, space: &Space, layout: &Layout, masks: &Masks, region: &Region) {
        masks.reach(space, region, &mut self.reach);
        self.prepare(space, layout);
        let mut plain = masks.base;
        let mut reach = std::mem::take(&mut self.reach);
        for (index, tree) in masks.trees.iter().enumerate() {
            let best = tree.best(&reach);
            plain += masks.values[best];
            self.best.push(crate::masks::index(best));
            if tree.has_several(&reach) {
                for step in masks.steps(best) {
                    self.tree_losses(space, masks, region, &reach, index, best, step);
                }
            }
        }
        std::mem::swap(&mut self.reach, &mut reach);
        self.plain = plain;
        self.sum_losses(space, layout, region);
        self.bound = plain - self.share(space, layout, region, masks.trees.len());
    }

    /// The same for trees that are walked: only the nearest boundary on either side of a best leaf is looked at, so
    /// falls are never too large, but may be smaller than they could be.
    pub(crate) fn evaluate_walk(&mut self, space: &Space, layout: &Layout, walk: &Walk, region: &Region) {
        self.prepare(space, layout);
        let mut plain = walk.base;
        let (mut stack, mut path) = (vec![], vec![]);
        for tree in 0..walk.num_trees() {
            let (best, has_several) = walk.best(space, region, tree, None, &mut stack);
            let value = walk.value(best);
            plain += value;
            self.best.push(best);
            if !has_several {
                continue;
            }
            walk.path(space, best, &mut path);
            for side in &path {
                let (axis, first) = (side.axis as usize, self.losses.len());
                let (low, high) = (region.low[axis], region.high[axis]);
                let mut lose = |losses: &mut Vec<Loss>, place: u32, confined: Confined| {
                    let (left, _) = walk.best(space, region, tree, Some((side.axis, confined)), &mut stack);
                    let amount = value - walk.value(left);
                    if amount > 0 {
                        losses.push(Loss { place, amount });
                    }
                };
                if space.is_mixed(region, axis) {
                    for cell in space.special_cells(region, axis) {
                        lose(&mut self.losses, cell, Confined::Special(cell));
                    }
                    if low < high {
                        lose(&mut self.losses, space.axes[axis].special, Confined::Ordered(low, high));
                    }
                    let end = self.losses.len();
                    self.close_group(tree, side.axis, first, end);
                    continue;
                }
                if side.low >= side.high {
                    // The path contradicts itself and no cell leads to this leaf: a cell on both of its sides would lose
                    // twice. The bound is then larger than it could be, and still a bound.
                    continue;
                }
                if side.low > low {
                    lose(&mut self.losses, side.low, Confined::Ordered(low, side.low));
                }
                let middle = self.losses.len();
                if side.high < high {
                    lose(&mut self.losses, side.high, Confined::Ordered(side.high, high));
                }
                self.close_group(tree, side.axis, first, middle);
            }
        }
        self.plain = plain;
        self.sum_losses(space, layout, region);
        self.bound = plain - self.share(space, layout, region, walk.num_trees());
    }

    fn prepare(&mut self, space: &Space, layout: &Layout) {
        self.best.clear();
        self.groups.clear();
        self.losses.clear();
        self.touched.clear();
        self.axes.clear();
        self.axes.resize(space.axes.len(), AxisLoss::default());
        self.below.resize(layout.num_cuts, 0);
        self.above.resize(layout.num_cuts, 0);
        self.share_below.resize(layout.num_cuts, 0);
        self.share_above.resize(layout.num_cuts, 0);
        self.special.resize(layout.num_special, 0);
        self.without.resize(layout.num_special, 0);
        self.share_special.resize(layout.num_special, 0);
    }

    /// What a tree loses along one axis of its best leaf's path.
    #[expect(clippy::too_many_arguments, reason = "the inner loop of everything; all of it is needed")]
    #[inline]
    fn tree_losses(
        &mut self,
        space: &Space,
        masks: &Masks,
        region: &Region,
        reach: &[u64],
        tree: usize,
        best: usize,
        step: &Step,
    ) {
        let axis = step.axis as usize;
        if space.axes[axis].special > 0 && space.is_mixed(region, axis) {
            self.mixed_losses(space, masks, region, reach, tree, best, step);
            return;
        }
        let (low, high) = (region.low[axis], region.high[axis]);
        if step.low <= low && step.high >= high {
            return;
        }
        let bits = &masks.trees[tree];
        let value = masks.values[best];
        let first = self.losses.len();
        if step.low > low {
            let mut lost = 0;
            for boundary in (step.first_boundary..step.past_low).rev() {
                let cut = masks.boundary(boundary);
                if cut <= low {
                    break;
                }
                let loss = value - masks.values[masks.best_below(bits, reach, boundary)];
                if loss > lost {
                    self.losses.push(Loss { place: cut, amount: loss - lost });
                    lost = loss;
                }
            }
        }
        let middle = self.losses.len();
        if step.high < high {
            let mut lost = 0;
            for boundary in step.at_high..step.end_boundary {
                let cut = masks.boundary(boundary);
                if cut >= high {
                    break;
                }
                let loss = value - masks.values[masks.best_above(bits, reach, boundary)];
                if loss > lost {
                    self.losses.push(Loss { place: cut, amount: loss - lost });
                    lost = loss;
                }
            }
        }
        self.close_group(tree, step.axis, first, middle);
    }

    fn close_group(&mut self, tree: usize, axis: u32, first: usize, middle: usize) {
        use crate::masks::index;
        let end = self.losses.len();
        if end == first {
            return;
        }
        self.groups.push(Group {
            tree: index(tree),
            axis,
            first: index(first),
            middle: index(middle),
            end: index(end),
        });
        let of_axis = &mut self.axes[axis as usize];
        if !of_axis.is_touched {
            of_axis.is_touched = true;
            self.touched.push(axis);
        }
    }

    /// On an axis with special cells left, each of them and the ordered cells together are the choices.
    #[expect(clippy::too_many_arguments, reason = "as tree_losses")]
    #[cold]
    fn mixed_losses(
        &mut self,
        space: &Space,
        masks: &Masks,
        region: &Region,
        reach: &[u64],
        tree: usize,
        best: usize,
        step: &Step,
    ) {
        let axis = step.axis as usize;
        let bits = &masks.trees[tree];
        let value = masks.values[best];
        let (low, high) = (region.low[axis], region.high[axis]);
        let ordered_cell = space.axes[axis].special;
        let mut choices: Vec<(u32, Vec<u64>)> = space
            .special_cells(region, axis)
            .map(|cell| (cell, bits.words(masks.has_special(step.axis, cell)).to_vec()))
            .collect();
        if low < high {
            let (above, below) =
                (bits.words(masks.ends_above(step.axis, low)), bits.words(masks.starts_below(step.axis, high)));
            choices.push((ordered_cell, above.iter().zip(below).map(|(a, b)| a & b).collect()));
        }
        let reachable = bits.words(reach);
        let first_of = |mask: &dyn Fn(usize) -> u64| {
            let found =
                (0..reachable.len()).find(|word| reachable[*word] & mask(*word) != 0).expect("a cell reaches a leaf");
            bits.first_leaf as usize + found * 64 + (reachable[found] & mask(found)).trailing_zeros() as usize
        };
        let place = best - bits.first_leaf as usize;
        let has_best = |mask: &[u64]| mask[place / 64] >> (place % 64) & 1 != 0;
        let with_best: Vec<usize> = (0..choices.len()).filter(|choice| has_best(&choices[*choice].1)).collect();
        if with_best.len() == choices.len() {
            return;
        }
        let first = self.losses.len();
        for (cell, mask) in choices.iter().filter(|(_, mask)| !has_best(mask)) {
            let amount = value - masks.values[first_of(&|word| mask[word])];
            if amount > 0 {
                self.losses.push(Loss { place: *cell, amount });
            }
        }
        let end = self.losses.len();
        self.close_group(tree, step.axis, first, end);
        if let [only] = with_best[..] {
            // Without its one choice the best leaf is gone: the tree falls to the best of the other choices.
            let others = |word: usize| {
                choices
                    .iter()
                    .enumerate()
                    .filter(|(other, _)| *other != only)
                    .fold(0, |all, (_, (_, mask))| all | mask[word])
            };
            let amount = value - masks.values[first_of(&others)];
            let of_axis = &mut self.axes[axis];
            if !of_axis.is_touched {
                of_axis.is_touched = true;
                self.touched.push(step.axis);
            }
            if choices[only].0 == ordered_cell {
                of_axis.without_ordered += amount;
            } else {
                self.pending_without(step.axis, choices[only].0, amount);
            }
        }
    }

    fn pending_without(&mut self, axis: u32, cell: u32, amount: Value) {
        // Kept as a group of no tree, added up with the rest once the axis has been cleared.
        use crate::masks::index;
        let first = index(self.losses.len());
        self.losses.push(Loss { place: cell, amount });
        self.groups.push(Group { tree: u32::MAX, axis, first, middle: first, end: first + 1 });
    }

    /// Adds the losses of all trees.
    fn sum_losses(&mut self, space: &Space, layout: &Layout, region: &Region) {
        for axis in &self.touched {
            let of_axis = &mut self.axes[*axis as usize];
            of_axis.is_mixed = space.is_mixed(region, *axis as usize);
            if of_axis.is_mixed {
                let cells = layout.special(*axis, 0)..layout.special(*axis, space.axes[*axis as usize].special);
                self.special[cells.clone()].fill(0);
                self.without[cells.clone()].fill(0);
                self.share_special[cells].fill(0);
            } else {
                let cuts =
                    layout.cut(*axis, region.low[*axis as usize])..layout.cut(*axis, region.high[*axis as usize]) + 1;
                self.below[cuts.clone()].fill(0);
                self.above[cuts.clone()].fill(0);
                self.share_below[cuts.clone()].fill(0);
                self.share_above[cuts].fill(0);
            }
        }
        for group in &self.groups {
            let of_axis = &mut self.axes[group.axis as usize];
            let losses = &self.losses[group.first as usize..group.end as usize];
            if of_axis.is_mixed {
                let ordered_cell = space.axes[group.axis as usize].special;
                for loss in losses {
                    if group.tree == u32::MAX {
                        self.without[layout.special(group.axis, loss.place)] += loss.amount;
                    } else if loss.place == ordered_cell {
                        of_axis.ordered += loss.amount;
                    } else {
                        self.special[layout.special(group.axis, loss.place)] += loss.amount;
                    }
                }
            } else {
                let middle = (group.middle - group.first) as usize;
                for loss in &losses[..middle] {
                    self.below[layout.cut(group.axis, loss.place)] += loss.amount;
                }
                for loss in &losses[middle..] {
                    self.above[layout.cut(group.axis, loss.place)] += loss.amount;
                }
            }
        }
        for axis in &self.touched {
            let index = *axis as usize;
            let of_axis = &mut self.axes[index];
            if of_axis.is_mixed {
                let ordered_cell =
                    (region.low[index] < region.high[index]).then_some((space.axes[index].special, of_axis.ordered));
                let cells =
                    space.special_cells(region, index).map(|cell| (cell, self.special[layout.special(*axis, cell)]));
                let cheapest = cells.chain(ordered_cell).min_by_key(|(_, loss)| *loss);
                (of_axis.cheapest, of_axis.least) = cheapest.expect("the region has a cell of every axis");
            } else {
                let cuts = layout.cut(*axis, region.low[index])..layout.cut(*axis, region.high[index]) + 1;
                let (cheapest, least) = accumulate(&mut self.below[cuts.clone()], &mut self.above[cuts]);
                (of_axis.cheapest, of_axis.least) = (region.low[index] + cheapest, least);
            }
        }
    }

    /// The least that any point loses when every tree's loss is shared out among its axes.
    fn share(&mut self, space: &Space, layout: &Layout, region: &Region, num_trees: usize) -> Value {
        let worth = self.touched.iter().filter(|axis| self.axes[**axis as usize].least > 0).count();
        if worth == 0 {
            return 0;
        }
        // How much each tree would like to give to each axis.
        self.weights.clear();
        let mut wishes = vec![0.0_f64; num_trees];
        for group in &self.groups {
            let of_axis = &self.axes[group.axis as usize];
            let wish = if group.tree == u32::MAX || of_axis.least == 0 {
                0.0
            } else {
                of_axis.least as f64 * self.wish(group, of_axis)
            };
            self.weights.push(wish);
            if group.tree != u32::MAX {
                wishes[group.tree as usize] += wish;
            }
        }
        for (group, wish) in self.groups.iter().zip(&self.weights) {
            if *wish <= 0.0 {
                continue;
            }
            // Rounded down: the weights of a tree never sum to more than one.
            #[expect(clippy::cast_possible_truncation, reason = "between 0 and 2^16")]
            let weight = ((wish / wishes[group.tree as usize]) * (WEIGHT_ONE as f64) * (1.0 - 1e-9)) as Value;
            let of_axis = &mut self.axes[group.axis as usize];
            let losses = &self.losses[group.first as usize..group.end as usize];
            let middle = (group.middle - group.first) as usize;
            for (place, loss) in losses.iter().enumerate() {
                let share = weighted(loss.amount, weight);
                if of_axis.is_mixed {
                    if loss.place == space.axes[group.axis as usize].special {
                        of_axis.share_ordered += share;
                    } else {
                        self.share_special[layout.special(group.axis, loss.place)] += share;
                    }
                } else if place < middle {
                    self.share_below[layout.cut(group.axis, loss.place)] += share;
                } else {
                    self.share_above[layout.cut(group.axis, loss.place)] += share;
                }
            }
        }
        let mut total = 0;
        for axis in &self.touched {
            let index = *axis as usize;
            let of_axis = &mut self.axes[index];
            if of_axis.least == 0 {
                continue;
            }
            of_axis.share_least = if of_axis.is_mixed {
                let ordered = (region.low[index] < region.high[index]).then_some(of_axis.share_ordered);
                let cells =
                    space.special_cells(region, index).map(|cell| self.share_special[layout.special(*axis, cell)]);
                cells.chain(ordered).min().expect("the region has a cell of every axis")
            } else {
                let cuts = layout.cut(*axis, region.low[index])..layout.cut(*axis, region.high[index]) + 1;
                accumulate(&mut self.share_below[cuts.clone()], &mut self.share_above[cuts]).1
            };
            total += of_axis.share_least;
        }
        total
    }

    /// How much a tree loses along an axis at the axis's cheapest cell, and a little for what it loses first.
    fn wish(&self, group: &Group, of_axis: &AxisLoss) -> f64 {
        let losses = &self.losses[group.first as usize..group.end as usize];
        let middle = (group.middle - group.first) as usize;
        if of_axis.is_mixed {
            let at_cheapest =
                losses.iter().filter(|loss| loss.place == of_axis.cheapest).map(|loss| loss.amount).sum::<Value>();
            let first = losses.iter().map(|loss| loss.amount).min().unwrap_or(0);
            return at_cheapest as f64 + 0.1 * first as f64;
        }
        let below = losses[..middle].iter().filter(|loss| of_axis.cheapest < loss.place);
        let above = losses[middle..].iter().filter(|loss| of_axis.cheapest >= loss.place);
        let at_cheapest: Value = below.chain(above).map(|loss| loss.amount).sum();
        let firsts = [losses[..middle].first(), losses[middle..].first()];
        let first = firsts.into_iter().flatten().map(|loss| loss.amount).min().unwrap_or(0);
        at_cheapest as f64 + 0.1 * first as f64
    }

    /// The cell of every axis that loses least: a good guess at the best point.
    pub(crate) fn guess(&self, space: &Space, region: &Region, point: &mut Vec<u32>) {
        point.clear();
        for (index, shape) in space.axes.iter().enumerate() {
            let of_axis = &self.axes[index];
            let any = || match space.special_cells(region, index).next() {
                Some(cell) if region.low[index] >= region.high[index] => shape.ordered + cell,
                _ => region.low[index],
            };
            point.push(match (of_axis.is_touched, of_axis.is_mixed) {
                (false, _) => any(),
                (true, false) => of_axis.cheapest,
                (true, true) if of_axis.cheapest == shape.special => region.low[index],
                (true, true) => shape.ordered + of_axis.cheapest,
            });
        }
    }

    /// Removes cells in which nothing exceeds the plain bound by less than `gap`: in them the bound falls by at least
    /// that much. Returns whether any was removed. `falls_enough` judges a fall.
    pub(crate) fn tighten(
        &self,
        space: &Space,
        layout: &Layout,
        region: &mut Region,
        falls_enough: impl Fn(Value) -> bool,
    ) -> bool {
        let mut changed = false;
        let shares: Value = self.touched.iter().map(|axis| self.axes[*axis as usize].share_least).sum();
        for axis in &self.touched {
            let index = *axis as usize;
            let of_axis = &self.axes[index];
            // What every other axis costs at least, whatever this one does.
            let others = shares - of_axis.share_least;
            if of_axis.is_mixed {
                let cells: Vec<u32> = space.special_cells(region, index).collect();
                for cell in cells {
                    let place = layout.special(*axis, cell);
                    if falls_enough(self.special[place].max(self.share_special[place] + others)) {
                        space.remove_special(region, index, cell);
                        changed = true;
                    }
                }
                let ordered = of_axis.ordered.max(of_axis.share_ordered + others);
                if region.low[index] < region.high[index] && falls_enough(ordered) {
                    region.high[index] = region.low[index];
                    changed = true;
                }
                continue;
            }
            let fall = |cell: u32| {
                let (below, above) = (layout.cut(*axis, cell + 1), layout.cut(*axis, cell));
                let plain = self.below[below] + self.above[above];
                plain.max(self.share_below[below] + self.share_above[above] + others)
            };
            while region.low[index] < region.high[index] && falls_enough(fall(region.low[index])) {
                region.low[index] += 1;
                changed = true;
            }
            while region.low[index] < region.high[index] && falls_enough(fall(region.high[index] - 1)) {
                region.high[index] -= 1;
                changed = true;
            }
        }
        changed
    }

    /// The falls below a cell and from it on, on an axis without special cells left.
    pub(crate) fn falls(&self, layout: &Layout, axis: u32, cell: u32) -> (Value, Value) {
        let of_axis = &self.axes[axis as usize];
        if !of_axis.is_touched {
            return (0, 0);
        }
        let place = layout.cut(axis, cell);
        (self.below[place], self.above[place])
    }

    /// The cut whose two parts fall most, by the product of the falls, with those falls; `None` if nothing falls.
    pub(crate) fn best_cut(
        &self,
        space: &Space,
        layout: &Layout,
        region: &Region,
        gap: Value,
    ) -> Option<(Cut, Value, Value)> {
        let epsilon = (gap as f64) * 1e-3 + 1e-9;
        let mut best: Option<(f64, Cut, Value, Value)> = None;
        let mut offer = |axis: u32, place: Place, first: Value, second: Value| {
            let score = (first as f64 + epsilon) * (second as f64 + epsilon);
            if (first > 0 || second > 0) && best.as_ref().is_none_or(|(best, ..)| score > *best) {
                best = Some((score, Cut { axis, place }, first, second));
            }
        };
        for axis in &self.touched {
            let index = *axis as usize;
            let of_axis = &self.axes[index];
            if of_axis.is_mixed {
                let has_ordered = region.low[index] < region.high[index];
                let num_special = space.special_cells(region, index).count();
                if num_special + usize::from(has_ordered) < 2 {
                    continue;
                }
                for cell in space.special_cells(region, index) {
                    let place = layout.special(*axis, cell);
                    offer(*axis, Place::Special(cell), self.special[place], self.without[place]);
                }
                if has_ordered {
                    offer(*axis, Place::Ordered, of_axis.ordered, of_axis.without_ordered);
                }
                continue;
            }
            for cell in region.low[index] + 1..region.high[index] {
                let place = layout.cut(*axis, cell);
                offer(*axis, Place::Below(cell), self.below[place], self.above[place]);
            }
        }
        best.map(|(_, cut, first, second)| (cut, first, second))
    }
}

/// Turns losses at boundaries into the fall of either side of every boundary, and finds the cell that falls least:
/// its offset and its fall. A loss below counts for all boundaries up to it, a loss above for all from it on.
fn accumulate(below: &mut [Value], above: &mut [Value]) -> (u32, Value) {
    let mut sum = 0;
    for fall in below.iter_mut().rev() {
        sum += *fall;
        *fall = sum;
    }
    let mut sum = 0;
    let (mut cheapest, mut least) = (0, Value::MAX);
    let cells = above.len() - 1;
    for (cell, fall) in above[..cells].iter_mut().enumerate() {
        sum += *fall;
        *fall = sum;
        let total = sum + below[cell + 1];
        if total < least {
            (cheapest, least) = (cell, total);
        }
    }
    (crate::masks::index(cheapest), least)
}

/// `amount · weight / 2^16`, rounded down, without overflow.
#[inline]
fn weighted(amount: Value, weight: Value) -> Value {
    (amount >> 16) * weight + (((amount & 0xffff) * weight) >> 16)
}
