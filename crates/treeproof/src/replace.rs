//! Files that appear whole or not at all: what is half written must never stand where a whole file is expected.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tempfile::{Builder, NamedTempFile, PersistError};
use treeproof_proof::model_file::Preamble;
use treeproof_proof::writer::ProofWriter;

use crate::file_kind::FileKind;

/// Temporary files of this process, for a signal handler that ends it: destructors do not run then.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(vec![]);

fn unfinished() -> MutexGuard<'static, Vec<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes all temporary files, for a process that ends without destructors.
pub fn abandon_all() {
    for path in unfinished().drain(..) {
        // Nothing is left to be done if even this fails.
        let _ = fs::remove_file(path);
    }
}

/// A file under way, beside the one that it replaces in the end. If it never gets there it is removed.
#[derive(Debug)]
pub struct Replacement {
    path: PathBuf,
    content: Content,
    /// The kind of file that it may replace; any if `None`.
    replaced: Option<FileKind>,
}

#[derive(Debug)]
enum Content {
    /// In a temporary file of its own name, so that two runs never write into one; links are followed to the file behind them.
    Beside { partial: NamedTempFile, target: PathBuf },
    /// In the file itself: a pipe, a device, what is at its place already.
    Through(File),
}

impl Replacement {
    /// The file that it replaces, as it was named.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Opens it, so that a bad path fails now; if a kind is named, other files that appear there meanwhile are kept.
    ///
    /// # Errors
    /// If there can be no such file.
    pub fn create(path: &Path, replaced: Option<FileKind>) -> io::Result<Self> {
        let there = path.metadata().ok();
        if there.as_ref().is_some_and(fs::Metadata::is_dir) {
            return Err(io::Error::new(io::ErrorKind::IsADirectory, "is a directory; name a file in it"));
        }
        let content = match is_descriptor(path) || there.as_ref().is_some_and(|there| !there.is_file()) {
            true => Content::Through(open_through(path)?),
            false => {
                let target = resolve(path)?;
                let folder = target.parent().unwrap_or(Path::new("."));
                let partial = temporary(folder)?;
                if let Some(there) = there {
                    // The content counts: a file system that keeps no permissions is no reason to stop.
                    let _ = partial.as_file().set_permissions(there.permissions());
                }
                unfinished().push(partial.path().to_owned());
                Content::Beside { partial, target }
            }
        };
        Ok(Self { path: path.to_owned(), content, replaced })
    }

    /// Writes all of it, and gives it its name.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(mut self, content: &[u8]) -> io::Result<()> {
        self.file_mut().write_all(content)?;
        self.finish()
    }

    /// Where its content is written, by whoever writes it piece by piece.
    ///
    /// # Errors
    /// If the system has no more files to give.
    pub fn writer(&self) -> io::Result<File> {
        match &self.content {
            Content::Beside { partial, .. } => partial.as_file().try_clone(),
            Content::Through(file) => file.try_clone(),
        }
    }

    /// Gives it its name at once, for content that is meant to be read while it grows. Another run that names the same file
    /// replaces it as well: the two never mix.
    ///
    /// # Errors
    /// If it cannot be kept.
    pub fn appear(mut self) -> io::Result<File> {
        let writer = self.writer()?;
        self.finish()?;
        Ok(writer)
    }

    /// Gives what is written its name.
    ///
    /// # Errors
    /// If it cannot be kept, or a file of another kind has taken its place meanwhile: then what is written stays beside it.
    pub fn finish(&mut self) -> io::Result<()> {
        let Content::Beside { partial, .. } = &self.content else { return Ok(()) };
        partial.as_file().sync_all()?;
        let file = partial.as_file().try_clone()?;
        let Content::Beside { partial, target } = std::mem::replace(&mut self.content, Content::Through(file)) else {
            return Ok(());
        };
        let source = partial.path().to_owned();
        let outcome = match self.replaced {
            None => rename(partial, &target),
            Some(kind) => name_or_replace(partial, &target, kind),
        };
        unfinished().retain(|path| *path != source);
        outcome
    }

    fn file_mut(&mut self) -> &mut File {
        match &mut self.content {
            Content::Beside { partial, .. } => partial.as_file_mut(),
            Content::Through(file) => file,
        }
    }
}

impl Drop for Replacement {
    fn drop(&mut self) {
        if let Content::Beside { partial, .. } = &self.content {
            unfinished().retain(|path| path != partial.path());
        }
    }
}

/// Gives a file its name. A file there is replaced if it is of this kind or empty.
fn name_or_replace(partial: NamedTempFile, target: &Path, kind: FileKind) -> io::Result<()> {
    let PersistError { error, file: partial } = match partial.persist_noclobber(target) {
        Ok(_) => return Ok(()),
        Err(refused) => refused,
    };
    let there = match target.symlink_metadata() {
        Ok(there) => there,
        // Some file systems can rename, but not without the risk of replacing.
        Err(_) if error.kind() != io::ErrorKind::AlreadyExists => return rename(partial, target),
        Err(error) => return Err(error),
    };
    if there.is_file() && (there.len() == 0 || kind.is_at(target)) {
        return rename(partial, target);
    }
    let appeared = format!("a file that is not {} appeared there meanwhile and is kept", kind.name);
    if partial.as_file().metadata()?.len() == 0 {
        return Err(io::Error::new(io::ErrorKind::AlreadyExists, appeared));
    }
    let (_, beside) = partial.keep().map_err(|refused| refused.error)?;
    let text = format!("{appeared}; what was written is in {}", beside.display());
    Err(io::Error::new(io::ErrorKind::AlreadyExists, text))
}

/// Gives a file its name, whatever is there.
fn rename(partial: NamedTempFile, target: &Path) -> io::Result<()> {
    partial.persist(target).map(drop).map_err(|refused| refused.error)
}

/// A file that nobody else has, with the permissions of any new file.
fn temporary(folder: &Path) -> io::Result<NamedTempFile> {
    let mut builder = Builder::new();
    builder.prefix(".treeproof-").suffix(".partial");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // Less what the user's umask takes away.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    // The path in its errors is of no use to anybody; the kind is.
    builder.tempfile_in(folder).map_err(|error| match error.raw_os_error() {
        Some(code) => io::Error::from_raw_os_error(code),
        None => io::Error::from(error.kind()),
    })
}

/// True if a path names an open file of a process, as `/dev/stdout` does: there is no name to replace.
pub(crate) fn is_descriptor(path: &Path) -> bool {
    ["/dev/fd", "/dev/stdin", "/dev/stdout", "/dev/stderr", "/proc"].iter().any(|own| path.starts_with(own))
}

/// Opens what is written through. Output that goes to a file already is continued, not cut.
fn open_through(path: &Path) -> io::Result<File> {
    #[cfg(unix)]
    {
        use std::os::fd::AsFd;
        if ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"].iter().any(|own| path == Path::new(own)) {
            return io::stdout().as_fd().try_clone_to_owned().map(File::from);
        }
        if ["/dev/stderr", "/dev/fd/2", "/proc/self/fd/2"].iter().any(|own| path == Path::new(own)) {
            return io::stderr().as_fd().try_clone_to_owned().map(File::from);
        }
    }
    OpenOptions::new().append(true).open(path)
}

/// More links than systems follow.
const MOST_LINKS: usize = 40;

/// The file behind links, which need not be there yet.
pub(crate) fn resolve(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let folder = folder.canonicalize()?;
        let name = path.file_name().ok_or_else(|| io::Error::from(io::ErrorKind::InvalidInput))?;
        let place = folder.join(name);
        match fs::read_link(&place) {
            Ok(next) => path = folder.join(next),
            Err(_) => return Ok(place),
        }
    }
    Err(io::Error::other("its links lead in a circle"))
}

/// A proof under way. It takes the place of another file when it is whole.
#[derive(Debug)]
pub struct ProofFile {
    file: Replacement,
    writer: ProofWriter,
}

impl ProofFile {
    /// Begins to write a proof.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn begin(file: Replacement, preamble: &Preamble) -> io::Result<Self> {
        let writer = ProofWriter::new(Box::new(BufWriter::new(file.writer()?)), preamble)?;
        Ok(Self { file, writer })
    }

    /// The file that it becomes.
    pub fn path(&self) -> &Path {
        self.file.path()
    }

    /// Who writes it.
    pub fn writer(&self) -> &ProofWriter {
        &self.writer
    }

    /// Seals it.
    ///
    /// # Errors
    /// If something could not be written.
    pub fn finish(&mut self) -> io::Result<()> {
        self.writer.finish()?;
        self.file.finish()
    }
}
