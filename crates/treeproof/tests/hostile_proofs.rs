//! Files that are no proofs: whatever is in them, looking at them ends soon, with one line.
//!
//! `TREEPROOF_FILES` sets how many random ones, `TREEPROOF_SEED` the random numbers.

#![expect(clippy::print_stdout, reason = "what was tried, for whoever asks to see it")]

#[expect(dead_code, reason = "the other tests use the rest")]
mod pairs;
#[expect(dead_code, reason = "the other tests use the rest")]
mod proving;
#[expect(dead_code, reason = "the other tests use the rest")]
mod relations;
#[expect(dead_code, reason = "the other tests use the rest")]
mod support;

use std::time::{Duration, Instant};

use proving::parts::{MAGIC, Parts, block, packed, sealed};
use proving::tamper::anything;
use proving::{Asked, check, random_question};
use serde_json::{Value, json};
use support::{Random, setting};

/// Generous: the tests run on busy machines.
const SOON: Duration = Duration::from_secs(20);

/// Some proof that has a cut, of a model that is small.
fn some(random: &mut Random) -> Asked {
    loop {
        let Ok(asked) = random_question(random) else { continue };
        let is_one = asked.uppers.len() == 1 && check(&asked.proof, &asked.models).is_ok();
        if is_one && Parts::of(&asked.proof, 1).log.len() > 30 {
            return asked;
        }
    }
}

/// Why a file is refused: one line, soon.
#[track_caller]
fn refusal(asked: &Asked, file: &[u8], about: &str) -> String {
    let start = Instant::now();
    let wrong = check(file, &asked.models).expect_err(about);
    assert!(start.elapsed() < SOON, "{about}: {:?}", start.elapsed());
    assert!(!wrong.is_empty() && !wrong.contains('\n') && wrong.len() < 500, "{about}: {wrong}");
    wrong
}

#[test]
fn what_is_cut_off_is_refused_wherever_it_ends() {
    let asked = some(&mut Random(1));
    for length in 0..asked.proof.len() {
        refusal(&asked, &asked.proof[..length], &format!("the first {length} bytes"));
    }
    refusal(&asked, &[&asked.proof[..], &[0]].concat(), "a byte more");
    let parts = Parts::of(&asked.proof, 1);
    for length in 0..parts.log.len() {
        let shorter = Parts { log: parts.log[..length].to_vec(), ..parts.clone() };
        // At the end of a record what is left may still prove the claim.
        let _ = check(&shorter.sealed(), &asked.models);
    }
}

#[test]
fn a_byte_that_changed_is_seen() {
    let asked = some(&mut Random(2));
    for at in 0..asked.proof.len() {
        for bit in [0, 3, 7] {
            let mut file = asked.proof.clone();
            file[at] ^= 1 << bit;
            refusal(&asked, &file, &format!("bit {bit} of byte {at}"));
        }
    }
}

#[test]
fn sizes_that_are_too_much_are_refused() {
    let asked = some(&mut Random(3));
    let parts = Parts::of(&asked.proof, 1);
    let with_log = |log: Vec<u8>| Parts { log, ..parts.clone() }.sealed();
    let most = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01];
    // Counts and places that are beyond everything, in each kind of note.
    for kind in 0..6 {
        for place in 0..6 {
            let mut log = vec![kind];
            log.extend(vec![0; place]);
            log.extend(most);
            log.extend([0; 40]);
            refusal(&asked, &with_log(log), &format!("kind {kind}, place {place}"));
        }
    }
    let shares = [&[0, 0][..], &[0x80, 0x80, 0x80, 0x04], &vec![0; 1 << 24]].concat();
    refusal(&asked, &with_log(shares), "a list of shares without an end");
    let steps = [0, 0, 0, 0, 0].repeat(2_000_000);
    refusal(&asked, &with_log(steps), "a record without an end");
    let cut = [0, 0, 0, 0, 0, 4, 3, 2, 0x7f, 2];
    refusal(&asked, &with_log(cut.to_vec()), "a cut of an axis that is not there");
    // A gigabyte in a file of a megabyte.
    let bomb = |byte: u8| packed(&vec![byte; 1 << 30]);
    let section = |kind: u8, content: &[u8]| {
        let json = |value: &Value| serde_json::to_vec(value).unwrap();
        let all =
            [(0, b'M', json(&parts.models)), (1, b'H', packed(&json(&parts.header))), (1, b'L', parts.log.clone())];
        let all = all.into_iter().chain([(1, b'C', json(&parts.conclusion))]);
        let block =
            |(section, own, whole): (u32, u8, Vec<u8>)| block(section, own, if own == kind { content } else { &whole });
        sealed([MAGIC.to_vec()].into_iter().chain(all.map(block)).collect::<Vec<_>>().concat())
    };
    // Blocks that are not there, and others than there can be.
    let models = || block(0, b'M', &serde_json::to_vec(&parts.models).unwrap());
    let with = |blocks: &[Vec<u8>]| sealed([&[MAGIC.to_vec(), models()][..], blocks].concat().concat());
    for (blocks, expected) in [
        (vec![block(1, b'L', &parts.log)], "no header"),
        (vec![block(1, b'H', &packed(&serde_json::to_vec(&parts.header).unwrap()))], "no conclusion"),
        (vec![block(1, b'M', b"{}")], "a kind that is not known"),
        (vec![block(0, b'L', &parts.log)], "a kind that is not known"),
        (vec![block(1, b'X', b"")], "a kind that is not known"),
    ] {
        let wrong = refusal(&asked, &with(&blocks), expected);
        assert!(wrong.contains(expected), "{wrong}");
    }
    let (zeros, spaces) = (bomb(0), bomb(b' '));
    for kind in *b"MHLC" {
        refusal(&asked, &section(kind, &zeros), "zeros");
        refusal(&asked, &section(kind, &spaces), "spaces");
        refusal(&asked, &section(kind, b""), "nothing");
        refusal(&asked, &section(kind, b"no stream"), "what is not packed");
        let lists = b"[".repeat(1 << 20);
        let lists = if kind == b'H' { packed(&lists) } else { lists };
        refusal(&asked, &section(kind, &lists), "a list in a list in a list");
    }
    let mut deep = parts.clone();
    let mut condition = json!({"any": []});
    for _ in 0..40 {
        condition = json!({"all": [{"any": [condition]}]});
    }
    deep.header["statement"]["conditions"] = json!([condition]);
    let _ = check(&deep.sealed(), &asked.models);
}

#[test]
fn random_files_are_refused_or_looked_at() {
    let (first, wanted) = (setting("TREEPROOF_SEED", 1), setting("TREEPROOF_FILES", 3000));
    let (mut accepted, mut refused) = (0_u64, 0_u64);
    let (mut seed, mut asked) = (first, some(&mut Random(first)));
    while accepted + refused < wanted {
        seed += 1;
        let mut random = Random(seed.wrapping_mul(0xC2B2_AE3D_27D4_EB4F));
        if random.chance(50) {
            asked = some(&mut random);
        }
        let mut parts = Parts::of(&asked.proof, 1);
        let bytes = |random: &mut Random| (0..random.below(200)).map(|_| random.next().to_le_bytes()[0]).collect();
        let file = match random.below(8) {
            0 => bytes(&mut random),
            1 => [MAGIC, &Vec::<u8>::from_iter(bytes(&mut random))].concat(),
            2 => sealed([MAGIC, &block(1, b'H', &Vec::from_iter(bytes(&mut random)))].concat()),
            3 => {
                let start = random.below(parts.log.len());
                let noise: Vec<u8> = bytes(&mut random);
                parts.log.splice(start.., noise.into_iter().map(|byte| byte & 0x8f));
                parts.sealed()
            }
            4 => {
                anything(&mut random, &mut parts.conclusion);
                parts.sealed()
            }
            5 => {
                anything(&mut random, &mut parts.models);
                anything(&mut random, &mut parts.header);
                parts.sealed()
            }
            _ => {
                for _ in 0..1 + random.below(4) {
                    let at = random.below(parts.log.len());
                    parts.log[at] = random.next().to_le_bytes()[0];
                }
                parts.sealed()
            }
        };
        let start = Instant::now();
        match check(&file, &asked.models) {
            Ok(_) => accepted += 1,
            Err(wrong) => {
                assert!(!wrong.contains('\n'), "seed {seed}: {wrong}");
                refused += 1;
            }
        }
        assert!(start.elapsed() < SOON, "seed {seed}: {:?}", start.elapsed());
    }
    println!("random files: {} looked at, {refused} refused, {accepted} still proofs", accepted + refused);
    assert!(refused * 2 > wanted && accepted > 0, "{accepted} and {refused}");
}
