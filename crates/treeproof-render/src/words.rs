//! Numbers, values and counts in words.

use std::fmt::Display;

use serde_json::Value;
use treeproof_report::{ClassName, Norm, Numbers, Pair, WitnessValue};
use unicode_properties::{GeneralCategory, UnicodeGeneralCategory};

/// The shortest text that reads back to the same number, with an exponent where there would be many zeros.
pub(crate) fn decimal(x: f64) -> String {
    let is_plain = x == 0.0 || !x.is_finite() || (1e-5..1e16).contains(&x.abs());
    if is_plain { x.to_string() } else { format!("{x:e}") }
}

/// A number, or that it is not known.
pub(crate) fn number(x: Option<f64>) -> String {
    x.map_or("unknown".to_owned(), decimal)
}

/// The value of a feature.
pub(crate) fn value(value: &WitnessValue) -> String {
    match value {
        WitnessValue::Missing => "missing".to_owned(),
        WitnessValue::Number(x) => decimal(*x),
        WitnessValue::Truth(is_true) => is_true.to_string(),
        WitnessValue::Text(text) => clean(text),
    }
}

/// A label.
pub(crate) fn class(name: &ClassName) -> String {
    clean(&name.to_string())
}

/// One number, or several in brackets.
pub(crate) fn numbers(numbers: &Numbers) -> String {
    match numbers {
        Numbers::One(x) => decimal(*x),
        Numbers::Several(list) => format!("({})", list.iter().map(|x| decimal(*x)).collect::<Vec<_>>().join(", ")),
    }
}

/// The words of two sides, from one to the other.
pub(crate) fn sides<T>(pair: &Pair<T>, text: impl Fn(&T) -> String) -> String {
    format!("{} → {}", text(&pair.a), text(&pair.b))
}

/// A few digits, for where many numbers stand below each other.
pub(crate) fn short(x: f64) -> String {
    if x == 0.0 || !x.is_finite() {
        return decimal(x);
    }
    #[expect(clippy::cast_possible_truncation, reason = "the exponent of a finite number is small")]
    let digits = (5 - x.abs().log10().floor() as i32).clamp(0, 12);
    let is_plain = (1e-4..1e7).contains(&x.abs());
    let text = if is_plain { format!("{x:.*}", usize::try_from(digits).unwrap_or(0)) } else { format!("{x:.5e}") };
    match text.split_once('e') {
        Some((mantissa, exponent)) => format!("{}e{exponent}", trimmed(mantissa)),
        None => trimmed(&text).to_owned(),
    }
}

fn trimmed(text: &str) -> &str {
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { text }
}

/// The value of a feature where space is short: nine digits tell neighbours in f32 apart.
pub(crate) fn compact(of: &WitnessValue) -> String {
    let text = value(of);
    match of.finite() {
        Some(x) if text.len() > 12 && x != 0.0 && (1e-4..1e9).contains(&x.abs()) => {
            #[expect(clippy::cast_possible_truncation, reason = "the exponent is small")]
            let digits = (8 - x.abs().log10().floor() as i32).clamp(0, 13);
            trimmed(&format!("{x:.*}", usize::try_from(digits).unwrap_or(0))).to_owned()
        }
        _ => text,
    }
}

/// Names in a row: `a, b and c`.
pub(crate) fn several(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [name] => name.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// `1 row`, `2 rows`, `10,000 rows`.
pub(crate) fn counted(count: impl Display, what: &str) -> String {
    let count = grouped(count);
    format!("{count} {what}{}", if count == "1" { "" } else { "s" })
}

/// `1 of 3 rows is`, `2 of 3 rows are`: a part of several, and a verb that agrees with it.
pub(crate) fn some_of(many: usize, of: usize, what: &str, [one, several]: [&str; 2]) -> String {
    format!("{} of {} {}", grouped(many), counted(of, what), if many == 1 { one } else { several })
}

/// `; 3 undecided`; nothing if there are none.
pub(crate) fn further(many: usize, what: &str) -> String {
    if many == 0 { String::new() } else { format!("; {} {what}", grouped(many)) }
}

/// A count with its thousands apart.
pub(crate) fn grouped(count: impl Display) -> String {
    let digits = count.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// From one value to another.
pub(crate) fn change(old: &WitnessValue, new: &WitnessValue) -> String {
    format!("{} → {}", value(old), value(new))
}

/// A share.
pub(crate) fn percent(share: f64) -> String {
    // A few of many rows are not none of them.
    if 0.0 < share && share < 0.001 { format!("{} %", short(100.0 * share)) } else { format!("{:.1} %", 100.0 * share) }
}

/// How long something took.
pub(crate) fn duration(seconds: f64) -> String {
    match seconds {
        short if short < 0.001 => format!("{:.2} ms", 1e3 * short),
        short if short < 0.1 => format!("{:.1} ms", 1e3 * short),
        seconds => format!("{seconds:.2} s"),
    }
}

/// A distance to as many digits as matter.
pub(crate) fn rough(distance: f64) -> String {
    if 0.0 < distance && distance < 0.005 { format!("{distance:.1e}") } else { format!("{distance:.2}") }
}

/// The name of a norm.
pub(crate) fn norm_name(norm: Norm) -> &'static str {
    match norm {
        Norm::Linf => "l∞",
        Norm::L0 => "number of changes",
        Norm::L1 | Norm::L2 => norm.name(),
    }
}

/// True if a character does something instead of being seen.
fn is_hidden(sign: char) -> bool {
    use GeneralCategory::{Control, Format, LineSeparator, ParagraphSeparator};
    matches!(sign.general_category(), Control | Format | LineSeparator | ParagraphSeparator)
}

/// JSON in lines; what would hide is escaped, as JSON can.
pub(crate) fn json(value: &Value) -> String {
    let mut text = String::new();
    for sign in serde_json::to_string_pretty(value).unwrap_or_default().chars() {
        if sign == '\n' || !is_hidden(sign) {
            text.push(sign);
        } else {
            let mut units = [0; 2];
            sign.encode_utf16(&mut units).iter().for_each(|unit| text.push_str(&format!("\\u{unit:04x}")));
        }
    }
    text
}

/// A text in several lines without characters that hide.
pub(crate) fn visible(text: &str) -> String {
    text.chars().map(|sign| if sign != '\n' && is_hidden(sign) { '\u{fffd}' } else { sign }).collect()
}

/// Names come from files: nothing in them may turn the direction of what is read, or hide.
pub(crate) fn clean(text: &str) -> String {
    text.chars().map(|sign| if is_hidden(sign) { '\u{fffd}' } else { sign }).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn numbers_are_short_and_whole() {
        assert_eq!([Some(5.0), Some(0.1), None].map(number), ["5", "0.1", "unknown"]);
        let pair = Pair::new([Numbers::Several(vec![0.5, 1.0]), Numbers::One(2.0)]);
        assert_eq!(sides(&pair, numbers), "(0.5, 1) → 2");
        for (x, text) in
            [(0.0, "0"), (12.345_678_9, "12.3457"), (2000.0, "2000"), (1e-9, "1e-9"), (123_456_789.0, "1.23457e8")]
        {
            assert_eq!(short(x), text);
        }
        assert_eq!(
            [
                WitnessValue::Number(26.999_999_046_325_68),
                WitnessValue::Number(0.1),
                WitnessValue::Text("a".to_owned())
            ]
            .map(|x| compact(&x)),
            ["26.999999", "0.1", "a"]
        );
        assert_eq!([0.000_981_8, 0.0123, 1.866_71].map(duration), ["0.98 ms", "12.3 ms", "1.87 s"]);
        let robust = |many, of| some_of(many, of, "row", ["is", "are"]);
        assert_eq!(
            [robust(1, 3), robust(0, 3), robust(1000, 2000)],
            ["1 of 3 rows is", "0 of 3 rows are", "1,000 of 2,000 rows are"]
        );
        assert_eq!([0, 999, 1000, 1_234_567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
    }

    #[test]
    fn json_stays_what_it_is() {
        let strange = json!({"a\u{202e}": ["\u{e0041}\r", 1.5]});
        assert_eq!(json(&strange), "{\n  \"a\\u202e\": [\n    \"\\udb40\\udc41\\r\",\n    1.5\n  ]\n}");
        assert_eq!(serde_json::from_str::<Value>(&json(&strange)).unwrap(), strange);
    }

    #[test]
    fn names_cannot_hide_or_turn() {
        assert_eq!(clean("a\u{202e}b\u{1b}\r\u{200b}é"), "a\u{fffd}b\u{fffd}\u{fffd}\u{fffd}é");
    }
}
