//! Units pass: leaf values become integers, rounded up, so that sums are exact and never too small.
//!
//! All of it is exact: a double is an integer times a power of two, and so is a product of two.

use treeproof_ensemble::exact::Exact;
use treeproof_ensemble::tree::Tree;
use treeproof_search::{Abandoned, Stop, Value, proceed};

use super::channel::{WeightedOutputs, scale, summation};
use super::exact;
use super::form::Form;

/// Binary logarithm of the limit on the sums of a channel, in units. It leaves room for rounding up, and for the penalty
/// that keeps two inputs in order: twice as much and one more per feature, so with several of them sums are smaller.
const SUM_BITS: i64 = 58;

/// Binary digits behind the point of sums that are rounded up.
const FRACTION_BITS: i64 = 64;

/// The scale of values: a value of 0 stands for `offset`, and a unit is `2^-shift · ratio`.
#[derive(Clone, Debug)]
pub(super) struct ValueUnits {
    shift: i64,
    ratio: Exact,
    offset: Exact,
    models: Vec<ModelUnits>,
}

/// The scale of the leaves of one model.
#[derive(Clone, Debug)]
struct ModelUnits {
    /// Weights of whole trees. In the reals, taking the base off again (`WeightRule::OffBase`) leaves the leaf.
    weights: Option<Vec<f64>>,
    /// Factor of leaves besides `ratio`: 1 unless a model scales or divides otherwise than the first.
    scale: Exact,
    /// The factor, if it is 1 or −1.
    plain_sign: Option<i64>,
}

impl ValueUnits {
    /// Chooses the smallest unit in which no sum overflows, the same for all channels.
    pub(super) fn new(
        form: &Form<'_>,
        channels: &[&WeightedOutputs],
        num_ordered: usize,
        stop: &dyn Stop,
    ) -> Result<Self, Abandoned> {
        let scales: Vec<Exact> = form.models.iter().map(|model| scale(summation(model))).collect();
        let ratio = scales.iter().find(|scale| **scale != Exact::zero()).map_or(Exact::one(), Exact::magnitude);
        let model = |(model, scale): (usize, &Exact)| {
            let scale = scale.divided_by(&ratio);
            let plain_sign = match scale.magnitude() == Exact::one() {
                true => Some(if scale < Exact::zero() { -1 } else { 1 }),
                false => None,
            };
            let weights = summation(form.models[model]).weights.as_ref();
            ModelUnits { weights: weights.map(|weights| weights.per_tree.clone()), scale, plain_sign }
        };
        let models = scales.iter().enumerate().map(model).collect();
        let offset = channels[0].constant.clone();
        let mut units = Self { shift: 0, ratio, offset, models };
        // The largest shift for which `|base| + Σ max |leaf|` stays below the limit in every channel.
        let room = i64::from(num_ordered.next_power_of_two().ilog2());
        let powers = channels.iter().map(|channel| units.power_above(form, channel, stop));
        let largest = powers.collect::<Result<Vec<_>, _>>()?.into_iter().flatten().max();
        // All is zero: any unit works.
        units.shift = largest.map_or(0, |largest| SUM_BITS - room - largest);
        Ok(units)
    }

    /// A power of two above the sum of the largest leaves of a channel, in the ratio.
    fn power_above(
        &self,
        form: &Form<'_>,
        channel: &WeightedOutputs,
        stop: &dyn Stop,
    ) -> Result<Option<i64>, Abandoned> {
        let base = self.real_base(channel);
        let mut sum = base.as_ref().map_or(0.0, |base| base.ceil_f64().abs().max(base.floor_f64().abs()));
        for_all_trees(form, stop, |model, input, index, tree| {
            let of_model = &self.models[model];
            let weight = of_model.weights.as_ref().map_or(1.0, |weights| weights[index].abs());
            let scale = if of_model.plain_sign.is_some() { 1.0 } else { of_model.scale.magnitude().ceil_f64() };
            let counts = channel.at(model, input);
            if counts.is_zero() {
                return;
            }
            let of_leaf = |leaf: usize| {
                let terms = counts.terms(tree, leaf);
                terms.map(|(count, value)| f64::from(count.abs()) * value.abs()).sum::<f64>()
            };
            sum += (0..tree.leaves().len()).map(of_leaf).fold(0.0_f64, f64::max) * weight * scale;
        })?;
        // Doubles of ordinary size are enough; sums of at most 2^31 of them are off by far less than this.
        if (1e-200..1e200).contains(&sum) {
            #[expect(clippy::cast_possible_truncation, reason = "the logarithm of an ordinary number")]
            return Ok(Some((sum * 1.001).log2().ceil() as i64));
        }
        self.power_above_any(form, channel, base, stop)
    }

    /// Exact variant for doubles that overflow or vanish.
    fn power_above_any(
        &self,
        form: &Form<'_>,
        channel: &WeightedOutputs,
        base: Option<Exact>,
        stop: &dyn Stop,
    ) -> Result<Option<i64>, Abandoned> {
        let mut sum = base.map_or_else(Exact::zero, |base| base.magnitude());
        for_all_trees(form, stop, |model, input, index, tree| {
            let counts = channel.at(model, input);
            if counts.is_zero() {
                return;
            }
            let of_leaf = |leaf| self.exact_leaf(model, index, counts.terms(tree, leaf)).magnitude();
            sum = sum.plus(&(0..tree.leaves().len()).map(of_leaf).max().unwrap_or_else(Exact::zero));
        })?;
        Ok(sum.power_above())
    }

    /// The base of a channel, rounded up.
    pub(super) fn base(&self, channel: &WeightedOutputs) -> Value {
        self.real_base(channel).map_or(0, |base| self.round_up(&base))
    }

    /// Constant of every point besides the offset, in the ratio; `None` if it is zero, as with a single channel.
    fn real_base(&self, channel: &WeightedOutputs) -> Option<Exact> {
        let is_offset = channel.constant == self.offset;
        (!is_offset).then(|| channel.constant.minus(&self.offset).divided_by(&self.ratio))
    }

    /// The value of a leaf of a tree, rounded up once: the sum of its terms.
    pub(super) fn leaf(&self, model: usize, tree: usize, terms: impl Iterator<Item = (i32, f64)> + Clone) -> Value {
        let ModelUnits { weights, plain_sign, .. } = &self.models[model];
        let weight = weights.as_ref().map_or(1.0, |weights| weights[tree]);
        if let Some(sign) = *plain_sign
            && let Some(units) = self.short_round_up(sign, weight, terms.clone())
        {
            return units;
        }
        self.round_up(&self.exact_leaf(model, tree, terms))
    }

    /// Exact value that [`ValueUnits::leaf`] rounds, in the ratio.
    fn exact_leaf(&self, model: usize, tree: usize, terms: impl Iterator<Item = (i32, f64)>) -> Exact {
        let sum = terms.fold(Exact::zero(), |sum, (count, value)| sum.plus(&exact(value).times(&exact(count.into()))));
        let weighted = match &self.models[model].weights {
            Some(weights) => sum.times(&exact(weights[tree])),
            None => sum,
        };
        weighted.times(&self.models[model].scale)
    }

    /// Fast variant for a sum on the common scale; `None` if 128 bits do not hold it.
    fn short_round_up(&self, sign: i64, weight: f64, terms: impl Iterator<Item = (i32, f64)>) -> Option<Value> {
        let (weight, power) = mantissa_and_exponent(weight);
        // Without trailing zeros, which would be lost behind the point.
        let zeros = if weight == 0 { 0 } else { weight.trailing_zeros() };
        let (weight, power) = (i128::from(weight >> zeros), i64::from(power) + i64::from(zeros));
        let mut sum = 0_i128;
        for (count, value) in terms {
            let (mantissa, exponent) = mantissa_and_exponent(value);
            let left = u32::try_from(i64::from(exponent) + power + self.shift + FRACTION_BITS);
            if mantissa != 0 {
                let unit = 1_i128.checked_shl(left.ok()?).filter(|unit| *unit > 0)?;
                let product = (i128::from(mantissa) * weight).checked_mul(count.into())?;
                sum = sum.checked_add(product.checked_mul(unit)?)?;
            }
        }
        // −(−m >> r) rounds up, as >> rounds down.
        Value::try_from(-((-sum.checked_mul(sign.into())?) >> FRACTION_BITS)).ok()
    }

    fn round_up(&self, number: &Exact) -> Value {
        number.times(&Exact::power_of_two(self.shift)).ceil_i64().expect("the unit was chosen so")
    }

    /// The real number that a value stands for: exact apart from the rounding of leaves.
    pub(super) fn real(&self, value: Value) -> Exact {
        Exact::from_i64(value).times(&Exact::power_of_two(-self.shift)).times(&self.ratio).plus(&self.offset)
    }
}

/// Calls for every tree of every model at every input.
fn for_all_trees(
    form: &Form<'_>,
    stop: &dyn Stop,
    mut call: impl FnMut(usize, usize, usize, &Tree),
) -> Result<(), Abandoned> {
    for (model, ensemble) in form.models.iter().enumerate() {
        for input in 0..form.space.inputs.len() {
            for (index, tree) in ensemble.trees().iter().enumerate() {
                proceed(stop)?;
                call(model, input, index, tree);
            }
        }
    }
    Ok(())
}

/// A finite number as an integer times a power of two.
fn mantissa_and_exponent(x: f64) -> (i64, i32) {
    let bits = x.to_bits();
    let fraction = i64::try_from(bits & ((1 << 52) - 1)).expect("52 bits");
    let biased = i32::try_from((bits >> 52) & 0x7ff).expect("11 bits");
    let (magnitude, exponent) = if biased == 0 { (fraction, -1074) } else { (fraction | 1 << 52, biased - 1075) };
    (if x < 0.0 { -magnitude } else { magnitude }, exponent)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn units(shift: i64) -> ValueUnits {
        let model = |weights, scale: f64, plain_sign| ModelUnits {
            weights,
            scale: Exact::from_f64(scale).unwrap(),
            plain_sign,
        };
        let models = vec![model(Some(vec![1.0, 0.1]), 1.0, Some(1)), model(None, 0.75, None)];
        ValueUnits { shift, ratio: Exact::one(), offset: Exact::zero(), models }
    }

    fn leaf(shift: i64, model: usize, tree: usize, terms: &[(i32, f64)]) -> Value {
        units(shift).leaf(model, tree, terms.iter().copied())
    }

    #[test]
    fn values_are_rounded_up_in_either_direction() {
        assert_eq!([1.0, 1.25, -1.25, 0.0].map(|x| leaf(1, 0, 0, &[(1, x)])), [2, 3, -2, 0]);
        assert_eq!([1.0, 1.25, -1.25, 0.0].map(|x| leaf(1, 0, 0, &[(-1, x)])), [-2, -2, 3, 0]);
        assert_eq!([f64::MIN_POSITIVE, -f64::MIN_POSITIVE].map(|x| leaf(0, 0, 0, &[(1, x)])), [1, 0]);
        assert_eq!(leaf(1074, 0, 0, &[(1, f64::from_bits(1))]), 1);
    }

    #[test]
    fn sums_are_rounded_once() {
        assert_eq!(leaf(0, 0, 0, &[(1, 0.25), (1, 0.25), (1, 0.25)]), 1);
        assert_eq!(leaf(0, 0, 1, &[(1, 0.3), (-1, 0.3)]), 0, "equal numbers cancel whatever the unit is");
        assert_eq!(leaf(3, 0, 0, &[(1, 1e20), (1, 1e-300), (-1, 1e20)]), 1, "even where 128 bits do not hold them");
        assert_eq!(leaf(0, 1, 0, &[(1, 1.0), (1, 1.0)]), 2, "1.5 of a model on another scale");
    }

    #[test]
    fn values_stand_for_at_least_the_real_number() {
        for shift in [-1000, -3, 0, 7, 50, 900] {
            for (tree, value) in [(0, 1.5_f64), (1, 0.3), (1, -0.3), (0, -1e-300), (1, f64::from_bits(3))] {
                let value = value * 2.0_f64.powi(i32::try_from(-shift.clamp(-900, 900)).unwrap());
                let units = units(shift);
                let exact = units.exact_leaf(0, tree, [(1, value)].into_iter());
                let real = units.real(units.leaf(0, tree, [(1, value)].into_iter()));
                assert!(real >= exact, "{value:e} at 2^-{shift}");
                assert!(real.minus(&exact) < Exact::power_of_two(-shift), "{value:e} at 2^-{shift}");
            }
        }
    }
}
