//! What is known about an answer beside the answer: who gave it, when, to what, and how it was found.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Where an answer comes from. All of it may be absent.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct About {
    /// The version of treeproof.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub treeproof: Option<String>,
    /// When it was asked, for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
    /// The command that asks it again, as a shell takes it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// What was asked, as a task.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub task: Option<Value>,
    /// The facts about each model: an object with `file`, `sha256` and what `inspect` tells.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub models: Vec<Value>,
    /// The features that some tree tests, the most tested first, as inputs name them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tested: Option<Vec<String>>,
    /// How the bounds improved.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub trace: Vec<Search>,
    /// Of an audit: the same of each check, in order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<About>,
}

impl About {
    /// About what this version of treeproof answers now.
    pub fn now(version: &str) -> Self {
        let date = jiff::Timestamp::now().strftime("%Y-%m-%d %H:%M UTC").to_string();
        Self { treeproof: Some(version.to_owned()), date: Some(date), ..Self::default() }
    }
}

/// How the bounds of one search improved.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct Search {
    /// What it searched for: `max`, `min`, …
    pub question: String,
    /// Seconds since it began, the lower bound and the upper one; none where nothing was known.
    pub points: Vec<(f64, Option<f64>, Option<f64>)>,
}

impl Search {
    /// A search of this name.
    pub fn new(question: impl Into<String>, points: Vec<(f64, Option<f64>, Option<f64>)>) -> Self {
        Self { question: question.into(), points }
    }
}

/// Points of a search that are kept.
const MOST_POINTS: usize = 200;

/// Remembers how bounds improve, in few points however long a search runs.
#[derive(Clone, Debug, Default)]
pub struct Recorder {
    searches: Vec<Search>,
}

impl Recorder {
    /// What a search for `question` knew after so many seconds.
    pub fn add(&mut self, question: &str, seconds: f64, lower: Option<f64>, upper: Option<f64>) {
        let place = self.searches.iter().position(|search| search.question == question).unwrap_or_else(|| {
            self.searches.push(Search::new(question, vec![]));
            self.searches.len() - 1
        });
        let points = &mut self.searches[place].points;
        if points.len() >= 2 * MOST_POINTS {
            halve(points);
        }
        points.push((seconds, lower, upper));
    }

    /// What was remembered, which is then forgotten.
    pub fn take(&mut self) -> Vec<Search> {
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
fn halve(points: &mut Vec<(f64, Option<f64>, Option<f64>)>) {
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
            assert_eq!(searches[1], Search::new("min", vec![(0.0, Some(1.0), None)]));
            let points = &searches[0].points;
            assert!(points.len() <= MOST_POINTS && points.len() >= (many as usize).min(MOST_POINTS / 2), "{many}");
            assert_eq!(points.last(), Some(&(f64::from(many), None, Some(f64::from(-many)))));
            assert!(points.is_sorted_by(|one, other| one.0 < other.0));
            assert!(recorder.take().is_empty());
        }
    }

    #[test]
    fn it_reads_back() {
        let mut about = About { command: Some("treeproof max m".to_owned()), ..About::default() };
        about.trace = vec![Search::new("max", vec![(0.5, None, Some(2.0))])];
        let text = serde_json::to_string(&about).unwrap();
        assert_eq!(text, r#"{"command":"treeproof max m","trace":[{"question":"max","points":[[0.5,null,2.0]]}]}"#);
        assert_eq!(serde_json::from_str::<About>(&text).unwrap(), about);
    }
}
