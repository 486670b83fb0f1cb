//! Random grids.

use treeproof_proof::axis::{Axis, Piece};
use treeproof_proof::statement::Tie;

use super::world::{COLUMNS, Dice, NUMBERS, World, number};

impl World {
    /// Axes for the features of the world, cut anyhow.
    pub(super) fn cut(&self, dice: &mut Dice) -> Vec<Axis> {
        let mut axes = vec![];
        for features in [vec![0], vec![1], vec![2], COLUMNS.to_vec()] {
            let tie = self.statement.ties.get(features[0] as usize).copied();
            let inputs: &[&[u32]] = match tie {
                None => &[&[0]],
                Some(Tie::Same) if dice.is(85) => &[&[0, 1]],
                Some(_) => &[&[0], &[1]],
            };
            for inputs in inputs.iter().filter(|_| dice.is(88)).collect::<Vec<_>>() {
                let (ordered, cells) = match features[0] {
                    0 | 1 => self.cut_numbers(dice),
                    2 => {
                        let pieces = (0..4).map(Piece::Category).chain([Piece::Unknown, Piece::Missing]);
                        (0, spread(dice, pieces.collect()))
                    }
                    _ => (0, spread(dice, (0..3).map(Piece::Column).collect())),
                };
                axes.push(Axis { inputs: inputs.to_vec(), features: features.clone(), ordered, cells });
            }
        }
        axes
    }

    fn cut_numbers(&self, dice: &mut Dice) -> (u32, Vec<Vec<Piece>>) {
        let mut cuts: Vec<f64> = dice.some(&NUMBERS, 40);
        cuts.extend(dice.some(&NUMBERS, 40).into_iter().map(f64::next_up));
        let stretches = self.stretches.iter().flatten();
        cuts.extend(stretches.flat_map(|stretch| [stretch.0, stretch.1.next_up()]));
        cuts.retain(|cut| cut.is_finite());
        cuts.sort_by(f64::total_cmp);
        cuts.dedup();
        let lows = std::iter::once(f64::NEG_INFINITY).chain(cuts.iter().copied());
        let highs = cuts.iter().map(|cut| cut.next_down()).chain([f64::INFINITY]);
        let (mut cells, mut special): (Vec<Vec<Piece>>, Vec<Piece>) = (vec![], vec![Piece::Missing]);
        for (low, high) in lows.zip(highs) {
            let piece = Piece::Numbers(number(low), number(high));
            match () {
                () if dice.is(15) => special.push(piece),
                () if dice.is(15) && !cells.is_empty() => cells.last_mut().unwrap().push(piece),
                () => cells.push(vec![piece]),
            }
        }
        let ordered = u32::try_from(cells.len()).unwrap();
        cells.extend(spread(dice, special));
        (ordered, cells)
    }
}

/// Pieces, in some cells.
fn spread(dice: &mut Dice, pieces: Vec<Piece>) -> Vec<Vec<Piece>> {
    let mut cells = vec![vec![]; 1 + dice.below(pieces.len())];
    for piece in pieces {
        let place = dice.below(cells.len());
        cells[place].push(piece);
    }
    cells
}
