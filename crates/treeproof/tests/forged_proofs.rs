//! Forged proofs, written by hand by somebody who knows the checker: each tries one way to leave inputs out.

mod forged;
#[expect(dead_code, reason = "the other tests use the rest")]
mod pairs;
#[expect(dead_code, reason = "the other tests use the rest")]
mod proving;
#[expect(dead_code, reason = "the other tests use the rest")]
mod relations;
#[expect(dead_code, reason = "the other tests use the rest")]
mod support;
