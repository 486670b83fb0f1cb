//! Pages about answers: beside an answer (`--report FILE`), and of saved ones (`treeproof report`).

use std::path::Path;

use anyhow::Context;
use serde_json::Value;
use treeproof::outputs::{FileKind, Outputs, Replacement};
use treeproof_render::{Spelling, html, is_page};
use treeproof_report::SavedAnswer;

use crate::args::ReportArgs;
use crate::files;

/// The kind of file that a page may overwrite.
const PAGE: FileKind = FileKind { name: "a page of treeproof", is_kind: |ends| is_page(&ends.start) };

/// A page that is opened before there is an answer: a bad path must fail before the search, not after it.
pub(crate) struct PageFile(Replacement);

impl PageFile {
    /// An error if the file that an option names cannot be written, or is refused.
    pub(crate) fn create(option: &str, path: &Path, outputs: &mut Outputs) -> anyhow::Result<Self> {
        Ok(Self(outputs.open(option, path, PAGE).map_err(files::refused)?))
    }

    pub(crate) fn write(self, saved: &SavedAnswer) -> anyhow::Result<()> {
        self.write_all(std::slice::from_ref(saved))
    }

    /// One page about several answers.
    pub(crate) fn write_all(self, saved: &[SavedAnswer]) -> anyhow::Result<()> {
        let named = self.0.path().display().to_string();
        self.0.write(html(saved, Spelling::Flags).as_bytes()).context(named)
    }
}

/// One page about saved answers.
pub(crate) fn run(args: &ReportArgs) -> anyhow::Result<()> {
    let mut outputs = Outputs::new(args.answers.iter().map(|path| &**path), args.force.force);
    // An answer that cannot be read is told before a page that cannot be written.
    let saved = args.answers.iter().map(|path| read(path)).collect::<anyhow::Result<Vec<_>>>()?;
    PageFile::create("--output", &args.output, &mut outputs)?.write_all(&saved)
}

fn read(path: &Path) -> anyhow::Result<SavedAnswer> {
    anyhow::ensure!(!path.is_dir(), "{}: is a directory, not an answer", path.display());
    let text = files::read_text(path)?;
    let answer: Value = serde_json::from_str(&text)
        .map_err(|error| anyhow::anyhow!("{}: is not JSON: {error}; save what --json prints", path.display()))?;
    SavedAnswer::read(answer).map_err(|error| anyhow::anyhow!("{}: {error}", path.display()))
}
