//! Reading the files of a command, with notes on standard error and hints for misspelled names.

use std::fs::File;
use std::io::{Read, Write};
use std::path::Path;
use std::sync::Arc;

use treeproof::outputs::OutputError;
use treeproof::rows::{Labelled, RowOptions, Rows};
use treeproof::sources::{AskError, InputFiles, Sources};
use treeproof::task::Reading;
use treeproof_data::{ReadError, Table};
use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::error::{LoadError, LoadFailure};
use treeproof_ensemble::load;
use treeproof_language::suggest;

use crate::task_source::TaskSource;

/// A reader of the files that a task names.
pub(crate) struct Files<'a> {
    /// The origin of the task.
    pub(crate) source: TaskSource<'a>,
    /// Files read so far.
    pub(crate) inputs: &'a InputFiles,
}

impl Sources for Files<'_> {
    fn model(&self, name: &Path, reading: &Reading) -> Result<Arc<Ensemble>, AskError> {
        self.model_of(name, reading).map_err(AskError::Model)
    }

    fn data(&self, name: &Path, model: &Ensemble, options: &RowOptions) -> Result<Labelled, AskError> {
        refuse_absent_table(name)?;
        let table = self.inputs.table(name)?;
        let labelled = Labelled::of_table(&table, model, options).map_err(|error| AskError::data(name, error))?;
        tell_row_notes(name, &labelled.rows);
        Ok(labelled)
    }

    fn domain_label(&self, name: &Path) -> String {
        match self.source {
            TaskSource::Flags => format!("--domain {}", name.display()),
            TaskSource::File(_) | TaskSource::Check(..) => format!("domain {}", name.display()),
        }
    }
}

/// Prints the assumptions made about a data file.
pub(crate) fn tell_row_notes(path: &Path, rows: &Rows) {
    for note in rows.notes() {
        // A note that cannot be written does not stop the command.
        let _ = writeln!(std::io::stderr(), "treeproof: note: {}: {note}", path.display());
    }
}

impl Files<'_> {
    /// A model, with its notes on the first read.
    pub(crate) fn model_of(&self, path: &Path, reading: &Reading) -> Result<Arc<Ensemble>, LoadError> {
        let is_read = self.inputs.sha256(path).is_some();
        refuse_absent_model(path)?;
        let ensemble = self.inputs.model(path, reading)?;
        if !is_read {
            tell_notes(path, reading, &ensemble);
        }
        Ok(ensemble)
    }
}

/// Prints a note if the file has two readings and no flag chooses, or if a flag has no effect.
pub(crate) fn tell_notes(path: &Path, reading: &Reading, ensemble: &Ensemble) {
    let early = ensemble.source().notes.iter();
    let early = early.filter(|note| reading.api.is_none() && note.starts_with(load::STOPS_EARLY));
    let early = early.map(|note| format!("{note} (--api booster uses all)"));
    for note in early.chain(reading.options().ignored_by(ensemble)) {
        // A note that cannot be written does not stop the command.
        let _ = writeln!(std::io::stderr(), "treeproof: note: {}: {note}", path.display());
    }
}

/// Loads a model without notes.
pub(crate) fn load_quietly(path: &Path, reading: &Reading) -> Result<Ensemble, LoadError> {
    refuse_absent_model(path)?;
    load::load_path(path, &reading.options())
}

fn refuse_absent_model(path: &Path) -> Result<(), LoadError> {
    let refuse =
        |absent| LoadError { file: Some(path.to_owned()), place: String::new(), reason: LoadFailure::Io(absent) };
    absent(path).map_or(Ok(()), |absent| Err(refuse(absent)))
}

/// The error for an unreadable model, with a hint if the data is one.
pub(crate) fn perhaps_swapped(error: LoadError, data: Option<&Path>, reading: &Reading) -> anyhow::Error {
    let is_model = |data: &Path| load::load_path(data, &reading.options()).is_ok();
    match data.filter(|data| matches!(error.reason, LoadFailure::Unrecognised(_)) && is_model(data)) {
        Some(data) => anyhow::anyhow!("{error}; {} is one: MODEL comes before DATA", data.display()),
        None => error.into(),
    }
}

/// A file of data.
pub(crate) fn read_table(path: &Path) -> Result<Table, ReadError> {
    refuse_absent_table(path)?;
    treeproof_data::read(path)
}

fn refuse_absent_table(path: &Path) -> Result<(), ReadError> {
    let io = treeproof_data::error::ReadFailure::Io;
    let refuse = |absent| ReadError { file: Some(path.to_owned()), place: String::new(), reason: io(absent) };
    absent(path).map_or(Ok(()), |absent| Err(refuse(absent)))
}

/// The message for a missing file, with a suggestion; `None` if the file exists.
pub(crate) fn absent(path: &Path) -> Option<String> {
    if path.exists() {
        return None;
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if !folder.is_dir() {
        return Some(format!("no such file: there is no folder {}", folder.display()));
    }
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let files = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let files: Vec<String> = files.filter_map(|file| file.file_name().into_string().ok()).collect();
    // Names are compared without their extensions.
    let stem = |name: &str| name.split('.').next().unwrap_or_default().to_owned();
    let is_like = |file: &&str| suggest::closest_name(&stem(&name), [stem(file).as_str()]).is_some();
    let alike: Vec<&str> = files.iter().map(String::as_str).filter(is_like).collect();
    let first = || alike.first().map(|file| (*file).to_owned());
    let meant = suggest::closest_name(&name, alike.iter().copied()).or_else(first);
    let meant = meant.map(|meant| format!("; did you mean {}?", path.with_file_name(meant).display()));
    Some(format!("no such file{}", meant.unwrap_or_default()))
}

/// The error for a refused output file.
pub(crate) fn refused(error: OutputError) -> anyhow::Error {
    match error {
        OutputError::Io { path, error } => unwritten(&path, error),
        error => error.into(),
    }
}

/// The error for a file that cannot be written.
pub(crate) fn unwritten(path: &Path, error: std::io::Error) -> anyhow::Error {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty() && !folder.exists());
    match folder {
        Some(folder) => anyhow::anyhow!("{}: there is no folder {}; make it first", path.display(), folder.display()),
        None => anyhow::Error::from(error).context(path.display().to_string()),
    }
}

/// The largest size of a file written by hand; a device may never end.
const LONGEST_TEXT: u64 = 64 << 20;

/// The text of a file written by hand.
pub(crate) fn read_text(path: &Path) -> anyhow::Result<String> {
    let mut text = String::new();
    let file = File::open(path).map_err(|error| unread(path, error))?;
    file.take(LONGEST_TEXT + 1).read_to_string(&mut text).map_err(|error| unread(path, error))?;
    anyhow::ensure!(
        text.len() as u64 <= LONGEST_TEXT,
        "{}: is larger than 64 MiB, the limit for this kind of file",
        path.display()
    );
    Ok(text)
}

/// The error for a file that cannot be read.
pub(crate) fn unread(path: &Path, error: std::io::Error) -> anyhow::Error {
    match error.kind() {
        std::io::ErrorKind::NotFound => {
            let absent = absent(path).unwrap_or_else(|| "no such file".to_owned());
            anyhow::anyhow!("{}: {absent}", path.display())
        }
        std::io::ErrorKind::IsADirectory => anyhow::anyhow!("{}: is a directory; name a file in it", path.display()),
        std::io::ErrorKind::InvalidData => anyhow::anyhow!("{}: is not text in UTF-8", path.display()),
        _ => anyhow::Error::from(error).context(path.display().to_string()),
    }
}
