//! What the benches share: measuring, tables, and the policies that are measured.

pub mod policies;

use std::fmt::Write as _;
use std::time::{Duration, Instant};

/// A point in the time that this thread has run: what else the machine does is left out.
#[derive(Clone, Copy)]
pub struct Clock(Duration);

impl Clock {
    /// Now.
    #[cfg(unix)]
    pub fn now() -> Self {
        let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
        // SAFETY: the pointer is to a value of the right type that lives through the call.
        let failed = unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &raw mut time) };
        assert_eq!(failed, 0, "the clock cannot be read");
        Self(Duration::new(time.tv_sec.unsigned_abs(), u32::try_from(time.tv_nsec).expect("below a second")))
    }

    /// Now, by the wall.
    #[cfg(not(unix))]
    pub fn now() -> Self {
        static BEGUN: std::sync::LazyLock<Instant> = std::sync::LazyLock::new(Instant::now);
        Self(BEGUN.elapsed())
    }

    /// How long ago it was.
    pub fn elapsed(self) -> Duration {
        Self::now().0.saturating_sub(self.0)
    }
}

/// How long one figure is measured, and at least how many rounds.
const BUDGET: Duration = Duration::from_millis(250);
const ROUNDS: usize = 9;

/// The time of one `work` in seconds: the median over rounds, each over what `prepare` makes outside the clock.
pub fn per_item<T, R>(mut prepare: impl FnMut() -> Vec<T>, mut work: impl FnMut(&T) -> R) -> f64 {
    for item in prepare() {
        std::hint::black_box(work(&item));
    }
    let mut rounds = Vec::new();
    let begun = Instant::now();
    while rounds.len() < ROUNDS || begun.elapsed() < BUDGET {
        let items = prepare();
        let start = Clock::now();
        for item in &items {
            std::hint::black_box(work(std::hint::black_box(item)));
        }
        rounds.push(start.elapsed().as_secs_f64() / items.len() as f64);
    }
    median(&mut rounds)
}

/// The time of one `work` in seconds, the median of many runs.
pub fn once<R>(mut work: impl FnMut() -> R) -> f64 {
    // Short work is repeated between two looks at the clock, which take most of a microsecond.
    let start = Clock::now();
    std::hint::black_box(work());
    let repeats = (100e-6 / start.elapsed().as_secs_f64().max(1e-7)).clamp(1.0, 256.0) as usize;
    per_item(|| vec![(); repeats], |()| work())
}

/// The middle one.
pub fn median(of: &mut [f64]) -> f64 {
    of.sort_by(f64::total_cmp);
    of.get(of.len() / 2).copied().unwrap_or(f64::NAN)
}

/// Seconds as a person reads them: three figures and a unit.
pub fn shown(seconds: f64) -> String {
    let (value, unit) = match seconds {
        s if s.is_nan() => return "–".to_owned(),
        s if s < 1e-6 => (s * 1e9, "ns"),
        s if s < 1e-3 => (s * 1e6, "µs"),
        s if s < 1.0 => (s * 1e3, "ms"),
        s => (s, "s"),
    };
    format!("{value:.*} {unit}", if value < 10.0 { 2 } else { usize::from(value < 100.0) })
}

/// How many times one is the other.
pub fn times(ratio: f64) -> String {
    if ratio.is_nan() {
        return "–".to_owned();
    }
    format!("{ratio:.*} ×", if ratio < 10.0 { 2 } else { 0 })
}

/// A Markdown table.
pub struct Table(String);

impl Table {
    /// With these headings; the first column is text, the others figures.
    pub fn new(headings: &[&str]) -> Self {
        let mut text = format!("| {} |\n|---|", headings.join(" | "));
        text.extend(headings.iter().skip(1).map(|_| "--:|"));
        text.push('\n');
        Self(text)
    }

    /// One row more.
    pub fn row(&mut self, cells: impl IntoIterator<Item = impl AsRef<str>>) {
        self.0.push('|');
        for cell in cells {
            write!(self.0, " {} |", cell.as_ref()).expect("a string can be written to");
        }
        self.0.push('\n');
    }

    /// Prints it under a heading.
    pub fn print(&self, heading: &str) {
        println!("### {heading}\n\n{}", self.0);
    }
}

/// Prints whether a figure is reached; `false` where it is not.
pub fn holds(what: &str, figure: f64, limit: f64, show: impl Fn(f64) -> String) -> bool {
    let reached = figure <= limit;
    println!(
        "- {} {what}: {} (limit {})",
        if reached { "reached:" } else { "**not reached**:" },
        show(figure),
        show(limit)
    );
    reached
}

/// The line `y = a + b x` of least squares, and how much of the variance it explains.
pub fn fit(points: &[(f64, f64)]) -> (f64, f64, f64) {
    let n = points.len() as f64;
    let (sx, sy) = points.iter().fold((0.0, 0.0), |(sx, sy), (x, y)| (sx + x, sy + y));
    let (mx, my) = (sx / n, sy / n);
    let (sxx, sxy, syy) = points.iter().fold((0.0, 0.0, 0.0), |(xx, xy, yy), (x, y)| {
        (xx + (x - mx).powi(2), xy + (x - mx) * (y - my), yy + (y - my).powi(2))
    });
    let slope = sxy / sxx;
    (my - slope * mx, slope, sxy * sxy / (sxx * syy))
}
