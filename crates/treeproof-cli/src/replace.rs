//! Files that appear whole or not at all: what is half written must never stand where a whole file is expected.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context;

/// A file under way, beside the one that it replaces in the end. If it never gets there it is removed.
pub(crate) struct Replacement {
    path: PathBuf,
    /// Where the content is until it is whole; pipes, devices and links are written through, not replaced by a file.
    partial: Option<PathBuf>,
    file: File,
}

impl Replacement {
    /// The file that it replaces.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Opens it, so that a bad path fails now.
    pub(crate) fn create(path: &Path) -> anyhow::Result<Self> {
        let named = || path.display().to_string();
        anyhow::ensure!(!path.is_dir(), "{}: is a directory; name a file in it", named());
        let is_written_through = path.symlink_metadata().is_ok_and(|there| !there.is_file());
        let partial = (!is_written_through).then(|| {
            let mut partial = path.as_os_str().to_owned();
            partial.push(".partial");
            PathBuf::from(partial)
        });
        let file = File::create(partial.as_deref().unwrap_or(path)).with_context(named)?;
        Ok(Self { path: path.to_owned(), partial, file })
    }

    /// Writes all of it, and gives it its name.
    pub(crate) fn write(mut self, content: &[u8]) -> anyhow::Result<()> {
        let outcome = self.file.write_all(content);
        outcome.with_context(|| self.path.display().to_string())?;
        self.finish()
    }

    /// Where its content is written, by whoever writes it piece by piece.
    pub(crate) fn writer(&self) -> anyhow::Result<File> {
        self.file.try_clone().with_context(|| self.path.display().to_string())
    }

    /// Gives what is written its name.
    pub(crate) fn finish(&mut self) -> anyhow::Result<()> {
        let outcome = self.keep();
        outcome.with_context(|| self.path.display().to_string())
    }

    fn keep(&mut self) -> std::io::Result<()> {
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
