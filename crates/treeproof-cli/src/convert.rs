//! `treeproof convert`: a model of any supported format as treeproof's own JSON.

use std::io::Write;

use anyhow::Context;
use flate2::Compression;
use flate2::write::GzEncoder;
use treeproof::outputs::{MODEL, Outputs};
use treeproof_ensemble::load;

use crate::args::ConvertArgs;
use crate::progress::while_reading;
use crate::{files, output};

pub(crate) fn run(args: &ConvertArgs) -> anyhow::Result<()> {
    let named = || args.out.display().to_string();
    if args.out.is_dir() {
        anyhow::bail!("{}: is a directory; name a file in it", named());
    }
    let load = || {
        let ensemble = while_reading(false, &args.model.path, || args.model.load_quietly())?;
        args.model.tell_notes(&ensemble);
        anyhow::Ok(ensemble)
    };
    if args.out.as_os_str() == "-" {
        let json = load::to_json(&load()?);
        let mut out = std::io::stdout().lock();
        return output::written(out.write_all(json.as_bytes()).and_then(|()| out.write_all(b"\n")));
    }
    let ensemble = load()?;
    let mut outputs = Outputs::new([args.model.path.as_path()].into_iter(), args.force.force);
    let file = outputs.open("OUT", &args.out, MODEL).map_err(files::refused)?;
    let json = load::to_json(&ensemble);
    let is_gzip = args.out.extension().is_some_and(|extension| extension == "gz");
    let content = if is_gzip { gzipped(json.as_bytes()).with_context(named)? } else { json.into_bytes() };
    file.write(&content).map_err(|error| files::unwritten(&args.out, error))
}

fn gzipped(content: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut gzip = GzEncoder::new(vec![], Compression::default());
    gzip.write_all(content)?;
    gzip.finish()
}
