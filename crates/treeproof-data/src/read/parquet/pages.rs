//! Pages, checked before they reach the decoder: it takes memory for as many dictionary values as a page claims.

use ::parquet::basic::Type as Physical;
use ::parquet::column::page::{Page, PageMetadata, PageReader};
use ::parquet::errors::{ParquetError, Result};

/// A page reader that refuses dictionary pages too short for what they claim to hold.
pub(super) struct Guard {
    pages: Box<dyn PageReader>,
    /// The fewest bytes that a dictionary value takes.
    value_size: usize,
}

impl Guard {
    pub(super) fn new(pages: Box<dyn PageReader>, physical: Physical) -> Self {
        let value_size = match physical {
            Physical::INT64 | Physical::DOUBLE => 8,
            Physical::INT96 => 12,
            // A byte array starts with its length.
            Physical::INT32 | Physical::FLOAT | Physical::BYTE_ARRAY => 4,
            Physical::BOOLEAN | Physical::FIXED_LEN_BYTE_ARRAY => 1,
        };
        Self { pages, value_size }
    }

    fn check(&self, page: &Page) -> Result<()> {
        match page {
            Page::DictionaryPage { buf, num_values, .. } if *num_values as usize > buf.len() / self.value_size => {
                let what = format!("a dictionary of {num_values} values in {} bytes", buf.len());
                Err(ParquetError::General(what))
            }
            _ => Ok(()),
        }
    }
}

impl PageReader for Guard {
    fn get_next_page(&mut self) -> Result<Option<Page>> {
        let page = self.pages.get_next_page()?;
        if let Some(page) = &page {
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

impl Iterator for Guard {
    type Item = Result<Page>;

    fn next(&mut self) -> Option<Self::Item> {
        self.get_next_page().transpose()
    }
}
