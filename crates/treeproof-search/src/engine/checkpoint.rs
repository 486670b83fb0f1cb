//! The state of a search as bytes: open regions, incumbent, solution and effort, so that a search can go on later, in
//! another process. Numbers are 64 bits, little-endian; the problem itself is not part of it.

use crate::bound::Incumbent;
use crate::engine::Search;
use crate::grid::{Region, Space, Value};
use crate::primal::Chains;
use crate::problem::Problem;
use crate::random::Random;

const MAGIC: u64 = u64::from_le_bytes(*b"treesrch");
const VERSION: u64 = 3;

impl Search<'_> {
    /// The state as bytes.
    pub fn save(&self) -> Vec<u8> {
        let mut out = Writer(vec![]);
        out.number(MAGIC);
        out.number(VERSION);
        let space = &self.compiled.space;
        out.number(space.axes.len() as u64);
        out.value(self.state.incumbent.value);
        out.number(u64::from(self.state.incumbent.is_attained));
        out.number(self.state.steps);
        out.number(self.workers[0].work);
        out.number(self.workers[0].climbed);
        out.number(self.workers[0].expanded);
        out.number(u64::from(self.workers[0].is_chains_turn));
        self.workers[0].chains.save(&mut out);
        out.numbers(self.state.solution.iter().flatten().map(|cell| u64::from(*cell)));
        out.number(self.state.frontier.len() as u64);
        for (open, region) in self.state.frontier.iter(space) {
            out.value(open.bound);
            out.number(u64::from(open.case));
            out.numbers(region.words());
        }
        out.0
    }

    /// A search of the same problem in a saved state; `None` if the bytes are no such state.
    pub fn restore(problem: &Problem, saved: &[u8]) -> Option<Self> {
        let mut search = Self::new(problem);
        let mut input = Reader(saved);
        let axes = search.compiled.space.axes.len();
        if input.number()? != MAGIC || input.number()? != VERSION || input.number()? != axes as u64 {
            return None;
        }
        search.state.frontier = Default::default();
        search.state.incumbent = Incumbent { value: input.value()?, is_attained: input.number()? == 1 };
        search.state.steps = input.number()?;
        // Climbing is rationed by what has been done.
        let worker = &mut search.workers[0];
        (worker.work, worker.climbed, worker.expanded) = (input.number()?, input.number()?, input.number()?);
        worker.is_chains_turn = input.number()? == 1;
        worker.chains.restore(problem, &mut input)?;
        let solution = input.numbers()?;
        // SoleChoice axes the point of a solution is empty, so it is not told by its length.
        if search.state.incumbent.is_attained {
            let cells = point(problem, &solution)?;
            // A saved claim is not believed: the point must have the value.
            if problem.worth(&cells) != Some(search.state.incumbent.value) {
                return None;
            }
            search.state.solution = Some(cells);
        } else if !solution.is_empty() {
            return None;
        }
        let mut region = search.compiled.space.everything();
        for _ in 0..input.number()? {
            let bound: Value = input.value()?;
            let case = u32::try_from(input.number()?).ok().filter(|case| (*case as usize) < problem.cases.len())?;
            if !region.set_words(&input.numbers()?, &search.compiled.space) {
                return None;
            }
            search.state.frontier.open(&search.compiled.space, &region, case, &[(bound, None)]);
        }
        input.0.is_empty().then_some(search)
    }
}

/// A point of a problem.
fn point(problem: &Problem, numbers: &[u64]) -> Option<Vec<u32>> {
    let cells: Vec<u32> = numbers.iter().map(|cell| u32::try_from(*cell).ok()).collect::<Option<_>>()?;
    let fits = cells.iter().zip(&problem.axes).all(|(cell, axis)| *cell < axis.num_cells());
    (fits && cells.len() == problem.axes.len()).then_some(cells)
}

impl Chains {
    fn save(&self, out: &mut Writer) {
        out.number(self.random.0);
        out.number(u64::from(self.turn));
        for chain in &self.chains {
            out.number(u64::from(chain.case));
            out.number(u64::from(chain.failures));
            out.numbers(chain.point.iter().map(|cell| u64::from(*cell)));
        }
    }

    fn restore(&mut self, problem: &Problem, input: &mut Reader<'_>) -> Option<()> {
        self.random = Random(input.number()?);
        self.turn = u32::try_from(input.number()?).ok().filter(|turn| (*turn as usize) < self.chains.len())?;
        for chain in &mut self.chains {
            chain.case = u32::try_from(input.number()?).ok()?;
            let case = problem.cases.get(chain.case as usize)?;
            chain.failures = u32::try_from(input.number()?).ok()?;
            let cells = input.numbers()?;
            if !cells.is_empty() {
                chain.point = point(problem, &cells)?;
                chain.value = case.value(&problem.axes, &chain.point);
            }
        }
        Some(())
    }
}

struct Writer(Vec<u8>);

impl Writer {
    fn number(&mut self, number: u64) {
        self.0.extend(number.to_le_bytes());
    }

    fn value(&mut self, value: Value) {
        self.0.extend(value.to_le_bytes());
    }

    fn numbers(&mut self, numbers: impl Iterator<Item = u64>) {
        let start = self.0.len();
        self.number(0);
        let mut count = 0;
        for number in numbers {
            self.number(number);
            count += 1_u64;
        }
        self.0[start..start + 8].copy_from_slice(&count.to_le_bytes());
    }
}

struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn number(&mut self) -> Option<u64> {
        let (head, rest) = self.0.split_first_chunk::<8>()?;
        self.0 = rest;
        Some(u64::from_le_bytes(*head))
    }

    fn value(&mut self) -> Option<Value> {
        self.number().map(u64::cast_signed)
    }

    fn numbers(&mut self) -> Option<Vec<u64>> {
        let count = usize::try_from(self.number()?).ok()?;
        // No more than the bytes hold, whatever is claimed.
        if count > self.0.len() / 8 {
            return None;
        }
        (0..count).map(|_| self.number()).collect()
    }
}

impl Region {
    /// The region as numbers: low and high of every axis, then the words of special cells.
    fn words(&self) -> impl Iterator<Item = u64> {
        let sides = self.low.iter().zip(&self.high).map(|(low, high)| u64::from(*low) | u64::from(*high) << 32);
        sides.chain(self.special.iter().copied())
    }

    /// Reads what [`Region::words`] wrote; returns whether it is a region of the space with points.
    fn set_words(&mut self, words: &[u64], space: &Space) -> bool {
        if words.len() != self.low.len() + self.special.len() {
            return false;
        }
        let (sides, special) = words.split_at(self.low.len());
        for (axis, side) in sides.iter().enumerate() {
            #[expect(clippy::cast_possible_truncation, reason = "the two halves")]
            let (low, high) = (*side as u32, (side >> 32) as u32);
            if low > high || high > space.everything.high[axis] {
                return false;
            }
            (self.low[axis], self.high[axis]) = (low, high);
        }
        self.special.copy_from_slice(special);
        let known = self.special.iter().zip(&space.everything.special).all(|(word, all)| word & !all == 0);
        known && !space.is_empty(self)
    }
}
