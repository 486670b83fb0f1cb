//! From a header and the models to the problem that its log is about: leaves become whole numbers, rounded up, so that no
//! sum is too small; costs are rounded down, so that nothing is too dear.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::exact::Exact;
use treeproof_ensemble::sum::{BasePosition, Summation};
use treeproof_ensemble::tree::{Node, Side, Test};

use crate::alike::are_alike;
use crate::ball::Ball;
use crate::condition::Condition;
use crate::error::{Refused, must};
use crate::evaluate::{Channel, Ledger};
use crate::excluded::Excluded;
use crate::goal::Aim;
use crate::grid::Grid;
use crate::held::Held;
use crate::near::Near;
use crate::region::Region;
use crate::replay::Problem;
use crate::section::{BoxSide, Bundled, Counted, Header, Source};
use crate::statement::{Sum, Tie};
use crate::trees::{Bundle, CellNode, CellTree};

/// What is out of order is worth this much less: sums stay far below it.
const PENALTY: i64 = 1 << 61;
/// Sums of channels stay below this, and costs together too.
const MOST: i64 = 1 << 60;

/// How values and costs are read back.
#[derive(Debug)]
pub(crate) struct Scale {
    pub(crate) unit: Exact,
    pub(crate) offset: Exact,
    pub(crate) distances: Option<Distances>,
}

/// What the distance of a log stands for.
#[derive(Debug)]
pub(crate) enum Distances {
    /// Multiples of a power of two, beside what every input costs.
    Multiples { unit: Exact, always: Exact },
    /// Places among these.
    Places(Vec<Exact>),
}

impl Distances {
    /// The least cost that a number of the log stands for; none if nothing costs so much.
    pub(crate) fn cost(&self, number: i64) -> Option<Exact> {
        match self {
            Self::Multiples { unit, always } => Some(Exact::from_i64(number).times(unit).plus(always)),
            Self::Places(places) => places.get(usize::try_from(number).unwrap_or(0)).cloned(),
        }
    }
}

/// Makes the problem.
///
/// # Errors
/// If the header does not fit the statement, or numbers do not fit into 64 bits.
pub(crate) fn problem(
    grid: &Grid<'_>,
    aim: &Aim<'_>,
    excluded: &Excluded<'_>,
    header: &Header,
) -> Result<(Problem, Scale), Refused> {
    must(header.unit > Exact::zero(), || "the unit must be above 0".to_owned())?;
    must(header.bundles.len() == aim.cases.len(), || {
        format!("there are {} cases, not {}", aim.cases.len(), header.bundles.len())
    })?;
    let statement = grid.space.statement;
    let near = statement.near.as_ref().filter(|_| statement.inputs.len() == 2);
    let ball = near.and_then(|near| Some(Arc::new(Ball::new(grid, near, near.limit()?))));
    let everything = ball.as_ref().map_or_else(|| grid.everything(), |ball| ball.everything(grid));
    let is_nearest = matches!(header.ledgers.last(), Some(Counted::Distance(_)));
    let builder = Builder { grid, header, excluded: Some(excluded), ball, everything };
    // Where a distance is asked for, sums count from where they are 0.
    // Where that is beyond all sums, none reaches the goal by less either.
    let zero = match is_nearest {
        true if header.offset.negated() >= header.unit.times(&Exact::from_i64(MOST)) => MOST - 1,
        true => builder.units(&header.offset.negated())?,
        false => 0,
    };
    let mut cases: Vec<Vec<Channel>> = vec![];
    for (place, (case, bundles)) in aim.cases.iter().zip(&header.bundles).enumerate() {
        must(case.len() == bundles.len(), || "a case has other sums".to_owned())?;
        cases.push(
            case.iter()
                .zip(bundles)
                .map(|(sum, bundles)| builder.channel(place, sum, bundles))
                .collect::<Result<_, _>>()?,
        );
    }
    let mut scale = Scale { unit: header.unit.clone(), offset: header.offset.clone(), distances: None };
    let mut ledgers = vec![];
    for (place, counted) in header.ledgers.iter().enumerate() {
        let is_last = place + 1 == header.ledgers.len();
        ledgers.push(match counted {
            Counted::AtMost(condition) => builder.count(*condition, true)?,
            Counted::AtLeast(condition) => builder.count(*condition, false)?,
            Counted::Within(place, exponent) => builder.within(*place, *exponent)?,
            Counted::Changes => {
                let num_axes = builder.everything.num_axes();
                let ledger = builder.ball.as_ref().and_then(|ball| ball.changes(num_axes));
                ledger.ok_or_else(|| Refused::because("changes are counted between inputs that need not be near"))?
            }
            Counted::Distance(exponent) => {
                must(is_last, || "only the last costs can be the distance".to_owned())?;
                let (ledger, distances) = builder.distance(*exponent)?;
                scale.distances = Some(distances);
                ledger
            }
        });
    }
    for channel in cases.iter_mut().flatten() {
        channel.base = channel.base.checked_sub(zero).ok_or_else(|| Refused::because("sums that are too large"))?;
    }
    Ok((Problem { everything: builder.everything, cases, ledgers, is_nearest }, scale))
}

struct Builder<'a> {
    grid: &'a Grid<'a>,
    header: &'a Header,
    excluded: Option<&'a Excluded<'a>>,
    ball: Option<Arc<Ball>>,
    /// All cells.
    everything: Region,
}

/// All trees of the first model at an input, over the cells of a grid.
pub(crate) fn trees_at(grid: &Grid<'_>, header: &Header, input: u32) -> Result<Vec<CellTree>, Refused> {
    let builder = Builder { grid, header, excluded: None, ball: None, everything: grid.everything() };
    let trees = 0..grid.space.models[0].trees().len() as u32;
    trees.map(|tree| builder.tree(Source { model: 0, tree, input })).collect()
}

/// Whether a unit surely counts, and whether it may, by what its features hold.
type Counting<'f> = dyn Fn(&dyn Fn(usize) -> Held) -> (bool, bool) + 'f;

/// How often each accumulator of each model counts at each input.
type Counts = HashMap<(u32, u32), Vec<i32>>;

impl Builder<'_> {
    fn models(&self) -> &[&Ensemble] {
        &self.grid.space.models
    }

    fn channel(&self, case: usize, sum: &Sum, bundled: &[Bundled]) -> Result<Channel, Refused> {
        let mut counts: Counts = HashMap::new();
        let mut constant = sum.constant.clone();
        for term in &sum.terms {
            let model = &self.models()[term.model as usize];
            let summation = summation(model)?;
            let own = counts.entry((term.model, term.input)).or_insert_with(|| vec![0; model.num_accumulators()]);
            let sign = if term.negated { -1 } else { 1 };
            let parts: &[(usize, i32)] =
                if summation.fold_pair { &[(0, -1), (1, 1)] } else { &[(term.output as usize, 1)] };
            for (output, count) in parts {
                own[*output] += sign * count;
                constant = constant.plus(&base(summation, *output).times(&Exact::from_i64((sign * count).into())));
            }
        }
        let mut left: BTreeSet<Source> = BTreeSet::new();
        for (model, input) in counts.keys() {
            let trees = 0..self.models()[*model as usize].trees().len() as u32;
            left.extend(trees.map(|tree| Source { model: *model, tree, input: *input }));
        }
        let mut bundles = vec![];
        for bundle in bundled {
            match bundle {
                Bundled::Trees(sources) => {
                    must(!sources.is_empty() && sources.len() <= 4, || "a bundle has 1 to 4 trees".to_owned())?;
                    must(sources.iter().all(|source| left.remove(source)), || {
                        "a bundle has a tree that is not in the sum, or that is in another".to_owned()
                    })?;
                    bundles.push(self.bundle(sources, &counts)?);
                }
                Bundled::InOrder(feature) => bundles.push(self.in_order(*feature)?),
                Bundled::Missed(sides) => bundles.push(self.missed(sides, case)?),
            }
        }
        // What is far below all else may count as a little less far below.
        let least = self.header.unit.times(&Exact::from_i64(1 - MOST));
        let mut base = self.units(&constant.minus(&self.header.offset).max(least))?;
        let matters = |source: &Source| {
            let tree = &self.models()[source.model as usize].trees()[source.tree as usize];
            let own = &counts[&(source.model, source.input)];
            tree.all_terms().iter().any(|term| own[term.output as usize] != 0)
        };
        left.retain(matters);
        while let Some(source) = left.pop_first() {
            // What one input adds and the other takes off is looked at together.
            let mut sources = vec![source];
            let other = Source { input: 1 - source.input.min(1), ..source };
            if left.remove(&other) {
                sources.push(other);
            }
            let mut bundle = self.bundle(&sources, &counts)?;
            match bundle.constant(&mut self.everything.clone()) {
                Some(value) => {
                    base = base.checked_add(value).ok_or_else(|| Refused::because("sums that are too large"))?
                }
                None if sources.len() == 2 => {
                    for source in sources {
                        bundle = self.bundle(&[source], &counts)?;
                        bundles.push(bundle);
                    }
                }
                None => bundles.push(bundle),
            }
        }
        Ok(Channel { base, bundles })
    }

    /// A number in units, rounded up.
    fn units(&self, number: &Exact) -> Result<i64, Refused> {
        let units = number.divided_by(&self.header.unit).ceil_i64().filter(|units| units.abs() < MOST);
        units.ok_or_else(|| Refused::because("a number that is too large for the unit"))
    }

    fn bundle(&self, sources: &[Source], counts: &Counts) -> Result<Bundle, Refused> {
        let trees = sources.iter().map(|source| self.tree(*source)).collect::<Result<Vec<_>, _>>()?;
        let leaf = |source: &Source, leaf: usize| {
            let (model, own) = (self.models()[source.model as usize], &counts[&(source.model, source.input)]);
            exact_leaf(model, source.tree as usize, leaf, own)
        };
        let [first, others @ ..] = sources else { return Err(Refused::because("a bundle without trees")) };
        let is_one = others.iter().all(|other| are_alike(self.grid.space, *first, *other));
        // Where all are alike, one tree stands for all.
        let walked = if is_one { &trees[..1] } else { &trees };
        let mut bundle = Bundle::new(&self.everything, walked, |leaves| {
            let add = |sum: Exact, (source, place): (&Source, &u32)| {
                Ok::<_, Refused>(sum.plus(&leaf(source, *place as usize)?))
            };
            let leaves = if is_one { &[leaves[0]].repeat(sources.len()) } else { leaves };
            self.units(&sources.iter().zip(leaves).try_fold(Exact::zero(), add)?)
        })?;
        bundle.ball = self.ball.clone().filter(|_| !is_one);
        Ok(bundle)
    }

    /// A tree of a model over the cells of the grid.
    fn tree(&self, source: Source) -> Result<CellTree, Refused> {
        let refused = || Refused::because("a bundle has a tree that is not there");
        let model = self.models().get(source.model as usize).ok_or_else(refused)?;
        let tree = model.trees().get(source.tree as usize).ok_or_else(refused)?;
        let (input, place) = (source.input as usize, source.model as usize);
        must(input < self.grid.space.statement.inputs.len(), || "a bundle has an input that is not there".to_owned())?;
        let mut nodes: Vec<CellNode> = vec![];
        let mut pending: Vec<(Node, Option<(usize, usize)>)> = vec![(tree.root(), None)];
        while let Some((node, parent)) = pending.pop() {
            let own = nodes.len();
            if let Some((parent, side)) = parent {
                match &mut nodes[parent] {
                    CellNode::Split { children, .. } | CellNode::Free { children } => children[side] = own as u32,
                    CellNode::Leaf(_) => {}
                }
            }
            let index = match node {
                Node::Leaf(leaf) => {
                    nodes.push(CellNode::Leaf(leaf as u32));
                    continue;
                }
                Node::Split(index) => index,
            };
            let split = &tree.splits()[index];
            if self.grid.axis_at(input, place, split.feature).is_none() {
                let side = match self.grid.free_sides(input, place, tree, split) {
                    [true, false] => Some(Side::Left),
                    [false, true] => Some(Side::Right),
                    _ => None,
                };
                if let Some(side) = side {
                    // All values go one way: the split is none.
                    pending.push((split.child(side).node(), parent));
                    continue;
                }
            }
            nodes.push(match self.grid.axis_at(input, place, split.feature) {
                None => CellNode::Free { children: [0; 2] },
                Some(axis) => {
                    let everything = self.grid.everything();
                    let cells = everything.axis(axis);
                    let sides = |cell: u32| self.grid.sides(axis, cell, place, tree, split);
                    let ordered = cells.num_ordered();
                    // Numbers ascend from cell to cell, so a threshold is found by halving, if there are numbers in all cells.
                    let is_threshold =
                        self.grid.is_plain(axis) && matches!(split.test, Test::Below(_)) && split.zero.is_none();
                    let (left_end, right_start) = if is_threshold {
                        (first(ordered, |cell| !sides(cell)[0]), first(ordered, |cell| sides(cell)[1]))
                    } else {
                        let left = (0..ordered).rev().find(|cell| sides(*cell)[0]).map_or(0, |cell| cell + 1);
                        (left, (0..ordered).find(|cell| sides(*cell)[1]).unwrap_or(ordered))
                    };
                    let mut special = [vec![0; cells.special.len()], vec![0; cells.special.len()]];
                    for cell in ordered..cells.num_cells() {
                        let bit = cell - ordered;
                        for (side, goes) in sides(cell).into_iter().enumerate() {
                            special[side][(bit / 64) as usize] |= u64::from(goes) << (bit % 64);
                        }
                    }
                    let special = special.map(Vec::into_boxed_slice);
                    CellNode::Split { axis: axis as u32, left_end, right_start, special, children: [0; 2] }
                }
            });
            pending.push((split.child(Side::Right).node(), Some((own, 1))));
            pending.push((split.child(Side::Left).node(), Some((own, 0))));
        }
        Ok(CellTree { nodes })
    }

    /// A tree that is worth nothing where a feature's cells can be in order at two inputs, and very little elsewhere.
    fn in_order(&self, feature: u32) -> Result<Bundle, Refused> {
        let place = feature as usize;
        let is_tied = self.grid.space.statement.ties.get(place) == Some(&Tie::NotBelow);
        must(is_tied, || "what is to be in order is not tied so".to_owned())?;
        let axes = [0, 1].map(|input| self.grid.axis_of(input, place));
        let [Some(first_axis), Some(second_axis)] = axes else {
            return Err(Refused::because("what is to be in order has no axes"));
        };
        let everything = self.grid.everything();
        let [one, other] = [first_axis, second_axis].map(|axis| everything.axis(axis));
        let may_be_in_order = |cell: u32, next: u32| {
            let [low, high] =
                [(first_axis, cell), (second_axis, next)].map(|(axis, cell)| self.grid.held(axis, cell, place));
            low.may_be_in_order(high)
        };
        // A chain of splits, a cell of the first axis each, and for each the cells of the second that are in order.
        let bits = |axis: &crate::region::CellSet, has: &dyn Fn(u32) -> bool| {
            let mut bits = vec![0_u64; axis.special.len()];
            for cell in axis.num_ordered()..axis.num_cells() {
                let bit = cell - axis.num_ordered();
                bits[(bit / 64) as usize] |= u64::from(has(cell)) << (bit % 64);
            }
            bits.into_boxed_slice()
        };
        let mut nodes = vec![];
        let mut pending = vec![(0, one.num_cells(), None::<(usize, usize)>)];
        while let Some((from, to, parent)) = pending.pop() {
            let own = nodes.len();
            if let Some((parent, side)) = parent
                && let CellNode::Split { children, .. } = &mut nodes[parent]
            {
                children[side] = own as u32;
            }
            if to - from > 1 {
                let middle = u32::midpoint(from, to);
                let end = middle.min(one.num_ordered());
                let special = [bits(one, &|cell| cell < middle), bits(one, &|cell| cell >= middle)];
                nodes.push(CellNode::Split {
                    axis: first_axis as u32,
                    left_end: end,
                    right_start: end,
                    special,
                    children: [0; 2],
                });
                pending.push((middle, to, Some((own, 1))));
                pending.push((from, middle, Some((own, 0))));
                continue;
            }
            let goes = |next: u32| may_be_in_order(from, next);
            let start = (0..other.num_ordered()).find(|next| goes(*next)).unwrap_or(other.num_ordered());
            let special = [bits(other, &|next| !goes(next)), bits(other, &goes)];
            let children = [own as u32 + 1, own as u32 + 2];
            nodes.push(CellNode::Split {
                axis: second_axis as u32,
                left_end: start,
                right_start: start,
                special,
                children,
            });
            nodes.extend([CellNode::Leaf(0), CellNode::Leaf(1)]);
        }
        Bundle::new(&everything, &[CellTree { nodes }], |leaves| Ok(if leaves == [0] { -PENALTY } else { 0 }))
    }

    /// A tree that is worth very little in a box where the goal is missed, and nothing elsewhere.
    fn missed(&self, sides: &[BoxSide], case: usize) -> Result<Bundle, Refused> {
        let everything = self.grid.everything();
        let mut region = everything.clone();
        let mut nodes = vec![];
        for side in sides {
            let refused = || Refused::because("a box has an axis that is not there");
            let all = everything.axes.get(side.axis as usize).ok_or_else(refused)?;
            let is_in = |cell: u32| match cell.checked_sub(all.num_ordered()) {
                None => side.low <= cell && cell < side.high,
                Some(special) => side.special.contains(&special),
            };
            region.axis_mut(side.axis as usize).keep(is_in);
            let mut special = [vec![0; all.special.len()], vec![0; all.special.len()]];
            for cell in all.num_ordered()..all.num_cells() {
                let bit = cell - all.num_ordered();
                special[usize::from(is_in(cell))][(bit / 64) as usize] |= 1 << (bit % 64);
            }
            // What is not in the box goes left, to a leaf: first what is below it, then what is above it.
            let own = nodes.len() as u32;
            let [outside, inside] = special.map(Vec::into_boxed_slice);
            let low = side.low.min(all.num_ordered());
            let high = side.high.clamp(low, all.num_ordered());
            let axis = side.axis;
            let first = [outside.clone(), inside.clone()];
            nodes.push(CellNode::Split {
                axis,
                left_end: low,
                right_start: low,
                special: first,
                children: [own + 1, own + 2],
            });
            nodes.push(CellNode::Leaf(0));
            let second = [inside, outside];
            nodes.push(CellNode::Split {
                axis,
                left_end: high,
                right_start: high,
                special: second,
                children: [own + 4, own + 3],
            });
            nodes.push(CellNode::Leaf(0));
        }
        nodes.push(CellNode::Leaf(1));
        let is_missed = self.excluded.is_some_and(|excluded| excluded.is_missed(&region, case));
        must(is_missed, || "the library does not say that the goal is missed in a box".to_owned())?;
        Bundle::new(&everything, &[CellTree { nodes }], |leaves| Ok(if leaves == [0] { 0 } else { -PENALTY }))
    }

    /// What cells cost by a condition that counts features.
    fn count(&self, condition: u32, is_at_most: bool) -> Result<Ledger, Refused> {
        let refused = || Refused::because("costs are counted by a condition that counts nothing");
        let conditions = &self.grid.space.statement.conditions;
        let condition = conditions.get(condition as usize).ok_or_else(refused)?;
        let everything = self.grid.everything();
        let mut costs: Vec<Vec<i64>> =
            everything.axes.iter().map(|cells| vec![0; cells.num_cells() as usize]).collect();
        // What says whether a feature changes costs nothing itself.
        costs.resize(self.everything.num_axes(), vec![]);
        let mut fixed = 0;
        // Of a unit: its input, its features, and whether it surely counts, or may, by what they hold.
        let mut add = |input: usize, features: &[u32], counts: &Counting<'_>| {
            let axes: BTreeSet<Option<usize>> =
                features.iter().map(|of| self.grid.axis_of(input, *of as usize)).collect();
            let of = |(surely, maybe): (bool, bool)| i64::from(if is_at_most { surely } else { maybe });
            match (axes.len(), axes.first().copied().flatten()) {
                (1, Some(axis)) => {
                    for cell in 0..everything.axis(axis).num_cells() {
                        costs[axis][cell as usize] +=
                            of(counts(&|feature| self.grid.held(axis, cell, feature).clone()));
                    }
                }
                (1, None) => fixed += of(counts(&|feature| self.grid.free(input, feature).clone())),
                // A unit on several axes is not counted, or counts in any case.
                _ => fixed += i64::from(!is_at_most),
            }
        };
        let (at_least, at_most) = match condition {
            Condition::Count { columns, at_least, at_most } => {
                for column in columns {
                    let feature = column.feature as usize;
                    add(column.input as usize, &[column.feature], &|held| {
                        let held = held(feature);
                        let has_zero = held.present().any(|range| range.0 <= 0.0 && 0.0 <= range.1);
                        let has_other = held.present().any(|range| range != (0.0, 0.0));
                        let has_category = !held.codes.is_empty() || held.unknown;
                        (!has_zero && !has_category && !held.may_be_missing() && has_other, has_other || has_category)
                    });
                }
                (*at_least, *at_most)
            }
            Condition::Changed { units, at_least, at_most } => {
                let space = self.grid.space;
                must(space.statement.reference.is_some(), refused_text)?;
                for unit in units {
                    let own = |feature: &u32| space.reference(*feature as usize).cloned().unwrap_or_default();
                    // What is between multiples is no value, though it is between the ends of a cell.
                    let is_excluded = unit.iter().any(|feature| {
                        let values = space.values(&[0], *feature as usize);
                        let has = |number: f64| {
                            values.numbers.contains(number)
                                || values.partly.iter().any(|partly| partly.numbers.contains(number))
                        };
                        own(feature).ends().is_some_and(|(number, _)| !has(number))
                    });
                    add(0, unit, &|held| {
                        let differs = |feature: &u32| is_excluded || !held(*feature as usize).may_be(&own(feature));
                        let may_differ = |feature: &u32| held(*feature as usize).may_differ_from(&own(feature));
                        (unit.iter().any(differs), unit.iter().any(may_differ))
                    });
                }
                (*at_least, *at_most)
            }
            _ => return Err(refused()),
        };
        let small = |number: u64| i64::try_from(number).unwrap_or(MOST).min(MOST);
        if is_at_most {
            return Ok(Ledger { costs, fixed, limit: Some(small(at_most)), is_largest: false });
        }
        // At least so many count: what does not count costs, and may cost no more than is left.
        let mut most = fixed;
        for cells in &mut costs {
            let own = cells.iter().copied().max().unwrap_or(0);
            cells.iter_mut().for_each(|cost| *cost = own - *cost);
            most += own;
        }
        Ok(Ledger { costs, fixed: 0, limit: Some((most - small(at_least)).max(-1)), is_largest: false })
    }

    /// What cells cost by a distance that is bounded.
    fn within(&self, place: u32, exponent: i64) -> Result<Ledger, Refused> {
        let within = self.grid.space.statement.within.get(place as usize);
        let within = within.ok_or_else(|| Refused::because("costs are counted by a distance that is not bounded"))?;
        let ((mut ledger, distances), limit) =
            (self.costs(&within.distance, exponent, Some(&within.limit()))?, within.limit());
        match distances {
            Distances::Places(places) => {
                // Only whether a cell is too far away counts.
                let most = places.partition_point(|place| *place <= limit) as i64 - 1;
                ledger.costs.iter_mut().flatten().for_each(|cost| *cost = i64::from(*cost > most));
                (ledger.limit, ledger.is_largest) = (Some(if most < 0 { -1 } else { 0 }), false);
            }
            Distances::Multiples { unit, always } => {
                let most = limit.minus(&always).divided_by(&unit).floor();
                ledger.limit = Some(if most < Exact::zero() { -1 } else { most.ceil_i64().unwrap_or(MOST).min(MOST) });
            }
        }
        Ok(ledger)
    }

    fn distance(&self, exponent: i64) -> Result<(Ledger, Distances), Refused> {
        let near = self.grid.space.statement.near.as_ref().ok_or_else(|| Refused::because("no distance is stated"))?;
        self.costs(near, exponent, None)
    }

    /// What cells cost by a distance, and what these numbers stand for. What is beyond a limit, if there is one, counts as just so.
    fn costs(&self, near: &Near, exponent: i64, limit: Option<&Exact>) -> Result<(Ledger, Distances), Refused> {
        let costs = near.costs(self.grid)?;
        let free: Option<Vec<Exact>> = costs.free.iter().cloned().collect();
        let always =
            near.together(free.ok_or_else(|| Refused::because("a feature without an axis cannot be reached"))?);
        must(exponent.abs() < 5000, || "a unit of distances that is none".to_owned())?;
        let floor = |cost: &Exact| cost.times(&Exact::power_of_two(-exponent)).floor().ceil_i64();
        let too_dear = match limit {
            Some(limit) => floor(limit).unwrap_or(MOST).clamp(0, MOST) + 1,
            None => MOST / (costs.cells.len() as i64 + 1),
        };
        let ledger = |of: &dyn Fn(&Exact) -> i64, is_largest: bool| Ledger {
            costs: costs
                .cells
                .iter()
                .map(|cells| cells.iter().map(|cost| cost.as_ref().map_or(too_dear, of)).collect())
                .collect(),
            fixed: 0,
            limit: None,
            is_largest,
        };
        if near.norm == crate::near::Norm::Linf {
            let mut places: Vec<Exact> =
                costs.cells.iter().flatten().flatten().map(|cost| cost.max(&always).clone()).collect();
            places.push(always);
            places.sort_unstable();
            places.dedup();
            let place = |cost: &Exact| places.partition_point(|place| place <= cost).saturating_sub(1) as i64;
            let ledger = ledger(&place, true);
            return Ok((ledger, Distances::Places(places)));
        }
        let unit = Exact::power_of_two(exponent);
        let multiples = |cost: &Exact| floor(cost).unwrap_or(too_dear).clamp(0, too_dear);
        let ledger = ledger(&multiples, false);
        Ok((ledger, Distances::Multiples { unit, always }))
    }
}

fn refused_text() -> String {
    "changes are counted without a reference".to_owned()
}

/// The first of so many cells for which this is true, as for all behind it.
fn first(count: u32, is_so: impl Fn(u32) -> bool) -> u32 {
    let (mut low, mut high) = (0, count);
    while low < high {
        let middle = u32::midpoint(low, high);
        if is_so(middle) { high = middle } else { low = middle + 1 }
    }
    low
}

fn summation(model: &Ensemble) -> Result<&Summation, Refused> {
    model.summation().ok_or_else(|| Refused::because("a model is no sum of trees"))
}

fn exact(number: f64) -> Exact {
    Exact::from_f64(number).unwrap_or_else(Exact::zero)
}

/// What the base of an output comes to in the margin.
fn base(summation: &Summation, output: usize) -> Exact {
    let base = exact(summation.base[output]);
    match summation.base_position {
        BasePosition::Last => base,
        BasePosition::First => scaled(summation, base),
    }
}

/// What a sum comes to in the margin.
fn scaled(summation: &Summation, sum: Exact) -> Exact {
    let divided = summation.divisor.map_or(sum.clone(), |divisor| sum.divided_by(&exact(divisor)));
    summation.scale.map_or(divided.clone(), |scale| divided.times(&exact(scale)))
}

/// What a leaf adds, if each accumulator counts so often.
fn exact_leaf(model: &Ensemble, tree: usize, leaf: usize, counts: &[i32]) -> Result<Exact, Refused> {
    let summation = summation(model)?;
    let mut sum = Exact::zero();
    for term in model.trees()[tree].terms(leaf) {
        let count = counts[term.output as usize];
        if count != 0 {
            sum = sum.plus(&exact(term.value).times(&Exact::from_i64(count.into())));
        }
    }
    let weighted = match &summation.weights {
        Some(weights) => sum.times(&exact(weights.per_tree[tree])),
        None => sum,
    };
    Ok(scaled(summation, weighted))
}
