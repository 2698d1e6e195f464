//! What a peer may say besides calls: a budget of HTTP/2 frames that make the server work and ask for nothing.

use std::time::{Duration, Instant};

/// What begins a connection that speaks HTTP/2.
const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

/// Bytes of a frame's header: length in three, type, flags, stream in four.
const HEADER_BYTES: usize = 9;

/// Seconds of its rate that a connection may use at once.
const BURST_S: u32 = 10;

/// Bytes that the server sends for which a peer may send one frame more: whoever is told much has much to acknowledge.
/// The answer to a ping is shorter, so that pings do not pay for pings.
const BYTES_PER_FRAME: usize = 32;

/// A call that is taken back costs more than a ping: it was begun.
const RESET_COST: u32 = 10;

/// Reads along what a peer sends and counts the frames that are not calls: pings, settings, priorities, window updates,
/// resets, empty data, continuations, and what HTTP/2 does not know.
#[derive(Debug)]
pub(super) struct FrameBudget {
    per_second: u32,
    left: u32,
    /// When `left` was last filled up by the clock, which is not looked at before it is used up.
    filled: Instant,
    /// Bytes sent that do not make a whole frame yet.
    sent: usize,
    at: At,
}

/// Where in what the peer says the reader is.
#[derive(Debug)]
enum At {
    /// So many bytes of the preface have come.
    Preface(usize),
    /// So many bytes of a header have come.
    Header([u8; HEADER_BYTES], usize),
    /// So many bytes of a payload are yet to come.
    Payload(usize),
    /// It is not HTTP/2: nothing to count.
    Else,
}

impl FrameBudget {
    pub(super) fn new(per_second: u32, now: Instant) -> Self {
        Self {
            per_second,
            left: per_second.saturating_mul(BURST_S),
            filled: now,
            sent: 0,
            at: At::Preface(0),
        }
    }

    /// The server has sent so many bytes.
    pub(super) fn sent(&mut self, bytes: usize) {
        self.sent += bytes;
        let frames = u32::try_from(self.sent / BYTES_PER_FRAME).unwrap_or(u32::MAX);
        self.sent %= BYTES_PER_FRAME;
        self.fill(frames);
    }

    /// The peer has sent these bytes. Whether the budget allows it.
    pub(super) fn allows(&mut self, mut bytes: &[u8], now: impl FnOnce() -> Instant) -> bool {
        let mut cost: u32 = 0;
        while let Some(first) = bytes.first() {
            match &mut self.at {
                At::Else => return true,
                At::Preface(seen) if PREFACE.get(*seen) == Some(first) => {
                    *seen += 1;
                    bytes = &bytes[1..];
                    if *seen == PREFACE.len() {
                        self.at = At::Header([0; HEADER_BYTES], 0);
                    }
                }
                At::Preface(_) => self.at = At::Else,
                At::Header(header, seen) => {
                    let take = bytes.len().min(HEADER_BYTES - *seen);
                    let (taken, rest) = bytes.split_at(take);
                    header[*seen..*seen + take].copy_from_slice(taken);
                    *seen += take;
                    bytes = rest;
                    if *seen == HEADER_BYTES {
                        let (length, costs) = weigh(*header);
                        cost = cost.saturating_add(costs);
                        self.at = At::Payload(length);
                    }
                }
                At::Payload(left) => {
                    let take = bytes.len().min(*left);
                    *left -= take;
                    bytes = &bytes[take..];
                }
            }
            if matches!(self.at, At::Payload(0)) {
                self.at = At::Header([0; HEADER_BYTES], 0);
            }
        }
        self.spend(cost, now)
    }

    fn spend(&mut self, cost: u32, now: impl FnOnce() -> Instant) -> bool {
        if self.left < cost {
            let now = now();
            let passed = now
                .duration_since(self.filled)
                .min(Duration::from_secs(BURST_S.into()));
            let earned = passed.as_millis() * u128::from(self.per_second) / 1000;
            self.filled = now;
            self.fill(u32::try_from(earned).unwrap_or(u32::MAX));
        }
        match self.left.checked_sub(cost) {
            Some(left) => {
                self.left = left;
                true
            }
            None => false,
        }
    }

    fn fill(&mut self, frames: u32) {
        let most = self.per_second.saturating_mul(BURST_S);
        self.left = self.left.saturating_add(frames).min(most);
    }
}

/// The length of a frame's payload, and what the frame costs.
fn weigh([length @ .., kind, flags, _, _, _, _]: [u8; HEADER_BYTES]) -> (usize, u32) {
    const DATA: u8 = 0;
    const HEADERS: u8 = 1;
    const RST_STREAM: u8 = 3;
    const END_STREAM: u8 = 1;

    let length = length
        .into_iter()
        .fold(0, |length, byte| length << 8 | usize::from(byte));
    let cost = match kind {
        HEADERS => 0,
        DATA if length > 0 || flags & END_STREAM != 0 => 0,
        RST_STREAM => RESET_COST,
        _ => 1,
    };
    (length, cost)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PER_SECOND: u32 = 10;
    const BURST: u32 = PER_SECOND * BURST_S;
    const PING: &[u8] = &[0, 0, 8, 6, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8];
    const RESET: &[u8] = &[0, 0, 4, 3, 0, 0, 0, 0, 1, 0, 0, 0, 8];
    const HEADERS: &[u8] = &[0, 0, 3, 1, 5, 0, 0, 0, 1, 0x82, 0x86, 0x84];
    const EMPTY_DATA: &[u8] = &[0, 0, 0, 0, 0, 0, 0, 0, 1];
    const LAST_DATA: &[u8] = &[0, 0, 0, 0, 1, 0, 0, 0, 1];

    fn budget(now: Instant) -> FrameBudget {
        let mut budget = FrameBudget::new(PER_SECOND, now);
        assert!(budget.allows(PREFACE, || now));
        budget
    }

    /// How often the peer may say this.
    fn times(budget: &mut FrameBudget, said: &[u8], now: Instant) -> u32 {
        let allowed = (0..10_000).take_while(|_| budget.allows(said, || now));
        u32::try_from(allowed.count()).unwrap()
    }

    #[test]
    fn what_is_no_call_is_counted_and_calls_are_not() {
        let now = Instant::now();
        assert_eq!(times(&mut budget(now), PING, now), BURST);
        assert_eq!(times(&mut budget(now), EMPTY_DATA, now), BURST);
        assert_eq!(times(&mut budget(now), RESET, now), BURST / RESET_COST);
        assert_eq!(times(&mut budget(now), HEADERS, now), 10_000);
        assert_eq!(times(&mut budget(now), LAST_DATA, now), 10_000);
    }

    #[test]
    fn it_is_counted_however_it_is_cut_up() {
        let now = Instant::now();
        let said: Vec<u8> = [HEADERS, PING, EMPTY_DATA].concat().repeat(200);
        for length in 1..40 {
            let mut budget = budget(now);
            let pieces = said.chunks(length);
            let heard = pieces.take_while(|piece| budget.allows(piece, || now));
            let frames = heard.map(<[u8]>::len).sum::<usize>() / (said.len() / 200);
            // Two of three frames count.
            assert!(frames.abs_diff(50) <= 1, "{frames} in pieces of {length}");
        }
    }

    #[test]
    fn time_and_what_the_server_sends_fill_it_up_and_never_beyond_the_most() {
        let now = Instant::now();
        let mut budget = budget(now);
        assert_eq!(times(&mut budget, PING, now), BURST);
        let later = now + Duration::from_secs(2);
        assert_eq!(times(&mut budget, PING, later), 2 * PER_SECOND);
        for _ in 0..10 {
            budget.sent(BYTES_PER_FRAME - 1);
        }
        assert_eq!(times(&mut budget, PING, later), 9);
        budget.sent(usize::MAX / 2);
        let much_later = later + Duration::from_secs(1_000_000);
        assert_eq!(times(&mut budget, PING, much_later), 2 * BURST);
    }

    #[test]
    fn other_protocols_are_not_counted() {
        let now = Instant::now();
        for begins in [
            &b"GET / HTTP/1.1\r\n"[..],
            b"PRI * HTTP/2.0\r\n\r\nSM\r\n\rX",
        ] {
            let mut budget = FrameBudget::new(PER_SECOND, now);
            assert!(budget.allows(begins, || now));
            assert_eq!(times(&mut budget, PING, now), 10_000);
        }
    }
}
