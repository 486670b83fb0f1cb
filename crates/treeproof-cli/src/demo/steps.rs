//! The steps of the demo: commands, and explanations made from their answers.

use serde_json::Value;

/// One command with its explanation.
pub(super) struct DemoStep {
    pub(super) title: &'static str,
    pub(super) about: &'static str,
    /// The command line; no argument has spaces.
    pub(super) command: &'static str,
    /// The explanation of the answer, from the exit code and the answer as JSON (null if no question was asked).
    pub(super) means: fn(u8, &Value) -> String,
}

/// The files that the commands write.
pub(super) const RESULTS: [&str; 1] = ["max.proof"];

pub(super) const STEPS: [DemoStep; 10] = [
    DemoStep {
        title: "What is in a model?",
        about: "An XGBoost model that predicts how far diabetes progresses within a year, from ten measurements.",
        command: "treeproof inspect progression-v1.json",
        means: |_, _| {
            "All answers below are about exactly these trees, in the arithmetic of the library that runs them."
                .to_owned()
        },
    },
    DemoStep {
        title: "What is the largest prediction that anyone can get?",
        about: "Not only for the 442 patients in the data, but for every patient with measurements in the data's ranges. The proof is \
                written to a file.",
        command: "treeproof max progression-v1.json --domain patients.csv --proof max.proof",
        means: |_, answer| match verdict(answer) {
            "optimal" => format!(
                "No patient within these ranges gets more than {}, and the patient above gets it: proved, not sampled.",
                round(&answer["upper"])
            ),
            _ => STILL_OPEN.to_owned(),
        },
    },
    DemoStep {
        title: "Is the proof valid?",
        about: "The checker shares no code with the search; it needs only the proof and the model.",
        command: "treeproof check max.proof progression-v1.json",
        means: |code, _| match code {
            0 => "Anyone with the model can check this answer without trusting the search.".to_owned(),
            _ => "The proof does not hold: please report this with the files.".to_owned(),
        },
    },
    DemoStep {
        title: "Does the prediction never fall as the body mass index rises?",
        about: "A doctor would expect so. The question covers all pairs of patients that differ in nothing else.",
        command: "treeproof monotone progression-v1.json --feature bmi --domain patients.csv",
        means: |_, answer| match verdict(answer) {
            "violated" => format!(
                "This patient is predicted {} less with a body mass index of {} than with {}, all else equal. Neither has to be in the data.",
                round(&answer["lower"]),
                round(&answer["witness"]["b"]["bmi"]),
                round(&answer["witness"]["a"]["bmi"])
            ),
            "holds" => "It never falls, for any patient.".to_owned(),
            _ => STILL_OPEN.to_owned(),
        },
    },
    DemoStep {
        title: "And the second version?",
        about: "A LightGBM model of the same data, trained with monotone constraints. The file records \
                the features.",
        command: "treeproof monotone progression-v2.txt",
        means: |_, answer| match verdict(answer) {
            "holds" => "The constraints hold everywhere, in the model's own arithmetic.".to_owned(),
            "violated" => "The constraints do not hold everywhere.".to_owned(),
            _ => STILL_OPEN.to_owned(),
        },
    },
    DemoStep {
        title: "Where do the two versions differ most?",
        about: "Before the second version replaces the first: the patient with the largest difference.",
        command: "treeproof diff progression-v1.json progression-v2.txt --domain patients.csv",
        means: |_, answer| match verdict(answer) {
            "optimal" => format!(
                "For this patient they differ by {}, and for no other within the ranges by more.",
                round(&answer["lower"])
            ),
            _ => STILL_OPEN.to_owned(),
        },
    },
    DemoStep {
        title: "Is anyone treated differently because of sex alone?",
        about: "A classifier that refers patients. For each row: would the label change if only `sex` were different?",
        command: "treeproof fair referral.json patients.csv --protected sex --domain patients.csv",
        means: |_, answer| {
            let summary = &answer["summary"];
            match (summary["violated"].as_u64(), verdict(answer)) {
                (Some(0) | None, "holds") => "The label depends on it for no patient in the data.".to_owned(),
                (Some(violated), _) if violated > 0 => {
                    format!("It does for {violated} of {} patients; one of them is shown.", summary["asked"])
                }
                _ => STILL_OPEN.to_owned(),
            }
        },
    },
    DemoStep {
        title: "What is the smallest change that flips a diagnosis?",
        about: "A LightGBM model that classifies tumours as benign (1) or not (0). With --norm l0, as few measurements as possible \
                change, within the data's ranges.",
        command: "treeproof closest tumour.txt tumours.csv --rows 3 --norm l0 --domain tumours.csv",
        means: |_, answer| {
            let (rows, decided) = (&answer["summary"]["rows"], &answer["summary"]["decided"]);
            match rows == decided {
                true => {
                    "No smaller number of changes can. Such counterfactuals explain a decision by what would change it."
                        .to_owned()
                }
                false => STILL_OPEN.to_owned(),
            }
        },
    },
    DemoStep {
        title: "Which images can a small change flip?",
        about: "An XGBoost model of handwritten digits, 8 x 8 pixels of 17 grey levels. All pixels may change by one level at once.",
        command: "treeproof robust digits.ubj digits.csv --norm linf --radius 1 --label digit --domain digits.csv",
        means: |_, answer| {
            let summary = &answer["summary"];
            let percent = |share: &Value| format!("{:.0} %", 100.0 * share.as_f64().unwrap_or(f64::NAN));
            match summary["undecided"].as_u64() {
                Some(0) => format!(
                    "{} of the images are classified correctly, but only {} under every such change: the certified accuracy.",
                    percent(&summary["accuracy"]),
                    percent(&summary["certified_accuracy"])
                ),
                _ => STILL_OPEN.to_owned(),
            }
        },
    },
    DemoStep {
        title: "How far can the output jump between two inputs that are close?",
        about: "The hardest question of this tour: two tumours whose measurements differ by at most 0.8 standard deviations in total. \
                Watch the bounds meet.",
        command: "treeproof stable tumour.txt --norm l1 --radius 0.8 --scale std:tumours.csv --domain tumours.csv --time 10s",
        means: |_, answer| match verdict(answer) {
            "optimal" => {
                format!("Between two such tumours the margin jumps by {}, and never by more.", round(&answer["lower"]))
            }
            _ => STILL_OPEN.to_owned(),
        },
    },
];

/// The explanation of a search that a limit or Ctrl-C ended.
const STILL_OPEN: &str = "This was not decided within the time limit. The bounds shown are proved all the same.";

fn verdict(answer: &Value) -> &str {
    answer["verdict"].as_str().unwrap_or_default()
}

/// A number to one digit behind the point.
fn round(number: &Value) -> String {
    number.as_f64().map_or("something".to_owned(), |number| ((number * 10.0).round() / 10.0).to_string())
}

#[cfg(test)]
mod tests {
    use clap::Parser;
    use serde_json::json;

    use super::*;
    use crate::args::Treeproof;

    #[test]
    fn every_command_can_be_typed() {
        for step in &STEPS {
            assert!(Treeproof::try_parse_from(step.command.split(' ')).is_ok(), "{}", step.command);
        }
    }

    #[test]
    fn no_sentence_claims_what_is_not_known() {
        let open = json!({"verdict": "undecided", "summary": {"rows": 3, "decided": 1, "undecided": 2}});
        for step in STEPS.iter().filter(|step| !step.command.contains("inspect") && !step.command.contains("check")) {
            assert_eq!((step.means)(3, &open), STILL_OPEN, "{}", step.command);
        }
        assert!((STEPS[2].means)(1, &Value::Null).contains("does not hold"));
    }
}
