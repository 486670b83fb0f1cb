//! `treeproof convert`: any format in, treeproof's own JSON out.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use flate2::Compression;
use flate2::write::GzEncoder;
use treeproof_ensemble::load;

use crate::args::ConvertArgs;
use crate::output;

pub(crate) fn run(args: &ConvertArgs) -> anyhow::Result<()> {
    let named = || args.out.display().to_string();
    if args.out.is_dir() {
        anyhow::bail!("{}: is a directory; name a file in it", named());
    }
    let json = load::to_json(&args.model.load()?);
    if args.out.as_os_str() == "-" {
        let mut out = std::io::stdout().lock();
        return output::written(out.write_all(json.as_bytes()).and_then(|()| out.write_all(b"\n")));
    }
    let is_gzip = args.out.extension().is_some_and(|extension| extension == "gz");
    // Pipes, devices and links are written through, not replaced by a file.
    if args.out.symlink_metadata().is_ok_and(|there| !there.is_file()) {
        return write(&args.out, json.as_bytes(), is_gzip).with_context(named);
    }
    // A half-written model must never stand where a whole one is expected.
    let mut partial = args.out.clone().into_os_string();
    partial.push(".partial");
    let partial = PathBuf::from(partial);
    let outcome = write(&partial, json.as_bytes(), is_gzip).and_then(|()| std::fs::rename(&partial, &args.out));
    if outcome.is_err() {
        // The error that is reported is the first one, whether or not something is left to remove.
        let _ = std::fs::remove_file(&partial);
    }
    outcome.with_context(named)
}

fn write(path: &Path, content: &[u8], is_gzip: bool) -> std::io::Result<()> {
    let mut out = BufWriter::new(File::create(path)?);
    if is_gzip {
        let mut gzip = GzEncoder::new(&mut out, Compression::default());
        gzip.write_all(content)?;
        gzip.finish()?;
    } else {
        out.write_all(content)?;
    }
    let file = out.into_inner().map_err(std::io::IntoInnerError::into_error)?;
    // Only files can be made safe on disk; a pipe would refuse.
    if file.metadata()?.is_file() { file.sync_all() } else { Ok(()) }
}
