//! Tables of rows of data: the choice of rows, and the cells that all such tables have.

use treeproof_report::{NearestRow, Verdict, WitnessValue};

use crate::surface::Surface;
use crate::tables::TableCell;
use crate::words::{clean, compact, grouped, rough};

/// Changes in one line of the table.
const SHOWN_CHANGES: usize = 5;

/// The rows that are listed if not all can be: those that people look for first, by the verdict and a number. Otherwise all, also
/// in this order if they are ranked.
pub(crate) fn chosen<T>(rows: &[T], most: usize, is_ranked: bool, rank: impl Fn(&T) -> (Verdict, f64)) -> Vec<&T> {
    let mut order: Vec<usize> = (0..rows.len()).collect();
    if rows.len() > most || is_ranked {
        let rank = |place: &usize| {
            let (verdict, near) = rank(&rows[*place]);
            let first = match verdict {
                Verdict::Violated => 0,
                Verdict::Undecided => 1,
                Verdict::Optimal => 2,
                Verdict::Holds | Verdict::Infeasible => 3,
            };
            (first, near)
        };
        order.sort_by(|one, other| {
            let (one, other) = (rank(one), rank(other));
            one.0.cmp(&other.0).then(one.1.total_cmp(&other.1))
        });
        order.truncate(most);
        if !is_ranked {
            order.sort_unstable();
        }
    }
    order.into_iter().map(|place| &rows[place]).collect()
}

/// The note that some rows are left out.
pub(crate) fn left_out_rows(shown: usize, all: usize, surface: Surface) -> String {
    if shown == all {
        return String::new();
    }
    let (shown, all) = (grouped(shown), grouped(all));
    format!("{shown} of {all} rows, those first that change or are open; {}.", surface.all_rows())
}

/// The distance of a witness from real rows.
pub(crate) fn nearest(nearest: Option<&NearestRow>) -> TableCell {
    let cell = |near: &NearestRow| {
        TableCell::new(format!("{}, {} away", near.row, rough(near.distance))).sorted_by(Some(near.distance))
    };
    nearest.map(cell).unwrap_or_default()
}

/// The changes of an input, in one line.
pub(crate) fn changes<'v>(changed: impl Iterator<Item = (&'v str, &'v WitnessValue, &'v WitnessValue)>) -> String {
    let mut texts: Vec<String> = vec![];
    let mut many = 0;
    for (name, old, new) in changed {
        many += 1;
        if many <= SHOWN_CHANGES {
            texts.push(format!("{} {} → {}", clean(name), compact(old), compact(new)));
        }
    }
    if many > SHOWN_CHANGES {
        texts.push(format!("{} more", many - SHOWN_CHANGES));
    }
    texts.join(", ")
}
