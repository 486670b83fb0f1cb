//! A decoder of logs. It accepts no record that is larger than honest ones are.

use std::io::{self, Read};

use treeproof_ensemble::exact::Exact;

use super::{CutPlace, FAR, Note, Price, Reason, Share};
use crate::refutation::{MOST_DIGITS, Plane, Refutation};
use crate::statement::condition::Variable;

/// Limit on the size of a record, in shares.
const MOST: u64 = 1 << 24;
/// Limit on the depth of a refutation.
const MOST_CASES_DEEP: usize = 500;
/// The size of a note beside its shares.
const NOTE: u64 = 16;

/// Characters of a sum that do not count: adding numbers takes as long as the square of their characters.
const ORDINARY_DIGITS: u64 = 256;
/// Limit on the squares of the characters of all longer sums of a log.
const MOST_LONG: u64 = 1 << 30;

/// The number of bytes that are read at once.
const BUFFER: u64 = 1 << 16;

/// A decoder of records.
#[derive(Debug)]
pub struct Decoder<R> {
    input: R,
    /// Bytes that were read, and how many of them were decoded.
    buffer: Vec<u8>,
    at: usize,
    /// The number of words of special cells, by axis.
    words: Vec<usize>,
    /// The remaining size of the record.
    left: u64,
    /// The remaining size of long sums of the log.
    long: u64,
}

fn wrong(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}

fn too_large() -> io::Error {
    wrong("a number that is too large")
}

/// A number in fewer bits; an error if it does not fit.
fn fitting<N, T: TryFrom<N>>(number: N) -> io::Result<T> {
    T::try_from(number).map_err(|_| too_large())
}

impl<R: Read> Decoder<R> {
    /// A decoder of a log over axes with these numbers of words of special cells.
    pub fn new(input: R, words: Vec<usize>) -> Self {
        Self { input, buffer: vec![], at: 0, words, left: MOST, long: MOST_LONG }
    }

    /// The notes of the next record; `None` at the end.
    ///
    /// # Errors
    /// If it is cut off, or no record.
    pub fn record(&mut self) -> io::Result<Option<Vec<Note>>> {
        if self.at == self.buffer.len() && !self.fill()? {
            return Ok(None);
        }
        let mut notes = vec![];
        self.left = MOST;
        while notes.last().is_none_or(|note: &Note| !note.is_last()) {
            self.take(NOTE)?;
            notes.push(self.note()?);
        }
        Ok(Some(notes))
    }

    fn note(&mut self) -> io::Result<Note> {
        Ok(match self.byte()? {
            0 => {
                let (channel, shares) = (self.small()?, self.shares()?);
                let price = match self.number()? {
                    0 => None,
                    ledger => Some(self.price(ledger - 1)?),
                };
                let widened = match self.number()? {
                    0 => None,
                    cost => Some(i64::try_from(cost - 1).map_err(|_| wrong("a cost that is too large"))?),
                };
                Note::Weighed { channel, shares, price, widened }
            }
            1 => {
                let (channel, shares, ledger) = (self.small()?, self.shares()?, self.number()?);
                Note::Tolled { channel, shares, price: self.price(ledger)? }
            }
            2 => {
                let (axis, low, length) = (self.small()?, self.small()?, self.small()?);
                let special = self.special(axis)?;
                let high = low.checked_add(length).ok_or_else(too_large)?;
                Note::Kept { axis, low, high, special, reason: self.reason()? }
            }
            3 => Note::Closed(self.reason()?),
            4 => {
                let open = self.byte()?;
                let channel = self.small()?.checked_sub(1).map(|number| (number / 2, number % 2 == 1));
                let axis = self.small()?;
                let place = match self.small()? {
                    0 => CutPlace::Ordered,
                    1 => CutPlace::Set(self.small()?, self.special(axis)?),
                    even if even % 2 == 0 => CutPlace::Below(even / 2 - 1),
                    odd => CutPlace::Special(odd / 2 - 1),
                };
                Note::Cut { axis, place, is_open: [open & 1 == 1, open & 2 == 2], channel }
            }
            5 => Note::Refuted(self.refutation(0)?),
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
                let mut digits = 0;
                let rows = self.all_times(&mut digits)?;
                let num_planes = self.number()?;
                let plane = |_| {
                    let (distance, times) = self.times(&mut digits)?;
                    Ok(Plane { distance, times, normal: self.all_times(&mut digits)? })
                };
                let planes = (0..num_planes).map(plane).collect::<io::Result<_>>()?;
                if digits > ORDINARY_DIGITS {
                    let long = self.long.checked_sub(digits * digits);
                    self.long = long.ok_or_else(|| wrong("too many sums of numbers that are too long"))?;
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

    /// A list of places with exact numbers.
    fn all_times(&mut self, digits: &mut u64) -> io::Result<Vec<(u32, Exact)>> {
        let count = self.number()?;
        (0..count).map(|_| self.times(digits)).collect()
    }

    /// A place and an exact number; `digits` counts the characters of the whole sum.
    fn times(&mut self, digits: &mut u64) -> io::Result<(u32, Exact)> {
        let (place, length) = (self.small()?, self.number()?);
        self.take(1)?;
        self.take(length)?;
        *digits += length;
        if *digits > MOST_DIGITS as u64 {
            return Err(wrong("a sum of numbers that are too long"));
        }
        let text = (0..length).map(|_| self.byte()).collect::<io::Result<Vec<u8>>>()?;
        let number = std::str::from_utf8(&text).ok().and_then(Exact::from_text);
        Ok((place, number.ok_or_else(|| wrong("what is no exact number"))?))
    }

    fn reason(&mut self) -> io::Result<Reason> {
        Ok(match self.byte()? {
            0 => Reason::Known,
            1 => Reason::Point,
            2 => Reason::Cost(self.small()?),
            3 => Reason::Constraint(self.small()?),
            4 => Reason::Channel(self.small()?, false),
            5 => Reason::Channel(self.small()?, true),
            6 => Reason::Listed(self.small()?),
            _ => return Err(wrong("a reason of no known kind")),
        })
    }

    fn shares(&mut self) -> io::Result<Vec<Share>> {
        let count = self.number()?;
        self.take(count)?;
        let mut shares = Vec::with_capacity(count.min(1024) as usize);
        let mut last = 0_u32;
        for _ in 0..count {
            let number = self.number()?;
            let axis = fitting(number / 4)?;
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

    /// The rest of a price, after its ledger.
    fn price(&mut self, ledger: u64) -> io::Result<Price> {
        let (ledger, mantissa, exponent) = (fitting(ledger)?, self.number()?, self.number()?);
        let exponent = (exponent >> 1).cast_signed() ^ -(exponent & 1).cast_signed();
        Ok(Price { ledger, mantissa, exponent: fitting(exponent)? })
    }

    fn small(&mut self) -> io::Result<u32> {
        fitting(self.number()?)
    }

    fn number(&mut self) -> io::Result<u64> {
        let (mut number, mut shift) = (0, 0);
        loop {
            let byte = self.byte()?;
            let part = u64::from(byte & 0x7f);
            if shift > 63 || (shift == 63 && part > 1) {
                return Err(too_large());
            }
            number |= part << shift;
            if byte & 0x80 == 0 {
                return Ok(number);
            }
            shift += 7;
        }
    }

    /// A number of eight bytes.
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

    /// Reads more bytes. Returns false at the end.
    fn fill(&mut self) -> io::Result<bool> {
        self.buffer.clear();
        self.at = 0;
        (&mut self.input).take(BUFFER).read_to_end(&mut self.buffer)?;
        Ok(!self.buffer.is_empty())
    }
}
