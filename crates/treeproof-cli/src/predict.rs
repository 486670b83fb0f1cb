//! `treeproof predict`.
use crate::args::PredictArgs;
pub(crate) fn run(_args: &PredictArgs) -> anyhow::Result<()> {
    anyhow::bail!("waiting for the data readers")
}
