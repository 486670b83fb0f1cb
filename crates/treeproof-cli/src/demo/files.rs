//! The models and data that are built in, and the folder into which they are written.

use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use flate2::read::GzDecoder;

/// What `scripts/demo_models.py` made.
macro_rules! built_in {
    ($($name:literal),*) => {
        [$(($name, include_bytes!(concat!("../../demo/", $name, ".gz")) as &[u8])),*]
    };
}

const BUILT_IN: [(&str, &[u8]); 8] = built_in![
    "progression-v1.json",
    "progression-v2.txt",
    "referral.json",
    "patients.csv",
    "tumour.txt",
    "tumours.csv",
    "digits.ubj",
    "digits.csv"
];

/// Writes all files into a folder; what they take the place of is either the same or from a demo before.
///
/// # Errors
/// If the folder has other files of these names, which stay as they are, or of the names of `results`, unless a demo made it.
pub(super) fn write(folder: &Path, results: &[&str]) -> anyhow::Result<()> {
    std::fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    let files = BUILT_IN.map(|(name, packed)| (folder.join(name), unpacked(packed)));
    let is_same = |(path, content): &&(PathBuf, Vec<u8>)| std::fs::read(path).is_ok_and(|old| old == *content);
    let refuse = |path: &Path| {
        anyhow::bail!("{}: is not from a demo, and stays; choose another folder with --dir", path.display())
    };
    for file in &files {
        if file.0.exists() && !is_same(&file) {
            return refuse(&file.0);
        }
    }
    let is_ours = files.iter().all(|file| is_same(&file));
    for result in results.iter().map(|name| folder.join(name)) {
        if result.exists() && !is_ours {
            return refuse(&result);
        }
    }
    for file in files.iter().filter(|file| !is_same(file)) {
        let (path, content) = file;
        // What appeared meanwhile stays.
        let new = std::fs::File::create_new(path);
        new.and_then(|mut new| new.write_all(content)).with_context(|| path.display().to_string())?;
    }
    Ok(())
}

fn unpacked(packed: &[u8]) -> Vec<u8> {
    let mut content = vec![];
    GzDecoder::new(packed).read_to_end(&mut content).expect("built in whole");
    content
}
