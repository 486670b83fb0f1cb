//! Numbers as text: shortest decimals that read back to the same value, `null` for what JSON cannot say.

use serde_json::Value;

/// One number alone, several as a list.
pub(crate) fn json(numbers: &[f64]) -> Value {
    match numbers {
        [number] => Value::from(*number),
        _ => Value::from(numbers.to_vec()),
    }
}
