//! Random numbers that are the same on every machine.

/// SplitMix64.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Random(pub(crate) u64);

impl Random {
    /// The random numbers of a thread.
    pub(crate) fn of_thread(seed: u64, thread: usize) -> Self {
        Self(Self(seed).next().wrapping_add(thread as u64))
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number below a limit, which is not 0.
    pub(crate) fn below(&mut self, limit: u32) -> u32 {
        // The product is below limit · 2³², so the rest fits.
        (((self.next() >> 32) * u64::from(limit)) >> 32) as u32
    }

    /// True with probability one in `times`.
    pub(crate) fn once_in(&mut self, times: u32) -> bool {
        self.below(times) == 0
    }
}
