//! Sums of margins as sums of leaves, in whole numbers that are rounded up.

use std::collections::{BTreeSet, HashMap};

use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::exact::Exact;
use treeproof_ensemble::sum::{BasePosition, Summation};
use treeproof_proof::header::{Bundled, TreeSource};
use treeproof_proof::statement::GoalSum;

use super::{MOST, ProblemBuilder};
use crate::error::{Refused, ensure};
use crate::region::Region;
use crate::replay::evaluate::Channel;
use crate::space::grid::Grid;
use crate::trees::bundle::Bundle;
use crate::trees::join;
use crate::trees::model_tree::tree;
use crate::trees::same_leaf::reach_same_leaf;

/// The count of each accumulator of each model at each input.
type Counts = HashMap<(u32, u32), Vec<i32>>;

impl ProblemBuilder<'_> {
    fn models(&self) -> &[&Ensemble] {
        &self.grid.space.models
    }

    pub(super) fn channel(&self, case: usize, sum: &GoalSum, bundled: &[Bundled]) -> Result<Channel, Refused> {
        let (counts, constant) = counts(self.models(), sum)?;
        let mut left: BTreeSet<TreeSource> = BTreeSet::new();
        for (model, input) in counts.keys() {
            let trees = 0..self.models()[*model as usize].trees().len() as u32;
            left.extend(trees.map(|tree| TreeSource { model: *model, tree, input: *input }));
        }
        let too_many = || Refused::because("a bundle of trees with too many leaves");
        let mut bundles = vec![];
        for bundle in bundled {
            match bundle {
                Bundled::Trees(sources) => {
                    ensure(!sources.is_empty() && sources.len() <= 4, || "a bundle has 1 to 4 trees".to_owned())?;
                    ensure(sources.iter().all(|source| left.remove(source)), || {
                        "a bundle has a tree that is not in the sum, or that is in another".to_owned()
                    })?;
                    let bundle = self.bundle(sources, &counts)?;
                    bundles.push(bundle.ok_or_else(too_many)?);
                }
                Bundled::InOrder(feature) => bundles.push(self.in_order(*feature)?),
                Bundled::Missed(sides) => bundles.push(self.missed(sides, case)?),
            }
        }
        // A constant far below all sums may count as a little less far below.
        let least = self.header.unit.times(&Exact::from_i64(1 - MOST));
        let mut base = self.units(&constant.minus(&self.header.offset).max(least))?;
        let matters = |source: &TreeSource| {
            let tree = &self.models()[source.model as usize].trees()[source.tree as usize];
            let own = &counts[&(source.model, source.input)];
            tree.all_terms().iter().any(|term| own[term.output as usize] != 0)
        };
        left.retain(matters);
        while let Some(source) = left.pop_first() {
            // Trees that one input adds and the other subtracts are joined, if the combinations are few.
            let mut sources = vec![source];
            let other = TreeSource { input: 1 - source.input.min(1), ..source };
            if left.remove(&other) {
                sources.push(other);
            }
            let bundle = self.bundle(&sources, &counts)?;
            match (bundle.as_ref().and_then(Bundle::constant), bundle) {
                (Some(value), _) => {
                    base = base.checked_add(value).ok_or_else(|| Refused::because("sums that are too large"))?;
                }
                (None, Some(bundle)) if sources.len() == 1 => bundles.push(bundle),
                _ => {
                    for source in sources {
                        bundles.push(self.bundle(&[source], &counts)?.ok_or_else(too_many)?);
                    }
                }
            }
        }
        Ok(Channel::new(base, bundles))
    }

    /// Shifts a channel so that 0 stands for the sum 0, as a distance needs.
    pub(super) fn count_from_zero(&self, channel: &mut Channel) -> Result<(), Refused> {
        let zero = self.header.offset.negated();
        let most = self.header.unit.times(&Exact::from_i64(MOST));
        let base = if zero >= most {
            // The zero is above all sums, none of which reaches the goal by less either.
            channel.base.checked_sub(MOST - 1)
        } else if zero <= most.negated() {
            // The zero is below all sums, which reach the goal by as much as is left if the least of them is 0.
            let least = channel.bundles.iter().try_fold(0_i64, |sum, bundle| sum.checked_add(bundle.least));
            let least = least.filter(|least| (1 - MOST..MOST).contains(least));
            least.filter(|least| channel.base >= -MOST - least).map(|least| -least)
        } else {
            channel.base.checked_sub(self.units(&zero)?)
        };
        channel.base = base.ok_or_else(|| Refused::because("sums that are too large"))?;
        Ok(())
    }

    /// A number in units, rounded up.
    pub(super) fn units(&self, number: &Exact) -> Result<i64, Refused> {
        let units = number.divided_by(&self.header.unit).ceil_i64().filter(|units| (1 - MOST..MOST).contains(units));
        units.ok_or_else(|| Refused::because("a number that is too large for the unit"))
    }

    /// A bundle of trees; `None` if they have too many leaves together.
    fn bundle(&self, sources: &[TreeSource], counts: &Counts) -> Result<Option<Bundle>, Refused> {
        let trees = sources.iter().map(|source| tree(self.grid, *source)).collect::<Result<Vec<_>, _>>()?;
        let leaf = |source: &TreeSource, leaf: usize| {
            let (model, own) = (self.models()[source.model as usize], &counts[&(source.model, source.input)]);
            exact_leaf(model, source.tree as usize, leaf, own)
        };
        let [first, others @ ..] = sources else { return Err(Refused::because("a bundle without trees")) };
        // If all reach the same leaf, one tree stands for all.
        let is_one = others.iter().all(|other| reach_same_leaf(self.grid.space, *first, *other));
        let (walked, ball) = if is_one { (&trees[..1], None) } else { (&trees[..], self.ball.as_ref()) };
        let Some(found) = join(&self.everything, walked, ball) else { return Ok(None) };
        let value = |leaves: &[u32]| {
            let of_source = |place: usize| leaves[if is_one { 0 } else { place }] as usize;
            let mut sum = Exact::zero();
            for (place, source) in sources.iter().enumerate() {
                sum = sum.plus(&leaf(source, of_source(place))?);
            }
            self.units(&sum)
        };
        let values = found.leaves.iter().map(|(_, leaves)| value(leaves)).collect::<Result<Vec<_>, Refused>>()?;
        Ok(Some(Bundle::new(&self.everything, found, &values)))
    }
}

/// The count of each accumulator in a sum, and the constant beside all trees.
fn counts(models: &[&Ensemble], sum: &GoalSum) -> Result<(Counts, Exact), Refused> {
    let mut counts: Counts = HashMap::new();
    let mut constant = sum.constant.clone();
    for term in &sum.terms {
        let model = models[term.model as usize];
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
    Ok((counts, constant))
}

/// The values of a sum of margins in boxes whose inputs all reach the same leaves of the trees that make a difference, box by
/// box.
///
/// # Errors
/// If the inputs of a box reach different leaves.
pub(crate) fn sums_in(
    grid: &Grid<'_>,
    sum: &GoalSum,
    (count, region_of): (usize, &dyn Fn(usize) -> Region),
) -> Result<Vec<Exact>, Refused> {
    let models = &grid.space.models;
    let (counts, constant) = counts(models, sum)?;
    let mut trees = vec![];
    for ((model, input), counts) in &counts {
        let ensemble = models[*model as usize];
        for (place, of_model) in ensemble.trees().iter().enumerate() {
            if of_model.all_terms().iter().any(|term| counts[term.output as usize] != 0) {
                let tree = tree(grid, TreeSource { model: *model, tree: place as u32, input: *input })?;
                let adds = |leaf: u32| exact_leaf(ensemble, place, leaf as usize, counts).ok();
                let tree = tree.simplified(&grid.everything(), adds);
                trees.push((ensemble, place, counts, tree));
            }
        }
    }
    let sum_in = |number: usize| {
        let region = region_of(number);
        trees.iter().try_fold(constant.clone(), |sum, (ensemble, place, counts, tree)| {
            let leaf = tree.only_leaf(&region);
            let leaf = leaf.ok_or_else(|| Refused::because("not all inputs of a region have the same output"))?;
            Ok(sum.plus(&exact_leaf(ensemble, *place, leaf as usize, counts)?))
        })
    };
    (0..count).map(sum_in).collect()
}

fn summation(model: &Ensemble) -> Result<&Summation, Refused> {
    model.summation().ok_or_else(|| Refused::because("a model is no sum of trees"))
}

fn exact(number: f64) -> Exact {
    Exact::from_f64(number).unwrap_or_else(Exact::zero)
}

/// The contribution of an output's base to the margin.
fn base(summation: &Summation, output: usize) -> Exact {
    let base = exact(summation.base[output]);
    match summation.base_position {
        BasePosition::Last => base,
        BasePosition::First => scaled(summation, base),
    }
}

/// A sum of leaves, scaled to the margin.
fn scaled(summation: &Summation, sum: Exact) -> Exact {
    let divided = summation.divisor.map_or(sum.clone(), |divisor| sum.divided_by(&exact(divisor)));
    summation.scale.map_or(divided.clone(), |scale| divided.times(&exact(scale)))
}

/// The value of a leaf with these counts of accumulators.
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
