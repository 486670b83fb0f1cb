//! Files that appear whole or not at all: what is half written must never stand where a whole file is expected.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use treeproof_proof::file::{Preamble, ProofWriter};

/// A file under way, beside the one that it replaces in the end. If it never gets there it is removed.
#[derive(Debug)]
pub struct Replacement {
    path: PathBuf,
    /// Where the content is until it is whole; pipes, devices and links are written through, not replaced by a file.
    partial: Option<PathBuf>,
    file: File,
}

impl Replacement {
    /// The file that it replaces.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Opens it, so that a bad path fails now.
    ///
    /// # Errors
    /// If there can be no such file.
    pub fn create(path: &Path) -> io::Result<Self> {
        if path.is_dir() {
            return Err(io::Error::new(io::ErrorKind::IsADirectory, "is a directory; name a file in it"));
        }
        let is_written_through = path.symlink_metadata().is_ok_and(|there| !there.is_file());
        let partial = (!is_written_through).then(|| {
            let mut partial = path.as_os_str().to_owned();
            partial.push(".partial");
            PathBuf::from(partial)
        });
        let file = File::create(partial.as_deref().unwrap_or(path))?;
        Ok(Self { path: path.to_owned(), partial, file })
    }

    /// Writes all of it, and gives it its name.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(mut self, content: &[u8]) -> io::Result<()> {
        self.file.write_all(content)?;
        self.finish()
    }

    /// Where its content is written, by whoever writes it piece by piece.
    ///
    /// # Errors
    /// If the system has no more files to give.
    pub fn writer(&self) -> io::Result<File> {
        self.file.try_clone()
    }

    /// Gives what is written its name.
    ///
    /// # Errors
    /// If it cannot be kept.
    pub fn finish(&mut self) -> io::Result<()> {
        // Only files can be made safe on disk; a pipe would refuse.
        if self.file.metadata()?.is_file() {
            self.file.sync_all()?;
        }
        if let Some(partial) = &self.partial {
            std::fs::rename(partial, &self.path)?;
            self.partial = None;
        }
        Ok(())
    }
}

impl Drop for Replacement {
    fn drop(&mut self) {
        if let Some(partial) = &self.partial {
            // The error that is reported is the first one, whether or not something is left to remove.
            let _ = std::fs::remove_file(partial);
        }
    }
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
    /// If there can be no such file.
    pub fn create(path: &Path, preamble: &Preamble) -> io::Result<Self> {
        let file = Replacement::create(path)?;
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
