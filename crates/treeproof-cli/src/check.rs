//! `treeproof check`: verifies a proof.

use std::fs::File;
use std::io::{BufReader, Write};

use treeproof_checker::verify::{Section, verify};
use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::load::{self, LoadOptions};
use treeproof_proof::model_file::ModelFile;

use crate::args::CheckArgs;
use crate::exit::Done;
use crate::progress::counted;
use crate::{files, output, style};

/// Exit code of an invalid proof.
const INVALID: u8 = 1;
/// Exit code of a valid proof with a statement that claims nothing.
const UNDECIDED: u8 = 3;

/// The proved claim, followed by the name in the proof, which is unchecked text.
fn told(section: &Section) -> String {
    let Some((claim, details)) = section.lines.split_first() else { return String::new() };
    let details: String = details.iter().map(|detail| format!("      {detail}\n")).collect();
    if section.name.is_empty() {
        return format!("  {claim}\n{details}");
    }
    format!("  {claim}\n{details}      the proof calls this {}\n", section.own_word)
}

pub(crate) fn run(args: &CheckArgs) -> anyhow::Result<Done> {
    anyhow::ensure!(!args.proof.is_dir(), "{}: is a directory, not a proof", args.proof.display());
    let file = File::open(&args.proof).map_err(|error| files::unread(&args.proof, error))?;
    // Read once: the bytes that are compared with the digests in the proof are the bytes that are loaded.
    let contents = args.models.iter().map(|path| load::read_path(path)).collect::<Result<Vec<_>, _>>()?;
    let files = args.models.iter().zip(&contents);
    let own: Vec<ModelFile> = files
        .map(|(path, content)| ModelFile::new(path.display().to_string(), content, &LoadOptions::default()))
        .collect();
    let load = |place: usize, options: &LoadOptions| -> anyhow::Result<Ensemble> {
        let path = &args.models[place];
        let other = args.reading.contradiction(options);
        let flag = other.unwrap_or_default();
        anyhow::ensure!(
            other.is_none(),
            "{flag}: the proof is for a different reading of {}; omit this flag",
            path.display()
        );
        Ok(load::load_bytes(&contents[place], options).map_err(|mut error| {
            error.file = Some(path.clone());
            error
        })?)
    };
    let answer = verify(BufReader::with_capacity(1 << 16, file), &own, load)?;
    let text = match (&answer.wrong, args.json) {
        (_, true) => output::json(&answer)? + "\n",
        (Some(wrong), false) => format!("invalid: {wrong}\n"),
        (None, false) => {
            let verdict = match (answer.num_vacuous(), answer.proved.len()) {
                (0, _) => "valid: every step follows from the model".to_owned(),
                (_, 1) => "undecided: every step follows from the model, but the proof claims nothing".to_owned(),
                (none, of) => {
                    let (claim, of) =
                        (if none == 1 { "claims" } else { "claim" }, counted(of as u64, "statement", "statements"));
                    format!("undecided: every step follows from the model, but {none} of {of} {claim} nothing")
                }
            };
            let sections = answer.proved.iter().map(told);
            let readings = answer.readings.iter().map(|reading| format!("  {reading}\n"));
            format!("{verdict}\n{}", sections.chain(readings).collect::<String>())
        }
    };
    let code = match answer.verdict {
        "valid" => 0,
        "undecided" => UNDECIDED,
        _ => INVALID,
    };
    let outcome = match (text.split_once('\n'), args.json) {
        (Some((verdict, rest)), false) => {
            write!(anstream::stdout(), "{}\n{rest}", style::paint(style::of_code(code), verdict))
        }
        _ => std::io::stdout().write_all(text.as_bytes()),
    };
    output::written(outcome)?;
    Ok(Done::new(code))
}
