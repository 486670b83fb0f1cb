//! An encoder of logs.

use treeproof_ensemble::exact::Exact;

use super::{CutPlace, FAR, Note, Price, Reason, Share};
use crate::refutation::Refutation;

/// An encoder of notes.
#[derive(Debug, Default)]
pub struct Encoder {
    /// Bytes that were written and not taken.
    pub bytes: Vec<u8>,
}

/// The kind of a cut. The byte behind it says which parts stay open; then comes the channel.
const CUT: u8 = 4;

fn open_byte(is_open: [bool; 2]) -> u8 {
    u8::from(is_open[0]) + 2 * u8::from(is_open[1])
}

impl Encoder {
    /// The parts of an encoded note that stay open; `None` if it is no cut.
    pub(super) fn open_parts(note: &[u8]) -> Option<[bool; 2]> {
        let open = *note.get(1).filter(|_| note[0] == CUT)?;
        Some([open & 1 == 1, open & 2 == 2])
    }

    /// An encoded cut of which these parts stay open, with or without its channel.
    pub(super) fn changed_cut(cut: &[u8], is_open: [bool; 2], has_channel: bool) -> Vec<u8> {
        let end = 2 + cut[2..].iter().take_while(|byte| **byte & 0x80 != 0).count();
        let channel = if has_channel { &cut[2..=end] } else { &[0] };
        [&[CUT, open_byte(is_open)], channel, &cut[end + 1..]].concat()
    }

    /// Adds a note.
    pub fn note(&mut self, note: &Note) {
        match note {
            Note::Weighed { channel, shares, price, widened } => {
                self.bytes.push(0);
                self.number(u64::from(*channel));
                self.shares(shares);
                match price {
                    None => self.number(0),
                    Some(price) => self.price(u64::from(price.ledger) + 1, *price),
                }
                self.number(widened.map_or(0, |cost| cost.max(0).cast_unsigned() + 1));
            }
            Note::Tolled { channel, shares, price } => {
                self.bytes.push(1);
                self.number(u64::from(*channel));
                self.shares(shares);
                self.price(u64::from(price.ledger), *price);
            }
            Note::Kept { axis, low, high, special, reason } => {
                self.bytes.push(2);
                self.number(u64::from(*axis));
                self.number(u64::from(*low));
                self.number(u64::from(high.saturating_sub(*low)));
                special.iter().for_each(|word| self.bytes.extend(word.to_le_bytes()));
                self.reason(*reason);
            }
            Note::Refuted(refutation) => {
                self.bytes.push(5);
                self.refutation(refutation);
            }
            Note::Closed(reason) => {
                self.bytes.push(3);
                self.reason(*reason);
            }
            Note::Cut { axis, place, is_open, channel } => {
                self.bytes.extend([CUT, open_byte(*is_open)]);
                self.number(
                    channel.map_or(0, |(channel, by_leaves)| 2 * u64::from(channel) + 1 + u64::from(by_leaves)),
                );
                self.number(u64::from(*axis));
                self.place(place);
            }
        }
    }

    fn place(&mut self, place: &CutPlace) {
        match place {
            CutPlace::Ordered => self.number(0),
            CutPlace::Set(cell, special) => {
                self.number(1);
                self.number(u64::from(*cell));
                special.iter().for_each(|word| self.bytes.extend(word.to_le_bytes()));
            }
            CutPlace::Below(cell) => self.number(2 * u64::from(*cell) + 2),
            CutPlace::Special(cell) => self.number(2 * u64::from(*cell) + 3),
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
                    self.times(plane.distance, &plane.times);
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

    /// Writes a place and an exact number.
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

    fn price(&mut self, ledger: u64, Price { mantissa, exponent, .. }: Price) {
        self.number(ledger);
        self.number(mantissa);
        let exponent = i64::from(exponent);
        self.number(((exponent << 1) ^ (exponent >> 63)).cast_unsigned());
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

    fn reason(&mut self, reason: Reason) {
        let (kind, number) = match reason {
            Reason::Known => return self.number(0),
            Reason::Point => return self.number(1),
            Reason::Cost(number) => (2, number),
            Reason::Constraint(number) => (3, number),
            Reason::Channel(number, false) => (4, number),
            Reason::Channel(number, true) => (5, number),
            Reason::Listed(number) => (6, number),
        };
        self.number(kind);
        self.number(u64::from(number));
    }
}
