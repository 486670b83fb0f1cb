//! Kinds of output files, recognised by their content.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

use treeproof_ensemble::load;
use treeproof_proof::reader::is_proof;

/// A kind of output, which tells its own files from others.
#[derive(Clone, Copy, Debug)]
pub struct FileKind {
    /// As in "is not a proof".
    pub name: &'static str,
    /// Recognises a file of this kind by its beginning and end.
    pub is_kind: fn(&Ends) -> bool,
}

/// A proof.
pub const PROOF: FileKind = FileKind { name: "a proof", is_kind: |ends| is_proof(&ends.start) };
/// A model in treeproof's own JSON.
pub const MODEL: FileKind =
    FileKind { name: "a model in treeproof's own JSON", is_kind: |ends| load::is_own(&ends.start) };

impl FileKind {
    /// True if there is a file of this kind. A file that cannot be read cannot be told from something precious.
    pub(crate) fn is_at(self, path: &Path) -> bool {
        Ends::read(path).is_ok_and(|ends| (self.is_kind)(&ends))
    }
}

/// The first and the last bytes of a file.
#[derive(Clone, Debug, Default)]
pub struct Ends {
    /// The first 64 KiB, or all of it.
    pub start: Vec<u8>,
    /// The last 64 KiB, or all of it.
    pub end: Vec<u8>,
}

/// Bytes of a file that are looked at.
const LOOKED_AT: u64 = 1 << 16;

impl Ends {
    fn read(path: &Path) -> io::Result<Self> {
        let mut ends = Self::default();
        let mut file = File::open(path)?;
        file.by_ref().take(LOOKED_AT).read_to_end(&mut ends.start)?;
        let length = file.metadata()?.len();
        file.seek(SeekFrom::Start(length.saturating_sub(LOOKED_AT)))?;
        file.take(LOOKED_AT).read_to_end(&mut ends.end)?;
        Ok(ends)
    }
}
