//! The scene of an answer: the report, its origin and the place where it is shown; and words about the task.

use std::sync::LazyLock;

use treeproof_report::{
    About, BaselineField, Bounds, Finding, Norm, QuestionFields, Report, Stopped, TaskFields, TaskRecord, Verdict,
};

use crate::surface::Surface;
use crate::words::{class, clean, counted, decimal, norm_name, number, several};

/// Features that are named in a sentence; the task has all.
const SHOWN_WEIGHTS: usize = 12;

/// A task of which nothing is known.
static NO_TASK: LazyLock<TaskRecord> = LazyLock::new(TaskRecord::default);

/// A report, its origin, and the place where it is shown.
#[derive(Clone, Copy)]
pub(crate) struct Scene<'a> {
    pub(crate) report: &'a Report,
    pub(crate) about: &'a About,
    pub(crate) surface: Surface,
}

impl<'a> Scene<'a> {
    /// The fields that all questions share.
    pub(crate) fn task(self) -> &'a TaskFields {
        self.about.task.as_ref().unwrap_or(&NO_TASK).fields()
    }

    /// The fields that the question alone has.
    pub(crate) fn asked(self) -> &'a QuestionFields {
        self.about.task.as_ref().unwrap_or(&NO_TASK).question()
    }

    /// The number that the answer is about.
    pub(crate) fn margin(self) -> String {
        format!("margin{}", self.of_class())
    }

    /// The class whose number it is, in models with several.
    pub(crate) fn of_class(self) -> String {
        self.report.class.as_ref().map_or(String::new(), |name| format!(" of class {}", class(name)))
    }

    /// The region of the question: nothing if that is everything.
    pub(crate) fn region(self) -> String {
        let mut text = String::new();
        if let Some(start) = self.start() {
            text.push_str(&format!(" from {start}"));
        }
        let conditions = self.conditions();
        if let [condition] = conditions.as_slice() {
            text.push_str(&format!(" where {condition}"));
        } else if !conditions.is_empty() {
            text.push_str(&format!(" where ({})", conditions.join(") and (")));
        }
        if let Some(domain) = self.domain() {
            let comma = if text.is_empty() { "" } else { "," };
            text.push_str(&format!("{comma} within what occurs in {domain}"));
        }
        text
    }

    /// The starting point of `dominant`; `None` if it may begin anywhere.
    pub(crate) fn start(self) -> Option<String> {
        let values = |text: &String| items(text).iter().map(|item| clean(item)).collect::<Vec<_>>();
        let row = match &self.asked().baseline {
            Some(BaselineField::Row(row)) => {
                let of = data(self.about).map(|name| format!(" of {name}")).unwrap_or_default();
                vec![format!("row {row}{of}")]
            }
            Some(BaselineField::Text(text)) => values(text),
            Some(BaselineField::Texts(texts)) => texts.iter().flat_map(values).collect(),
            None => vec![],
        };
        let all: Vec<String> = row.into_iter().chain(self.asked().given.iter().flat_map(values)).collect();
        if all.is_empty() { None } else { Some(several(&all)) }
    }

    /// The conditions.
    pub(crate) fn conditions(self) -> Vec<String> {
        self.task().conditions.iter().map(|text| clean(text)).collect()
    }

    /// The data that confines the features: the name of its file, as a path only makes sentences long.
    pub(crate) fn domain(self) -> Option<String> {
        self.task().domain.as_deref().map(file_name)
    }

    /// The data that confines an input: that of the task, or the input's own.
    pub(crate) fn domain_of(self, side: &str) -> Option<String> {
        let inputs = &self.task().inputs;
        let own = |side: &str| inputs.get(side)?.domain.as_deref().map(file_name);
        self.domain().or_else(|| own(side)).or_else(|| own(inputs.get(side)?.same_as.as_deref()?))
    }

    /// The inputs that data confines, as in " of `a`", each with its data; all inputs as "".
    pub(crate) fn confined(self) -> Vec<(&'static str, String)> {
        match self.domain() {
            Some(domain) => vec![("", domain)],
            None => {
                let own = [("a", " of input a"), ("b", " of input b")].map(|(side, of)| (of, self.domain_of(side)));
                own.into_iter().filter_map(|(of, domain)| Some((of, domain?))).collect()
            }
        }
    }

    /// The features that the question is about and no tree tests.
    pub(crate) fn not_tested(self) -> Option<String> {
        const MOST_NAMED: usize = 3;
        let names: Vec<String> = self.report.not_tested.iter().map(|name| clean(name)).collect();
        match names.len() {
            0 => None,
            1..=MOST_NAMED => Some(names.join(if names.len() == 2 { " or " } else { ", " })),
            many => {
                let more = counted(many - MOST_NAMED, "other feature");
                Some(several(&[names[..MOST_NAMED].to_vec(), vec![more]].concat()))
            }
        }
    }

    /// The protected features.
    pub(crate) fn protected(self) -> String {
        let names: Vec<String> = self.asked().protected.iter().flat_map(|text| items(&clean(text))).collect();
        if names.is_empty() { "what is protected".to_owned() } else { several(&names) }
    }

    /// The norm of distances.
    pub(crate) fn norm(self) -> Norm {
        match &self.report.finding {
            Finding::Robust(answer) | Finding::Closest(answer) => self.asked().norm.unwrap_or(answer.norm),
            _ => self.asked().norm.unwrap_or_default(),
        }
    }

    /// True if distances are in standard deviations, not in the units of the columns.
    pub(crate) fn is_scaled(self) -> bool {
        self.asked().scale.is_some()
    }

    /// A distance with its unit, where it has one.
    pub(crate) fn far(self, distance: Option<f64>) -> String {
        let text = number(distance);
        let unit = match self.norm() {
            _ if !self.asked().weights.is_empty() => "",
            Norm::L0 => "change",
            _ if self.is_scaled() => "standard deviation",
            _ => "",
        };
        match (unit, text.as_str()) {
            ("", _) => text,
            (unit, "1") => format!("1 {unit}"),
            (unit, _) => format!("{text} {unit}s"),
        }
    }

    /// The radius with its unit; `None` if there is none.
    pub(crate) fn radius(self) -> Option<String> {
        let found = if let Finding::Robust(answer) = &self.report.finding { answer.radius } else { None };
        let radius = found.or(self.asked().radius);
        radius.map(|radius| self.far(Some(radius)))
    }

    /// The allowed changes: by the number of features that change, or by how far they do.
    pub(crate) fn near(self) -> String {
        let radius = self.radius().unwrap_or_else(|| "an unknown radius".to_owned());
        match self.norm() {
            Norm::L0 if self.asked().weights.is_empty() => {
                format!("changes of at most {}", radius.replace("change", "feature"))
            }
            norm => format!("changes of at most {radius} ({})", norm_name(norm)),
        }
    }

    /// The measure of distances, in sentences: a radius means nothing without its unit.
    pub(crate) fn measure(self) -> Vec<String> {
        let asked = self.asked();
        let how = match self.norm() {
            Norm::Linf => "the largest change of a feature (l∞)",
            Norm::L2 => "the root of the sum of squared changes (l2)",
            Norm::L1 => "the sum of the changes of all features (l1)",
            Norm::L0 => "the number of features that change (l0)",
        };
        let mut told = vec![format!("A distance is {how}.")];
        if let Some(file) = asked.scale.as_deref().map(|scale| scale.strip_prefix("std:").unwrap_or(scale)) {
            told.push(format!(
                "Each change of a number is divided by the feature's standard deviation in {}.",
                file_name(file)
            ));
        }
        if !asked.weights.is_empty() {
            let weights = asked.weights.iter().take(SHOWN_WEIGHTS);
            let mut shown: Vec<String> =
                weights.map(|(name, weight)| format!("{} by {}", clean(name), decimal(*weight))).collect();
            let more = asked.weights.len().saturating_sub(SHOWN_WEIGHTS);
            shown.extend((more > 0).then(|| counted(more, "other")));
            told.push(format!("Changes are multiplied by weights: {}.", several(&shown)));
        }
        let missing = ("To go missing, or to cease to be, counts", asked.missing_cost);
        let category = ("Another category counts", asked.category_cost);
        let costs = [missing, category].into_iter().filter_map(|(what, cost)| Some((what, cost?)));
        told.extend(costs.map(|(what, cost)| format!("{what} {}.", decimal(cost))));
        told
    }

    /// The reason why there is not more to tell, and what gives more.
    pub(crate) fn why(self, bounds: Bounds) -> String {
        let why = match () {
            () if bounds.is_exact() => "proved",
            () if bounds.verdict == Verdict::Optimal => "as close as asked for",
            () => stopped(bounds.stopped),
        };
        match bounds.stopped {
            Stopped::Time | Stopped::Memory => {
                format!("{why} ({} gives more)", self.surface.option(bounds.stopped.name()))
            }
            _ => why.to_owned(),
        }
    }
}

/// The data that is asked about, row by row; `None` if it has no name.
pub(crate) fn data(about: &About) -> Option<String> {
    let data = about.task.as_ref()?.fields().data.as_deref();
    data.map(file_name).filter(|name| name != "data")
}

/// The models that were asked about: the names of their files, as far as they have any.
pub(crate) fn models(about: &About) -> Vec<String> {
    about.models.iter().filter_map(|model| model.file.as_deref()).map(file_name).collect()
}

/// The name of a file without its folders.
fn file_name(path: &str) -> String {
    let name = path.trim_end_matches(['/', '\\']).rsplit(['/', '\\']).next().unwrap_or(path);
    // Rows that are no file have the name of Python's argument.
    if path == "domain" { "data".to_owned() } else { clean(name) }
}

/// The parts between commas, but not those between braces: `a, b:{1, 2}`.
fn items(text: &str) -> Vec<String> {
    let mut depth = 0_u32;
    let parts = text.split(|sign: char| {
        depth = match sign {
            '{' => depth.saturating_add(1),
            '}' => depth.saturating_sub(1),
            _ => depth,
        };
        sign == ',' && depth == 0
    });
    parts.map(|part| part.trim().to_owned()).filter(|part| !part.is_empty()).collect()
}

/// The reason why a search ended before the answer was exact.
pub(crate) fn stopped(reason: Stopped) -> &'static str {
    match reason {
        Stopped::Target => "the target is reached",
        Stopped::Time => "the time was up",
        Stopped::Memory => "the memory was full",
        Stopped::Rounding => "what is left lies within the rounding of the library's sums",
        Stopped::Conditions => "of what is left it was not found out whether any numbers meet the conditions",
        Stopped::Steps => "the steps were used up",
        Stopped::Interrupted => "the search was interrupted",
        Stopped::Optimal => "the search ended early",
    }
}

/// A number by its bounds.
pub(crate) fn between(bounds: Bounds) -> String {
    match (bounds.lower, bounds.upper) {
        (None, None) => "not known".to_owned(),
        (Some(lower), None) => format!("at least {}", decimal(lower)),
        (None, Some(upper)) => format!("at most {}", decimal(upper)),
        (Some(lower), Some(upper)) => format!("between {} and {}", decimal(lower), decimal(upper)),
    }
}

/// A number: exactly, where `end` is that, or by its bounds.
pub(crate) fn found(bounds: Bounds, end: Option<f64>) -> String {
    if bounds.is_exact() { number(end) } else { between(bounds) }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::surface::Spelling;

    /// Looks at a report with a task.
    fn with<T>(report: Value, task: Value, look: impl Fn(Scene<'_>) -> T) -> T {
        let report: Report = serde_json::from_value(report).unwrap();
        let about = About { task: Some(TaskRecord::from(task)), ..About::default() };
        look(Scene { report: &report, about: &about, surface: Surface::brief(Spelling::Flags) })
    }

    #[test]
    fn files_go_by_their_names() {
        for path in ["/long/way/x.csv", "C:\\way\\x.csv", "x.csv"] {
            let domain = with(json!({"question": "max"}), json!({"domain": path}), |scene| scene.domain());
            assert_eq!(domain.as_deref(), Some("x.csv"));
        }
    }

    #[test]
    fn commas_between_braces_part_nothing() {
        let task = json!({"question": {"fair": {"protected": ["a, b", "c:{1,2}|{3}"]}}});
        assert_eq!(with(json!({"question": "fair"}), task, |scene| scene.protected()), "a, b and c:{1,2}|{3}");
    }

    #[test]
    fn a_radius_has_its_unit() {
        let stable = |fields: Value, look: fn(Scene<'_>) -> Vec<String>| {
            with(json!({"question": "stable"}), json!({"question": {"stable": fields}}), look)
        };
        let scaled = json!({"norm": "linf", "scale": "std:way/x.csv", "weights": {}});
        assert_eq!(stable(scaled.clone(), |scene| vec![scene.far(Some(0.1))]), ["0.1 standard deviations"]);
        assert_eq!(
            stable(scaled, |scene| scene.measure()),
            [
                "A distance is the largest change of a feature (l∞).",
                "Each change of a number is divided by the feature's standard deviation in x.csv."
            ]
        );
        let weighted = json!({"norm": "l0", "weights": {"age": 2.0}, "category_cost": 3});
        assert_eq!(stable(weighted.clone(), |scene| vec![scene.far(Some(2.0))]), ["2"]);
        assert_eq!(
            stable(weighted, |scene| scene.measure())[1..],
            ["Changes are multiplied by weights: age by 2.", "Another category counts 3."]
        );
        assert_eq!(stable(json!({"norm": "l0"}), |scene| vec![scene.far(Some(1.0))]), ["1 change"]);
    }
}
