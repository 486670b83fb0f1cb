//! Checks of pages before they reach the decoder, which would panic or run out of memory on some false claims.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use ::parquet::basic::{Encoding, Type as Physical};
use ::parquet::column::page::{Page, PageMetadata, PageReader};
use ::parquet::errors::{ParquetError, Result};

use crate::read::bytes::MemoryLimit;

/// Inflated bytes of all pages of a file: many parts of a file may name the same small page.
#[derive(Clone)]
pub(super) struct InflatedBytes {
    limit: MemoryLimit,
    bytes: Arc<AtomicUsize>,
}

impl InflatedBytes {
    pub(super) fn new(limit: MemoryLimit) -> Self {
        Self { limit, bytes: Arc::default() }
    }

    fn add(&self, page: &Page) -> Result<()> {
        let before = self.bytes.fetch_add(page.buffer().len(), Ordering::Relaxed);
        // Pages are not kept, and texts outside a dictionary may take more room there than as codes.
        match self.limit.admits((before + page.buffer().len()) / 4, 1) {
            true => Ok(()),
            false => Err(ParquetError::General(format!("its pages: {}", self.limit.exceeded()))),
        }
    }
}

/// A page reader that refuses dictionary pages shorter than they claim, lookups in a missing dictionary, and levels in an
/// unknown encoding.
pub(super) struct CheckedPages {
    pages: Box<dyn PageReader>,
    /// The smallest size of a dictionary value.
    value_size: usize,
    has_dictionary: bool,
    inflated: InflatedBytes,
}

impl CheckedPages {
    pub(super) fn new(pages: Box<dyn PageReader>, physical: Physical, inflated: InflatedBytes) -> Self {
        let value_size = match physical {
            Physical::INT64 | Physical::DOUBLE => 8,
            Physical::INT96 => 12,
            // A byte array starts with its length.
            Physical::INT32 | Physical::FLOAT | Physical::BYTE_ARRAY => 4,
            Physical::BOOLEAN | Physical::FIXED_LEN_BYTE_ARRAY => 1,
        };
        Self { pages, value_size, has_dictionary: false, inflated }
    }

    fn check(&mut self, page: &Page) -> Result<()> {
        match page {
            Page::DictionaryPage { buf, num_values, .. } => {
                if *num_values as usize > buf.len() / self.value_size {
                    let what = format!("a dictionary of {num_values} values in {} bytes", buf.len());
                    return Err(ParquetError::General(what));
                }
                self.has_dictionary = true;
            }
            Page::DataPage { def_level_encoding: levels, .. } if !is_level_encoding(*levels) => {
                return Err(ParquetError::General(format!("levels encoded as {levels}")));
            }
            Page::DataPage { .. } | Page::DataPageV2 { .. } => {}
        }
        // The decoder allocates for as many lengths as the encoded stream claims.
        if matches!(page.encoding(), Encoding::DELTA_LENGTH_BYTE_ARRAY | Encoding::DELTA_BYTE_ARRAY) {
            let what =
                format!("texts encoded as {}; write the file with its writer's default encodings", page.encoding());
            return Err(ParquetError::NYI(what));
        }
        let is_lookup = matches!(page.encoding(), Encoding::RLE_DICTIONARY | Encoding::PLAIN_DICTIONARY);
        if is_lookup && !self.has_dictionary {
            return Err(ParquetError::General("a dictionary is missing".into()));
        }
        Ok(())
    }
}

#[expect(deprecated, reason = "old files hold levels in this encoding")]
fn is_level_encoding(encoding: Encoding) -> bool {
    matches!(encoding, Encoding::RLE | Encoding::BIT_PACKED)
}

impl PageReader for CheckedPages {
    fn get_next_page(&mut self) -> Result<Option<Page>> {
        let page = self.pages.get_next_page()?;
        if let Some(page) = &page {
            self.inflated.add(page)?;
            self.check(page)?;
        }
        Ok(page)
    }

    fn peek_next_page(&mut self) -> Result<Option<PageMetadata>> {
        self.pages.peek_next_page()
    }

    fn skip_next_page(&mut self) -> Result<()> {
        self.pages.skip_next_page()
    }
}

impl Iterator for CheckedPages {
    type Item = Result<Page>;

    fn next(&mut self) -> Option<Self::Item> {
        self.get_next_page().transpose()
    }
}
