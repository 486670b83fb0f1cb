//! Proofs about a small model: whatever the blocks say, checking them ends with a verdict, and with one line if they are wrong.

use std::io::Cursor;

use sha2::{Digest, Sha256};
use treeproof_checker::verify::verify;
use treeproof_ensemble::load::{LoadOptions, load_bytes};
use treeproof_proof::conclusion::Claim;
use treeproof_proof::model_file::ModelFile;

const MODEL: &[u8] = include_bytes!("../../docs/examples/new.json");
const MAGIC: &[u8] = b"treeproof proof 2\n";

/// Checks a file made of these blocks, with the digest that it needs.
pub fn check(blocks: &[u8]) {
    let mut file = [MAGIC, blocks].concat();
    let digest = Sha256::digest(&file);
    file.extend([0, 0, 0, 0, b'E', 32, 0, 0, 0]);
    file.extend(digest);
    let own = [ModelFile::new("new.json", MODEL, &LoadOptions::default())];
    let verification = verify(Cursor::new(file), &own, |_, options| load_bytes(MODEL, options));
    // Options of the file may be none with which this model can be read.
    let Ok(verification) = verification else { return };
    match &verification.wrong {
        Some(wrong) => assert!(!wrong.contains('\n') && verification.proved.is_empty(), "{wrong}"),
        None => assert!(!verification.proved.is_empty()),
    }
    for section in &verification.proved {
        if let (Claim::AtMost(most), Some(_)) = (&section.conclusion.claim, &section.conclusion.witness) {
            assert!(most.0 > f64::NEG_INFINITY, "a bound below a witness");
        }
    }
}
