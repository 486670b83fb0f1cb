//! Random boxes, and inputs in them.

use super::world::{Dice, Value, World};
use crate::axis::Piece;
use crate::grid::Grid;
use crate::holds::{Input, Point};
use crate::region::Region;

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
            region.axis_mut(axis).keep(|cell| kept[cell as usize]);
        }
        region
    }

    /// A random value of each feature at each input that is allowed and in the box; none where none is found.
    pub(super) fn point(&self, dice: &mut Dice, grid: &Grid<'_>, region: &Region) -> Option<Vec<Vec<Value>>> {
        let mut values = vec![vec![Value::Missing; 6]; self.statement.inputs.len()];
        for input in 0..values.len() {
            for feature in [0, 1, 2] {
                let axis = grid.axis_of(input, feature);
                if input == 1 && axis.is_some() && axis == grid.axis_of(0, feature) {
                    values[1][feature] = values[0][feature];
                    continue;
                }
                let sharers: Vec<usize> =
                    axis.map_or(vec![input], |axis| self.axes[axis].inputs.iter().map(|of| *of as usize).collect());
                let pieces: Option<Vec<&Piece>> = axis.map(|axis| {
                    region.axis(axis).cells().flat_map(|cell| &self.axes[axis].cells[cell as usize]).collect()
                });
                let is_good = |value: &Value| {
                    sharers.iter().all(|input| self.is_allowed(*input, feature, *value))
                        && pieces.as_ref().is_none_or(|all| all.iter().any(|piece| self.is_in(feature, *value, piece)))
                };
                let good: Vec<Value> = Self::tried(feature).into_iter().filter(is_good).collect();
                values[input][feature] = *good.get(dice.below(good.len()))?;
            }
            let axis = grid.axis_of(input, 3);
            let is_good = |one: &usize| {
                let sharers: &[u32] = axis.map_or(&[], |axis| &self.axes[axis].inputs);
                let all = |input: usize| (0..3).all(|column| self.is_allowed(input, 3 + column, bit(column == *one)));
                let is_there = |axis: usize| {
                    let mut pieces = region.axis(axis).cells().flat_map(|cell| &self.axes[axis].cells[cell as usize]);
                    pieces.any(|piece| matches!(piece, Piece::Column(column) if *column as usize == *one))
                };
                all(input) && sharers.iter().all(|input| all(*input as usize)) && axis.is_none_or(is_there)
            };
            let good: Vec<usize> = (0..3).filter(is_good).collect();
            let mut one = *good.get(dice.below(good.len()))?;
            if input == 1 && axis.is_some() && axis == grid.axis_of(0, 3) {
                one = (0..3).find(|column| matches!(values[0][3 + column], Value::Number(1.0)))?;
            }
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
