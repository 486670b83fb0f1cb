//! A reader of proof files.
//!
//! The file begins with the line `treeproof proof 2`. Blocks follow: the section (4 bytes, little-endian), the kind (1 byte), the
//! length (4 bytes, little-endian), and the content. Sections are counted from 1; blocks of several sections may alternate. The
//! content of a kind of a section is the concatenation of its blocks.
//!
//! | kind | section | content |
//! |---|---|---|
//! | `M` | 0 | the models, as JSON: [`Preamble`] |
//! | `H` | any | the header, as a zlib stream of JSON: [`Header`] |
//! | `L` | any | the log: [`crate::record`] |
//! | `C` | any | the conclusion, as JSON: [`Conclusion`] |
//! | `E` | 0 | the SHA-256 digest of everything before this block; nothing follows |

use std::collections::BTreeMap;
use std::io::{self, BufRead, Read, Seek, SeekFrom};

use flate2::bufread::ZlibDecoder;
use serde::Deserialize;
use sha2::{Digest, Sha256};

use crate::conclusion::Conclusion;
use crate::header::Header;
use crate::model_file::Preamble;

pub(crate) const MAGIC: &[u8] = b"treeproof proof 2\n";
/// Limit on the size of any JSON of a proof.
const MOST_JSON: u64 = 1 << 28;

/// True for the beginning of a proof of any version: its first line, and the head of the block of models.
pub fn is_proof(start: &[u8]) -> bool {
    let Some(rest) = start.strip_prefix(b"treeproof proof ") else { return false };
    let num_digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    num_digits > 0 && rest[num_digits..].starts_with(b"\n\0\0\0\0M")
}

/// The position of a block's content.
#[derive(Clone, Copy, Debug)]
struct Block {
    start: u64,
    length: u32,
}

/// A reader of a proof whose digest is right.
#[derive(Debug)]
pub struct ProofReader<R> {
    file: R,
    /// The blocks, by section and kind.
    blocks: BTreeMap<(u32, u8), Vec<Block>>,
}

pub(crate) fn invalid(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}

impl<R: Read + Seek> ProofReader<R> {
    /// Locates all blocks and compares the digest.
    ///
    /// # Errors
    /// If the file is no proof, was cut off or changed.
    pub fn new(mut file: R) -> io::Result<Self> {
        let mut sha = Sha256::new();
        let mut magic = [0; MAGIC.len()];
        file.read_exact(&mut magic).map_err(|_| invalid("it is no proof of this program"))?;
        if magic != MAGIC {
            return Err(invalid("it is no proof of this program, or of another version"));
        }
        sha.update(magic);
        let mut blocks: BTreeMap<(u32, u8), Vec<Block>> = BTreeMap::new();
        let mut at = MAGIC.len() as u64;
        let mut buffer = vec![0; 1 << 16];
        let cut_off = |_| invalid("it was cut off: it has no end");
        loop {
            let mut head = [0; 9];
            file.read_exact(&mut head).map_err(cut_off)?;
            let section = u32::from_le_bytes([head[0], head[1], head[2], head[3]]);
            let length = u32::from_le_bytes([head[5], head[6], head[7], head[8]]);
            if head[4] == b'E' {
                let mut stated = [0; 32];
                file.read_exact(&mut stated).map_err(cut_off)?;
                if section != 0 || length != 32 || sha.finalize().as_slice() != stated {
                    return Err(invalid("its digest is wrong: it was changed after it was written"));
                }
                let mut more = [0];
                return match file.read(&mut more)? {
                    0 => Ok(Self { file, blocks }),
                    _ => Err(invalid("something follows its end")),
                };
            }
            let is_known = match head[4] {
                b'M' => section == 0,
                b'H' | b'L' | b'C' => section > 0,
                _ => false,
            };
            if !is_known {
                return Err(invalid("it has a block of a kind that is not known"));
            }
            sha.update(head);
            at += head.len() as u64;
            blocks.entry((section, head[4])).or_default().push(Block { start: at, length });
            let mut left = length as usize;
            while left > 0 {
                let part = left.min(buffer.len());
                file.read_exact(&mut buffer[..part]).map_err(cut_off)?;
                sha.update(&buffer[..part]);
                left -= part;
            }
            at += u64::from(length);
        }
    }

    /// The numbers of the sections.
    pub fn sections(&self) -> Vec<u32> {
        let mut sections: Vec<u32> =
            self.blocks.keys().map(|(section, _)| *section).filter(|section| *section > 0).collect();
        sections.dedup();
        sections
    }

    /// The models and the question.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn preamble(&mut self) -> io::Result<Preamble> {
        json(self.content(0, b'M'))
    }

    /// The header of a section.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn header(&mut self, section: u32) -> io::Result<Header> {
        if !self.blocks.contains_key(&(section, b'H')) {
            return Err(invalid("it has no header"));
        }
        json(ZlibDecoder::new(self.content(section, b'H')))
    }

    /// The conclusion of a section.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn conclusion(&mut self, section: u32) -> io::Result<Conclusion> {
        if !self.blocks.contains_key(&(section, b'C')) {
            return Err(invalid("it has no conclusion"));
        }
        json(self.content(section, b'C'))
    }

    /// The log of a section.
    pub fn log(&mut self, section: u32) -> impl Read + '_ {
        self.content(section, b'L')
    }

    /// Each block of a kind of a section.
    pub(crate) fn blocks(&mut self, section: u32, kind: u8) -> impl Iterator<Item = io::Result<Vec<u8>>> + '_ {
        let blocks = self.blocks.get(&(section, kind)).into_iter().flatten();
        let file = &mut self.file;
        blocks.map(|block| {
            let mut content = vec![0; block.length as usize];
            file.seek(SeekFrom::Start(block.start))?;
            file.read_exact(&mut content).map(|()| content)
        })
    }

    fn content(&mut self, section: u32, kind: u8) -> impl BufRead + '_ {
        let blocks = self.blocks.get(&(section, kind)).cloned().unwrap_or_default();
        io::BufReader::with_capacity(1 << 16, Chained { file: &mut self.file, blocks: blocks.into_iter(), left: 0 })
    }
}

fn json<T: for<'de> Deserialize<'de>>(content: impl Read) -> io::Result<T> {
    // As it is unpacked: little may become a lot.
    let mut text = vec![];
    content.take(MOST_JSON).read_to_end(&mut text)?;
    serde_json::from_slice(&text).map_err(|error| invalid(&format!("a part of it is wrong: {error}")))
}

/// A concatenation of blocks.
struct Chained<'f, R> {
    file: &'f mut R,
    blocks: std::vec::IntoIter<Block>,
    left: usize,
}

impl<R: Read + Seek> Read for Chained<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.left == 0 {
            let Some(block) = self.blocks.next() else { return Ok(0) };
            self.file.seek(SeekFrom::Start(block.start))?;
            self.left = block.length as usize;
        }
        let part = self.left.min(buffer.len());
        let read = self.file.read(&mut buffer[..part])?;
        self.left -= read;
        Ok(read)
    }
}
