//! The section of a proof that one search writes.

use std::sync::{Mutex, OnceLock};

use tempfile::SpooledTempFile;
use treeproof_checker::exclusion::distance_limit::DistanceLimit;
use treeproof_checker::space::Space;
use treeproof_checker::space::grid::Grid;
use treeproof_ensemble::ensemble::Ensemble;
use treeproof_proof::conclusion::{Claim, Conclusion};
use treeproof_proof::header::{Header, LedgerKind};
use treeproof_proof::statement::Statement;
use treeproof_proof::writer::{ProofWriter, SectionWriter};
use treeproof_search::{Journal, Value};

use super::ProofError;
use super::journal::{JournalTranslator, Records};
use super::refuter::Refuter;
use crate::problem::{Compiled, Form};

/// The size from which the records of a search are on a temporary file.
const MOST_IN_MEMORY: usize = 1 << 20;

/// The section of a proof for one search, while it is written.
#[derive(Debug)]
pub(crate) struct Section {
    header: Header,
    /// Largest distance that counts, if a distance is asked for.
    most: Option<f64>,
    writer: SectionWriter,
    records: Mutex<Records>,
}

impl Section {
    /// Begins the section of a search; `ledgers` are those of its problem.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(crate) fn begin(
        writer: &ProofWriter,
        statement: Statement,
        form: &Form<'_>,
        compiled: &Compiled,
        ledgers: Vec<LedgerKind>,
    ) -> Result<Self, ProofError> {
        let (unit, offset) = compiled.scale();
        let bundles = compiled.bundles();
        let (name, place) = (writer.name().to_owned(), writer.place().to_vec());
        let models = writer.models().to_vec();
        let axes = compiled.grid(form);
        let header = Header { name, place, models, statement, axes, unit, offset, bundles, ledgers };
        let writer = writer.section(&header)?;
        let records = Records::new(SpooledTempFile::new(MOST_IN_MEMORY), header.bundles.len() as u64);
        Ok(Self { header, most: None, writer, records: Mutex::new(records) })
    }

    /// Sets the largest distance that the search looks at.
    pub(crate) fn up_to(self, most: Option<f64>) -> Self {
        Self { most, ..self }
    }

    /// Runs a search whose journal is written to the section.
    pub(crate) fn follow<T>(&self, models: &[&Ensemble], search: impl FnOnce(Box<dyn Journal + '_>) -> T) -> T {
        // Built on first use: it takes as long as many a search, and most searches refute no box.
        let (space, grid, limits) = (OnceLock::new(), OnceLock::new(), OnceLock::new());
        let space = || space.get_or_init(|| Space::new(&self.header.statement, models.iter().copied()).ok()).as_ref();
        let grid = || grid.get_or_init(|| Grid::new(space()?, &self.header.axes).ok()).as_ref();
        let limits = || limits.get_or_init(|| DistanceLimit::all(grid()?, self.most).ok()).as_ref();
        let refuter = || Some(Refuter { grid: grid()?, limits: limits()? });
        search(Box::new(JournalTranslator::new(&self.records, &refuter)))
    }

    /// Ends the section with its conclusion. `upper` is the bound of the search: what is known to be at most that is left out.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(crate) fn finish(self, conclusion: &Conclusion, upper: Option<Value>) -> Result<(), ProofError> {
        let Self { mut writer, records, .. } = self;
        let records = records.into_inner().expect("no thread panics while it writes");
        // The witness speaks for itself.
        if !matches!(conclusion.claim, Claim::Reached | Claim::Nothing) {
            records.assemble(upper, |piece| writer.log(piece))?;
        }
        Ok(writer.finish(conclusion)?)
    }
}

/// Runs a search whose journal is written to a section, if there is one.
pub(crate) fn follow<T>(
    section: Option<&Section>,
    models: &[&Ensemble],
    search: impl FnOnce(Option<Box<dyn Journal + '_>>) -> T,
) -> T {
    match section {
        Some(section) => section.follow(models, |journal| search(Some(journal))),
        None => search(None),
    }
}
