//! Inputs that are images: found by the names of their features, drawn pixel by pixel.

use treeproof_report::{PairWitness, Witness, WitnessValue};

use crate::words::counted;

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
    /// The numbers that are drawn white and black; of a difference, those that are drawn strongest.
    pub(crate) range: (f64, f64),
    pub(crate) is_difference: bool,
}

/// The place of each feature among the pixels.
struct ImageShape {
    columns: usize,
    places: Vec<usize>,
}

impl ImageShape {
    fn of(input: &Witness) -> Option<Self> {
        let is_pixel = |value: &WitnessValue| *value == WitnessValue::Missing || value.finite().is_some();
        if input.0.len() < SMALLEST_NAMED || !input.0.iter().all(|(_, value)| is_pixel(value)) {
            return None;
        }
        let parsed: Vec<(String, Vec<usize>)> = input.0.iter().map(|(name, _)| parts(name)).collect::<Option<_>>()?;
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

    fn pixels(&self, input: &Witness) -> Option<Vec<Option<f64>>> {
        let mut pixels = vec![None; self.places.len()];
        if input.0.len() != self.places.len() {
            return None;
        }
        for ((_, value), place) in input.0.iter().zip(&self.places) {
            pixels[*place] = value.finite();
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

/// True if numbers may be brightnesses: names that only count say too little.
fn is_bright(input: &Witness) -> bool {
    input.0.iter().all(|(_, value)| value.finite().is_some_and(|x| (0.0..=255.0).contains(&x)))
}

/// The images of an input, or of two, if they are such.
pub(crate) fn of_inputs(witness: &PairWitness) -> Option<Strip> {
    match witness {
        PairWitness::One(input) => single("The input".to_owned(), input),
        PairWitness::Two(pair) => two("The two inputs".to_owned(), ["a", "b"], pair.both()),
    }
}

/// Images of some rows: not more than there is room for, and none if the first is no image.
pub(crate) fn within_limits(rows: impl Iterator<Item = Option<Strip>>) -> Vec<Strip> {
    let mut strips: Vec<Strip> = vec![];
    let mut pixels = 0;
    for strip in rows.take(SHOWN).map_while(|strip| strip) {
        pixels += strip.images.iter().map(|(_, image)| image.pixels.len()).sum::<usize>();
        if pixels > PIXELS && !strips.is_empty() {
            break;
        }
        strips.push(strip);
    }
    strips
}

fn single(caption: String, input: &Witness) -> Option<Strip> {
    let shape = ImageShape::of(input)?;
    let pixels = shape.pixels(input)?;
    let range = range(&[&pixels]);
    Some(Strip {
        caption,
        images: vec![("found".to_owned(), Image { columns: shape.columns, pixels, range, is_difference: false })],
    })
}

/// Two inputs and their difference as images, if they are such.
pub(crate) fn two(caption: String, names: [&str; 2], [old, new]: [&Witness; 2]) -> Option<Strip> {
    let shape = ImageShape::of(old)?;
    let (was, now) = (shape.pixels(old)?, shape.pixels(new)?);
    if !old.0.iter().map(|(name, _)| name).eq(new.0.iter().map(|(name, _)| name)) {
        return None;
    }
    let columns = shape.columns;
    let range = range(&[&was, &now]);
    let by: Vec<Option<f64>> = was.iter().zip(&now).map(|(was, now)| Some((*now)? - (*was)?)).collect();
    let strongest = by.iter().flatten().map(|by| by.abs()).fold(0.0, f64::max);
    let changed = was.iter().zip(&now).filter(|(was, now)| was != now).count();
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

#[cfg(test)]
mod tests {
    use super::*;

    fn input(names: impl Iterator<Item = String>) -> Witness {
        let value = |place: usize| WitnessValue::Number(f64::from(u8::try_from(place % 17).unwrap()));
        Witness(names.enumerate().map(|(place, name)| (name, value(place))).collect())
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
            assert_eq!(ImageShape::of(&image).map(|shape| shape.columns), Some(5));
        }
        assert_eq!(
            ImageShape::of(&input((1..=64).map(|place| format!("pixel{place}")))).map(|shape| shape.columns),
            Some(8)
        );
        assert_eq!(
            ImageShape::of(&input((0..100).map(|place| format!("f{place}")))).map(|shape| shape.columns),
            Some(10)
        );
    }

    #[test]
    fn other_features_are_no_images() {
        assert!(ImageShape::of(&input((0..64).map(|place| format!("lag{place}")))).is_none());
        assert!(ImageShape::of(&input((0..63).map(|place| format!("pixel{place}")))).is_none());
        assert!(ImageShape::of(&input((5..69).map(|place| format!("pixel{place}")))).is_none());
        let mut numbers = input((0..64).map(|place| format!("f{place}")));
        numbers.0[3].1 = WitnessValue::Number(-1.0);
        assert!(ImageShape::of(&numbers).is_none());
        numbers.0[3].1 = WitnessValue::Text("red".to_owned());
        assert!(ImageShape::of(&numbers).is_none());
        // Twice the same pixel.
        let twice = input((0..64).map(|place| if place == 9 { "pixel08".to_owned() } else { format!("pixel{place}") }));
        assert!(ImageShape::of(&twice).is_none());
    }

    #[test]
    fn columns_in_another_order_are_put_in_place() {
        let names = (0..4).flat_map(|column| (0..4).map(move |row| format!("pixel_{row}_{column}")));
        let shape = ImageShape::of(&input(names)).unwrap();
        assert_eq!(shape.places[..5], [0, 4, 8, 12, 1]);
    }
}
