//! Output files: what a command reads it never overwrites, and a file of another kind is kept unless it is forced.

use std::fs::{File, Metadata};
use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::replace::{is_descriptor, resolve};

pub use crate::file_kind::{Ends, FileKind, MODEL, PROOF};
pub use crate::replace::{ProofFile, Replacement, abandon_all};

/// An output file is refused. Each message is one line: what, where, what to do.
#[derive(Debug, Error)]
pub enum OutputError {
    /// It is an input.
    #[error("{option}: {} is a file that is read; name another one", path.display())]
    Input {
        /// The option that names it.
        option: String,
        /// As it was named.
        path: PathBuf,
    },
    /// Two outputs would be one file.
    #[error("{option}: {} is where {other} goes; name another file", path.display())]
    Taken {
        /// The option that names it.
        option: String,
        /// As it was named.
        path: PathBuf,
        /// The option that named it first.
        other: String,
    },
    /// There is a file of another kind.
    #[error("{option}: {} is not {kind} and is kept; name another file, or overwrite it with --force", path.display())]
    Kept {
        /// The option that names it.
        option: String,
        /// As it was named.
        path: PathBuf,
        /// Permission to overwrite.
        kind: &'static str,
    },
    /// It cannot be written.
    #[error("{}: {error}", path.display())]
    Io {
        /// As it was named.
        path: PathBuf,
        /// The reason.
        error: io::Error,
    },
}

/// The output files of one command.
#[derive(Debug)]
pub struct Outputs {
    inputs: Vec<Location>,
    taken: Vec<(String, Location)>,
    is_forced: bool,
}

impl Outputs {
    /// The outputs of a command that reads these files; `is_forced` if files of other kinds may be overwritten.
    pub fn new<'p>(inputs: impl Iterator<Item = &'p Path>, is_forced: bool) -> Self {
        let taken = stdout().map(|there| ("standard output".to_owned(), Location { path: None, id: Some(there) }));
        Self { inputs: inputs.map(Location::of).collect(), taken: taken.into_iter().collect(), is_forced }
    }

    /// Opens the file that an option names. Nothing changes there until it is finished.
    ///
    /// # Errors
    /// If it is an input, another output, a file of another kind, or cannot be written.
    pub fn open(&mut self, option: &str, path: &Path, kind: FileKind) -> Result<Replacement, OutputError> {
        let named = || (option.to_owned(), path.to_owned());
        let there = path.metadata().ok();
        let is_replaced = there.as_ref().is_none_or(Metadata::is_file);
        let location = Location::of(path);
        if is_replaced {
            if self.inputs.iter().any(|input| input.is(&location)) {
                let (option, path) = named();
                return Err(OutputError::Input { option, path });
            }
            if !is_descriptor(path)
                && let Some((other, _)) = self.taken.iter().find(|(_, taken)| taken.is(&location))
            {
                let ((option, path), other) = (named(), other.clone());
                return Err(OutputError::Taken { option, path, other });
            }
        }
        let is_content = |there: &Metadata| there.is_file() && there.len() > 0 && !is_descriptor(path);
        if !self.is_forced && there.as_ref().is_some_and(is_content) && !kind.is_at(path) {
            let (option, path) = named();
            return Err(OutputError::Kept { option, path, kind: kind.name });
        }
        let replaced = (!self.is_forced).then_some(kind);
        let file =
            Replacement::create(path, replaced).map_err(|error| OutputError::Io { path: path.to_owned(), error })?;
        if is_replaced {
            self.taken.push((option.to_owned(), location));
        }
        Ok(file)
    }
}

/// A file by all that can tell it from others: links and other spellings of a path lead to the same.
#[derive(Debug)]
struct Location {
    path: Option<PathBuf>,
    id: Option<FileId>,
}

impl Location {
    fn of(path: &Path) -> Self {
        Self { path: resolve(path).ok(), id: path.metadata().ok().and_then(|there| id(&there)) }
    }

    fn is(&self, other: &Self) -> bool {
        self.path.is_some() && self.path == other.path || self.id.is_some() && self.id == other.id
    }
}

/// A device and a file on it.
type FileId = (u64, u64);

#[cfg(unix)]
fn id(there: &Metadata) -> Option<FileId> {
    use std::os::unix::fs::MetadataExt;
    Some((there.dev(), there.ino()))
}

/// Hard links cannot be told here; the kind of a file still protects what is behind them.
#[cfg(not(unix))]
fn id(_: &Metadata) -> Option<FileId> {
    None
}

/// The file that standard output goes to, if it goes to one.
#[cfg(unix)]
fn stdout() -> Option<FileId> {
    use std::os::fd::AsFd;
    let there = File::from(io::stdout().as_fd().try_clone_to_owned().ok()?).metadata().ok()?;
    there.is_file().then(|| id(&there)).flatten()
}

#[cfg(not(unix))]
fn stdout() -> Option<FileId> {
    None
}
