//! The leaves of a channel that a box can reach, as bits.

/// A set of leaves.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reached(pub(crate) Vec<u64>);

/// The same in less memory: of a small box most words are 0.
#[derive(Debug)]
pub(crate) struct Packed {
    /// A bit for each word that is not 0.
    is_there: Box<[u64]>,
    words: Box<[u64]>,
}

impl Packed {
    pub(crate) fn new(Reached(set): &Reached) -> Self {
        let bit = |(place, word): (usize, &u64)| u64::from(*word != 0) << place;
        Self {
            is_there: set.chunks(64).map(|words| words.iter().enumerate().map(bit).sum()).collect(),
            words: set.iter().copied().filter(|word| *word != 0).collect(),
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        size_of::<Self>() + size_of_val(&*self.is_there) + size_of_val(&*self.words)
    }

    /// Makes a set of as many words what it was.
    pub(crate) fn unpack(&self, Reached(set): &mut Reached) {
        set.fill(0);
        let mut words = self.words.iter();
        for (set, is_there) in set.chunks_mut(64).zip(&self.is_there) {
            let mut left = *is_there;
            while left != 0 {
                set[left.trailing_zeros() as usize] = words.next().copied().unwrap_or(0);
                left &= left - 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_packed_comes_back() {
        for length in [0, 1, 63, 64, 65, 200] {
            let set = Reached((0..length).map(|place| if place % 3 == 0 { 0 } else { 7 << (place % 60) }).collect());
            let mut back = Reached(vec![1; set.0.len()]);
            Packed::new(&set).unpack(&mut back);
            assert_eq!(back.0, set.0);
        }
    }
}
