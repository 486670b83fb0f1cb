//! The grid of a proof: every axis is a feature, or a group of them, of one input or of two that agree there, cut into cells.
//!
//! A fact about all cells holds for all inputs only if every value of the statement is in some cell. [`Grid::new`] checks that;
//! only the places of the cuts are taken from the proof.

use treeproof_ensemble::tree::{Split, Tree};
use treeproof_proof::axis::{Axis, Piece};
use treeproof_proof::statement::Tie;
use treeproof_proof::statement::condition::Variable;

use crate::error::{Refused, ensure};
use crate::numbers::Numbers;
use crate::region::{CellSet, Region};
use crate::space::Space;
use crate::space::cell_values::CellValues;
use crate::space::feature_values::{FeatureReader, FeatureValues};

/// All axes together have no more cells: honest proofs have no more of them than the models have thresholds and categories, and
/// a small file must not take much memory.
const MOST_CELLS: usize = 1 << 22;

/// Axes whose cells hold all values that a statement allows.
#[derive(Debug)]
pub struct Grid<'a> {
    /// The statement and its models.
    pub space: &'a Space<'a>,
    axes: Vec<AxisCells<'a>>,
    /// For each input and feature its axis.
    axis_of: Vec<Vec<Option<usize>>>,
    /// For each input and feature without an axis all its values.
    free: Vec<Vec<CellValues>>,
    /// The values of a column of a group: none, 1, 0 or either.
    bits: [CellValues; 4],
}

/// The cells of one axis.
#[derive(Debug)]
struct AxisCells<'a> {
    ordered: u32,
    /// True if every ordered cell holds numbers that all readers see as such, and nothing else.
    is_plain: bool,
    contents: AxisContents<'a>,
}

#[derive(Debug)]
enum AxisContents<'a> {
    /// Values of a feature.
    Values { values: FeatureValues, readers: Vec<FeatureReader<'a>>, cells: Vec<CellValues> },
    /// Columns of a group, one of which is 1; ascending.
    Columns { cells: Vec<Vec<usize>> },
}

impl<'a> Grid<'a> {
    /// The grid of these axes.
    ///
    /// # Errors
    /// If they are not sound, or leave a value out; the message says what is wrong.
    pub fn new(space: &'a Space<'a>, axes: &[Axis]) -> Result<Self, Refused> {
        let num_features = space.statement.features.len();
        let mut axis_of = vec![vec![None; num_features]; space.statement.inputs.len()];
        let num_cells: usize = axes.iter().map(|axis| axis.cells.len()).sum();
        ensure(num_cells <= MOST_CELLS, || "the axes have too many cells".to_owned())?;
        let mut checked = vec![];
        for (place, axis) in axes.iter().enumerate() {
            let cells = AxisCells::new(space, axis).map_err(|error| Refused(format!("axis {place}: {error}")))?;
            for (input, feature) in
                axis.inputs.iter().flat_map(|input| axis.features.iter().map(move |of| (*input, *of)))
            {
                let taken = axis_of[input as usize][feature as usize].replace(place);
                ensure(taken.is_none(), || {
                    format!("axis {place}: {} has an axis already", space.name(feature as usize))
                })?;
            }
            checked.push(cells);
        }
        let free = axis_of.iter().zip(0..).map(|(axis_of, input)| free(space, input, axis_of)).collect();
        let bits =
            [(false, false), (false, true), (true, false), (true, true)].map(|(zero, one)| CellValues::bits(zero, one));
        Ok(Self { space, axes: checked, free, axis_of, bits })
    }

    /// All cells.
    pub fn everything(&self) -> Region {
        Region::new(
            (0..self.axes.len()).map(|axis| CellSet::all(self.axes[axis].ordered, self.num_cells(axis))).collect(),
        )
    }

    /// The number of cells of an axis.
    pub fn num_cells(&self, axis: usize) -> u32 {
        let count = match &self.axes[axis].contents {
            AxisContents::Values { cells, .. } => cells.len(),
            AxisContents::Columns { cells, .. } => cells.len(),
        };
        u32::try_from(count).unwrap_or(u32::MAX)
    }

    /// The number of ordered cells of an axis.
    pub fn num_ordered(&self, axis: usize) -> u32 {
        self.axes[axis].ordered
    }

    /// The axis of a feature at an input; `None` if it is free.
    pub fn axis_of(&self, input: usize, feature: usize) -> Option<usize> {
        self.axis_of[input][feature]
    }

    /// A feature at an input; at the first, if both inputs share it.
    pub fn variable(&self, input: usize, feature: usize) -> Variable {
        let axis = self.axis_of[input][feature];
        let is_same = axis.is_some() || self.space.statement.ties.get(feature) == Some(&Tie::Same);
        let is_shared = is_same && self.axis_of[0][feature] == axis;
        Variable { input: if is_shared { 0 } else { input as u32 }, feature: feature as u32 }
    }

    /// All multiples of the steps of a feature's numbers, without its ranges.
    pub fn multiples(&self, variable: Variable) -> Numbers {
        let (input, feature) = (variable.input as usize, variable.feature as usize);
        match self.axis_of[input][feature].map(|axis| self.values(axis)) {
            Some(values) => values.map_or_else(|| Numbers::default().everywhere(), |of| of.numbers.everywhere()),
            None => self.space.values(&[variable.input], feature).numbers.everywhere(),
        }
    }

    /// The axis of a feature of a model at an input; `None` if it is free.
    pub fn axis_at(&self, input: usize, model: usize, feature: u32) -> Option<usize> {
        self.axis_of[input][self.space.place(model, feature).0]
    }

    /// True for the axis of a group, whose cells are columns that are 1.
    pub fn is_group(&self, axis: usize) -> bool {
        matches!(self.axes[axis].contents, AxisContents::Columns { .. })
    }

    /// True if every ordered cell of an axis holds numbers that all readers see as such, and nothing else. Facts about the
    /// order of two cells then extend to all between.
    pub fn is_plain(&self, axis: usize) -> bool {
        self.axes[axis].is_plain
    }

    /// True if a cell holds no value of the statement.
    pub fn is_void(&self, axis: usize, cell: u32) -> bool {
        match &self.axes[axis].contents {
            AxisContents::Values { cells, .. } => cells[cell as usize].is_empty(),
            AxisContents::Columns { cells, .. } => cells[cell as usize].is_empty(),
        }
    }

    /// The values of a feature of an axis in a cell.
    pub fn cell_values(&self, axis: usize, cell: u32, feature: usize) -> &CellValues {
        match &self.axes[axis].contents {
            AxisContents::Values { cells, .. } => &cells[cell as usize],
            AxisContents::Columns { cells, .. } => {
                let columns = &cells[cell as usize];
                let may_be_1 = columns.binary_search(&feature).is_ok();
                let may_be_0 = columns.len() > usize::from(may_be_1);
                &self.bits[2 * usize::from(may_be_0) + usize::from(may_be_1)]
            }
        }
    }

    /// The values of a feature without an axis at an input.
    pub fn free(&self, input: usize, feature: usize) -> &CellValues {
        &self.free[input][feature]
    }

    /// The columns of a group one of which is 1 in a cell.
    pub fn columns(&self, axis: usize, cell: u32) -> Option<&[usize]> {
        match &self.axes[axis].contents {
            AxisContents::Values { .. } => None,
            AxisContents::Columns { cells, .. } => Some(&cells[cell as usize]),
        }
    }

    /// All values of a feature on its axis; `None` for a group.
    pub fn values(&self, axis: usize) -> Option<&FeatureValues> {
        match &self.axes[axis].contents {
            AxisContents::Values { values, .. } => Some(values),
            AxisContents::Columns { .. } => None,
        }
    }

    /// The sides of a split to which some value of a feature without an axis goes, at an input; both if in doubt.
    pub fn free_sides(&self, input: usize, model: usize, tree: &Tree, split: &Split) -> [bool; 2] {
        let (feature, place) = self.space.place(model, split.feature);
        let values = match self.space.group_of(feature) {
            Some(_) => zero_or_one(),
            None => self.space.values(&[input as u32], feature),
        };
        self.free[input][feature].sides(&values, (place, self.space.readers(feature)[place]), tree, split)
    }

    /// The sides of a split to which some value of a cell goes, for a split of a feature of the axis; both if in doubt.
    pub fn sides(&self, axis: usize, cell: u32, model: usize, tree: &Tree, split: &Split) -> [bool; 2] {
        let (feature, place) = self.space.place(model, split.feature);
        match &self.axes[axis].contents {
            AxisContents::Values { values, readers, cells } => {
                cells[cell as usize].sides(values, (place, readers[place]), tree, split)
            }
            AxisContents::Columns { .. } => {
                let reader = self.space.readers(feature)[place];
                self.cell_values(axis, cell, feature).sides(&zero_or_one(), (place, reader), tree, split)
            }
        }
    }
}

impl<'a> AxisCells<'a> {
    fn new(space: &Space<'a>, axis: &Axis) -> Result<Self, Refused> {
        let Axis { inputs, features, ordered, cells } = axis;
        let (num_inputs, num_features) = (space.statement.inputs.len(), space.statement.features.len());
        let is_known = inputs.iter().all(|input| (*input as usize) < num_inputs);
        ensure(is_known && matches!(inputs[..], [_] | [0, 1]), || {
            "it is of no input, or of one that is not there".to_owned()
        })?;
        ensure(features.iter().all(|feature| (*feature as usize) < num_features), || "it is of no feature".to_owned())?;
        let is_same = |feature: &u32| space.statement.ties.get(*feature as usize) == Some(&Tie::Same);
        ensure(inputs.len() == 1 || features.iter().all(is_same), || "the inputs need not agree there".to_owned())?;
        ensure(*ordered as usize <= cells.len() && u32::try_from(cells.len()).is_ok(), || {
            "it has too few cells".to_owned()
        })?;
        let [first, ..] = features[..] else { return Err(Refused::because("it is of no feature")) };
        let feature = first as usize;
        if let Some(group) = space.group_of(feature) {
            ensure(*features == space.statement.groups[group], || "it is not of all columns of a group".to_owned())?;
            ensure(*ordered == 0, || "columns of a group have no order".to_owned())?;
            return Ok(Self { ordered: 0, is_plain: true, contents: columns(space, axis)? });
        }
        ensure(features.len() == 1, || "only the columns of a group share an axis".to_owned())?;
        ascending(cells, *ordered as usize)?;
        let (values, readers) = (space.values(inputs, feature), space.readers(feature));
        if let Some(hole) = values.uncovered(cells.iter().flatten()) {
            return Err(Refused(format!("no cell holds {hole}, which {} may be", space.name(feature))));
        }
        let held = |pieces: &Vec<Piece>| values.among(pieces, space.is_category(feature));
        let cells: Option<Vec<CellValues>> = cells.iter().map(held).collect();
        let cells = cells.ok_or_else(|| Refused(format!("a cell holds what {} cannot be", space.name(feature))))?;
        let is_plain = cells[..*ordered as usize].iter().all(|held| !held.numbers.is_empty() && held.partly.is_empty());
        Ok(Self { ordered: *ordered, is_plain, contents: AxisContents::Values { values, readers, cells } })
    }
}

/// The values of a column of a group.
fn zero_or_one() -> FeatureValues {
    FeatureValues { numbers: Numbers::new([(0.0, 0.0), (1.0, 1.0)], vec![]), ..FeatureValues::default() }
}

/// The values of features without an axis at an input; none of those that have one.
fn free(space: &Space<'_>, input: u32, axis_of: &[Option<usize>]) -> Vec<CellValues> {
    let inputs = |feature: usize| match space.statement.ties.get(feature) {
        Some(Tie::Same) => vec![0, 1],
        _ => vec![input],
    };
    let whole = |(feature, axis): (usize, &Option<usize>)| match (axis, space.group_of(feature)) {
        (None, None) => space.values(&inputs(feature), feature).whole(),
        _ => CellValues::default(),
    };
    let mut free: Vec<CellValues> = axis_of.iter().enumerate().map(whole).collect();
    for group in &space.statement.groups {
        let columns: Vec<usize> = group.iter().map(|column| *column as usize).collect();
        if axis_of[columns[0]].is_some() {
            continue;
        }
        let is_allowed = allowed(space, &inputs(columns[0]), &columns);
        let num_allowed = is_allowed.iter().filter(|is_allowed| **is_allowed).count();
        for (column, is_allowed) in columns.into_iter().zip(is_allowed) {
            // A column is 0 where another one is 1.
            free[column] = CellValues::bits(num_allowed > usize::from(is_allowed), is_allowed);
        }
    }
    free
}

/// For each column of a group, true if it may be the one that is 1, at inputs that share it.
fn allowed(space: &Space<'_>, inputs: &[u32], columns: &[usize]) -> Vec<bool> {
    let may_be = |number: f64| -> Vec<bool> {
        columns.iter().map(|column| space.values(inputs, *column).numbers.contains(number)).collect()
    };
    let (may_be_0, may_be_1) = (may_be(0.0), may_be(1.0));
    let num_never_0 = may_be_0.iter().filter(|may_be| !**may_be).count();
    let is_allowed = |column: usize| may_be_1[column] && num_never_0 == usize::from(!may_be_0[column]);
    (0..columns.len()).map(is_allowed).collect()
}

/// The columns of a group in each cell of its axis.
fn columns<'a>(space: &Space<'_>, axis: &Axis) -> Result<AxisContents<'a>, Refused> {
    let features: Vec<usize> = axis.features.iter().map(|feature| *feature as usize).collect();
    let is_allowed = allowed(space, &axis.inputs, &features);
    let mut is_covered = vec![false; features.len()];
    let mut cells = vec![];
    for pieces in &axis.cells {
        let mut held = vec![];
        for piece in pieces {
            let column = match piece {
                Piece::Column(column) if (*column as usize) < features.len() => *column as usize,
                _ => return Err(Refused::because("a cell of a group holds what is no column of it")),
            };
            is_covered[column] = true;
            held.extend(is_allowed[column].then_some(features[column]));
        }
        held.sort_unstable();
        held.dedup();
        cells.push(held);
    }
    let hole = (0..features.len()).find(|column| is_allowed[*column] && !is_covered[*column]);
    match hole {
        Some(column) => Err(Refused(format!("no cell has {} as the one that is 1", space.name(features[column])))),
        None => Ok(AxisContents::Columns { cells }),
    }
}

/// Accepts cells of which the ordered ones ascend, and no number is in two pieces.
fn ascending(cells: &[Vec<Piece>], ordered: usize) -> Result<(), Refused> {
    let (mut last, mut others) = (None::<f64>, vec![]);
    for (cell, piece) in
        cells.iter().enumerate().flat_map(|(cell, pieces)| pieces.iter().map(move |piece| (cell, piece)))
    {
        let range = match piece {
            Piece::Numbers(low, high) => Some((low.0, high.0)),
            _ => None,
        };
        ensure(range.is_none_or(|(low, high)| low <= high), || format!("cell {cell} ends before it begins"))?;
        others.extend(range);
        if cell < ordered {
            let ascends = range.is_some_and(|(low, _)| last.is_none_or(|last| last < low));
            ensure(ascends, || format!("cell {cell} is ordered, but not above those before it"))?;
            last = range.map(|(_, high)| high);
        }
    }
    others.sort_by(|one, other| one.0.total_cmp(&other.0));
    ensure(others.windows(2).all(|pair| pair[0].1 < pair[1].0), || "a number is in two of its cells".to_owned())
}
