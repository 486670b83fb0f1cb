//! Exact numbers in JSON: a text such as `5`, `-5/3` or `3p-1074`, which is `3 · 2^-1074`.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serializer};
use treeproof_ensemble::exact::Exact;

/// True for zero, which need not be written.
pub(crate) fn is_zero(number: &Exact) -> bool {
    *number == Exact::zero()
}

pub(crate) fn serialize<S: Serializer>(number: &Exact, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(number)
}

pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Exact, D::Error> {
    parse(&String::deserialize(deserializer)?)
}

fn parse<E: Error>(text: &str) -> Result<Exact, E> {
    Exact::from_text(text).ok_or_else(|| E::custom("an exact number is a text such as \"5\", \"-5/3\" or \"3p-2\""))
}

/// Lists of exact numbers.
pub(crate) mod list {
    use super::{Deserialize, Deserializer, Exact, Serializer, parse};

    pub(crate) fn serialize<S: Serializer>(numbers: &[Exact], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(numbers.iter().map(Exact::to_string))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Exact>, D::Error> {
        Vec::<String>::deserialize(deserializer)?.iter().map(|text| parse(text)).collect()
    }
}
