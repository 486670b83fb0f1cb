//! The instruments of a measurement: two clocks, and the memory of the process.

use std::time::Instant;

use clap::ValueEnum;
use rustix::time::{ClockId, clock_gettime};

/// One of the two clocks.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum MeterClock {
    /// Time as it passes, other processes' turns included.
    Wall,
    /// Time that this thread computed.
    Cpu,
}

/// A moment on both clocks.
#[derive(Clone, Copy)]
pub(crate) struct Time {
    wall: Instant,
    cpu: f64,
}

/// Seconds on both clocks.
#[derive(Clone, Copy)]
pub(crate) struct Seconds {
    pub(crate) wall: f64,
    pub(crate) cpu: f64,
}

impl Time {
    pub(crate) fn now() -> Self {
        Self { wall: Instant::now(), cpu: thread_seconds() }
    }

    pub(crate) fn elapsed(&self) -> Seconds {
        Seconds { wall: self.wall.elapsed().as_secs_f64(), cpu: thread_seconds() - self.cpu }
    }
}

impl Seconds {
    pub(crate) fn on(&self, clock: MeterClock) -> f64 {
        match clock {
            MeterClock::Wall => self.wall,
            MeterClock::Cpu => self.cpu,
        }
    }
}

fn thread_seconds() -> f64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    #[expect(clippy::cast_precision_loss, reason = "2^53 ns are a hundred days")]
    let nanoseconds = (time.tv_sec * 1_000_000_000 + time.tv_nsec) as f64;
    nanoseconds * 1e-9
}

/// The growth of the process at its peak, where the system tells.
pub(crate) struct Peak {
    before: Option<u64>,
}

impl Peak {
    /// Forgets earlier peaks.
    pub(crate) fn start() -> Self {
        let is_reset = std::fs::write("/proc/self/clear_refs", "5").is_ok();
        Self { before: status("VmRSS:").filter(|_| is_reset) }
    }

    pub(crate) fn bytes(&self) -> Option<u64> {
        Some(status("VmHWM:")?.saturating_sub(self.before?))
    }
}

fn status(field: &str) -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let kilobytes = text.lines().find_map(|line| line.strip_prefix(field))?;
    Some(kilobytes.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? * 1024)
}
