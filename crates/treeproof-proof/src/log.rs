//! The log of a search as bytes: one record for every region that is looked at.
//!
//! Numbers are unsigned LEB128 (seven bits a byte, the lowest first, the top bit says that more follow); signed ones are
//! zigzagged first. A record is the region's number, counted back from the number of regions that were ever open, then notes.
//! A note begins with its kind; `closed`, `cut` and `parted` end the record.
//!
//! | kind | then |
//! |---|---|
//! | 0 weighed | channel, shares, price, widened |
//! | 1 tolled | channel, shares, ledger, mantissa, exponent (signed) |
//! | 2 kept | axis, low, high − low, special words, reason |
//! | 3 closed | reason |
//! | 4 cut | axis, place, open parts (bit 0: first, bit 1: second), channel |
//! | 5 parted | axis, cell, special words |
//! | 6 refuted | a refutation |
//!
//! Shares are most of a log. They are their number and, for each, 4·axis + how many trees it is behind the one before, where 3
//! stands for 3 or more and is followed by how many more; then the units of 2⁻¹⁶ without one, 2 bytes, little-endian.
//! A price is 0 for none, else ledger + 1, mantissa, exponent (signed). Widened is 0 for none, else the cost + 1. Special words are
//! as many as the axis has, 8 bytes each, little-endian. A reason is 0 known, 1 point, else: 2 cost, 3 constraint, 4 channel, 5 channel by leaves,
//! 6 listed, followed by its number. A place is 0 ordered, else 2·cell + 1 below it, 2·cell + 2 special. The channel of a cut is 0 for
//! none, else 2·channel + 1, or + 2 if by leaves.
//!
//! A refutation begins with its kind: 0 void; 1 sums, which are the number of rows, for each its place and what it is multiplied
//! by, then the number of planes, for each its distance and how many features with their numbers it has; 2 either, a place, the
//! number of cases, and a refutation for each; 3 parted, input, feature, the 8 bytes of a double, and 2 refutations; 4 ordered, a
//! feature, and 3 refutations. An exact number is the length of its text, and the text.

use std::io::{self, Read};

use treeproof_ensemble::exact::Exact;

use crate::condition::Variable;
use crate::refute::{Plane, Refutation};

/// The most that a record may have, a share being one: more is no proof but an attack.
const MOST: u64 = 1 << 24;
/// Cases of a refutation within each other.
const MOST_CASES_DEEP: usize = 500;
/// What a note counts, beside its shares.
const NOTE: u64 = 16;

/// So many bytes are read at once.
const BUFFER: u64 = 1 << 16;

/// A tree that is so far behind the last one is told by a number of its own.
const FAR: u32 = 3;

/// One thing that is done to a region.
#[derive(Clone, Debug, PartialEq)]
pub enum Note {
    /// A channel is evaluated by shares.
    Weighed {
        /// The channel of the region's case.
        channel: u32,
        /// Ordered by trees.
        shares: Vec<Share>,
        /// What costs are worth: per unit, in units of 2⁻¹⁶ of a value.
        price: Option<Price>,
        /// No point that reaches the goal costs less.
        widened: Option<i64>,
    },
    /// A channel is evaluated by tolls.
    Tolled {
        /// The channel of the region's case.
        channel: u32,
        /// Ordered by trees.
        shares: Vec<Share>,
        /// What 2⁻¹⁶ of a unit of cost is worth, in values.
        price: Price,
    },
    /// Only these cells of an axis are kept.
    Kept {
        /// The axis.
        axis: u32,
        /// The first ordered cell.
        low: u32,
        /// The end of the ordered cells.
        high: u32,
        /// The special cells, as bits.
        special: Vec<u64>,
        /// Why not the others.
        why: Why,
    },
    /// Why conditions leave nothing of the region. What follows may rely on it.
    Refuted(Refutation),
    /// The region is closed.
    Closed(Why),
    /// It is cut in two.
    Cut {
        /// The axis.
        axis: u32,
        /// Where.
        place: Place,
        /// Which parts stay open.
        is_open: [bool; 2],
        /// The channel by which parts are evaluated, and whether also by leaves.
        channel: Option<(u32, bool)>,
    },
    /// It is parted in two, both of which stay open.
    Parted {
        /// The axis.
        axis: u32,
        /// The ordered cells below this are in the first part.
        cut: u32,
        /// The special cells of the first part, as bits.
        special: Vec<u64>,
    },
}

/// A reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// What is known of the region already.
    Known,
    /// It is one point that does not count.
    Point,
    /// A ledger.
    Cost(u32),
    /// A condition.
    Constraint(u32),
    /// An evaluation, and whether also by leaves.
    Channel(u32, bool),
    /// It is in a region that the conclusion lists.
    Listed(u32),
}

/// A share of a tree and an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    /// The tree.
    pub tree: u32,
    /// The axis.
    pub axis: u32,
    /// In units of 2⁻¹⁶: 1 to 65536.
    pub units: u32,
}

/// `mantissa · 2^exponent`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Price {
    /// Whose costs.
    pub ledger: u32,
    /// The number.
    pub mantissa: u64,
    /// Its scale.
    pub exponent: i32,
}

/// Where an axis is cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Ordered cells below this, and the rest.
    Below(u32),
    /// Ordered cells, and special ones.
    Ordered,
    /// One special cell, and the rest.
    Special(u32),
}

impl Price {
    /// What a cost that is not negative is worth, rounded down; very much is cut off.
    pub(crate) fn floor(self, cost: i128) -> i128 {
        const MOST: u128 = 1 << 100;
        let (mantissa, cost) = (u128::from(self.mantissa), cost.max(0).cast_unsigned().min(MOST));
        // The product is `high · 2⁶⁴ + low`, and each of both far below 2¹²⁸.
        let (high, low) = (mantissa * (cost >> 64), mantissa * (cost & u128::from(u64::MAX)));
        let worth = match self.exponent {
            ..-190 => 0,
            exponent @ ..=-64 => (high + (low >> 64)) >> (-exponent - 64).min(127),
            exponent @ ..=0 => {
                let high = high.checked_mul(1 << (64 + exponent));
                high.map_or(MOST, |high| high.saturating_add(low >> -exponent))
            }
            exponent => {
                let product = high.checked_mul(1 << 64).and_then(|high| high.checked_add(low));
                let has_room = |product: &u128| product.leading_zeros() > exponent.unsigned_abs() || *product == 0;
                product.filter(has_room).map_or(MOST, |product| product << exponent.min(127))
            }
        };
        worth.min(MOST).cast_signed()
    }

    /// The same rounded up; none if it is very much.
    pub(crate) fn ceil(self, cost: i128) -> Option<i128> {
        let floor = self.floor(cost);
        (floor < 1 << 100).then_some(floor + 1)
    }

    /// The least cost of which [`Price::floor`] is at least so much; none if no ordinary one is.
    pub(crate) fn least_cost(self, worth: i128) -> Option<i128> {
        let (mut too_little, mut enough) = (-1_i128, 1_i128 << 100);
        // What is worth more is cut off as well.
        let worth = worth.min(1 << 100);
        if self.floor(enough) < worth {
            return None;
        }
        while enough - too_little > 1 {
            let middle = (too_little + enough) / 2;
            if self.floor(middle) >= worth { enough = middle } else { too_little = middle }
        }
        Some(enough)
    }
}

/// Writes records.
#[derive(Debug, Default)]
pub struct Encoder {
    /// What was written and not taken.
    pub bytes: Vec<u8>,
    /// The regions that were ever open.
    opened: u64,
}

impl Encoder {
    /// So many regions are open to begin with.
    pub fn new(cases: u64) -> Self {
        Self { bytes: vec![], opened: cases }
    }

    /// A record about a region begins.
    pub fn record(&mut self, region: u64) {
        self.number(self.opened - region);
    }

    /// Adds a note to it.
    pub fn note(&mut self, note: &Note) {
        match note {
            Note::Weighed { channel, shares, price, widened } => {
                self.bytes.push(0);
                self.number(u64::from(*channel));
                self.shares(shares);
                match price {
                    None => self.number(0),
                    Some(price) => {
                        self.number(u64::from(price.ledger) + 1);
                        self.number(price.mantissa);
                        self.signed(i64::from(price.exponent));
                    }
                }
                self.number(widened.map_or(0, |cost| cost.max(0).cast_unsigned() + 1));
            }
            Note::Tolled { channel, shares, price } => {
                self.bytes.push(1);
                self.number(u64::from(*channel));
                self.shares(shares);
                self.number(u64::from(price.ledger));
                self.number(price.mantissa);
                self.signed(i64::from(price.exponent));
            }
            Note::Kept { axis, low, high, special, why } => {
                self.bytes.push(2);
                self.number(u64::from(*axis));
                self.number(u64::from(*low));
                self.number(u64::from(high.saturating_sub(*low)));
                special.iter().for_each(|word| self.bytes.extend(word.to_le_bytes()));
                self.why(*why);
            }
            Note::Refuted(refutation) => {
                self.bytes.push(6);
                self.refutation(refutation);
            }
            Note::Closed(why) => {
                self.bytes.push(3);
                self.why(*why);
            }
            Note::Cut { axis, place, is_open, channel } => {
                self.bytes.push(4);
                self.number(u64::from(*axis));
                self.number(match place {
                    Place::Ordered => 0,
                    Place::Below(cell) => 2 * u64::from(*cell) + 1,
                    Place::Special(cell) => 2 * u64::from(*cell) + 2,
                });
                self.number(u64::from(is_open[0]) + 2 * u64::from(is_open[1]));
                self.number(
                    channel.map_or(0, |(channel, by_leaves)| 2 * u64::from(channel) + 1 + u64::from(by_leaves)),
                );
                self.opened += is_open.iter().filter(|is_open| **is_open).count() as u64;
            }
            Note::Parted { axis, cut, special } => {
                self.bytes.push(5);
                self.number(u64::from(*axis));
                self.number(u64::from(*cut));
                special.iter().for_each(|word| self.bytes.extend(word.to_le_bytes()));
                self.opened += 2;
            }
        }
    }

    fn refutation(&mut self, refutation: &Refutation) {
        match refutation {
            Refutation::Void => self.bytes.push(0),
            Refutation::Sums { rows, planes } => {
                self.bytes.push(1);
                self.number(rows.len() as u64);
                rows.iter().for_each(|(row, times)| self.times(*row, times));
                self.number(planes.len() as u64);
                for plane in planes {
                    self.number(u64::from(plane.reach));
                    self.number(plane.normal.len() as u64);
                    plane.normal.iter().for_each(|(feature, times)| self.times(*feature, times));
                }
            }
            Refutation::Either { place, cases } => {
                self.bytes.push(2);
                self.number(u64::from(*place));
                self.number(cases.len() as u64);
                cases.iter().for_each(|case| self.refutation(case));
            }
            Refutation::Parted { variable, number, cases } => {
                self.bytes.push(3);
                self.number(u64::from(variable.input));
                self.number(u64::from(variable.feature));
                self.bytes.extend(number.to_bits().to_le_bytes());
                cases.iter().for_each(|case| self.refutation(case));
            }
            Refutation::Ordered { feature, cases } => {
                self.bytes.push(4);
                self.number(u64::from(*feature));
                cases.iter().for_each(|case| self.refutation(case));
            }
        }
    }

    /// A place, and an exact number.
    fn times(&mut self, place: u32, times: &Exact) {
        let text = times.to_string();
        self.number(u64::from(place));
        self.number(text.len() as u64);
        self.bytes.extend(text.as_bytes());
    }

    fn number(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.bytes.push((number & 0x7f) as u8 | 0x80);
            number >>= 7;
        }
        self.bytes.push(number as u8);
    }

    fn signed(&mut self, number: i64) {
        self.number(((number << 1) ^ (number >> 63)).cast_unsigned());
    }

    fn shares(&mut self, shares: &[Share]) {
        self.number(shares.len() as u64);
        let mut last = 0;
        for share in shares {
            let behind = share.tree.wrapping_sub(last);
            self.number(4 * u64::from(share.axis) + u64::from(behind.min(FAR)));
            if behind >= FAR {
                self.number(u64::from(behind - FAR));
            }
            let units = u16::try_from(share.units.saturating_sub(1)).unwrap_or(u16::MAX);
            self.bytes.extend(units.to_le_bytes());
            last = share.tree;
        }
    }

    fn why(&mut self, why: Why) {
        let (kind, number) = match why {
            Why::Known => return self.number(0),
            Why::Point => return self.number(1),
            Why::Cost(number) => (2, number),
            Why::Constraint(number) => (3, number),
            Why::Channel(number, false) => (4, number),
            Why::Channel(number, true) => (5, number),
            Why::Listed(number) => (6, number),
        };
        self.number(kind);
        self.number(u64::from(number));
    }
}

/// Reads records.
#[derive(Debug)]
pub struct Decoder<R> {
    input: R,
    /// What was read of it, and how much of that is through.
    buffer: Vec<u8>,
    at: usize,
    /// Words of special cells, per axis.
    words: Vec<usize>,
    /// What the record may still have.
    left: u64,
}

fn wrong(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}

impl<R: Read> Decoder<R> {
    /// Reads the log of a grid whose axes have so many words of special cells.
    pub fn new(input: R, words: Vec<usize>) -> Self {
        Self { input, buffer: vec![], at: 0, words, left: MOST }
    }

    /// The next record: how far back its region is, and what is done to it. None at the end.
    ///
    /// # Errors
    /// If it is cut off, or no record.
    pub fn record(&mut self) -> io::Result<Option<(u64, Vec<Note>)>> {
        if self.at == self.buffer.len() && !self.fill()? {
            return Ok(None);
        }
        let back = self.number()?;
        let mut notes = vec![];
        self.left = MOST;
        loop {
            self.take(NOTE)?;
            let note = self.note()?;
            let is_last = matches!(note, Note::Closed(_) | Note::Cut { .. } | Note::Parted { .. });
            notes.push(note);
            if is_last {
                return Ok(Some((back, notes)));
            }
        }
    }

    fn note(&mut self) -> io::Result<Note> {
        Ok(match self.byte()? {
            0 => {
                let (channel, shares) = (self.small()?, self.shares()?);
                let price = match self.number()? {
                    0 => None,
                    ledger => Some(Price {
                        ledger: u32::try_from(ledger - 1).map_err(|_| wrong("a number that is too large"))?,
                        mantissa: self.number()?,
                        exponent: self.exponent()?,
                    }),
                };
                let widened = match self.number()? {
                    0 => None,
                    cost => Some(i64::try_from(cost - 1).map_err(|_| wrong("a cost that is too large"))?),
                };
                Note::Weighed { channel, shares, price, widened }
            }
            1 => {
                let (channel, shares, ledger) = (self.small()?, self.shares()?, self.small()?);
                let price = Price { ledger, mantissa: self.number()?, exponent: self.exponent()? };
                Note::Tolled { channel, shares, price }
            }
            2 => {
                let (axis, low, length) = (self.small()?, self.small()?, self.small()?);
                let special = self.special(axis)?;
                let high = low.checked_add(length).ok_or_else(|| wrong("a number that is too large"))?;
                Note::Kept { axis, low, high, special, why: self.why()? }
            }
            3 => Note::Closed(self.why()?),
            4 => {
                let axis = self.small()?;
                let place = match self.small()? {
                    0 => Place::Ordered,
                    odd if odd % 2 == 1 => Place::Below(odd / 2),
                    even => Place::Special(even / 2 - 1),
                };
                let open = self.byte()?;
                let channel = self.small()?;
                let channel = channel.checked_sub(1).map(|number| (number / 2, number % 2 == 1));
                Note::Cut { axis, place, is_open: [open & 1 == 1, open & 2 == 2], channel }
            }
            5 => {
                let (axis, cut) = (self.small()?, self.small()?);
                Note::Parted { axis, cut, special: self.special(axis)? }
            }
            6 => Note::Refuted(self.refutation(0)?),
            _ => return Err(wrong("a note of no known kind")),
        })
    }

    fn special(&mut self, axis: u32) -> io::Result<Vec<u64>> {
        let words = *self.words.get(axis as usize).ok_or_else(|| wrong("there is no such axis"))?;
        self.take(words as u64)?;
        let mut special = vec![0; words];
        for word in &mut special {
            *word = self.eight()?;
        }
        Ok(special)
    }

    fn refutation(&mut self, depth: usize) -> io::Result<Refutation> {
        if depth > MOST_CASES_DEEP {
            return Err(wrong("cases that are too deep"));
        }
        self.take(1)?;
        Ok(match self.byte()? {
            0 => Refutation::Void,
            1 => {
                let rows = self.all_times()?;
                let num_planes = self.number()?;
                let mut planes = vec![];
                for _ in 0..num_planes {
                    self.take(1)?;
                    planes.push(Plane { reach: self.small()?, normal: self.all_times()? });
                }
                Refutation::Sums { rows, planes }
            }
            2 => {
                let (place, num_cases) = (self.small()?, self.number()?);
                let cases = (0..num_cases).map(|_| self.refutation(depth + 1)).collect::<io::Result<_>>()?;
                Refutation::Either { place, cases }
            }
            3 => {
                let variable = Variable { input: self.small()?, feature: self.small()? };
                let number = f64::from_bits(self.eight()?);
                let cases = Box::new([self.refutation(depth + 1)?, self.refutation(depth + 1)?]);
                Refutation::Parted { variable, number, cases }
            }
            4 => {
                let feature = self.small()?;
                let mut case = || self.refutation(depth + 1);
                Refutation::Ordered { feature, cases: Box::new([case()?, case()?, case()?]) }
            }
            _ => return Err(wrong("a case of no known kind")),
        })
    }

    /// Places with exact numbers.
    fn all_times(&mut self) -> io::Result<Vec<(u32, Exact)>> {
        let count = self.number()?;
        let mut all = vec![];
        for _ in 0..count {
            let (place, length) = (self.small()?, self.number()?);
            self.take(1)?;
            self.take(length)?;
            let text = (0..length).map(|_| self.byte()).collect::<io::Result<Vec<u8>>>()?;
            let number = std::str::from_utf8(&text).ok().and_then(Exact::from_text);
            all.push((place, number.ok_or_else(|| wrong("what is no exact number"))?));
        }
        Ok(all)
    }

    fn why(&mut self) -> io::Result<Why> {
        Ok(match self.byte()? {
            0 => Why::Known,
            1 => Why::Point,
            2 => Why::Cost(self.small()?),
            3 => Why::Constraint(self.small()?),
            4 => Why::Channel(self.small()?, false),
            5 => Why::Channel(self.small()?, true),
            6 => Why::Listed(self.small()?),
            _ => return Err(wrong("a reason of no known kind")),
        })
    }

    fn shares(&mut self) -> io::Result<Vec<Share>> {
        let count = self.number()?;
        self.take(count)?;
        let mut shares = Vec::with_capacity(count.min(1024) as usize);
        let mut last = 0_u32;
        let too_large = || wrong("a number that is too large");
        for _ in 0..count {
            let number = self.number()?;
            let axis = u32::try_from(number / 4).map_err(|_| too_large())?;
            let behind = (number % 4) as u32;
            let more = if behind == FAR { self.small()? } else { 0 };
            last = last.checked_add(behind).and_then(|last| last.checked_add(more)).ok_or_else(too_large)?;
            let units = u32::from(u16::from_le_bytes([self.byte()?, self.byte()?])) + 1;
            shares.push(Share { tree: last, axis, units });
        }
        Ok(shares)
    }

    fn take(&mut self, count: u64) -> io::Result<()> {
        self.left = self.left.checked_sub(count).ok_or_else(|| wrong("a record that is too long"))?;
        Ok(())
    }

    fn exponent(&mut self) -> io::Result<i32> {
        let number = self.number()?;
        let signed = (number >> 1).cast_signed() ^ -(number & 1).cast_signed();
        i32::try_from(signed).map_err(|_| wrong("a number that is too large"))
    }

    fn small(&mut self) -> io::Result<u32> {
        u32::try_from(self.number()?).map_err(|_| wrong("a number that is too large"))
    }

    fn number(&mut self) -> io::Result<u64> {
        let (mut number, mut shift) = (0, 0);
        loop {
            let byte = self.byte()?;
            let part = u64::from(byte & 0x7f);
            if shift > 63 || (shift == 63 && part > 1) {
                return Err(wrong("a number that is too large"));
            }
            number |= part << shift;
            if byte & 0x80 == 0 {
                return Ok(number);
            }
            shift += 7;
        }
    }

    /// The number that eight bytes are.
    fn eight(&mut self) -> io::Result<u64> {
        let mut bytes = [0; 8];
        for byte in &mut bytes {
            *byte = self.byte()?;
        }
        Ok(u64::from_le_bytes(bytes))
    }

    #[inline]
    fn byte(&mut self) -> io::Result<u8> {
        if self.at == self.buffer.len() && !self.fill()? {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        self.at += 1;
        Ok(self.buffer[self.at - 1])
    }

    /// Reads more; whether there is any.
    fn fill(&mut self) -> io::Result<bool> {
        self.buffer.clear();
        self.at = 0;
        (&mut self.input).take(BUFFER).read_to_end(&mut self.buffer)?;
        Ok(!self.buffer.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use treeproof_ensemble::exact::Exact;

    #[test]
    fn what_costs_are_worth_is_never_too_much() {
        let mut state = 1_u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            state >> 11
        };
        for _ in 0..20_000 {
            let mantissa = random() >> (random() % 54);
            let price = Price { ledger: 0, mantissa, exponent: i32::try_from(random() % 300).unwrap() - 200 };
            let cost = (i128::from(random()) << 40 | i128::from(random())) >> (random() % 94);
            let [low, high] = [cost >> 40, cost & ((1 << 40) - 1)].map(|half| Exact::from_i64(half as i64));
            let exact = low.times(&Exact::power_of_two(40)).plus(&high).times(&Exact::from_i64(mantissa as i64));
            let exact = exact.times(&Exact::power_of_two(price.exponent.into())).floor();
            let floor = price.floor(cost);
            match floor < 1 << 100 {
                true => assert_eq!(
                    exact,
                    Exact::from_i64((floor >> 62) as i64)
                        .times(&Exact::power_of_two(62))
                        .plus(&Exact::from_i64((floor & ((1 << 62) - 1)) as i64)),
                    "{price:?} {cost}"
                ),
                false => assert!(exact >= Exact::power_of_two(100)),
            }
        }
    }

    #[test]
    fn the_least_cost_is_the_least() {
        let price = Price { ledger: 0, mantissa: 3, exponent: -2 };
        for worth in 1..200 {
            let least = price.least_cost(worth).unwrap();
            assert!(price.floor(least) >= worth && price.floor(least - 1) < worth);
        }
        assert_eq!(Price { ledger: 0, mantissa: 0, exponent: 0 }.least_cost(1), None);
    }
}
