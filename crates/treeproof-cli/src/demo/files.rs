//! The built-in models and data, and the folder for them.

use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use flate2::read::GzDecoder;

/// Files made by `scripts/demo_models.py`.
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

/// Writes all files into a folder; they only replace identical files or those of an earlier demo.
///
/// # Errors
/// If the folder has other files with these names, or with those of `results` unless from a demo.
pub(super) fn write(folder: &Path, results: &[&str]) -> anyhow::Result<()> {
    std::fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    let files = BUILT_IN.map(|(name, packed)| (folder.join(name), unpacked(packed)));
    let is_same = |(path, content): &&(PathBuf, Vec<u8>)| std::fs::read(path).is_ok_and(|old| old == *content);
    let refuse = |path: &Path| {
        anyhow::bail!("{}: exists and is not from a demo; choose another folder with --dir", path.display())
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
        // A file created in the meantime is kept.
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
