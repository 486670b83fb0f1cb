//! Random boxes, and inputs in them.

use treeproof_proof::axis::Piece;
use treeproof_proof::statement::Tie;

use super::world::{Dice, Value, World};
use crate::region::Region;
use crate::space::Input;
use crate::space::grid::Grid;
use crate::witness::point::Point;

impl World {
    /// A random box: of each axis one cell, or some.
    pub(super) fn region(dice: &mut Dice, grid: &Grid<'_>) -> Region {
        let mut region = grid.everything();
        let is_small = dice.is(40);
        for axis in 0..region.num_axes() {
            let total = grid.num_cells(axis) as usize;
            let held: Vec<u32> = (0..grid.num_cells(axis)).filter(|cell| !grid.is_void(axis, *cell)).collect();
            let one = if held.is_empty() { 0 } else { dice.of(&held) as usize };
            let (from, to) = (dice.below(total), dice.below(total));
            let percent = if is_small { 0 } else { dice.of(&[0, 30, 80]) };
            let kept: Vec<bool> =
                (0..total).map(|cell| cell == one || (from..=to).contains(&cell) && dice.is(percent)).collect();
            region.axes[axis].keep(|cell| kept[cell as usize]);
        }
        region
    }

    /// Whether both of two inputs have the same value of a feature: tied, or on one axis.
    fn is_shared(&self, grid: &Grid<'_>, feature: usize) -> bool {
        let axes = |input: usize| grid.axis_of(input, feature);
        let is_on_one = || axes(0).is_some() && axes(0) == axes(1);
        self.statement.inputs.len() == 2 && (self.statement.ties[feature] == Tie::Same || is_on_one())
    }

    /// A random value of each feature at each input that is allowed and in the box; none where none is found.
    pub(super) fn point(&self, dice: &mut Dice, grid: &Grid<'_>, region: &Region) -> Option<Vec<Vec<Value>>> {
        let mut values = vec![vec![Value::Missing; 6]; self.statement.inputs.len()];
        // Whether a box has, at an input, some piece of a feature.
        let has = |input: usize, feature: usize, is_it: &dyn Fn(&Piece) -> bool| {
            let cells =
                |axis: usize| region.axis(axis).cells().flat_map(move |cell| &self.axes[axis].cells[cell as usize]);
            grid.axis_of(input, feature).is_none_or(|axis| cells(axis).any(is_it))
        };
        for input in 0..values.len() {
            let sharers = |feature: usize| if self.is_shared(grid, feature) { vec![0, 1] } else { vec![input] };
            for feature in [0, 1, 2] {
                if input == 1 && self.is_shared(grid, feature) {
                    values[1][feature] = values[0][feature];
                    continue;
                }
                let is_in = |value: &Value, input: usize| {
                    self.is_allowed(input, feature, *value)
                        && has(input, feature, &|piece| self.is_in(feature, *value, piece))
                };
                let is_good = |value: &Value| sharers(feature).into_iter().all(|input| is_in(value, input));
                let good: Vec<Value> = Self::tried(feature).into_iter().filter(is_good).collect();
                values[input][feature] = *good.get(dice.below(good.len()))?;
            }
            if input == 1 && self.is_shared(grid, 3) {
                let (first, second) = values.split_at_mut(1);
                second[0][3..].copy_from_slice(&first[0][3..]);
                continue;
            }
            let is_in = |one: usize, input: usize| {
                (0..3).all(|column| self.is_allowed(input, 3 + column, bit(column == one)))
                    && has(input, 3, &|piece| matches!(piece, Piece::Column(column) if *column as usize == one))
            };
            let is_good = |one: &usize| sharers(3).into_iter().all(|input| is_in(*one, input));
            let good: Vec<usize> = (0..3).filter(is_good).collect();
            let one = *good.get(dice.below(good.len()))?;
            (0..3).for_each(|column| values[input][3 + column] = bit(column == one));
        }
        Some(values)
    }

    /// The same for conditions.
    pub(super) fn read_point(&self, grid: &Grid<'_>, values: &[Vec<Value>]) -> Point {
        let input = |values: &Vec<Value>| {
            let seen = values.iter().enumerate().map(|(feature, value)| self.read(feature, *value, 0).unwrap());
            let (raws, readings) = seen.unzip();
            Input { raws, readings }
        };
        Point { inputs: values.iter().map(input).collect(), reference: grid.space.reference_input() }
    }
}

fn bit(is_one: bool) -> Value {
    Value::Number(f64::from(u8::from(is_one)))
}
