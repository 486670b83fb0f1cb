//! Trees that two models have in common: what one adds at an input, the other takes off.

use std::collections::BTreeMap;

use treeproof_ensemble::input::FeatureKind;
use treeproof_ensemble::tree::{Node, Side, Split, Test, Tree};
use treeproof_search::{Abandoned, Stop, proceed};

use super::channel::{WeightedOutputs, summation};
use super::form::Form;
use super::rename::{CoordinateColumn, Renamed};

/// Which trees of a channel have an equal one of the other sign in the other model.
pub(super) struct Cancelled {
    /// For each model and input, whether a tree has.
    pub(super) is_cancelled: Vec<Vec<Vec<bool>>>,
    /// An input, a tree of the first model and the one of the second.
    pub(super) pairs: Vec<(usize, [usize; 2])>,
}

pub(super) fn cancelled(
    form: &Form<'_>,
    renamed: &Renamed<'_>,
    channel: &WeightedOutputs,
    stop: &dyn Stop,
) -> Result<Cancelled, Abandoned> {
    let none = |model: &&treeproof_ensemble::ensemble::Ensemble| vec![false; model.trees().len()];
    let num_inputs = form.space.inputs.len();
    let mut cancelled: Vec<Vec<Vec<bool>>> = form.models.iter().map(|model| vec![none(model); num_inputs]).collect();
    let mut pairs = vec![];
    let [first, second] = form.models[..] else { return Ok(Cancelled { is_cancelled: cancelled, pairs }) };
    let scales = [first, second].map(|model| (summation(model).scale, summation(model).divisor));
    if !is_read_alike(form) || scales[0] != scales[1] {
        return Ok(Cancelled { is_cancelled: cancelled, pairs });
    }
    let [of_first, of_second] = &mut cancelled[..] else { unreachable!("there are two models") };
    for (input, (of_first, of_second)) in of_first.iter_mut().zip(of_second).enumerate() {
        // Nothing is added, and nothing taken off.
        if channel.at(0, input).is_zero() && channel.at(1, input).is_zero() {
            continue;
        }
        let mut known: BTreeMap<Vec<u64>, Vec<usize>> = BTreeMap::new();
        for (index, tree) in first.trees().iter().enumerate() {
            proceed(stop)?;
            let spelt = spell(form, renamed, channel, (0, input), (index, tree), 1);
            known.entry(spelt).or_default().push(index);
        }
        for (index, tree) in second.trees().iter().enumerate() {
            proceed(stop)?;
            let spelt = spell(form, renamed, channel, (1, input), (index, tree), -1);
            if let Some(partner) = known.get_mut(&spelt).and_then(Vec::pop) {
                of_first[partner] = true;
                of_second[index] = true;
                pairs.push((input, [partner, index]));
            }
        }
    }
    Ok(Cancelled { is_cancelled: cancelled, pairs })
}

/// Whether both models read every value alike, so that equal tests mean the same.
fn is_read_alike(form: &Form<'_>) -> bool {
    let [first, second] = form.models[..] else { return false };
    let rules = [first, second].map(|model| {
        let input = model.input();
        (input.precision, input.missing_value, input.zero_band)
    });
    let same_categories = form.space.features.iter().all(|feature| {
        let kinds = feature.readers().iter().map(|of| &form.models[of.model].features()[of.feature].kind);
        let kinds: Vec<&FeatureKind> = kinds.collect();
        kinds.windows(2).all(|pair| pair[0] == pair[1])
    });
    rules[0] == rules[1] && same_categories
}

/// Everything that a tree adds to a channel where, as numbers: two trees that are spelt alike add the same.
fn spell(
    form: &Form<'_>,
    renamed: &Renamed<'_>,
    channel: &WeightedOutputs,
    (model, input): (usize, usize),
    (index, tree): (usize, &Tree),
    sign: i32,
) -> Vec<u64> {
    let weights = summation(form.models[model]).weights.as_ref();
    let mut spelt = vec![weights.map_or(1.0, |weights| weights.per_tree[index]).to_bits()];
    let node = |node: Node| match node {
        Node::Split(split) => 2 * split as u64,
        Node::Leaf(leaf) => 2 * leaf as u64 + 1,
    };
    for Split { feature, test, missing, zero, left, right } in tree.splits() {
        let side = |side: Option<Side>| side.map_or(0, |side| if side == Side::Left { 1 } else { 2 });
        let CoordinateColumn { coordinate, reader } = renamed.places(input, model)[*feature as usize];
        spelt.extend([
            coordinate as u64,
            renamed.coordinates[coordinate].readers[reader].column as u64,
            side(Some(*missing)),
            side(*zero),
            node(left.node()),
            node(right.node()),
        ]);
        match test {
            Test::Below(threshold) => spelt.extend([0, (threshold + 0.0).to_bits()]),
            Test::Present => spelt.push(1),
            Test::OneOf(set) => {
                let values = tree.value_set(*set);
                spelt.extend([2, values.len() as u64]);
                spelt.extend(values.iter().map(|value| (value + 0.0).to_bits()));
            }
            Test::InSet(set) => {
                let codes = tree.category_set(*set);
                spelt.extend([3, codes.len() as u64]);
                spelt.extend(codes.iter().map(|code| u64::from(*code)));
            }
        }
    }
    for leaf in 0..tree.leaves().len() {
        let terms: Vec<(i32, f64)> = channel.at(model, input).terms(tree, leaf).collect();
        spelt.push(terms.len() as u64);
        for (count, value) in terms {
            spelt.extend([i64::from(sign * count).cast_unsigned(), (value + 0.0).to_bits()]);
        }
    }
    spelt
}
