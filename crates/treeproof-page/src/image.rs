//! Inputs that are images: found by the names of their features, drawn pixel by pixel.

use serde_json::{Map, Value};

use crate::answer::list;
use crate::inputs::pair;
use crate::rows::{original, telling};
use crate::words::{counted, short, value};

/// The smallest image that is taken for one, and by names that tell rows and columns.
const SMALLEST: usize = 64;
const SMALLEST_NAMED: usize = 16;
/// Rows of data that are drawn, and pixels of all together.
const SHOWN: usize = 6;
const PIXELS: usize = 40_000;

/// Images side by side.
#[derive(Debug)]
pub(crate) struct Strip {
    pub(crate) caption: String,
    pub(crate) images: Vec<(String, Image)>,
}

/// An image: the values of its pixels, row by row.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Image {
    pub(crate) columns: usize,
    pub(crate) pixels: Vec<Option<f64>>,
    /// What is drawn white and what black; of a difference, what is drawn strongest.
    pub(crate) range: (f64, f64),
    pub(crate) is_difference: bool,
}

/// Which pixel each feature is.
struct Shape {
    columns: usize,
    places: Vec<usize>,
}

impl Shape {
    fn of(input: &Map<String, Value>) -> Option<Self> {
        if input.len() < SMALLEST_NAMED || input.values().any(|value| !value.is_number() && !value.is_null()) {
            return None;
        }
        let parsed: Vec<(String, Vec<usize>)> = input.keys().map(|name| parts(name)).collect::<Option<_>>()?;
        let (word, numbers) = &parsed[0];
        if parsed.iter().any(|(other, own)| other != word || own.len() != numbers.len()) {
            return None;
        }
        match (word.as_str(), numbers.len()) {
            ("pixel" | "pix" | "px" | "p" | "x" | "i" | "img" | "image" | "rc" | "rowcol" | "rowcolumn" | "", 2) => {
                Self::by_two(&parsed)
            }
            ("pixel" | "pix" | "px" | "p" | "img" | "image", 1) => Self::square(&parsed),
            ("f" | "x" | "v" | "feature" | "feat" | "column" | "col" | "", 1) if is_bright(input) => {
                Self::square(&parsed)
            }
            _ => None,
        }
    }

    /// Rows and columns, counted from 0 or 1.
    fn by_two(parsed: &[(String, Vec<usize>)]) -> Option<Self> {
        let ends = |which: usize| {
            let low = parsed.iter().map(|(_, numbers)| numbers[which]).min()?;
            let high = parsed.iter().map(|(_, numbers)| numbers[which]).max()?;
            (low <= 1).then(|| (low, (high - low).saturating_add(1)))
        };
        let ((top, rows), (left, columns)) = (ends(0)?, ends(1)?);
        if rows.checked_mul(columns)? != parsed.len() || rows < 4 || columns < 4 {
            return None;
        }
        let places = parsed.iter().map(|(_, numbers)| (numbers[0] - top) * columns + numbers[1] - left).collect();
        Self { columns, places }.whole()
    }

    /// A square, row by row, counted from 0 or 1.
    fn square(parsed: &[(String, Vec<usize>)]) -> Option<Self> {
        let first = parsed.iter().map(|(_, numbers)| numbers[0]).min().filter(|first| *first <= 1)?;
        let columns = parsed.len().isqrt();
        if columns * columns != parsed.len() || parsed.len() < SMALLEST {
            return None;
        }
        Self { columns, places: parsed.iter().map(|(_, numbers)| numbers[0] - first).collect() }.whole()
    }

    /// Every pixel is there once.
    fn whole(self) -> Option<Self> {
        let mut is_there = vec![false; self.places.len()];
        for place in &self.places {
            if std::mem::replace(is_there.get_mut(*place)?, true) {
                return None;
            }
        }
        Some(self)
    }

    fn pixels(&self, input: &Map<String, Value>) -> Option<Vec<Option<f64>>> {
        let mut pixels = vec![None; self.places.len()];
        if input.len() != self.places.len() {
            return None;
        }
        for (value, place) in input.values().zip(&self.places) {
            pixels[*place] = value.as_f64();
        }
        Some(pixels)
    }
}

/// The letters of a name, and the numbers in it.
fn parts(name: &str) -> Option<(String, Vec<usize>)> {
    let numbers = name.split(|sign: char| !sign.is_ascii_digit()).filter(|digits| !digits.is_empty());
    let numbers = numbers.map(|digits| digits.parse().ok()).collect::<Option<Vec<usize>>>()?;
    let word = name.chars().filter(|sign| sign.is_alphabetic()).flat_map(char::to_lowercase).collect();
    Some((word, numbers))
}

/// Whether numbers may be brightnesses: names that only count say too little.
fn is_bright(input: &Map<String, Value>) -> bool {
    input.values().all(|value| value.as_f64().is_some_and(|x| (0.0..=255.0).contains(&x)))
}

/// The images of an answer, if its inputs are such.
pub(crate) fn strips(answer: &Value) -> Vec<Strip> {
    let witness = &answer["witness"];
    if let Some([a, b]) = pair(witness) {
        return two("The two inputs".to_owned(), ["a", "b"], [a, b]).into_iter().collect();
    }
    if let Some(input) = witness.as_object() {
        return single("The input".to_owned(), input).into_iter().collect();
    }
    let mut strips = vec![];
    let mut pixels = 0;
    for row in telling(answer, SHOWN) {
        let Some(strip) = of_row(row) else { return strips };
        pixels += strip.images.iter().map(|(_, image)| image.pixels.len()).sum::<usize>();
        if pixels > PIXELS && !strips.is_empty() {
            return strips;
        }
        strips.push(strip);
    }
    strips
}

fn of_row(row: &Value) -> Option<Strip> {
    let number = value(&row["row"]);
    let label = |label: &Value| if label.is_null() { String::new() } else { format!(": label {}", value(label)) };
    let mut caption = format!("Row {number}");
    if let Some(away) = row["upper"].as_f64().filter(|_| pair(&row["witness"]).is_none()) {
        caption.push_str(&format!(", changed by {}", short(away)));
    }
    if let Some([a, b]) = pair(&row["witness"]) {
        return two(caption, [&format!("row {number}"), "found"], [a, b]);
    }
    let names = [format!("row {number}{}", label(&row["label"])), format!("found{}", label(&row["witness_label"]))];
    let original = original(row)?;
    two(caption, [&names[0], &names[1]], [&original, row["witness"].as_object()?])
}

fn single(caption: String, input: &Map<String, Value>) -> Option<Strip> {
    let shape = Shape::of(input)?;
    let pixels = shape.pixels(input)?;
    let range = range(&[&pixels]);
    Some(Strip {
        caption,
        images: vec![("found".to_owned(), Image { columns: shape.columns, pixels, range, is_difference: false })],
    })
}

fn two(caption: String, names: [&str; 2], [old, new]: [&Map<String, Value>; 2]) -> Option<Strip> {
    let shape = Shape::of(old)?;
    let (was, now) = (shape.pixels(old)?, shape.pixels(new)?);
    if !old.keys().eq(new.keys()) {
        return None;
    }
    let columns = shape.columns;
    let range = range(&[&was, &now]);
    let by: Vec<Option<f64>> = was.iter().zip(&now).map(|(was, now)| Some((*now)? - (*was)?)).collect();
    let strongest = by.iter().flatten().map(|by| by.abs()).fold(0.0, f64::max);
    let changed = was.iter().zip(&now).filter(|(was, now)| was != now).count() as u64;
    let plain = |pixels| Image { columns, pixels, range, is_difference: false };
    let images = vec![
        (names[0].to_owned(), plain(was)),
        (names[1].to_owned(), plain(now)),
        (
            format!("difference: {} changed", counted(changed, "pixel")),
            Image { columns, pixels: by, range: (-strongest, strongest), is_difference: true },
        ),
    ];
    Some(Strip { caption, images })
}

fn range(images: &[&Vec<Option<f64>>]) -> (f64, f64) {
    let all = images.iter().flat_map(|pixels| pixels.iter().flatten());
    all.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(*x), high.max(*x)))
}

/// Whether an answer is about rows, some of which have an input beside them.
pub(crate) fn has_rows(answer: &Value) -> bool {
    !list(answer, "rows").is_empty()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn input(names: impl Iterator<Item = String>) -> Map<String, Value> {
        names.enumerate().map(|(place, name)| (name, json!(place % 17))).collect()
    }

    #[test]
    fn names_tell_pixels() {
        let by_two = |start: usize, text: fn(usize, usize) -> String| {
            input((start..start + 4).flat_map(move |row| (start..start + 5).map(move |column| text(row, column))))
        };
        for image in [
            by_two(0, |row, column| format!("pixel_{row}_{column}")),
            by_two(1, |row, column| format!("r{row}c{column}")),
            by_two(1, |row, column| format!("x{row}_{column}")),
        ] {
            assert_eq!(Shape::of(&image).map(|shape| shape.columns), Some(5));
        }
        assert_eq!(
            Shape::of(&input((1..=64).map(|place| format!("pixel{place}")))).map(|shape| shape.columns),
            Some(8)
        );
        assert_eq!(Shape::of(&input((0..100).map(|place| format!("f{place}")))).map(|shape| shape.columns), Some(10));
    }

    #[test]
    fn other_features_are_no_images() {
        assert!(Shape::of(&input((0..64).map(|place| format!("lag{place}")))).is_none());
        assert!(Shape::of(&input((0..63).map(|place| format!("pixel{place}")))).is_none());
        assert!(Shape::of(&input((5..69).map(|place| format!("pixel{place}")))).is_none());
        let mut numbers = input((0..64).map(|place| format!("f{place}")));
        numbers["f3"] = json!(-1);
        assert!(Shape::of(&numbers).is_none());
        numbers["f3"] = json!("red");
        assert!(Shape::of(&numbers).is_none());
        // Twice the same pixel.
        let twice = input((0..64).map(|place| if place == 9 { "pixel08".to_owned() } else { format!("pixel{place}") }));
        assert!(Shape::of(&twice).is_none());
    }

    #[test]
    fn columns_in_another_order_are_put_in_place() {
        let names = (0..4).flat_map(|column| (0..4).map(move |row| format!("pixel_{row}_{column}")));
        let shape = Shape::of(&input(names)).unwrap();
        assert_eq!(shape.places[..5], [0, 4, 8, 12, 1]);
    }
}
