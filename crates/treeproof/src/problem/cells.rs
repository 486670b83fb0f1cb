//! Cells: the values of a coordinate that no split of the models tells apart.
//!
//! The law kept here: every raw value of the domain is in one cell, every cell has such a value, and a split sends all
//! of a cell to one side.

mod cell_values;
mod columns;
mod number_line;
mod representative;

use std::collections::BTreeMap;
use std::ops::Range;

use treeproof_ensemble::exact::Exact;
use treeproof_ensemble::input::{InputRules, Reading};
use treeproof_ensemble::tree::Test;
use treeproof_ensemble::values::ValueSet;
use treeproof_search::{Axis, Cells};

pub(super) use self::cell_values::CellValues;
pub(super) use self::number_line::cut as raw_cut;
use self::number_line::{NumberLine, NumberStretch, OrderedCell};
use super::ConfigurationValues;
use super::configuration_values::Interval;
use super::domain::{Domain, largest_finite, raw_category, raw_unknown};
use super::number_set::NumberSet;
use super::one_or_two::OneOrTwo;
use super::rename::{Coordinate, CoordinateReader};

/// The cells of one coordinate.
#[derive(Debug)]
pub(super) struct AxisCells {
    /// The place of the feature among all, or of the first column of a group.
    pub(super) place: usize,
    /// The inputs whose coordinate it is.
    pub(super) inputs: Range<usize>,
    /// The models that look at it, column by column.
    pub(super) readers: OneOrTwo<AxisReader>,
    /// How the first of them reads values.
    input: InputRules,
    is_category: bool,
    /// Whether it is a group of columns, whose cells are special ones: which column is 1.
    is_group: bool,
    /// The ordered cells, ascending, and the line on which they lie.
    line: Option<NumberLine>,
    spans: Vec<OrderedCell>,
    special: Vec<SpecialCell>,
}

/// A model that looks at a coordinate.
#[derive(Debug)]
pub(super) struct AxisReader {
    pub(super) model: usize,
    pub(super) feature: usize,
    /// Of a group: which column it is.
    pub(super) column: usize,
    /// What it sees of the ordered cells, if it compares them: of each the least number.
    seen: Vec<f64>,
}

/// A cell outside the order.
#[derive(Debug)]
struct SpecialCell {
    /// For each reader what it sees, and a raw value that it sees so.
    readings: OneOrTwo<Reading>,
    raws: OneOrTwo<f64>,
    /// All categories of the cell, by the first reader's codes, or the columns of a group any of which is 1; the first is the
    /// one in `readings`.
    codes: Vec<u32>,
    /// The least and the greatest number of the cell, where it has numbers.
    ends: Option<(f64, f64)>,
}

/// How the reachable splits of one model use a coordinate.
#[derive(Clone, Debug, Default)]
pub(super) struct CutPoints {
    pub(super) has_zero_rule: bool,
    pub(super) cuts: Vec<f64>,
    pub(super) values: Vec<f64>,
    /// Where conditions part numbers: the first of each part, as raw values.
    pub(super) marks: Vec<f64>,
    pub(super) sets: Vec<Vec<u32>>,
}

impl AxisCells {
    /// The cells of a coordinate that its readers use so.
    pub(super) fn new(coordinate: &Coordinate<'_>, uses: OneOrTwo<CutPoints>) -> Self {
        let reader = |of: &CoordinateReader<'_>| AxisReader {
            model: of.model,
            feature: of.index,
            column: of.column,
            seen: vec![],
        };
        let first = &coordinate.readers[0];
        let mut cells = Self {
            place: coordinate.feature,
            inputs: coordinate.inputs.clone(),
            readers: coordinate.readers.map(reader),
            input: first.ensemble.input().clone(),
            is_category: first.feature().is_category(),
            is_group: coordinate.choices.is_some(),
            line: None,
            spans: vec![],
            special: vec![],
        };
        match (&first.domain, &coordinate.choices) {
            (_, Some(choices)) => cells.class_columns(choices, &uses),
            (Domain::Numbers { numbers, .. }, _) => cells.cut_line(coordinate, numbers, uses),
            (Domain::Categories { unknown, .. }, _) => cells.class_categories(coordinate, *unknown, &uses),
        }
        if coordinate.readers.iter().all(|of| of.domain.may_be_missing()) {
            let (readings, raws) = (cells.readers.map(|_| Reading::Missing), cells.readers.map(|_| f64::NAN));
            cells.special.push(SpecialCell::new(readings, raws));
        }
        cells
    }

    /// Parts numbers.
    fn cut_line(&mut self, coordinate: &Coordinate<'_>, numbers: &NumberSet, mut uses: OneOrTwo<CutPoints>) {
        let mut apart = vec![];
        let compares = uses.map(|of_reader| !of_reader.cuts.is_empty());
        let own_cuts = coordinate.readers.iter().zip(uses.iter_mut()).map(|(reader, of_reader)| {
            let input = reader.ensemble.input();
            of_reader.cuts.sort_unstable_by(f64::total_cmp);
            of_reader.cuts.dedup();
            if of_reader.has_zero_rule {
                of_reader.values.push(0.0);
            }
            let values = of_reader.values.iter();
            apart.extend(values.filter_map(|value| Some((*value, NumberStretch::seen_as(input, *value)?))));
            apart.extend(input.missing_value.and_then(|value| Some((value, NumberStretch::read_as(input, value)?))));
            let cuts = std::mem::take(&mut of_reader.cuts);
            cuts.into_iter().filter_map(|threshold| raw_cut(input, threshold)).collect::<Vec<f64>>()
        });
        let mut cuts = own_cuts.reduce(|cuts, more| [cuts, more].concat()).unwrap_or_default();
        let marks: Vec<f64> = uses.iter_mut().flat_map(|of_reader| std::mem::take(&mut of_reader.marks)).collect();
        cuts.extend_from_slice(&marks);
        cuts.sort_unstable_by(f64::total_cmp);
        cuts.dedup();
        let stretches = apart.iter().map(|(_, stretch)| *stretch).collect();
        let Some(line) = NumberLine::new(numbers.clone(), stretches) else { return };
        self.spans = line.spans(&cuts);
        let readers = self.readers.iter_mut().zip(coordinate.readers.iter()).zip(compares.iter());
        for ((reader, of), _) in readers.filter(|(_, compares)| **compares) {
            let seen = |span: &OrderedCell| match of.ensemble.input().read(of.feature(), span.member) {
                Ok(Reading::Number(number)) => number,
                other => unreachable!("{} is a number that is accepted, not {other:?}", span.member),
            };
            reader.seen = self.spans.iter().map(seen).collect();
        }
        let mut places = if apart.is_empty() { vec![] } else { cuts };
        places.extend(apart.iter().flat_map(|(_, stretch)| std::iter::once(stretch.first).chain(stretch.end)));
        places.sort_by(f64::total_cmp);
        places.dedup();
        for part in line.apart(&places) {
            // The value itself is what people expect to see.
            let value = apart
                .iter()
                .map(|(value, _)| *value + 0.0)
                .find(|value| part.contains(*value) && line.numbers.contains(*value));
            let chosen = || {
                let all = NumberLine::new(line.numbers.clone(), vec![])?;
                Some(representative::raw(
                    &all,
                    &OrderedCell { stretch: part, member: part.first },
                    self.input.precision,
                ))
            };
            let raw = value.or_else(chosen).unwrap_or(part.first);
            let ends = (part.first, line.last(&part));
            self.set_apart(coordinate, raw, ends, &marks);
        }
        self.line = Some(line);
    }

    /// Adds a cell of numbers that some reader sees as none other, or to the one that it is.
    fn set_apart(&mut self, coordinate: &Coordinate<'_>, raw: f64, ends: (f64, f64), marks: &[f64]) {
        let read = |of: &CoordinateReader<'_>| of.ensemble.input().read(of.feature(), raw).ok();
        let Some(readings) = coordinate.readers.try_map(read) else { return };
        let is_missing = |reading: &Reading| *reading == Reading::Missing;
        // What is missing to all is in the cell of missing values, which all accept then.
        if readings.iter().all(is_missing) || (!coordinate.may_be_missing && readings.iter().any(is_missing)) {
            return;
        }
        let is_parted = |least: f64| marks.iter().any(|mark| least < *mark && *mark <= ends.0);
        let is_same = |special: &&mut SpecialCell| {
            special.readings == readings && special.ends.is_none_or(|(least, _)| !is_parted(least))
        };
        match self.special.iter_mut().find(is_same) {
            Some(special) => special.ends = special.ends.map(|(least, _)| (least, ends.1)),
            None => {
                let raws = readings.map(|_| raw);
                self.special.push(SpecialCell { ends: Some(ends), ..SpecialCell::new(readings, raws) });
            }
        }
    }

    /// Puts categories that are in the same sets into one cell.
    fn class_categories(&mut self, coordinate: &Coordinate<'_>, unknown: bool, uses: &[CutPoints]) {
        let readers = &coordinate.readers;
        let codes = |of: &CoordinateReader<'_>| match &of.domain {
            Domain::Categories { codes, .. } => codes.clone(),
            Domain::Numbers { .. } => unreachable!("the domains of one feature are of one kind"),
        };
        let codes = readers.map(codes);
        let mut classes: BTreeMap<Vec<bool>, Vec<usize>> = BTreeMap::new();
        for place in 0..codes[0].len() {
            let sets =
                codes.iter().zip(uses).flat_map(|(codes, of)| of.sets.iter().map(move |set| (codes[place], set)));
            let signature = sets.map(|(code, set)| set.binary_search(&code).is_ok()).collect();
            classes.entry(signature).or_default().push(place);
        }
        let mut classes: Vec<Vec<usize>> = classes.into_values().collect();
        classes.sort_unstable();
        for places in classes {
            let own_codes = codes.map(|codes| codes[places[0]]);
            let mut own_code = own_codes.iter();
            let raw = |of: &CoordinateReader<'_>| raw_category(of.feature(), of.ensemble.input(), *own_code.next()?);
            // An accepted domain has only what some raw value reaches.
            let Some(raws) = readers.try_map(raw) else { continue };
            let readings = own_codes.map(|code| Reading::Category(*code));
            let codes = places.iter().map(|place| codes[0][*place]).collect();
            self.special.push(SpecialCell { codes, ..SpecialCell::new(readings, raws) });
        }
        let raw = |of: &CoordinateReader<'_>| raw_unknown(of.feature(), of.ensemble.input());
        if let Some(raws) = readers.try_map(raw).filter(|_| unknown) {
            self.special.push(SpecialCell::new(raws.map(|_| Reading::NoCategory), raws));
        }
    }

    /// Of questions about one model: the feature.
    pub(super) fn feature(&self) -> usize {
        self.readers[0].feature
    }

    /// Whether it is a group of columns: each of its cells says what every column is.
    pub(super) fn is_group(&self) -> bool {
        self.is_group
    }

    /// Of questions about one model: the feature, or the columns of a group.
    pub(super) fn features(&self) -> OneOrTwo<usize> {
        self.readers.map(|reader| reader.feature)
    }

    pub(super) fn shape(&self) -> Axis {
        Axis { ordered: super::position(self.spans.len()), special: super::position(self.special.len()) }
    }

    /// The ordered cells left of a reader's threshold. A cell lies on one side of it, so any member tells which.
    pub(super) fn cut(&self, reader: usize, test: Test) -> u32 {
        let left = match test {
            Test::Below(threshold) => self.readers[reader].seen.partition_point(|seen| *seen < threshold),
            Test::Present => self.spans.len(),
            // Members of the set are special cells; the ordered ones hold only others.
            Test::OneOf(_) | Test::InSet(_) => 0,
        };
        super::position(left)
    }

    /// The special cells for which this holds of what a reader sees.
    pub(super) fn special_where(&self, reader: usize, holds: impl Fn(Reading) -> bool) -> Vec<u32> {
        let holds = |(_, special): &(u32, &SpecialCell)| holds(special.readings[reader]);
        (0..).zip(&self.special).filter(holds).map(|(cell, _)| cell).collect()
    }

    /// A raw value in a cell for each reader, one that people like where there is one.
    pub(super) fn raws(&self, cell: u32) -> OneOrTwo<f64> {
        let cell = cell as usize;
        match (self.spans.get(cell), &self.line) {
            (Some(span), Some(line)) => {
                let raw = representative::raw(line, span, self.input.precision);
                self.readers.map(|_| raw)
            }
            _ => self.special[cell - self.spans.len()].raws.clone(),
        }
    }

    /// The raw values of a cell that may be nearest to a value that the first reader sees so: at most one on either side.
    pub(super) fn next_to(&self, cell: u32, raw: f64, reading: Reading) -> Vec<f64> {
        let place = cell as usize;
        // Nothing is near to what is missing: any value will do.
        let is_number = matches!(reading, Reading::Number(_));
        if let (Some(span), Some(line)) = (self.spans.get(place), &self.line) {
            return match is_number {
                true => line.next_to(span, raw).into_iter().flatten().collect(),
                false => vec![representative::raw(line, span, self.input.precision)],
            };
        }
        let special = &self.special[place - self.spans.len()];
        let is_own = match reading {
            Reading::Category(code) => special.codes.contains(&code),
            reading => reading == special.readings[0],
        };
        match (special.ends, &self.line) {
            (Some((least, greatest)), Some(line)) if is_number => {
                let from = raw.clamp(least, greatest);
                let sides = [line.numbers.at_or_below(from), line.numbers.at_or_above(from)];
                let is_in = |number: &f64| (least..=greatest).contains(number);
                sides.into_iter().flatten().filter(is_in).collect()
            }
            _ => vec![if is_own { raw } else { special.raws[0] }],
        }
    }

    /// Whether all numbers are seen to be multiples of a step.
    pub(super) fn are_multiples_of(&self, step: &Exact) -> bool {
        self.line.as_ref().is_some_and(|line| line.numbers.are_multiples_of(step))
    }

    /// The greatest number of a cell that is not above a number.
    pub(super) fn at_or_below(&self, cell: u32, number: f64) -> Option<f64> {
        match (self.spans.get(cell as usize), &self.line) {
            (Some(span), Some(line)) => line.next_to(span, number)[0],
            (_, line) => {
                let (least, greatest) = self.ends(cell)?;
                line.as_ref()?.numbers.at_or_below(number.min(greatest)).filter(|found| *found >= least)
            }
        }
    }

    /// The least number of a cell that is not below a number.
    pub(super) fn at_or_above(&self, cell: u32, number: f64) -> Option<f64> {
        match (self.spans.get(cell as usize), &self.line) {
            (Some(span), Some(line)) => line.next_to(span, number)[1],
            (_, line) => {
                let (least, greatest) = self.ends(cell)?;
                line.as_ref()?.numbers.at_or_above(number.max(least)).filter(|found| *found <= greatest)
            }
        }
    }

    /// Whether the values of a cell, as a reader has them, are among some. Cells are parted so that any tells.
    pub(super) fn is_among(&self, cell: u32, reader: usize, values: &ValueSet) -> bool {
        match self.spans.get(cell as usize) {
            Some(span) => values.contains(span.member, Reading::Number(span.member)),
            None => {
                let special = &self.special[cell as usize - self.spans.len()];
                values.contains(special.raws[reader], special.readings[reader])
            }
        }
    }

    /// The least and the greatest number of a cell, where it has numbers.
    pub(super) fn ends(&self, cell: u32) -> Option<(f64, f64)> {
        let cell = cell as usize;
        match (self.spans.get(cell), &self.line) {
            (Some(span), Some(line)) => Some((span.member, line.greatest(span))),
            _ => self.special[cell - self.spans.len()].ends,
        }
    }

    /// The same as a reader has them, unless it sees them as missing.
    pub(super) fn number_ends(&self, cell: u32, reader: usize) -> Option<(f64, f64)> {
        let special = (cell as usize).checked_sub(self.spans.len()).map(|special| &self.special[special]);
        if let Some(special) = special.filter(|_| self.is_group) {
            return Some((special.raws[reader], special.raws[reader]));
        }
        let is_missing = special.is_some_and(|special| special.readings[0] == Reading::Missing);
        self.ends(cell).filter(|_| !is_missing)
    }

    /// All cells.
    pub(super) fn all(&self) -> Cells {
        let Axis { ordered, special } = self.shape();
        Cells { ordered: 0..ordered, special: (0..special).collect() }
    }

    /// The values in some cells, as the first reader has them; of a group, as each reader has them.
    pub(super) fn values(&self, cells: &Cells) -> OneOrTwo<ConfigurationValues> {
        match self.is_group {
            true => self.values_of_columns(cells),
            false => OneOrTwo::One([self.values_of_feature(cells)]),
        }
    }

    fn values_of_feature(&self, cells: &Cells) -> ConfigurationValues {
        let chosen = |special: &usize| cells.special.binary_search(&super::position(*special)).is_ok();
        let chosen: Vec<usize> = (0..self.special.len()).filter(chosen).collect();
        let has = |reading: Reading| chosen.iter().any(|special| self.special[*special].readings[0] == reading);
        let missing = has(Reading::Missing);
        if self.is_category {
            let mut codes: Vec<u32> = chosen.iter().flat_map(|special| self.special[*special].codes.clone()).collect();
            codes.sort_unstable();
            return ConfigurationValues::Categories { codes, unknown: has(Reading::NoCategory), missing };
        }
        let Some(line) = &self.line else {
            return ConfigurationValues::Numbers { intervals: vec![], steps: vec![], missing };
        };
        let spans = &self.spans[cells.ordered.start as usize..cells.ordered.end as usize];
        let mut ranges = match spans.first().zip(spans.last()) {
            Some((first, last)) => line.ranges(&NumberStretch { end: last.stretch.end, ..first.stretch }),
            None => vec![],
        };
        for special in &chosen {
            if let CellValues::Numbers(own) = self.contents(super::position(self.spans.len() + special)) {
                ranges.extend(own);
            }
        }
        if missing
            && let Some(read) = self.input.missing_value.and_then(|value| NumberStretch::read_as(&self.input, value))
        {
            let last = read.end.map_or(f64::INFINITY, f64::next_down);
            ranges.extend(line.ranges_between((read.first, last), &[]));
        }
        let intervals: Vec<Interval> = line.joined(ranges).into_iter().map(|range| self.interval(range)).collect();
        // Of single numbers there is no more to say.
        let is_listed = intervals.iter().all(|interval| interval.only().is_some());
        let steps = if is_listed { vec![] } else { line.numbers.steps().to_vec() };
        ConfigurationValues::Numbers { intervals, steps, missing }
    }

    /// The numbers from one to another, without ends that say nothing.
    fn interval(&self, (first, last): (f64, f64)) -> Interval {
        let input = &self.input;
        let largest = if input.accepts_infinite { f64::MAX } else { largest_finite(input.precision) };
        Interval {
            low: Some(first).filter(|low| *low > -largest),
            high: Some(last).filter(|last| *last < largest).map(f64::next_up),
        }
    }

    /// A raw value for each reader at an end of some cells: the first and least, or the last and greatest; special ones come
    /// last.
    pub(super) fn corner(&self, cells: &Cells, is_last: bool) -> OneOrTwo<f64> {
        let spans = &self.spans[cells.ordered.start as usize..cells.ordered.end as usize];
        let special = |cell: &u32| self.special[*cell as usize].raws.clone();
        let of_line = self.line.as_ref().and_then(|line| match is_last {
            false => spans.first().map(|span| span.member),
            true => spans.last().map(|span| line.greatest(span)),
        });
        let of_line = of_line.map(|raw| self.readers.map(|_| raw));
        let found = match is_last {
            false => of_line.or_else(|| cells.special.first().map(special)),
            true => cells.special.last().map(special).or(of_line),
        };
        found.expect("a configuration has cells of every axis")
    }
}

impl SpecialCell {
    fn new(readings: OneOrTwo<Reading>, raws: OneOrTwo<f64>) -> Self {
        Self { readings, raws, codes: vec![], ends: None }
    }
}
