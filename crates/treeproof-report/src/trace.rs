//! The improvement of bounds over time, in few points however long a search runs.

use serde::{Deserialize, Serialize};

/// Limit on the points of a search.
const MOST_POINTS: usize = 200;

/// A point in time: seconds since the search began, the lower bound and the upper one, where they are known.
pub type TracePoint = (f64, Option<f64>, Option<f64>);

/// The improvement of the bounds of one search.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct SearchTrace {
    /// The name of the search: `max`, `min`, …
    pub question: String,
    /// The points in time at which bounds improved.
    pub points: Vec<TracePoint>,
}

impl SearchTrace {
    /// A search of this name.
    pub fn new(question: impl Into<String>, points: Vec<TracePoint>) -> Self {
        Self { question: question.into(), points }
    }
}

/// A record of bounds while they improve.
#[derive(Clone, Debug, Default)]
pub struct Recorder {
    searches: Vec<SearchTrace>,
}

impl Recorder {
    /// Adds the bounds that a search for `question` had at a time.
    pub fn add(&mut self, question: &str, seconds: f64, lower: Option<f64>, upper: Option<f64>) {
        let place = self.searches.iter().position(|search| search.question == question).unwrap_or_else(|| {
            self.searches.push(SearchTrace::new(question, vec![]));
            self.searches.len() - 1
        });
        let points = &mut self.searches[place].points;
        if points.len() >= 2 * MOST_POINTS {
            halve(points);
        }
        points.push((seconds, lower, upper));
    }

    /// Takes out all that was recorded.
    pub fn take(&mut self) -> Vec<SearchTrace> {
        let mut searches = std::mem::take(&mut self.searches);
        for search in &mut searches {
            if search.points.len() > MOST_POINTS {
                halve(&mut search.points);
            }
        }
        searches
    }
}

/// Leaves out every other point, and never the last.
fn halve(points: &mut Vec<TracePoint>) {
    let last = points.len() % 2;
    let mut place = 0;
    points.retain(|_| {
        place += 1;
        place % 2 == last
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn however_many_points_there_are_few_are_kept_and_the_last_among_them() {
        for many in [1, 200, 201, 400, 401, 12_345] {
            let mut recorder = Recorder::default();
            for point in 1..=many {
                recorder.add("max", f64::from(point), None, Some(f64::from(-point)));
            }
            recorder.add("min", 0.0, Some(1.0), None);
            let searches = recorder.take();
            assert_eq!(searches[1], SearchTrace::new("min", vec![(0.0, Some(1.0), None)]));
            let points = &searches[0].points;
            assert!(points.len() <= MOST_POINTS && points.len() >= (many as usize).min(MOST_POINTS / 2), "{many}");
            assert_eq!(points.last(), Some(&(f64::from(many), None, Some(f64::from(-many)))));
            assert!(points.is_sorted_by(|one, other| one.0 < other.0));
            assert!(recorder.take().is_empty());
        }
    }
}
