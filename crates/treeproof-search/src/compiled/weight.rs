//! Fixed-point weights: units of 2⁻¹⁶, and the shift of values that keeps weighted sums exact in 64 bits.

use crate::grid::Value;

/// Weights are counted in units of 2⁻¹⁶.
pub(crate) const WEIGHT_BITS: u32 = 16;
pub(crate) const WEIGHT_ONE: f64 = (1_u32 << WEIGHT_BITS) as f64;
/// Shares of all losses together stay below this many bits.
const SHARE_BITS: u32 = 62;

/// The shift of losses in bits, given the largest total loss of all trees.
pub(crate) fn weight_shift(most: Value) -> u32 {
    (Value::BITS - most.leading_zeros() + WEIGHT_BITS).saturating_sub(SHARE_BITS)
}

/// A value in the coarser unit of weighted sums with this shift, rounded up.
pub(crate) fn in_weights(value: Value, shift: u32) -> i64 {
    i64::try_from((i128::from(value) << WEIGHT_BITS >> shift) + 1).unwrap_or(i64::MAX)
}
