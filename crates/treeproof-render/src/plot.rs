//! Plots as data: step lines over two axes.

use treeproof_report::{Bounds, DistancesAnswer, SearchTrace};

use crate::curve::Curve;
use crate::words::{duration, norm_name, percent, short};

/// Bounds that come closer by less than this share of them make a picture of nothing.
const LEAST_STEP: f64 = 1e-6;

/// Lines over two axes.
#[derive(Debug)]
pub(crate) struct Plot {
    pub(crate) title: String,
    /// A description for those who do not see it.
    pub(crate) description: String,
    pub(crate) x: PlotAxis,
    pub(crate) y: PlotAxis,
    pub(crate) lines: Vec<Line>,
    /// True if the band between the first two lines is tinted.
    pub(crate) has_band: bool,
}

/// An axis.
#[derive(Debug)]
pub(crate) struct PlotAxis {
    pub(crate) label: String,
    pub(crate) low: f64,
    pub(crate) high: f64,
    /// Places with a text.
    pub(crate) ticks: Vec<(f64, String)>,
}

/// Steps: from each point on, up to the next, the second number holds.
#[derive(Debug, PartialEq)]
pub(crate) struct Line {
    pub(crate) name: String,
    pub(crate) points: Vec<(f64, f64)>,
    pub(crate) is_dashed: bool,
    pub(crate) is_second: bool,
}

impl PlotAxis {
    fn new(label: impl Into<String>, low: f64, high: f64, text: impl Fn(f64) -> String) -> Self {
        let mut ticks: Vec<(f64, String)> = ticks(low, high).into_iter().map(|tick| (tick, text(tick))).collect();
        if ticks.windows(2).any(|two| two[0].1 == two[1].1) {
            // Numbers that are nearly the same need more digits than others.
            ticks.iter_mut().for_each(|(tick, text)| *text = format!("{tick:.9}").trim_end_matches('0').to_owned());
        }
        Self { label: label.into(), low, high, ticks }
    }

    /// The place of a number, from 0 to 1.
    pub(crate) fn place(&self, x: f64) -> f64 {
        if self.high > self.low { ((x - self.low) / (self.high - self.low)).clamp(0.0, 1.0) } else { 0.5 }
    }
}

/// A handful of round numbers.
fn ticks(low: f64, high: f64) -> Vec<f64> {
    let span = high - low;
    if !(span.is_finite() && span > 0.0) {
        return vec![low];
    }
    let raw = span / 5.0;
    let power = 10_f64.powf(raw.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|factor| factor * power).into_iter().find(|step| *step >= raw * 0.999);
    let step = step.unwrap_or(10.0 * power);
    let first = (low / step).ceil();
    let tick = |place: i32| (first + f64::from(place)) * step;
    // Sums of steps would gather errors that texts then show.
    (0..12)
        .map(tick)
        .take_while(|tick| *tick <= high + step * 1e-6)
        .map(|tick| if tick == 0.0 { 0.0 } else { tick })
        .collect()
}

/// The improvement of bounds; `None` where there is nothing to see. `ended` tells how long each search took, and its last bounds.
pub(crate) fn bounds_of(trace: &[SearchTrace], unit: &str, ended: impl Fn(&str) -> (f64, Bounds)) -> Option<Plot> {
    let mut lines = vec![];
    for (place, search) in trace.iter().take(2).enumerate() {
        let (seconds, Bounds { lower, upper, .. }) = ended(&search.question);
        let points = || search.points.iter().copied().chain([(seconds, lower, upper)]);
        let which = if trace.len() > 1 { format!("{}: ", search.question) } else { String::new() };
        let line = |name: &str, is_dashed: bool, points: Vec<(f64, f64)>| Line {
            name: format!("{which}{name}"),
            points,
            is_dashed,
            is_second: place > 0,
        };
        let known = |(seconds, bound): (f64, Option<f64>)| Some((seconds, bound.filter(|bound| bound.is_finite())?));
        lines.push(line("at most", false, points().filter_map(|(at, _, upper)| known((at, upper))).collect()));
        lines.push(line("at least", true, points().filter_map(|(at, lower, _)| known((at, lower))).collect()));
    }
    lines.retain(|line| line.points.len() > 1);
    let all = || lines.iter().flat_map(|line| &line.points);
    let end = all().map(|point| point.0).fold(0.0, f64::max);
    let (low, high) = all().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), (_, y)| (low.min(*y), high.max(*y)));
    if end <= 0.0 || high - low <= LEAST_STEP * low.abs().max(high.abs()) {
        return None;
    }
    let last = |line: &Line| Some(format!("{} {}", line.name, short(line.points.last()?.1)));
    let known: Vec<String> = lines.iter().filter_map(last).collect();
    let room = 0.05 * (high - low);
    let has_band = lines.len() == 2;
    Some(Plot {
        title: "Bounds over time".to_owned(),
        description: format!("In the end, after {}: {}.", duration(end), known.join(", ")),
        x: if end < 0.1 {
            PlotAxis::new("milliseconds", 0.0, end, |seconds| short((1e6 * seconds).round() / 1e3))
        } else {
            PlotAxis::new("seconds", 0.0, end, short)
        },
        y: PlotAxis::new(unit, low - room, high + room, short),
        lines,
        has_band,
    })
}

/// The share of rows that is proved robust, radius by radius, and the share for which no change was found.
pub(crate) fn curve(answer: &DistancesAnswer, is_scaled: bool) -> Option<Plot> {
    let rows = &answer.rows;
    let Curve { certified, attacked, is_open } = Curve::of_rows(answer).filter(|_| rows.len() > 1)?;
    let last = certified.last()?.0;
    let is_labelled = rows.iter().any(|row| row.is_correct.is_some());
    let norm = norm_name(answer.norm);
    let unit = if is_scaled { ", in standard deviations" } else { "" };
    let what = if is_labelled { "right and robust" } else { "robust" };
    let half = certified.iter().take_while(|(_, share)| *share >= 0.5).last().map_or(0.0, |(radius, _)| *radius);
    let mut lines =
        vec![Line { name: format!("certified: proved {what}"), points: certified, is_dashed: false, is_second: false }];
    if is_open {
        lines.push(Line {
            name: "attacked: no change that small was found".to_owned(),
            points: attacked,
            is_dashed: true,
            is_second: true,
        });
    }
    let description = format!(
        "Robustness curve: {} of rows are certified at radius 0, {} at radius {}; at least half up to radius {}.{}",
        percent(lines[0].points.first().map_or(0.0, |point| point.1)),
        percent(lines[0].points.last().map_or(0.0, |point| point.1)),
        short(last),
        short(half),
        if is_open {
            " In between it is open, as the search of a row ends when it is decided."
        } else {
            " No row is open: the share is exact at every radius."
        }
    );
    Some(Plot {
        title: format!("Share of rows {what} at each radius"),
        description,
        x: PlotAxis::new(format!("radius ({norm}){unit}"), 0.0, last, short),
        y: PlotAxis::new("share of rows", 0.0, 1.0, |share| format!("{:.0} %", 100.0 * share)),
        has_band: is_open,
        lines,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round() {
        assert_eq!(ticks(0.0, 1.0), [0.0, 0.2, 0.4, 0.6000000000000001, 0.8, 1.0]);
        assert_eq!(ticks(-1.3, 7.0), [0.0, 2.0, 4.0, 6.0]);
        assert_eq!(ticks(3.0, 3.0), [3.0]);
        assert!(ticks(1e300, 1.1e300).len() > 2 && ticks(1e-300, 1.1e-300).len() > 2);
    }

    #[test]
    fn bounds_need_time_and_distance() {
        let search = SearchTrace::new("max", vec![(0.0, None, Some(9.0)), (0.5, Some(1.0), Some(4.0))]);
        let ended = |_: &str| (1.0, Bounds { lower: Some(2.0), upper: Some(2.0), ..Bounds::default() });
        let plot = bounds_of(&[search], "margin", ended).unwrap();
        assert_eq!(plot.lines[0].points, [(0.0, 9.0), (0.5, 4.0), (1.0, 2.0)]);
        assert_eq!(plot.lines[1].points, [(0.5, 1.0), (1.0, 2.0)]);
        assert!(bounds_of(&[], "margin", ended).is_none());
    }
}
