//! Numbers in JSON that need not be finite: in inputs they are spelt, in results they are `null`.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A number of an input: `inf`, `-inf` and `nan` are spelt, as JSON has none.
pub(crate) mod literal {
    use treeproof_ensemble::literal::Literal;

    use super::{Deserialize, Deserializer, Serialize, Serializer};

    pub(crate) fn serialize<S: Serializer>(number: &f64, serializer: S) -> Result<S::Ok, S::Error> {
        Literal(*number).serialize(serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
        Literal::deserialize(deserializer).map(|literal| literal.0)
    }
}

/// Reads a number of a result, which is `null` if it was not finite, and NaN then.
pub(crate) fn or_nan<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    Ok(Option::deserialize(deserializer)?.unwrap_or(f64::NAN))
}

/// Reads several such numbers.
pub(crate) fn all_or_nan<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<f64>, D::Error> {
    let numbers = Vec::<Option<f64>>::deserialize(deserializer)?;
    Ok(numbers.into_iter().map(|number| number.unwrap_or(f64::NAN)).collect())
}

/// Tests that there is nothing to tell.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks so")]
pub(crate) fn is_zero(count: &usize) -> bool {
    *count == 0
}
