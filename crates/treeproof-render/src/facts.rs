//! The facts of an answer beside its sentence, by name.

use treeproof_report::{
    Answer, Bounds, ClassName, Finding, NearestRow, NearestRows, Numbers, Pair, PairAnswer, Stats, Witness,
};

use crate::scene::Scene;
use crate::words::{class, counted, decimal, number, numbers, rough, short, sides};

/// From here on a number convinces nobody.
const HUGE: f64 = 1e9;

/// Facts by name.
#[derive(Debug, Default)]
pub(crate) struct Facts(pub(crate) Vec<(String, String)>);

impl Facts {
    pub(crate) fn tell(&mut self, name: &str, text: String) {
        self.0.push((name.to_owned(), text));
    }

    /// The bounds on a number.
    pub(crate) fn bounds(&mut self, bounds: Bounds, gap: Option<f64>) {
        if bounds.lower.is_none() && bounds.upper.is_none() {
            return;
        }
        self.tell("bounds", format!("at least {}, at most {}", number(bounds.lower), number(bounds.upper)));
        // Of what is exact, only rounding is left.
        if let Some(gap) = gap.filter(|gap| *gap > 0.0 && !bounds.is_exact()) {
            self.tell("gap", short(gap));
        }
    }

    /// The outputs of the witness, as the library computes them. Elsewhere rounding is among what was proved and what was not.
    pub(crate) fn one(&mut self, answer: &Answer, scene: Scene<'_>) {
        if let Some(output) = answer.output {
            let near = near(answer.rounding.filter(|_| scene.surface.is_brief), "sum");
            self.tell("output", format!("{}, as the library computes it{near}", decimal(output)));
        }
        for (name, number) in [("probability", answer.probability), ("prediction", answer.prediction)] {
            if let Some(number) = number {
                self.tell(name, decimal(number));
            }
        }
        self.nearest("nearest row", answer.nearest_row.as_ref(), "a", scene);
    }

    /// The outputs of the two inputs or models, as the libraries compute them.
    pub(crate) fn pair(&mut self, answer: &PairAnswer, scene: Scene<'_>) {
        let label = answer.label.as_ref();
        if let Some(output) = &answer.output {
            let near = near(answer.rounding.filter(|_| scene.surface.is_brief), "sums");
            self.tell("output", format!("{}, as the library computes it{near}", both(output, label)));
        }
        for (name, of_both) in [("probability", &answer.probability), ("prediction", &answer.prediction)] {
            if let Some(of_both) = of_both {
                self.tell(name, both(of_both, label));
            }
        }
        let is_exact = Bounds::from(answer).is_exact();
        if scene.surface.is_brief && answer.probability.is_some() && is_exact && answer.upper != Some(0.0) {
            self.tell("note", "margins are compared; probabilities may differ more elsewhere".to_owned());
        }
        if let Some(label) = label {
            self.tell("label", sides(label, class));
        }
        self.nearest_of_both(answer.nearest_row.as_ref(), scene);
    }

    /// The rows of data that are nearest to one input or two.
    pub(crate) fn nearest_of_both(&mut self, near: Option<&NearestRows>, scene: Scene<'_>) {
        match near {
            Some(NearestRows::One(near)) => self.nearest("nearest row", Some(near), "a", scene),
            Some(NearestRows::Two(Pair { a, b })) => {
                self.nearest("nearest (a)", Some(a), "a", scene);
                self.nearest("nearest (b)", Some(b), "b", scene);
            }
            None => {}
        }
    }

    /// The row of data that is nearest to an input.
    pub(crate) fn nearest(&mut self, name: &str, nearest: Option<&NearestRow>, side: &str, scene: Scene<'_>) {
        let Some(NearestRow { row, changed, distance }) = nearest else { return };
        let differ = match changed {
            0 => "the same".to_owned(),
            1 => "1 feature differs".to_owned(),
            many => format!("{} differ", counted(many, "feature")),
        };
        let distance = if *distance > 0.0 { format!(", scaled distance {}", rough(*distance)) } else { String::new() };
        let of = scene.domain_of(side).map(|name| format!(" of {name}")).unwrap_or_default();
        self.tell(name, format!("row {row}{of}: {differ}{distance}"));
    }

    /// The duration, unless it was not measured, and the number of regions.
    pub(crate) fn time(&mut self, seconds: f64, stats: Option<Stats>) {
        if seconds > 0.0 {
            let regions = stats.map(|stats| format!(", {}", counted(stats.regions, "region"))).unwrap_or_default();
            self.tell("time", format!("{seconds:.2} s{regions}"));
        }
    }

    /// The hint that data would confine features, if some number of an input convinces nobody.
    pub(crate) fn hint<'w>(&mut self, mut witnesses: impl Iterator<Item = &'w Witness>, scene: Scene<'_>) {
        // A region of which nothing is known counts as confined.
        let is_unconfined = scene.about.task.is_some() && scene.domain_of("a").is_none();
        let is_huge = |input: &Witness| {
            let mut numbers = input.0.iter().filter_map(|(_, value)| value.finite());
            numbers.any(|number| number.abs() >= HUGE)
        };
        if is_unconfined && witnesses.any(is_huge) {
            let is_general = matches!(scene.report.finding, Finding::Maximise(_));
            let what = if is_general { "a domain".to_owned() } else { scene.surface.option("domain") };
            self.tell("hint", format!("{what} confines the features to what occurs in data"));
        }
    }
}

/// How near the library's sums are to the exact ones.
fn near(rounding: Option<f64>, sums: &str) -> String {
    rounding.map(|rounding| format!(" (within {rounding:.1e} of the exact {sums})")).unwrap_or_default()
}

/// The numbers of both sides. Of many classes, those that the labels are about.
fn both(of: &Pair<Numbers>, label: Option<&Pair<ClassName>>) -> String {
    let all = || sides(of, numbers);
    let (Numbers::Several(a), Numbers::Several(b), Some(labels)) = (&of.a, &of.b, label) else { return all() };
    let (Some(one), Some(other), true) = (largest(a), largest(b), a.len() == b.len()) else { return all() };
    if (one == other) != (labels.a == labels.b) {
        // Somebody else's labels.
        return all();
    }
    let of = |place: usize, label: &ClassName| {
        format!("{} → {} for class {}", decimal(a[place]), decimal(b[place]), class(label))
    };
    let first = of(one, &labels.a);
    if one == other { first } else { format!("{first}, {}", of(other, &labels.b)) }
}

fn largest(numbers: &[f64]) -> Option<usize> {
    let number = |place: &usize| if numbers[*place].is_nan() { f64::NEG_INFINITY } else { numbers[*place] };
    // The first of those that are equal, as libraries choose labels.
    (0..numbers.len()).rev().max_by(|one, other| number(one).total_cmp(&number(other)))
}
