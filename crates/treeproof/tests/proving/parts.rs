//! A proof taken apart and put together again, digest and all, by what docs/proofs.md says of the file alone.

use std::io::{Read, Write};

use flate2::Compression;
use flate2::bufread::ZlibDecoder;
use flate2::write::ZlibEncoder;
use serde_json::Value;
use sha2::{Digest, Sha256};
use treeproof_proof::record::{Decoder, Encoder, Note};

pub(crate) const MAGIC: &[u8] = b"treeproof proof 2\n";

/// A proof of one section.
#[derive(Clone)]
pub(crate) struct Parts {
    pub(crate) models: Value,
    pub(crate) header: Value,
    pub(crate) log: Vec<u8>,
    pub(crate) conclusion: Value,
}

/// A record: what is done to a region.
pub(crate) type Record = Vec<Note>;

pub(crate) fn block(section: u32, kind: u8, content: &[u8]) -> Vec<u8> {
    let length = u32::try_from(content.len()).unwrap();
    [&section.to_le_bytes()[..], &[kind], &length.to_le_bytes(), content].concat()
}

pub(crate) fn packed(content: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(vec![], Compression::fast());
    encoder.write_all(content).unwrap();
    encoder.finish().unwrap()
}

/// Adds the digest that makes a file whole.
pub(crate) fn sealed(mut file: Vec<u8>) -> Vec<u8> {
    let digest = Sha256::digest(&file);
    file.extend(block(0, b'E', &digest));
    file
}

impl Parts {
    /// Takes a section out of a file.
    pub(crate) fn of(file: &[u8], section: u32) -> Self {
        let content = |wanted: u32, kind: u8| {
            let (mut at, mut found) = (MAGIC.len(), vec![]);
            while file[at + 4] != b'E' {
                let number = |from: usize| u32::from_le_bytes(file[from..from + 4].try_into().unwrap());
                let (own, length) = (number(at), number(at + 5) as usize);
                if (own, file[at + 4]) == (wanted, kind) {
                    found.extend_from_slice(&file[at + 9..at + 9 + length]);
                }
                at += 9 + length;
            }
            found
        };
        let json = |content: &[u8]| serde_json::from_slice(content).unwrap();
        let mut header = vec![];
        ZlibDecoder::new(&content(section, b'H')[..]).read_to_end(&mut header).unwrap();
        Self {
            models: json(&content(0, b'M')),
            header: json(&header),
            log: content(section, b'L'),
            conclusion: json(&content(section, b'C')),
        }
    }

    /// The file.
    pub(crate) fn sealed(&self) -> Vec<u8> {
        let json = |value: &Value| serde_json::to_vec(value).unwrap();
        sealed(
            [
                MAGIC,
                &block(0, b'M', &json(&self.models)),
                &block(1, b'H', &packed(&json(&self.header))),
                &block(1, b'L', &self.log),
                &block(1, b'C', &json(&self.conclusion)),
            ]
            .concat(),
        )
    }

    /// What the log says; none where that cannot be read.
    pub(crate) fn records(&self) -> Option<Vec<Record>> {
        let words = |axis: &Value| {
            let special = (axis["cells"].as_array()?.len() as u64).checked_sub(axis["ordered"].as_u64()?)?;
            usize::try_from(special.div_ceil(64)).ok()
        };
        let words = self.header["axes"].as_array()?.iter().map(words).collect::<Option<_>>()?;
        let mut decoder = Decoder::new(&self.log[..], words);
        let mut records = vec![];
        while let Some(notes) = decoder.record().ok()? {
            records.push(notes);
        }
        Some(records)
    }

    /// Says something else.
    pub(crate) fn tell(&mut self, records: &[Record]) {
        let mut encoder = Encoder::default();
        records.iter().flatten().for_each(|note| encoder.note(note));
        self.log = encoder.bytes;
    }
}
