//! The cutting of a coordinate into cells.

use std::collections::BTreeMap;

use treeproof_ensemble::input::Reading;

use super::number_line::{self, NumberLine, NumberStretch, OrderedCell};
use super::{AxisPartition, AxisReader, CutPoints, SpecialCell, representative};
use crate::problem::domain::{Domain, raw_category, raw_unknown};
use crate::problem::number_set::NumberSet;
use crate::problem::one_or_two::OneOrTwo;
use crate::problem::rename::{Coordinate, CoordinateReader};

impl AxisPartition {
    /// The cells of a coordinate, given the cuts of its readers.
    pub(in crate::problem) fn new(coordinate: &Coordinate<'_>, uses: OneOrTwo<CutPoints>) -> Self {
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

    /// Cuts numbers into cells.
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
            cuts.into_iter().filter_map(|threshold| number_line::cut(input, threshold)).collect::<Vec<f64>>()
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
            // The value itself is easiest to read.
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

    /// Adds a special cell of numbers, or joins them to the one with the same readings.
    fn set_apart(&mut self, coordinate: &Coordinate<'_>, raw: f64, ends: (f64, f64), marks: &[f64]) {
        let read = |of: &CoordinateReader<'_>| of.ensemble.input().read(of.feature(), raw).ok();
        let Some(readings) = coordinate.readers.try_map(read) else { return };
        let is_missing = |reading: &Reading| *reading == Reading::Missing;
        // Numbers that are missing to all are in the cell of missing values, which all readers accept then.
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

    /// Groups categories into cells: those in the same sets share one.
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
            // An accepted domain has only reachable categories.
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
}
