//! The files that a task names.

use std::fs::File;
use std::io::{Read, Write};
use std::path::Path;
use std::sync::Arc;

use treeproof::outputs::OutputError;
use treeproof::rows::{Labelled, RowOptions};
use treeproof::sources::{AskError, InputFiles, Sources};
use treeproof::task::Reading;
use treeproof_data::{ReadError, Table};
use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::error::{LoadError, Reason};
use treeproof_ensemble::load;
use treeproof_language::suggest;

use crate::ask::Source;
use crate::rows;

/// Reads the files that a task names.
pub(crate) struct Files<'a> {
    /// Where the task comes from.
    pub(crate) source: Source<'a>,
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
        rows::tell_notes(name, &labelled.rows);
        Ok(labelled)
    }

    fn domain_label(&self, name: &Path) -> String {
        match self.source {
            Source::Flags => format!("--domain {}", name.display()),
            Source::File(_) | Source::Check(..) => format!("domain {}", name.display()),
        }
    }
}

impl Files<'_> {
    /// A model, with its notes when it is read.
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

/// A model, with a note where the file has two readings and nobody chose, or what was chosen makes no difference.
pub(crate) fn load_model(path: &Path, reading: &Reading) -> Result<Ensemble, LoadError> {
    let ensemble = load_quietly(path, reading)?;
    tell_notes(path, reading, &ensemble);
    Ok(ensemble)
}

fn tell_notes(path: &Path, reading: &Reading, ensemble: &Ensemble) {
    let early = ensemble.source().notes.iter();
    let early = early.filter(|note| reading.api.is_none() && note.starts_with(load::STOPS_EARLY));
    let early = early.map(|note| format!("{note} (--api booster uses all)"));
    for note in early.chain(reading.options().ignored_by(ensemble)) {
        // A note that cannot be written is no reason to stop.
        let _ = writeln!(std::io::stderr(), "treeproof: note: {}: {note}", path.display());
    }
}

/// A model, without a word.
pub(crate) fn load_quietly(path: &Path, reading: &Reading) -> Result<Ensemble, LoadError> {
    refuse_absent_model(path)?;
    load::load_path(path, &reading.options())
}

fn refuse_absent_model(path: &Path) -> Result<(), LoadError> {
    let refuse = |absent| LoadError { file: Some(path.to_owned()), place: String::new(), reason: Reason::Io(absent) };
    absent(path).map_or(Ok(()), |absent| Err(refuse(absent)))
}

/// That a model cannot be read, with a word if the data would be one.
pub(crate) fn perhaps_swapped(error: LoadError, data: Option<&Path>, reading: &Reading) -> anyhow::Error {
    let is_model = |data: &Path| load::load_path(data, &reading.options()).is_ok();
    match data.filter(|data| matches!(error.reason, Reason::Unrecognised(_)) && is_model(data)) {
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
    let io = treeproof_data::error::Reason::Io;
    let refuse = |absent| ReadError { file: Some(path.to_owned()), place: String::new(), reason: io(absent) };
    absent(path).map_or(Ok(()), |absent| Err(refuse(absent)))
}

/// That there is no such file, with the one beside it that may be meant; none if it is there.
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
    // The ending alone makes no two names alike, nor does another ending make them different.
    let stem = |name: &str| name.split('.').next().unwrap_or_default().to_owned();
    let is_like = |file: &&str| suggest::closest_name(&stem(&name), [stem(file).as_str()]).is_some();
    let alike: Vec<&str> = files.iter().map(String::as_str).filter(is_like).collect();
    let first = || alike.first().map(|file| (*file).to_owned());
    let meant = suggest::closest_name(&name, alike.iter().copied()).or_else(first);
    let meant = meant.map(|meant| format!("; did you mean {}?", path.with_file_name(meant).display()));
    Some(format!("no such file{}", meant.unwrap_or_default()))
}

/// The reason for refusing an output file.
pub(crate) fn refused(error: OutputError) -> anyhow::Error {
    match error {
        OutputError::Io { path, error } => unwritten(&path, error),
        error => error.into(),
    }
}

/// That a file cannot be written.
pub(crate) fn unwritten(path: &Path, error: std::io::Error) -> anyhow::Error {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty() && !folder.exists());
    match folder {
        Some(folder) => anyhow::anyhow!("{}: there is no folder {}; make it first", path.display(), folder.display()),
        None => anyhow::Error::from(error).context(path.display().to_string()),
    }
}

/// What people write is far shorter; a device may never end.
const LONGEST_TEXT: u64 = 64 << 20;

/// The text of a file that people write.
pub(crate) fn read_text(path: &Path) -> anyhow::Result<String> {
    let mut text = String::new();
    let file = File::open(path).map_err(|error| unread(path, error))?;
    file.take(LONGEST_TEXT + 1).read_to_string(&mut text).map_err(|error| unread(path, error))?;
    anyhow::ensure!(
        text.len() as u64 <= LONGEST_TEXT,
        "{}: longer than 64 MiB: no text that people write",
        path.display()
    );
    Ok(text)
}

/// That a file cannot be read.
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
