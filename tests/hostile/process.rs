//! What the system tells of a process: memory, time and files.

use std::{fs, time::Duration};

/// Clock ticks a second in /proc, on every Linux there is.
const TICKS_PER_S: u64 = 100;

/// A process that can be asked.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Process(pub(crate) u32);

impl Process {
    /// KiB of memory that are resident.
    pub(crate) fn rss_kib(self) -> u64 {
        self.status("VmRSS:")
    }

    /// KiB of memory that were resident at most since [`Self::forget_peak`].
    pub(crate) fn peak_kib(self) -> u64 {
        self.status("VmHWM:")
    }

    /// Measures the peak anew from here on.
    pub(crate) fn forget_peak(self) {
        fs::write(format!("/proc/{}/clear_refs", self.0), "5").expect("it is a process of ours");
    }

    /// Time on processors so far.
    pub(crate) fn cpu(self) -> Duration {
        let stat = self.read("stat");
        // The name, in parentheses, may have spaces.
        let (_, fields) = stat.rsplit_once(") ").expect("a name is in parentheses");
        let ticks: u64 = fields
            .split(' ')
            .skip(11)
            .take(2)
            .map(|field| field.parse::<u64>().expect("it is a number"))
            .sum();
        Duration::from_millis(ticks * 1000 / TICKS_PER_S)
    }

    /// Open files, sockets among them.
    pub(crate) fn files(self) -> usize {
        fs::read_dir(format!("/proc/{}/fd", self.0))
            .expect("it is a process of ours")
            .count()
    }

    fn status(self, field: &str) -> u64 {
        let status = self.read("status");
        let line = status.lines().find_map(|line| line.strip_prefix(field));
        let value = line.expect("the system tells").trim();
        let number = value.strip_suffix(" kB").expect("it is in KiB");
        number.parse().expect("it is a number")
    }

    fn read(self, file: &str) -> String {
        fs::read_to_string(format!("/proc/{}/{file}", self.0)).expect("the process runs")
    }
}
