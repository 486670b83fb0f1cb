//! Depth-first order: the records of a search, in any order, as a log.
//!
//! A search opens regions best first; a log lists them depth first, so that a checker needs a stack and no more. Records are kept
//! on a spool until the search ends, with eight bytes of memory for each region. What the result does not need is left out:
//! parts whose bound is good enough already, with all that was done to them, and evaluations that only bounded parts which have
//! better bounds of their own.

use std::io::{self, Read, Seek, SeekFrom, Write};

use super::{Encoder, Note, Reason};

/// The size from which records are written to the spool.
const BUFFER: usize = 1 << 16;
/// The place of a region without a record.
const NOWHERE: u64 = u64::MAX;
/// The size of a head.
const HEAD: usize = 36;

/// The records of a search.
#[derive(Debug)]
pub struct DepthFirst<S> {
    spool: S,
    /// The number of bytes on the spool.
    written: u64,
    /// The place of each region's record.
    places: Vec<u64>,
    num_cases: u64,
    encoder: Encoder,
    /// The first error.
    error: Option<io::Error>,
}

/// The head of a record on the spool.
struct Head {
    /// The number of the first part that stays open.
    first_part: u64,
    /// Upper bounds on the parts.
    bounds: [i64; 2],
    /// The bytes of the notes before the last evaluations, of these, and of the last note.
    lengths: [u32; 3],
}

impl Head {
    fn to_bytes(&self) -> [u8; HEAD] {
        let mut bytes = [0; HEAD];
        bytes[..8].copy_from_slice(&self.first_part.to_le_bytes());
        for (place, bound) in self.bounds.iter().enumerate() {
            bytes[8 + 8 * place..16 + 8 * place].copy_from_slice(&bound.to_le_bytes());
        }
        for (place, length) in self.lengths.iter().enumerate() {
            bytes[24 + 4 * place..28 + 4 * place].copy_from_slice(&length.to_le_bytes());
        }
        bytes
    }

    fn from_bytes(bytes: &[u8; HEAD]) -> Self {
        let eight = |at: usize| std::array::from_fn(|place| bytes[at + place]);
        let four = |at: usize| std::array::from_fn(|place| bytes[at + place]);
        Self {
            first_part: u64::from_le_bytes(eight(0)),
            bounds: [8, 16].map(|at| i64::from_le_bytes(eight(at))),
            lengths: [24, 28, 32].map(|at| u32::from_le_bytes(four(at))),
        }
    }
}

impl<S: Read + Write + Seek> DepthFirst<S> {
    /// No records yet; one open region for each case. The spool is empty.
    pub fn new(spool: S, num_cases: u64) -> Self {
        let places = (0..num_cases).map(|_| NOWHERE).collect();
        Self { spool, written: 0, places, num_cases, encoder: Encoder::default(), error: None }
    }

    /// Adds the record of an open region. Regions are numbered as they are opened: first the cases, then the open parts of
    /// each cut. `bounds` are upper bounds on the parts.
    ///
    /// # Panics
    /// If there are no notes, or no such region.
    pub fn record(&mut self, region: u64, notes: &[Note], bounds: [i64; 2]) {
        let (last, before) = notes.split_last().expect("a record has notes");
        let num_trailing = before.iter().rev().take_while(|note| note.is_evaluation()).count();
        let (first, trailing) = before.split_at(before.len() - num_trailing);
        let head = self.encoder.bytes.len();
        self.places[region as usize] = self.written + head as u64;
        let first_part = self.places.len() as u64;
        self.encoder.bytes.extend([0; HEAD]);
        let lengths = [first, trailing, std::slice::from_ref(last)].map(|notes| {
            let start = self.encoder.bytes.len();
            notes.iter().for_each(|note| self.encoder.note(note));
            (self.encoder.bytes.len() - start) as u32
        });
        self.encoder.bytes[head..head + HEAD].copy_from_slice(&Head { first_part, bounds, lengths }.to_bytes());
        if let Note::Cut { is_open, .. } = last {
            self.places.extend(is_open.iter().filter(|is_open| **is_open).map(|_| NOWHERE));
        }
        if self.encoder.bytes.len() >= BUFFER {
            self.flush();
        }
    }

    fn flush(&mut self) {
        if self.error.is_none() {
            self.error = self.spool.write_all(&self.encoder.bytes).err();
        }
        self.written += self.encoder.bytes.len() as u64;
        self.encoder.bytes.clear();
    }

    /// Hands out the log, piece by piece. Parts whose bound is at most `enough` are closed where they are cut off; without it
    /// all records are kept as they are.
    ///
    /// # Errors
    /// If the spool cannot be written or read.
    pub fn assemble(mut self, enough: Option<i64>, mut take: impl FnMut(&[u8])) -> io::Result<()> {
        self.flush();
        if let Some(error) = self.error {
            return Err(error);
        }
        let mut open: Vec<u64> = (0..self.num_cases).rev().collect();
        let mut body = vec![];
        while let Some(region) = open.pop() {
            let place = self.places[region as usize];
            if place == NOWHERE {
                let mut closed = Encoder::default();
                closed.note(&Note::Closed(Reason::Known));
                take(&closed.bytes);
                continue;
            }
            let mut head = [0; HEAD];
            self.spool.seek(SeekFrom::Start(place))?;
            self.spool.read_exact(&mut head)?;
            let Head { first_part, bounds, lengths } = Head::from_bytes(&head);
            let [first, trailing, last] = lengths.map(|length| length as usize);
            body.resize(first + trailing + last, 0);
            self.spool.read_exact(&mut body)?;
            let (before, last) = body.split_at(first + trailing);
            let Some(was_open) = Encoder::open_parts(last) else {
                take(&body);
                continue;
            };
            let is_open = [0, 1].map(|part| was_open[part] && enough.is_none_or(|enough| bounds[part] > enough));
            let is_needed = enough.is_none() || is_open != [true; 2];
            take(if is_needed { before } else { &before[..first] });
            take(&Encoder::changed_cut(last, is_open, is_needed));
            let numbers = [first_part, first_part + u64::from(was_open[0])];
            open.extend([1, 0].into_iter().filter(|part| is_open[*part]).map(|part| numbers[part]));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;
    use crate::record::{CutPlace, Decoder};

    fn cut(axis: u32, is_open: [bool; 2]) -> Note {
        Note::Cut { axis, place: CutPlace::Below(1), is_open, channel: Some((900, false)) }
    }

    fn weighed(channel: u32) -> Note {
        Note::Weighed { channel, shares: vec![], price: None, widened: None }
    }

    fn log(enough: Option<i64>) -> Vec<Vec<Note>> {
        let mut records = DepthFirst::new(Cursor::new(vec![]), 2);
        records.record(1, &[weighed(9), cut(1, [true; 2])], [50, 10]);
        records.record(2, &[weighed(8), cut(2, [false, true])], [0, 20]);
        records.record(4, &[Note::Closed(Reason::Point)], [0; 2]);
        records.record(0, &[weighed(7), Note::Closed(Reason::Known)], [0; 2]);
        let mut bytes = vec![];
        records.assemble(enough, |piece| bytes.extend_from_slice(piece)).unwrap();
        let mut decoder = Decoder::new(&bytes[..], vec![0; 3]);
        std::iter::from_fn(|| decoder.record().unwrap()).collect()
    }

    #[test]
    fn the_first_part_follows_its_cut() {
        let first = vec![weighed(7), Note::Closed(Reason::Known)];
        let known = vec![Note::Closed(Reason::Known)];
        let expected = vec![
            first,
            vec![weighed(9), cut(1, [true; 2])],
            vec![weighed(8), cut(2, [false, true])],
            vec![Note::Closed(Reason::Point)],
            known,
        ];
        assert_eq!(log(None), expected);
    }

    #[test]
    fn what_the_bound_does_not_need_is_left_out() {
        let first = vec![weighed(7), Note::Closed(Reason::Known)];
        let part = vec![weighed(8), cut(2, [false, true])];
        let (point, known) = (vec![Note::Closed(Reason::Point)], vec![Note::Closed(Reason::Known)]);
        // Neither part is good enough: the evaluation bounds nothing that matters.
        let bare = Note::Cut { axis: 1, place: CutPlace::Below(1), is_open: [true; 2], channel: None };
        let all = vec![first.clone(), vec![bare], part, point, known];
        assert_eq!(log(Some(5)), all);
        let half = vec![first.clone(), vec![weighed(9), cut(1, [true, false])], vec![weighed(8), cut(2, [false; 2])]];
        assert_eq!(log(Some(20)), half);
        assert_eq!(log(Some(50)), [first, vec![weighed(9), cut(1, [false; 2])]]);
    }
}
