//! The sections of one proof in another: questions that are asked in parts, somewhere else, have one proof in the end.

use std::io::{self, Read, Seek, SeekFrom};

use super::{ProofReader, ProofWriter, wrong};

impl ProofWriter {
    /// Takes over all sections of another proof of the same models, behind those that are there. Nothing is changed but their
    /// numbers.
    ///
    /// # Errors
    /// If the other cannot be read, or is about other models.
    pub fn append<R: Read + Seek>(&self, other: &mut ProofReader<R>) -> io::Result<()> {
        let digests: Vec<String> = other.preamble()?.models.into_iter().map(|model| model.sha256).collect();
        if digests != self.digests {
            return Err(wrong("it is about other models"));
        }
        let sections = other.sections();
        let mut output = self.lock();
        for section in sections {
            output.sections += 1;
            let number = output.sections;
            for kind in *b"HLC" {
                for block in other.blocks.get(&(section, kind)).into_iter().flatten() {
                    other.file.seek(SeekFrom::Start(block.start))?;
                    let mut content = vec![0; block.length as usize];
                    other.file.read_exact(&mut content)?;
                    output.block(number, kind, &content);
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Cursor, Write};
    use std::sync::{Arc, Mutex};

    use treeproof_ensemble::load::LoadOptions;

    use super::*;
    use crate::file::{ModelFile, Preamble};

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
        let read = joined.read();
        assert_eq!(read.sections(), [1, 2, 3]);
        let bytes = joined.0.lock().unwrap().clone();
        let content = |section, kind| -> Vec<u8> {
            let blocks = read.blocks.get(&(section, kind)).into_iter().flatten();
            blocks.flat_map(|block| bytes[block.start as usize..][..block.length as usize].to_vec()).collect()
        };
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
