//! Quantities as people write them: `30s`, `4GiB`, `1%`.

use std::fmt::{self, Display};
use std::str::FromStr;
use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A span of time: `500ms`, `30s`, `2min`, `1h`; a plain number is seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
#[schemars(with = "String")]
pub struct Span(pub Duration);

/// An amount of memory: `500MB`, `4GiB`; a plain number is bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
#[schemars(with = "String")]
pub struct Bytes(pub u64);

/// How close bounds must be: `0.01`, or `1%` of the larger bound's magnitude.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
#[schemars(with = "String")]
pub enum Gap {
    /// In units of the margin.
    Absolute(f64),
    /// As a part of the larger bound's magnitude.
    Relative(f64),
}

const TIMES: [(&str, f64); 4] = [("ms", 1e-3), ("min", 60.0), ("h", 3600.0), ("s", 1.0)];
const SIZES: [(&str, f64); 8] = [
    ("KiB", 1024.0),
    ("MiB", 1_048_576.0),
    ("GiB", 1_073_741_824.0),
    ("TiB", 1_099_511_627_776.0),
    ("kB", 1e3),
    ("MB", 1e6),
    ("GB", 1e9),
    ("B", 1.0),
];

/// A number of at least 0 with one of these units, or without.
fn with_unit(text: &str, units: &[(&str, f64)]) -> Option<f64> {
    let text = text.trim();
    let (number, factor) =
        units.iter().find_map(|(unit, factor)| Some((text.strip_suffix(unit)?, *factor))).unwrap_or((text, 1.0));
    let number: f64 = number.trim().parse().ok()?;
    Some(number * factor).filter(|number| *number >= 0.0 && number.is_finite())
}

impl FromStr for Span {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let seconds = with_unit(text, &TIMES).and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
        seconds.map(Self).ok_or("not a time such as 500ms, 30s, 2min or 1h")
    }
}

impl FromStr for Bytes {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let bytes = with_unit(text, &SIZES).filter(|bytes| (1.0..1.8e19).contains(bytes));
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked to fit")]
        bytes.map(|bytes| Self(bytes as u64)).ok_or("not an amount of memory such as 500MB or 4GiB")
    }
}

impl FromStr for Gap {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let number = |text: &str| text.trim().parse().ok().filter(|number: &f64| *number >= 0.0 && number.is_finite());
        let gap = match text.trim().strip_suffix('%') {
            Some(percent) => number(percent).map(|percent| Self::Relative(percent / 100.0)),
            None => number(text).map(Self::Absolute),
        };
        gap.ok_or("not a distance such as 0.01 or 1%")
    }
}

impl Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}s", self.0.as_secs_f64())
    }
}

impl Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            bytes if bytes > 0 && bytes % (1 << 30) == 0 => write!(f, "{}GiB", bytes >> 30),
            bytes if bytes > 0 && bytes % (1 << 20) == 0 => write!(f, "{}MiB", bytes >> 20),
            bytes => write!(f, "{bytes}B"),
        }
    }
}

impl Display for Gap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Absolute(gap) => write!(f, "{gap}"),
            Self::Relative(part) => write!(f, "{}%", part * 100.0),
        }
    }
}

macro_rules! as_text {
    ($($quantity:ty),*) => {$(
        impl TryFrom<String> for $quantity {
            type Error = String;

            fn try_from(text: String) -> Result<Self, Self::Error> {
                text.parse().map_err(|what| format!("`{text}` is {what}"))
            }
        }

        impl From<$quantity> for String {
            fn from(quantity: $quantity) -> Self {
                quantity.to_string()
            }
        }
    )*};
}

as_text!(Span, Bytes, Gap);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantities_are_read_as_people_write_them() {
        let seconds = |text: &str| text.parse::<Span>().map(|span| span.0.as_secs_f64());
        assert_eq!(
            ["30s", "2min", "1h", "500ms", "1.5"].map(|text| seconds(text).unwrap()),
            [30.0, 120.0, 3600.0, 0.5, 1.5]
        );
        let bytes = |text: &str| text.parse::<Bytes>().unwrap().0;
        assert_eq!(["4GiB", "500MB", "1.5 kB", "7"].map(bytes), [4 << 30, 500_000_000, 1500, 7]);
        assert_eq!("1%".parse(), Ok(Gap::Relative(0.01)));
        assert_eq!("0.25".parse(), Ok(Gap::Absolute(0.25)));
        assert!(seconds("soon").is_err() && seconds("-1s").is_err() && seconds("nan").is_err());
        assert!("0B".parse::<Bytes>().is_err() && "-1%".parse::<Gap>().is_err());
    }
}
