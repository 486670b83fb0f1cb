//! Grids: every allowed value is in a cell, every hole is found, and a cell's values go where it says.

use treeproof_ensemble::tree::Side;
use treeproof_proof::axis::{Axis, Piece};

use super::world::{Dice, Value, World, number};
use crate::space::Space;
use crate::space::grid::Grid;

/// The axes without a value of a feature.
fn holed(axis: &Axis, is_in: impl Fn(&Piece) -> bool, value: Value) -> Axis {
    let mut axis = axis.clone();
    for pieces in &mut axis.cells {
        let parts = |piece: Piece| match (&piece, value) {
            _ if !is_in(&piece) => vec![piece],
            (Piece::Numbers(low, high), Value::Number(hole)) => {
                let (below, above) = ((low.0, hole.next_down()), (hole.next_up(), high.0));
                let is_left = |range: &(f64, f64)| range.0 <= range.1 && (range.1 < hole || range.0 > hole);
                let left = [below, above].into_iter().filter(is_left);
                left.map(|(low, high)| Piece::Numbers(number(low), number(high))).collect()
            }
            _ => vec![],
        };
        *pieces = pieces.drain(..).flat_map(parts).collect();
    }
    axis
}

#[test]
fn no_allowed_value_is_left_out() {
    let (mut num_holes, mut num_partly) = (0, 0);
    for seed in 0..800 {
        let dice = &mut Dice(seed);
        let num_models = 1 + dice.below(2);
        let world = World::new(dice, num_models);
        let space = Space::new(&world.statement, &world.models).unwrap();
        let grid = Grid::new(&space, &world.axes).unwrap_or_else(|error| panic!("{error} {world:#?}"));
        for (place, axis) in world.axes.iter().enumerate() {
            let [feature] = axis.features[..] else { continue };
            let feature = feature as usize;
            let is_allowed =
                |value: Value| axis.inputs.iter().all(|input| world.is_allowed(*input as usize, feature, value));
            for value in World::tried(feature) {
                let seen = world.read_all(feature, value);
                let raws: Vec<f64> = seen.iter().flatten().map(|seen| seen.0).collect();
                let readings: Vec<_> = seen.iter().flatten().map(|seen| seen.1).collect();
                let values = grid.values(place).unwrap();
                assert_eq!(seen.is_some() && values.has(&raws, &readings), is_allowed(value), "{value:?} {world:#?}");
                if !is_allowed(value) {
                    continue;
                }
                let is_in = |piece: &Piece| world.is_in(feature, value, piece);
                let cell = axis.cells.iter().position(|pieces| pieces.iter().any(is_in)).unwrap();
                assert!(!grid.is_void(place, u32::try_from(cell).unwrap()));
                if values.partly.iter().any(|of| of.numbers.contains(raws[0])) {
                    // What one reader sees as missing is in no piece that holds other numbers too.
                    let mut axes = world.axes.clone();
                    let all = Piece::Numbers(number(f64::NEG_INFINITY), number(f64::INFINITY));
                    (axes[place].ordered, axes[place].cells) = (1, vec![vec![all], vec![Piece::Missing]]);
                    assert!(Grid::new(&space, &axes).is_err(), "{value:?} of {feature} is missed {world:#?}");
                    num_partly += 1;
                }
                let mut axes = world.axes.clone();
                axes[place] = holed(axis, is_in, value);
                assert!(Grid::new(&space, &axes).is_err(), "{value:?} of {feature} is missed {axes:#?} {world:#?}");
                num_holes += 1;
            }
        }
    }
    assert!(num_holes > 5_000 && num_partly > 40, "{num_holes} {num_partly}");
}

#[test]
fn values_go_where_their_cell_says() {
    let (mut num_seen, mut num_one_sided) = (0, 0);
    for seed in 0..600 {
        let dice = &mut Dice(seed);
        let num_models = 1 + dice.below(2);
        let world = World::new(dice, num_models);
        world.with(|grid| {
            for (place, axis) in world.axes.iter().enumerate() {
                for (model, ensemble) in world.models.iter().enumerate() {
                    for tree in ensemble.trees() {
                        for split in tree.splits().iter().filter(|split| axis.features.contains(&split.feature)) {
                            let feature = split.feature as usize;
                            for (cell, pieces) in (0..).zip(&axis.cells) {
                                let sides = grid.sides(place, cell, model, tree, split);
                                num_one_sided += u32::from(sides != [true; 2]);
                                let mut see = |value: Value| {
                                    let Some(seen) = world.read_all(feature, value) else { return };
                                    let side = tree.side(split, seen[model].1);
                                    assert!(sides[usize::from(side == Side::Right)], "{value:?} {split:?} {world:#?}");
                                    num_seen += 1;
                                };
                                if axis.features.len() > 1 {
                                    let columns = pieces.iter().filter_map(|piece| match piece {
                                        Piece::Column(column) => Some(axis.features[*column as usize]),
                                        _ => None,
                                    });
                                    let allowed = grid.columns(place, cell).unwrap();
                                    for column in columns.filter(|column| allowed.contains(&(*column as usize))) {
                                        see(Value::Number(if column == split.feature { 1.0 } else { 0.0 }));
                                    }
                                    continue;
                                }
                                for value in World::tried(feature) {
                                    let mut inputs = axis.inputs.iter();
                                    let is_allowed =
                                        inputs.all(|input| world.is_allowed(*input as usize, feature, value));
                                    if is_allowed && pieces.iter().any(|piece| world.is_in(feature, value, piece)) {
                                        see(value);
                                    }
                                }
                            }
                        }
                    }
                }
            }
        });
    }
    assert!(num_seen > 30_000 && num_one_sided > 10_000, "{num_seen} {num_one_sided}");
}

#[test]
fn axes_that_cannot_be_are_refused() {
    let dice = &mut Dice(5);
    let world =
        (0..).map(|_| World::new(dice, 1)).find(|world| world.axes.len() == 4 && world.statement.inputs.len() == 1);
    let world = world.unwrap();
    let space = Space::new(&world.statement, &world.models).unwrap();
    let refused = |change: &dyn Fn(&mut Vec<Axis>)| {
        let mut axes = world.axes.clone();
        change(&mut axes);
        Grid::new(&space, &axes).map(|_| ()).unwrap_err().to_string()
    };
    assert!(Grid::new(&space, &world.axes).is_ok());
    let twice = refused(&|axes| axes.push(axes[0].clone()));
    assert_eq!(twice, "axis 4: `x` has an axis already");
    assert_eq!(refused(&|axes| axes[0].inputs = vec![1]), "axis 0: it is of no input, or of one that is not there");
    assert_eq!(refused(&|axes| axes[0].features = vec![9]), "axis 0: it is of no feature");
    assert_eq!(refused(&|axes| axes[0].features = vec![0, 1]), "axis 0: only the columns of a group share an axis");
    assert_eq!(refused(&|axes| axes[3].features = vec![3, 4]), "axis 3: it is not of all columns of a group");
    assert_eq!(refused(&|axes| axes[0].ordered = 1000), "axis 0: it has too few cells");
    let descending = refused(&|axes| axes[0].cells.swap(0, 1));
    assert!(descending.starts_with("axis 0: cell 1 is ordered, but not above"), "{descending}");
    let overlapping = refused(&|axes| axes[0].cells.push(vec![Piece::Numbers(number(0.0), number(0.0))]));
    assert_eq!(overlapping, "axis 0: a number is in two of its cells");
    let wrong = refused(&|axes| axes[2].cells[0].push(Piece::Numbers(number(0.0), number(0.0))));
    assert_eq!(wrong, "axis 2: a cell holds what `c` cannot be");
    let nan = refused(&|axes| axes[0].cells.push(vec![Piece::Numbers(number(f64::NAN), number(0.0))]));
    assert!(nan.ends_with("ends before it begins"), "{nan}");
    assert_eq!(
        refused(&|axes| axes[3].cells[0].push(Piece::Column(3))),
        "axis 3: a cell of a group holds what is no column of it"
    );
}
