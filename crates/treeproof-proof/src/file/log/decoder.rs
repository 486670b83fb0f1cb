//! Reads the records of a log, whoever wrote it: no more of it than honest ones have.

use std::io::{self, Read};

use treeproof_ensemble::exact::Exact;

use super::{FAR, Note, Place, Price, Share, Why};
use crate::excluded::refute::{MOST_DIGITS, Plane, Refutation};
use crate::statement::condition::Variable;

/// The most that a record may have, a share being one: more is no proof but an attack.
const MOST: u64 = 1 << 24;
/// Cases of a refutation within each other.
const MOST_CASES_DEEP: usize = 500;
/// What a note counts, beside its shares.
const NOTE: u64 = 16;

/// Adding up numbers takes as long as the square of their characters. That of ordinary sums does not count.
const ORDINARY_DIGITS: u64 = 256;
/// What the sums of a log that are not ordinary may come to.
const MOST_LONG: u64 = 1 << 30;

/// So many bytes are read at once.
const BUFFER: u64 = 1 << 16;

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
    /// What long sums of the log may still come to.
    long: u64,
}

fn wrong(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}

impl<R: Read> Decoder<R> {
    /// Reads the log of a grid whose axes have so many words of special cells.
    pub fn new(input: R, words: Vec<usize>) -> Self {
        Self { input, buffer: vec![], at: 0, words, left: MOST, long: MOST_LONG }
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
                let mut digits = 0;
                let rows = self.all_times(&mut digits)?;
                let num_planes = self.number()?;
                let mut planes = vec![];
                for _ in 0..num_planes {
                    let (reach, times) = self.times(&mut digits)?;
                    planes.push(Plane { reach, times, normal: self.all_times(&mut digits)? });
                }
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

    /// Places with exact numbers.
    fn all_times(&mut self, digits: &mut u64) -> io::Result<Vec<(u32, Exact)>> {
        let count = self.number()?;
        let mut all = vec![];
        for _ in 0..count {
            all.push(self.times(digits)?);
        }
        Ok(all)
    }

    /// A place and an exact number: all that are added up have so many characters.
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
