//! `treeproof convert`: any format in, treeproof's own JSON out.

use std::fs::File;
use std::io::{BufWriter, Write};

use anyhow::Context;
use flate2::Compression;
use flate2::write::GzEncoder;
use treeproof_ensemble::load;

use crate::args::ConvertArgs;

pub(crate) fn run(args: &ConvertArgs) -> anyhow::Result<()> {
    let ensemble = args.model.load()?;
    let json = load::to_json(&ensemble);
    if args.out.as_os_str() == "-" {
        let mut out = std::io::stdout().lock();
        out.write_all(json.as_bytes())?;
        out.write_all(b"\n")?;
        return Ok(());
    }
    let named = || args.out.display().to_string();
    // A half-written model must never stand where a whole one is expected.
    let partial = args.out.with_added_extension("partial");
    let mut out = BufWriter::new(File::create(&partial).with_context(named)?);
    if args.out.extension().is_some_and(|extension| extension == "gz") {
        let mut gzip = GzEncoder::new(&mut out, Compression::default());
        gzip.write_all(json.as_bytes()).with_context(named)?;
        gzip.finish().with_context(named)?;
    } else {
        out.write_all(json.as_bytes()).with_context(named)?;
    }
    out.into_inner().map_err(|error| error.into_error()).with_context(named)?.sync_all().with_context(named)?;
    std::fs::rename(&partial, &args.out).with_context(named)
}
