//! Calls by method: how many ended with which code, and how long their replies took to begin.

use std::{
    array,
    sync::atomic::{AtomicI64, AtomicU64, AtomicUsize, Ordering},
    time::Duration,
};

use prost::Message as _;
use prost_types::FileDescriptorSet;
use tonic::Code;

use crate::pb::DESCRIPTORS;

/// Status codes of gRPC.
pub(super) const CODES: usize = 17;

/// Upper bounds of the buckets of the time until a reply begins; the last bucket has none.
pub(super) const BOUNDS: [Duration; 13] = [
    Duration::from_micros(25),
    Duration::from_micros(50),
    Duration::from_micros(100),
    Duration::from_micros(250),
    Duration::from_micros(500),
    Duration::from_millis(1),
    Duration::from_micros(2_500),
    Duration::from_millis(5),
    Duration::from_millis(10),
    Duration::from_millis(50),
    Duration::from_millis(250),
    Duration::from_secs(1),
    Duration::from_secs(5),
];

const BUCKETS: usize = BOUNDS.len() + 1;

/// Threads that count without getting in each other's way; more of them share.
const SHARDS: usize = 16;

/// Methods whose replies are small whatever happens: what they end with is known as soon as they begin, which saves a
/// look at every reply of the calls that are made most.
const SMALL_REPLIES: [&str; 2] = ["GetObservation", "SubmitAction"];

static NEXT_SHARD: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    static SHARD: usize = NEXT_SHARD.fetch_add(1, Ordering::Relaxed) % SHARDS;
}

/// Calls by method.
#[derive(Debug)]
pub struct Calls {
    methods: Box<[Method]>,
    /// Numbers of methods by the length of their path: comparing one or two texts finds the method of a call.
    by_length: Box<[Vec<usize>]>,
    shards: Box<[Shard]>,
}

/// A method of the contract; one more stands for all that are not in it.
#[derive(Debug)]
pub struct Method {
    /// As in `/tavola.v1.SessionService/Play`.
    path: String,
    /// Whether it is known only at the end of a reply what a call ends with.
    pub ends_late: bool,
    /// Whether its reply is a stream.
    pub streams: bool,
    open: AtomicI64,
}

/// What some threads have counted, apart from what others have.
#[derive(Debug)]
#[repr(align(128))]
struct Shard {
    methods: Box<[Counts]>,
}

/// What some threads have counted of one method.
#[derive(Debug)]
struct Counts {
    codes: [AtomicU64; CODES],
    buckets: [AtomicU64; BUCKETS],
    nanoseconds: AtomicU64,
}

/// What all threads have counted of one method.
#[derive(Debug)]
pub(super) struct Counted {
    /// Calls by what they ended with.
    pub(super) codes: [u64; CODES],
    /// Calls by the time until their replies began.
    pub(super) buckets: [u64; BUCKETS],
    /// All of these times together.
    pub(super) nanoseconds: u64,
}

impl Counts {
    fn new() -> Self {
        Self {
            codes: array::from_fn(|_| AtomicU64::new(0)),
            buckets: array::from_fn(|_| AtomicU64::new(0)),
            nanoseconds: AtomicU64::new(0),
        }
    }
}

impl Calls {
    /// Nothing is counted yet. The methods are those of the contract, whatever they are.
    pub(super) fn new() -> Self {
        // Descriptors that do not decode would be a fault of the build; then all calls count as others.
        let described = FileDescriptorSet::decode(DESCRIPTORS).unwrap_or_default();
        let mut methods = Vec::new();
        for file in &described.file {
            for service in &file.service {
                for method in &service.method {
                    methods.push(Method {
                        path: format!("/{}.{}/{}", file.package(), service.name(), method.name()),
                        ends_late: !SMALL_REPLIES.contains(&method.name()),
                        streams: method.server_streaming(),
                        open: AtomicI64::new(0),
                    });
                }
            }
        }
        methods.push(Method {
            path: "/other".to_owned(),
            ends_late: true,
            streams: true,
            open: AtomicI64::new(0),
        });
        let longest = methods.iter().map(|method| method.path.len()).max();
        let mut by_length = vec![Vec::new(); longest.unwrap_or(0) + 1];
        for (number, method) in methods.iter().enumerate() {
            by_length[method.path.len()].push(number);
        }
        let shard = || Shard {
            methods: methods.iter().map(|_| Counts::new()).collect(),
        };
        Self {
            shards: (0..SHARDS).map(|_| shard()).collect(),
            methods: methods.into(),
            by_length: by_length.into(),
        }
    }

    /// The number of the method at this path.
    #[must_use]
    pub fn number(&self, path: &str) -> usize {
        let alike = self.by_length.get(path.len());
        let found = alike.and_then(|alike| {
            alike
                .iter()
                .find(|number| self.methods[**number].path == path)
        });
        found.copied().unwrap_or(self.methods.len() - 1)
    }

    /// The method of this number.
    #[must_use]
    pub fn method(&self, number: usize) -> &Method {
        &self.methods[number]
    }

    /// The reply to a call has begun, so long after the call came.
    pub fn begun(&self, number: usize, after: Duration) {
        let counts = &self.shard().methods[number];
        let bucket = BOUNDS.partition_point(|bound| *bound < after);
        counts.buckets[bucket].fetch_add(1, Ordering::Relaxed);
        let nanoseconds = u64::try_from(after.as_nanos()).unwrap_or(u64::MAX);
        counts.nanoseconds.fetch_add(nanoseconds, Ordering::Relaxed);
    }

    /// A call has ended.
    pub fn ended(&self, number: usize, code: Code) {
        let code = usize::try_from(i32::from(code)).unwrap_or(0);
        self.shard().methods[number].codes[code].fetch_add(1, Ordering::Relaxed);
    }

    fn shard(&self) -> &Shard {
        &self.shards[SHARD.with(|shard| *shard)]
    }

    /// All methods, with what all threads have counted of each.
    pub(super) fn counted(&self) -> impl Iterator<Item = (&Method, Counted)> {
        self.methods.iter().enumerate().map(|(number, method)| {
            let sum = |count: &dyn Fn(&Counts) -> &AtomicU64| {
                let of_shards = self.shards.iter().map(|shard| &shard.methods[number]);
                of_shards
                    .map(|counts| count(counts).load(Ordering::Relaxed))
                    .sum()
            };
            let counts = Counted {
                codes: array::from_fn(|code| sum(&|counts| &counts.codes[code])),
                buckets: array::from_fn(|bucket| sum(&|counts| &counts.buckets[bucket])),
                nanoseconds: sum(&|counts| &counts.nanoseconds),
            };
            (method, counts)
        })
    }
}

impl Method {
    /// Its name with its service, as in `tavola.v1.SessionService/Play`.
    pub(super) fn name(&self) -> &str {
        self.path.trim_start_matches('/')
    }

    /// Replies that are under way.
    pub(super) fn open(&self) -> i64 {
        self.open.load(Ordering::Relaxed)
    }

    /// One more reply is under way, or one less.
    pub fn opened(&self, more: i64) {
        self.open.fetch_add(more, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_method_of_the_contract_has_a_number_and_all_else_shares_one() {
        let calls = Calls::new();
        let other = calls.number("/nobody.knows/This");
        for (number, method) in calls.methods.iter().enumerate() {
            assert_eq!(calls.number(&method.path), number);
        }
        assert_eq!(calls.method(other).name(), "other");
        let play = calls.number("/tavola.v1.SessionService/Play");
        assert!(play != other && calls.method(play).streams);
        for path in [
            "",
            "/",
            "/tavola.v1.SessionService/Plax",
            &"x".repeat(10_000),
        ] {
            assert_eq!(calls.number(path), other, "{path:?}");
        }
    }

    #[test]
    fn what_all_threads_count_adds_up() {
        let calls = Calls::new();
        let number = calls.number("/tavola.v1.SessionService/SubmitAction");
        std::thread::scope(|scope| {
            for _ in 0..2 * SHARDS {
                scope.spawn(|| {
                    for _ in 0..100 {
                        calls.begun(number, Duration::from_millis(1));
                        calls.ended(number, Code::Aborted);
                    }
                });
            }
        });
        let (_, counts) = calls.counted().nth(number).unwrap();
        let all = 2 * u64::try_from(SHARDS).unwrap() * 100;
        assert_eq!(counts.codes[10], all);
        assert_eq!(counts.buckets[5], all, "1 ms is within its bound");
        assert_eq!(counts.nanoseconds, all * 1_000_000);
    }
}
