//! Best-first search over regions, with an upper bound and a solution at every moment.
//!
//! A region leaves the frontier only when its parts are in it or it is closed, and it is closed in one place
//! ([`Worker::close`]), for a named [`Reason`].

use crate::climb::Climber;
use crate::evaluate::{Evaluation, Layout};
use crate::frontier::{Frontier, Open};
use crate::masks::Masks;
use crate::problem::{Problem, Value};
use crate::region::{Cut, Part, Place, Region, Space};

/// Rounds of tightening and evaluating again before a region is cut.
const MAX_ROUNDS: usize = 6;
/// Climbing takes at most one part in this many of the work.
const CLIMB_SHARE: u64 = 12;

/// The best value known, and whether a point has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Incumbent {
    /// Regions that cannot exceed it are closed.
    pub value: Value,
    /// Whether a point attains it; if not, a region that can just reach it stays open.
    pub is_attained: bool,
}

/// Why a region needs no further search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The bound of a channel is not above the incumbent.
    Bound,
    /// Tightening left an axis without cells.
    Empty,
}

/// The state of a search; it can go on at any time.
#[derive(Debug)]
pub struct Search {
    compiled: Compiled,
    frontier: Frontier,
    incumbent: Option<Incumbent>,
    solution: Option<Vec<u32>>,
    worker: Worker,
    steps: u64,
    closed: u64,
}

/// A problem made ready for searching.
#[derive(Debug)]
struct Compiled {
    space: Space,
    layout: Layout,
    cases: Vec<Vec<Masks>>,
}

/// Memory for evaluating, used again for every region.
#[derive(Debug)]
struct Worker {
    channels: Vec<Evaluation>,
    climbers: Vec<Climber>,
    guess: Vec<u32>,
    scratch: Vec<u64>,
    /// Words read by evaluations.
    work: u64,
}

impl Search {
    /// Makes a problem ready, all of its points open.
    ///
    /// # Panics
    /// If the problem has an axis without cells, or a case without channels: there is nothing to search.
    pub fn new(problem: &Problem) -> Self {
        assert!(problem.axes.iter().all(|axis| axis.num_cells() > 0), "an axis without cells");
        assert!(
            !problem.cases.is_empty() && problem.cases.iter().all(|case| !case.channels.is_empty()),
            "nothing to maximise"
        );
        let space = Space::new(&problem.axes);
        let compile =
            |case: &crate::problem::Case| case.channels.iter().map(|channel| Masks::new(&space, channel)).collect();
        let cases: Vec<Vec<Masks>> = problem.cases.iter().map(compile).collect();
        let layout = Layout::new(&space);
        let mut frontier = Frontier::default();
        for case in 0..cases.len() {
            frontier.open(space.everything(), crate::masks::index(case), &[(Value::MAX, None)]);
        }
        let climbers = cases.iter().map(|channels| Climber::new(&space, channels)).collect();
        let worker = Worker { channels: vec![], climbers, guess: vec![], scratch: vec![], work: 0 };
        Self {
            compiled: Compiled { space, layout, cases },
            frontier,
            incumbent: None,
            solution: None,
            worker,
            steps: 0,
            closed: 0,
        }
    }

    /// No point has a larger value; `None` before the first step.
    pub fn upper(&self) -> Option<Value> {
        match (self.frontier.bound(), self.incumbent) {
            (Some(Value::MAX), _) => None,
            (Some(bound), Some(incumbent)) => Some(bound.max(incumbent.value)),
            (Some(bound), None) => Some(bound),
            (None, incumbent) => incumbent.map(|incumbent| incumbent.value),
        }
    }

    /// The value of the best point found.
    pub fn lower(&self) -> Option<Value> {
        self.incumbent.filter(|incumbent| incumbent.is_attained).map(|incumbent| incumbent.value)
    }

    /// The best point found: a cell per axis.
    pub fn solution(&self) -> Option<&[u32]> {
        self.solution.as_deref()
    }

    /// Whether nothing is left to search.
    pub fn is_done(&self) -> bool {
        self.frontier.len() == 0
    }

    /// The regions taken from the frontier so far.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// The regions that are open.
    pub fn num_open(&self) -> usize {
        self.frontier.len()
    }

    /// The regions closed so far.
    pub fn num_closed(&self) -> u64 {
        self.closed
    }

    /// The bytes that open regions take.
    pub fn memory(&self) -> usize {
        self.frontier.bytes(self.compiled.space.region_bytes())
    }

    /// Takes the best open region and closes it or opens its parts. Returns whether there was one.
    pub fn step(&mut self) -> bool {
        let Some((open, mut region)) = self.frontier.take() else { return false };
        self.steps += 1;
        if let Some((cut, part)) = open.cut {
            self.compiled.space.keep(&mut region, cut, part);
        }
        let outcome = self.worker.expand(&self.compiled, &open, &mut region, &mut self.incumbent, &mut self.solution);
        match outcome {
            Err(Reason::Bound | Reason::Empty) => self.closed += 1,
            Ok(parts) => self.frontier.open(region, open.case, &parts),
        }
        true
    }
}

impl Worker {
    /// Whether a bound closes a region: nothing in it is better than the incumbent.
    fn close(incumbent: Option<Incumbent>, bound: Value) -> Result<(), Reason> {
        match incumbent {
            Some(Incumbent { value, is_attained: true }) if bound <= value => Err(Reason::Bound),
            Some(Incumbent { value, is_attained: false }) if bound < value => Err(Reason::Bound),
            _ => Ok(()),
        }
    }

    fn expand(
        &mut self,
        compiled: &Compiled,
        open: &Open,
        region: &mut Region,
        incumbent: &mut Option<Incumbent>,
        solution: &mut Option<Vec<u32>>,
    ) -> Result<Vec<(Value, Option<(Cut, Part)>)>, Reason> {
        let Compiled { space, layout, cases } = compiled;
        let channels = &cases[open.case as usize];
        self.channels.resize_with(channels.len().max(self.channels.len()), Evaluation::default);
        Self::close(*incumbent, open.bound)?;
        let mut bound = open.bound;
        let mut binding = 0;
        for round in 0..MAX_ROUNDS {
            for (index, masks) in channels.iter().enumerate() {
                let evaluation = &mut self.channels[index];
                evaluation.evaluate(space, layout, masks, region);
                self.work += (masks.full().len() * space.axes.len()) as u64;
                if index == 0 || evaluation.bound < self.channels[binding].bound {
                    binding = index;
                }
            }
            bound = bound.min(self.channels[binding].bound);
            if round == 0 {
                self.try_guess(space, channels, open.case, binding, region, bound, incumbent, solution);
            }
            Self::close(*incumbent, bound)?;
            let mut changed = false;
            if let Some(known) = *incumbent {
                for evaluation in &self.channels[..channels.len()] {
                    let plain = evaluation.plain;
                    changed |= evaluation
                        .tighten(space, layout, region, |fall| Self::close(Some(known), plain - fall).is_err());
                }
            }
            if !changed {
                break;
            }
            if space.is_empty(region) {
                return Err(Reason::Empty);
            }
            if round + 1 == MAX_ROUNDS {
                // The numbers are those of a larger region: still valid for cutting, if the cut is still inside.
                for (index, masks) in channels.iter().enumerate() {
                    self.channels[index].evaluate(space, layout, masks, region);
                }
                binding =
                    (0..channels.len()).min_by_key(|index| self.channels[*index].bound).expect("a case has channels");
                bound = bound.min(self.channels[binding].bound);
                Self::close(*incumbent, bound)?;
            }
        }
        let evaluation = &self.channels[binding];
        let gap =
            incumbent.map_or(evaluation.plain.saturating_abs(), |known| evaluation.plain.saturating_sub(known.value));
        if let Some((cut, first, second)) = evaluation.best_cut(space, layout, region, gap) {
            let part = |fall: Value, part: Part| (bound.min(evaluation.plain - fall), Some((cut, part)));
            let parts = [part(first, Part::First), part(second, Part::Second)];
            return Ok(parts.into_iter().filter(|(bound, _)| Self::close(*incumbent, *bound).is_ok()).collect());
        }
        self.try_guess(space, channels, open.case, binding, region, bound, incumbent, solution);
        Self::close(*incumbent, bound)?;
        let cut = self.conflict(space, channels, region, bound);
        Ok(vec![(bound, Some((cut, Part::First))), (bound, Some((cut, Part::Second)))])
    }

    /// Nothing falls at any cut, and yet the region is open: best leaves of equal value exclude each other. Cuts off the
    /// best leaf of a tree that the last guess misses.
    fn conflict(&mut self, space: &Space, channels: &[Masks], region: &Region, bound: Value) -> Cut {
        for (index, masks) in channels.iter().enumerate() {
            let evaluation = &self.channels[index];
            if masks.value_at(space, &self.guess, &mut self.scratch) >= bound {
                continue;
            }
            for best in &evaluation.best {
                for step in masks.steps(*best as usize) {
                    let axis = step.axis as usize;
                    let cell = self.guess[axis];
                    let ordered = space.axes[axis].ordered;
                    let place = if space.is_mixed(region, axis) {
                        let tree = masks
                            .trees
                            .iter()
                            .rev()
                            .find(|tree| tree.first_leaf <= *best)
                            .expect("the leaf is of a tree");
                        let missed = if cell < ordered {
                            !(step.low..step.high).contains(&cell)
                        } else {
                            !tree.has(masks.has_special(step.axis, cell - ordered), *best as usize)
                        };
                        match missed {
                            true if cell < ordered => Some(Place::Ordered),
                            true => Some(Place::Special(cell - ordered)),
                            false => None,
                        }
                    } else if cell < step.low {
                        Some(Place::Below(step.low))
                    } else if cell >= step.high {
                        Some(Place::Below(step.high))
                    } else {
                        None
                    };
                    if let Some(place) = place {
                        return Cut { axis: step.axis, place };
                    }
                }
            }
        }
        // The guess is in every best leaf of the channels below the bound: impossible, its value would be the bound.
        unreachable!("an open region without a falling cut has a tree whose best leaf the guess misses")
    }

    /// Evaluates the cheapest cells as a point, and climbs from it if that may pay.
    #[expect(clippy::too_many_arguments, reason = "everything that an improvement touches")]
    fn try_guess(
        &mut self,
        space: &Space,
        channels: &[Masks],
        case: u32,
        binding: usize,
        region: &Region,
        bound: Value,
        incumbent: &mut Option<Incumbent>,
        solution: &mut Option<Vec<u32>>,
    ) {
        self.channels[binding].guess(space, region, &mut self.guess);
        let value_at = |masks: &Masks, scratch: &mut Vec<u64>, point: &[u32]| masks.value_at(space, point, scratch);
        let mut value = Value::MAX;
        for masks in channels {
            value = value.min(value_at(masks, &mut self.scratch, &self.guess));
        }
        let mut better = |value: Value, point: &[u32]| {
            let improves = match incumbent {
                None => true,
                Some(Incumbent { value: known, is_attained: true }) => value > *known,
                Some(Incumbent { value: known, is_attained: false }) => value >= *known,
            };
            if improves {
                *incumbent = Some(Incumbent { value, is_attained: true });
                *solution = Some(point.to_vec());
            }
            improves
        };
        let improved = better(value, &self.guess);
        let climber = &mut self.climbers[case as usize];
        if value < bound && (improved || climber.work * CLIMB_SHARE < self.work) {
            let mut point = self.guess.clone();
            let value = climber.climb(space, channels, &mut point);
            better(value, &point);
        }
    }
}
