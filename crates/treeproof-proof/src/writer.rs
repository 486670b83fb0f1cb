//! A writer of proof files. Searches on several threads write sections of one file at a time.

use std::io::{self, Read, Seek, Write};
use std::sync::{Arc, Mutex, MutexGuard};

use flate2::Compression;
use flate2::write::ZlibEncoder;
use sha2::{Digest, Sha256};

use crate::conclusion::Conclusion;
use crate::header::Header;
use crate::model_file::Preamble;
use crate::reader::{MAGIC, ProofReader, invalid};

/// The size from which a block of a log is written.
const BLOCK: usize = 1 << 16;

/// A writer of a proof. Clones write into one file.
#[derive(Clone, Debug)]
pub struct ProofWriter {
    output: Arc<Mutex<Output>>,
    /// The digests of the models' files.
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
    /// The first error.
    error: Option<io::Error>,
    /// Encoders that are used again: a new one takes longer than most headers.
    encoders: Vec<ZlibEncoder<Vec<u8>>>,
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

impl ProofWriter {
    /// Begins a proof.
    ///
    /// # Errors
    /// If nothing can be written.
    pub fn new(file: Box<dyn Write + Send>, preamble: &Preamble) -> io::Result<Self> {
        let mut output = Output { file, digest: Sha256::new(), sections: 0, bytes: 0, error: None, encoders: vec![] };
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

    /// A writer for sections about some of the models.
    #[must_use]
    pub fn about(&self, models: &[u32]) -> Self {
        Self { models: models.to_vec(), ..self.clone() }
    }

    /// The name of its sections.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Place of its sections among the others.
    pub fn place(&self) -> &[u64] {
        &self.place
    }

    /// The models that its sections are about; empty for all.
    pub fn models(&self) -> &[u32] {
        &self.models
    }

    /// Begins a section.
    ///
    /// # Errors
    /// If the header cannot be written as JSON.
    pub fn section(&self, header: &Header) -> io::Result<SectionWriter> {
        let json = serde_json::to_vec(header)?;
        let encoder = self.lock().encoders.pop();
        let mut encoder = encoder.unwrap_or_else(|| ZlibEncoder::new(vec![], Compression::fast()));
        encoder.write_all(&json)?;
        let packed = encoder.reset(vec![])?;
        let mut output = self.lock();
        output.encoders.push(encoder);
        output.sections += 1;
        let number = output.sections;
        output.block(number, b'H', &packed);
        drop(output);
        Ok(SectionWriter { writer: self.clone(), number, log: vec![] })
    }

    /// Appends all sections of another proof of the same models, with numbers that follow on.
    ///
    /// # Errors
    /// If the other cannot be read, or is about other models.
    pub fn append<R: Read + Seek>(&self, other: &mut ProofReader<R>) -> io::Result<()> {
        let digests: Vec<String> = other.preamble()?.models.into_iter().map(|model| model.sha256).collect();
        if digests != self.digests {
            return Err(invalid("it is about other models"));
        }
        let mut output = self.lock();
        for section in other.sections() {
            output.sections += 1;
            let number = output.sections;
            for kind in *b"HLC" {
                other
                    .blocks(section, kind)
                    .try_for_each(|block| block.map(|block| output.block(number, kind, &block)))?;
            }
        }
        Ok(())
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

/// A writer of one section.
#[derive(Debug)]
pub struct SectionWriter {
    writer: ProofWriter,
    number: u32,
    /// The part of the log that is not written yet.
    log: Vec<u8>,
}

impl SectionWriter {
    /// Adds a piece of the log.
    pub fn log(&mut self, piece: &[u8]) {
        self.log.extend_from_slice(piece);
        if self.log.len() >= BLOCK {
            self.writer.lock().block(self.number, b'L', &self.log);
            self.log.clear();
        }
    }

    /// Ends the section.
    ///
    /// # Errors
    /// If the conclusion cannot be written as JSON.
    pub fn finish(self, conclusion: &Conclusion) -> io::Result<()> {
        let conclusion = serde_json::to_vec(conclusion)?;
        let mut output = self.writer.lock();
        output.block(self.number, b'L', &self.log);
        output.block(self.number, b'C', &conclusion);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use treeproof_ensemble::load::LoadOptions;

    use super::*;
    use crate::model_file::ModelFile;

    /// Bytes that are still there when their writer is not.
    #[derive(Clone, Default)]
    struct Kept(Arc<Mutex<Vec<u8>>>);

    impl Write for Kept {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    impl Kept {
        fn read(&self) -> ProofReader<Cursor<Vec<u8>>> {
            ProofReader::new(Cursor::new(self.0.lock().unwrap().clone())).unwrap()
        }
    }

    fn preamble(model: &[u8]) -> Preamble {
        let model = ModelFile::new("m", model, &LoadOptions::default());
        Preamble { question: "robust".to_owned(), models: vec![model] }
    }

    /// A proof with blocks of these sections, kinds and contents.
    fn proof(blocks: &[(u32, u8, &[u8])]) -> Kept {
        let kept = Kept::default();
        let writer = ProofWriter::new(Box::new(kept.clone()), &preamble(b"model")).unwrap();
        blocks.iter().for_each(|(section, kind, content)| writer.lock().block(*section, *kind, content));
        writer.finish().unwrap();
        kept
    }

    #[test]
    fn sections_of_others_follow_with_their_contents() {
        let first = proof(&[(1, b'H', b"h1"), (2, b'H', b"h2"), (1, b'L', b"a"), (1, b'L', b"b"), (1, b'C', b"c1")]);
        let second = proof(&[(1, b'H', b"h3"), (1, b'L', b""), (1, b'C', b"c3")]);
        let joined = Kept::default();
        let writer = ProofWriter::new(Box::new(joined.clone()), &preamble(b"model")).unwrap();
        writer.append(&mut first.read()).unwrap();
        writer.append(&mut second.read()).unwrap();
        assert_eq!(writer.finish().unwrap().0, 3);
        let mut read = joined.read();
        assert_eq!(read.sections(), [1, 2, 3]);
        let mut content =
            |section, kind| -> Vec<u8> { read.blocks(section, kind).flat_map(|block| block.unwrap()).collect() };
        assert_eq!(
            [(1, b'H'), (1, b'L'), (1, b'C')].map(|(section, kind)| content(section, kind)),
            [&b"h1"[..], b"ab", b"c1"]
        );
        assert_eq!(
            [(2, b'H'), (2, b'L'), (3, b'H')].map(|(section, kind)| content(section, kind)),
            [&b"h2"[..], b"", b"h3"]
        );
        assert_eq!(content(3, b'C'), b"c3");
    }

    #[test]
    fn proofs_about_other_models_are_refused() {
        let writer = ProofWriter::new(Box::new(Kept::default()), &preamble(b"another")).unwrap();
        let error = writer.append(&mut proof(&[(1, b'H', b"h")]).read()).unwrap_err();
        assert_eq!(error.to_string(), "it is about other models");
        assert_eq!(writer.lock().sections, 0);
    }
}
