//! A proof as a file: blocks, one after the other, and at the end a digest of all of them.
//!
//! The file begins with the line `treeproof proof 1`. A block is its section (4 bytes, little-endian), its kind (1 byte), the
//! number of bytes that follow (4 bytes, little-endian), and these. Sections are counted from 1; blocks of several may
//! alternate, so that many searches can write at the same time. The content of a kind of a section is its blocks put
//! together, in order.
//!
//! | kind | section | content |
//! |---|---|---|
//! | `M` | 0 | the models, as JSON: [`Preamble`] |
//! | `H` | any | the header, as JSON, which is a zlib stream: [`Header`] |
//! | `L` | any | the log: [`crate::file::log`] |
//! | `C` | any | the conclusion, as JSON: [`Conclusion`] |
//! | `E` | 0 | the SHA-256 digest of everything before this block; nothing follows |
//!
//! Only headers are pressed together, as they repeat themselves. Most of a log are weights, which are as good as random.

mod append;
pub mod axis;
pub mod log;
pub(crate) mod number;
pub mod reading;
pub mod section;

use std::collections::BTreeMap;
use std::io::{self, BufRead, Read, Seek, SeekFrom, Write};
use std::sync::{Arc, Mutex, MutexGuard};

use flate2::bufread::ZlibDecoder;
use flate2::{Compress, Compression, FlushCompress, Status};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use treeproof_ensemble::load::LoadOptions;

use crate::file::log::{Encoder, Note};
use crate::file::reading::Reading;
use crate::file::section::{Conclusion, Header};

const MAGIC: &[u8] = b"treeproof proof 1\n";
/// A block is written when it has so many bytes.
const BLOCK: usize = 1 << 16;
/// No JSON of a proof is larger than this.
const MOST_JSON: u64 = 1 << 28;

/// What all sections of a proof are about.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Preamble {
    /// What was asked, in words.
    pub question: String,
    /// The models.
    pub models: Vec<ModelFile>,
}

/// A model, by its file.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModelFile {
    /// The name of the file, for people.
    pub name: String,
    /// Its SHA-256 digest, in hexadecimal digits.
    pub sha256: String,
    /// How it was read, if not as it is by itself.
    #[serde(default, skip_serializing_if = "Reading::is_plain")]
    pub options: Reading,
}

impl ModelFile {
    /// A model file of this content, read with these options.
    pub fn new(name: impl Into<String>, content: &[u8], options: &LoadOptions) -> Self {
        Self { name: name.into(), sha256: digest(content), options: options.into() }
    }
}

/// Recognises a proof of any version by its beginning.
pub fn is_proof(start: &[u8]) -> bool {
    start.starts_with(b"treeproof proof ")
}

/// The SHA-256 digest of bytes, in hexadecimal digits.
pub fn digest(bytes: &[u8]) -> String {
    hexadecimal(&Sha256::digest(bytes))
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Writes a proof. What one search writes and what others write at the same time is kept apart.
#[derive(Clone, Debug)]
pub struct ProofWriter {
    output: Arc<Mutex<Output>>,
    /// Of the models' files.
    digests: Vec<String>,
    name: String,
    place: Vec<u64>,
    models: Vec<u32>,
}

struct Output {
    file: Box<dyn Write + Send>,
    digest: Sha256,
    sections: u32,
    bytes: u64,
    /// What went wrong first.
    error: Option<io::Error>,
    /// Whoever pressed a header together and may do it again: to begin anew takes longer than most headers.
    packers: Vec<Compress>,
}

impl std::fmt::Debug for Output {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Output").field("sections", &self.sections).field("bytes", &self.bytes).finish_non_exhaustive()
    }
}

impl Output {
    fn write(&mut self, bytes: &[u8]) {
        self.digest.update(bytes);
        self.bytes += bytes.len() as u64;
        if self.error.is_none() {
            self.error = self.file.write_all(bytes).err();
        }
    }

    fn block(&mut self, section: u32, kind: u8, content: &[u8]) {
        for part in content.chunks(1 << 30) {
            self.write(&section.to_le_bytes());
            self.write(&[kind]);
            self.write(&(part.len() as u32).to_le_bytes());
            self.write(part);
        }
    }
}

/// What bytes are as a zlib stream.
fn packed(packer: &mut Compress, bytes: &[u8]) -> io::Result<Vec<u8>> {
    packer.reset();
    let mut packed = Vec::with_capacity(bytes.len() / 4 + 64);
    loop {
        let done = usize::try_from(packer.total_in()).unwrap_or(usize::MAX);
        match packer.compress_vec(&bytes[done..], &mut packed, FlushCompress::Finish)? {
            Status::StreamEnd => return Ok(packed),
            _ => packed.reserve(packed.capacity()),
        }
    }
}

impl ProofWriter {
    /// Begins a proof.
    ///
    /// # Errors
    /// If nothing can be written.
    pub fn new(file: Box<dyn Write + Send>, preamble: &Preamble) -> io::Result<Self> {
        let mut output = Output { file, digest: Sha256::new(), sections: 0, bytes: 0, error: None, packers: vec![] };
        output.write(MAGIC);
        output.block(0, b'M', &serde_json::to_vec(preamble)?);
        match output.error.take() {
            Some(error) => Err(error),
            None => Ok(Self {
                output: Arc::new(Mutex::new(output)),
                digests: preamble.models.iter().map(|model| model.sha256.clone()).collect(),
                name: String::new(),
                place: vec![],
                models: vec![],
            }),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Output> {
        self.output.lock().expect("no thread panics while it writes")
    }

    /// A writer for a named part of the question, at its place among the parts whenever it is written.
    #[must_use]
    pub fn called(&self, name: &str, place: usize) -> Self {
        let name = if self.name.is_empty() { name.to_owned() } else { format!("{}: {name}", self.name) };
        let place = [&self.place[..], &[place as u64]].concat();
        Self { name, place, ..self.clone() }
    }

    /// The same proof, for sections about some of its models.
    #[must_use]
    pub fn about(&self, models: &[u32]) -> Self {
        Self { models: models.to_vec(), ..self.clone() }
    }

    /// What its sections are called.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Place of its sections among the others.
    pub fn place(&self) -> &[u64] {
        &self.place
    }

    /// The models that its sections are about; all if none are named.
    pub fn models(&self) -> &[u32] {
        &self.models
    }

    /// Begins a section.
    ///
    /// # Errors
    /// If the header cannot be written as JSON.
    pub fn section(&self, header: &Header) -> io::Result<SectionWriter> {
        let packer = self.lock().packers.pop();
        let mut packer = packer.unwrap_or_else(|| Compress::new(Compression::fast(), true));
        let packed = packed(&mut packer, &serde_json::to_vec(header)?)?;
        let mut output = self.lock();
        output.packers.push(packer);
        output.sections += 1;
        let number = output.sections;
        output.block(number, b'H', &packed);
        drop(output);
        Ok(SectionWriter { writer: self.clone(), number, log: Encoder::new(header.bundles.len() as u64) })
    }

    /// Ends the proof. Returns the number of its sections and bytes.
    ///
    /// # Errors
    /// If something could not be written.
    pub fn finish(&self) -> io::Result<(u32, u64)> {
        let mut output = self.lock();
        let digest = output.digest.clone().finalize();
        output.block(0, b'E', &digest);
        let flushed = output.file.flush();
        match output.error.take() {
            Some(error) => Err(error),
            None => flushed.map(|()| (output.sections, output.bytes)),
        }
    }
}

/// Writes one section.
#[derive(Debug)]
pub struct SectionWriter {
    writer: ProofWriter,
    number: u32,
    log: Encoder,
}

impl SectionWriter {
    /// A record about a region begins.
    pub fn record(&mut self, region: u64) {
        self.log.record(region);
    }

    /// Adds a note to it.
    pub fn note(&mut self, note: &Note) {
        self.log.note(note);
        if self.log.bytes.len() >= BLOCK {
            self.writer.lock().block(self.number, b'L', &self.log.bytes);
            self.log.bytes.clear();
        }
    }

    /// Ends the section.
    ///
    /// # Errors
    /// If the conclusion cannot be written as JSON.
    pub fn finish(self, conclusion: &Conclusion) -> io::Result<()> {
        let conclusion = serde_json::to_vec(conclusion)?;
        let mut output = self.writer.lock();
        output.block(self.number, b'L', &self.log.bytes);
        output.block(self.number, b'C', &conclusion);
        Ok(())
    }
}

/// Where a block is.
#[derive(Clone, Copy, Debug)]
struct Block {
    start: u64,
    length: u32,
}

/// A proof that is read. Its digest is right.
#[derive(Debug)]
pub struct ProofReader<R> {
    file: R,
    /// Per section and kind.
    blocks: BTreeMap<(u32, u8), Vec<Block>>,
}

fn wrong(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}

impl<R: Read + Seek> ProofReader<R> {
    /// Reads where everything is, and that all of it is as it was written.
    ///
    /// # Errors
    /// If the file is no proof, was cut off or changed.
    pub fn new(mut file: R) -> io::Result<Self> {
        let mut sha = Sha256::new();
        let mut magic = [0; MAGIC.len()];
        file.read_exact(&mut magic).map_err(|_| wrong("it is no proof of this program"))?;
        if magic != MAGIC {
            return Err(wrong("it is no proof of this program, or of another version"));
        }
        sha.update(magic);
        let mut blocks: BTreeMap<(u32, u8), Vec<Block>> = BTreeMap::new();
        let mut at = MAGIC.len() as u64;
        let mut buffer = vec![0; 1 << 16];
        let cut_off = |_| wrong("it was cut off: it has no end");
        loop {
            let mut head = [0; 9];
            file.read_exact(&mut head).map_err(cut_off)?;
            let section = u32::from_le_bytes([head[0], head[1], head[2], head[3]]);
            let length = u32::from_le_bytes([head[5], head[6], head[7], head[8]]);
            if head[4] == b'E' {
                let mut stated = [0; 32];
                file.read_exact(&mut stated).map_err(cut_off)?;
                if section != 0 || length != 32 || sha.finalize().as_slice() != stated {
                    return Err(wrong("its digest is wrong: it was changed after it was written"));
                }
                let mut more = [0];
                return match file.read(&mut more)? {
                    0 => Ok(Self { file, blocks }),
                    _ => Err(wrong("something follows its end")),
                };
            }
            let is_known = match head[4] {
                b'M' => section == 0,
                b'H' | b'L' | b'C' => section > 0,
                _ => false,
            };
            if !is_known {
                return Err(wrong("it has a block of a kind that is not known"));
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

    /// What all sections are about.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn preamble(&mut self) -> io::Result<Preamble> {
        json(self.content(0, b'M'))
    }

    /// What a section says before its log.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn header(&mut self, section: u32) -> io::Result<Header> {
        if !self.blocks.contains_key(&(section, b'H')) {
            return Err(wrong("it has no header"));
        }
        json(ZlibDecoder::new(self.content(section, b'H')))
    }

    /// What a section says after its log.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn conclusion(&mut self, section: u32) -> io::Result<Conclusion> {
        if !self.blocks.contains_key(&(section, b'C')) {
            return Err(wrong("it has no conclusion"));
        }
        json(self.content(section, b'C'))
    }

    /// The log of a section.
    pub(crate) fn log(&mut self, section: u32) -> impl Read + '_ {
        self.content(section, b'L')
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
    serde_json::from_slice(&text).map_err(|error| wrong(&format!("a part of it is wrong: {error}")))
}

/// Blocks put together.
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
