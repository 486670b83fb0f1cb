//! Losses of trees along the axes of their best leaves' paths.

use crate::compiled::{AxisPath, BoundarySide, Detour, Masks, OffPath, TreeBits};
use crate::grid::{Axes, Region, Value, index};

/// The losses of all trees, tree after tree.
#[derive(Debug, Default)]
pub(super) struct Losses {
    pub(super) groups: Vec<AxisLosses>,
    pub(super) losses: Vec<Loss>,
    pub(super) sole_choices: Vec<SoleChoice>,
}

/// The losses of one tree along one axis: `losses[first..middle]` below its best leaf, `losses[middle..end]` above it;
/// on a mixed axis `losses[first..end]` are those of its choices.
#[derive(Clone, Copy, Debug)]
pub(super) struct AxisLosses {
    pub(super) tree: u32,
    pub(super) axis: u32,
    pub(super) first: u32,
    pub(super) middle: u32,
    pub(super) end: u32,
    pub(super) is_mixed: bool,
    /// The part of its loss that the tree gives to this axis, relative to its other weights; negative if not yet known.
    pub(super) weight: f64,
}

/// Below: a point below the cut `place` loses `amount` more. Above: a point at or above it does. Mixed: a point in the
/// special cell `place` loses it, the ordered cells counting as the cell after the last special one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Loss {
    pub(super) place: u32,
    /// The index of the sum over trees.
    pub(super) slot: u32,
    pub(super) amount: Value,
}

/// On a mixed axis: what a tree loses without the one choice that has its best leaf.
#[derive(Clone, Copy, Debug)]
pub(super) struct SoleChoice {
    tree: u32,
    pub(super) axis: u32,
    pub(super) choice: u32,
    pub(super) amount: Value,
}

/// Losses that are read tree by tree.
pub(super) struct ByTree<'l> {
    losses: &'l Losses,
    group: usize,
    sole_choices: usize,
}

/// The region in which losses are sought.
#[derive(Clone, Copy)]
pub(super) struct Scope<'a> {
    pub(super) space: &'a Axes,
    pub(super) masks: &'a Masks,
    pub(super) region: &'a Region,
    /// The leaves that it leaves reachable.
    pub(super) reach: &'a [u64],
    /// A loss that closes whatever suffers it: larger ones are of no interest.
    pub(super) enough: Value,
}

impl Losses {
    pub(super) fn clear(&mut self) {
        self.groups.clear();
        self.losses.clear();
        self.sole_choices.clear();
    }

    pub(super) fn by_tree(&self) -> ByTree<'_> {
        ByTree { losses: self, group: 0, sole_choices: 0 }
    }

    /// The losses of a tree whose best leaf is known.
    #[inline]
    pub(super) fn of_tree(&mut self, scope: Scope<'_>, tree: usize, best: usize) {
        let bits = &scope.masks.trees[tree];
        // Most trees have few words of leaves: loops over them are compiled for each of these numbers.
        match bits.num_words {
            1 => self.of_words(scope, bits, 1, tree, best),
            2 => self.of_words(scope, bits, 2, tree, best),
            3 => self.of_words(scope, bits, 3, tree, best),
            4 => self.of_words(scope, bits, 4, tree, best),
            words => self.of_words(scope, bits, words as usize, tree, best),
        }
    }

    #[inline(always)]
    fn of_words(&mut self, scope: Scope<'_>, bits: &TreeBits, num_words: usize, tree: usize, best: usize) {
        let Scope { space, masks, region, reach, enough } = scope;
        let words = &reach[bits.first_word as usize..][..num_words];
        if !has_several(words) {
            return;
        }
        let (value, values, sides) = (masks.values[best], masks.values_of(bits), masks.sides_of(bits));
        for step in masks.steps(best) {
            let axis = step.axis as usize;
            if space.axes[axis].special > 0 && space.is_mixed(region, axis) {
                self.of_choices(scope, tree, best, step);
                continue;
            }
            let (low, high) = (region.low[axis], region.high[axis]);
            if step.low <= low && step.high >= high {
                continue;
            }
            // The loss without the leaves on the far side of a boundary, and the boundary.
            let beyond = |boundary: u32, is_above: usize| {
                let side = ((boundary - bits.first_boundary) as usize * 2 + is_above) * num_words;
                value - values[first_of_both(words, &sides[side..][..num_words])]
            };
            let first = self.losses.len();
            if step.low > low {
                let below = (step.first_boundary..step.past_low).rev().map(|place| (masks.boundary(place), place));
                let below = below.take_while(|(cut, _)| *cut > low);
                self.push_stairs(below.map(|(cut, place)| (cut, beyond(place, 0))), enough);
            }
            let middle = self.losses.len();
            if step.high < high {
                let above = (step.at_high..step.end_boundary).map(|place| (masks.boundary(place), place));
                let above = above.take_while(|(cut, _)| *cut < high);
                self.push_stairs(above.map(|(cut, place)| (cut, beyond(place, 1))), enough);
            }
            self.close_group(tree, step.axis, first, middle, false);
        }
    }

    /// Cuts on one side of a best leaf with their losses, from the nearest on: each loses at least what the one before
    /// does.
    #[inline(always)]
    fn push_stairs(&mut self, stairs: impl Iterator<Item = (u32, Value)>, enough: Value) {
        let mut lost = 0;
        for (cut, loss) in stairs {
            if loss > lost {
                self.push(cut, loss - lost);
                lost = loss;
                if loss >= enough {
                    break;
                }
            }
        }
    }

    #[inline]
    fn push(&mut self, place: u32, amount: Value) {
        self.losses.push(Loss { place, slot: 0, amount });
    }

    #[inline]
    fn close_group(&mut self, tree: usize, axis: u32, first: usize, middle: usize, is_mixed: bool) {
        let end = self.losses.len();
        if end > first {
            let (first, middle, end) = (index(first), index(middle), index(end));
            self.groups.push(AxisLosses { tree: index(tree), axis, first, middle, end, is_mixed, weight: -1.0 });
        }
    }

    /// On an axis with special cells left, each of them and the ordered cells together are the choices.
    #[cold]
    fn of_choices(&mut self, scope: Scope<'_>, tree: usize, best: usize, step: &AxisPath) {
        let Scope { space, masks, region, reach, .. } = scope;
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
            let above = bits.words(masks.beside(BoundarySide::Above, step.axis, low));
            let below = bits.words(masks.beside(BoundarySide::Below, step.axis, high));
            choices.push((ordered_cell, above.iter().zip(below).map(|(a, b)| a & b).collect()));
        }
        let reachable = bits.words(reach);
        let place = best - bits.first_leaf as usize;
        let has_best = |mask: &[u64]| mask[place / 64] >> (place % 64) & 1 != 0;
        let with_best: Vec<usize> = (0..choices.len()).filter(|choice| has_best(&choices[*choice].1)).collect();
        if with_best.len() == choices.len() {
            return;
        }
        let values = masks.values_of(bits);
        let first = self.losses.len();
        for (cell, mask) in choices.iter().filter(|(_, mask)| !has_best(mask)) {
            let amount = value - values[first_of_both(reachable, mask)];
            if amount > 0 {
                self.push(*cell, amount);
            }
        }
        let end = self.losses.len();
        self.close_group(tree, step.axis, first, end, true);
        if let [only] = with_best[..] {
            // Without its one choice the best leaf is gone: the tree falls to the best of the other choices.
            let mut others = vec![0; reachable.len()];
            for (_, mask) in choices.iter().enumerate().filter(|(other, _)| *other != only).map(|(_, choice)| choice) {
                others.iter_mut().zip(mask).for_each(|(all, word)| *all |= word);
            }
            let amount = value - values[first_of_both(reachable, &others)];
            self.sole_choices.push(SoleChoice { tree: index(tree), axis: step.axis, choice: choices[only].0, amount });
        }
    }

    /// The losses of a tree whose leaves the region leaves as they were before it shrank on ordered axes.
    pub(super) fn copy_tree(&mut self, from: &mut ByTree<'_>, tree: usize, region: &Region) {
        let ByTree { losses: Losses { groups, losses, sole_choices, .. }, group: next, sole_choices: next_sole } = from;
        while let Some(group) = groups.get(*next).filter(|group| group.tree as usize <= tree) {
            *next += 1;
            if (group.tree as usize) < tree {
                continue;
            }
            let (low, high) = (region.low[group.axis as usize], region.high[group.axis as usize]);
            let below = &losses[group.first as usize..group.middle as usize];
            let above = &losses[group.middle as usize..group.end as usize];
            let first = self.losses.len();
            self.losses.extend(below.iter().filter(|loss| group.is_mixed || loss.place > low));
            let middle = self.losses.len();
            self.losses.extend(above.iter().filter(|loss| loss.place < high));
            self.close_group(tree, group.axis, first, middle, group.is_mixed);
            if let Some(own) = self.groups.last_mut().filter(|own| own.first as usize == first) {
                own.weight = group.weight;
            }
        }
        while let Some(lost) = sole_choices.get(*next_sole).filter(|lost| lost.tree as usize <= tree) {
            *next_sole += 1;
            self.sole_choices.extend((lost.tree as usize == tree).then_some(*lost));
        }
    }

    /// The losses of a tree whose best leaf has this value, from what remains of it aside.
    pub(super) fn of_detours(&mut self, space: &Axes, tree: usize, value: Value, detours: &[Detour]) {
        for of_axis in detours.chunk_by(|a, b| a.axis == b.axis) {
            let (axis, first) = (of_axis[0].axis, self.losses.len());
            let num_below = of_axis.partition_point(|detour| matches!(detour.cells, OffPath::Below(_)));
            let (below, others) = of_axis.split_at(num_below);
            let num_from = others.partition_point(|detour| matches!(detour.cells, OffPath::From(_)));
            let (from, choices) = others.split_at(num_from);
            if let ([start, ..], [end, ..]) = (below, from)
                && start.place(space) > end.place(space)
            {
                // The path contradicts itself and no cell leads to this leaf: a cell on both of its sides would lose
                // twice. The bound is then larger than it could be, and still a bound.
                continue;
            }
            let loss = |detour: &Detour| (detour.place(space), value - detour.best);
            self.push_stairs(below.iter().map(loss), Value::MAX);
            let middle = self.losses.len();
            self.push_stairs(from.iter().map(loss), Value::MAX);
            for detour in choices.iter().filter(|detour| detour.best < value) {
                self.push(detour.place(space), value - detour.best);
            }
            // Choices count as losses below.
            let (middle, is_mixed) = if choices.is_empty() { (middle, false) } else { (self.losses.len(), true) };
            self.close_group(tree, axis, first, middle, is_mixed);
        }
    }
}

#[inline(always)]
fn has_several(words: &[u64]) -> bool {
    let mut found = false;
    for word in words {
        if *word != 0 {
            if found || word & (word - 1) != 0 {
                return true;
            }
            found = true;
        }
    }
    false
}

/// The first leaf of an intersection that is not empty.
#[inline(always)]
fn first_of_both(a: &[u64], b: &[u64]) -> usize {
    for (place, (a, b)) in a.iter().zip(b).enumerate() {
        if a & b != 0 {
            return place * 64 + (a & b).trailing_zeros() as usize;
        }
    }
    unreachable!("the cells on either side of a boundary reach a leaf")
}
