//! What a header and an entry of a log look like in a store: protobuf messages of the store's own, so that they outlive
//! the types they are made from.
//!
//! A field may be added at any time. Whoever adds one that must not be overlooked raises [`FORM`]: an older server then
//! leaves alone what it would misread.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use prost::{Message, Oneof};
use tavola_engine::{ActionId, Entry, Reseed, Seat, Seed};

use super::{Fork, Header, Holder, LogEntry, Opening, Ply, SessionId, StoreError};
use crate::{
    clock::Clock, fair_dice::Nonce, house_bot::HouseBot, pb::v1 as pb, request_id::RequestMark,
    token::TokenHash,
};
use Unreadable::{Garbled, Newer};

/// The form in which this server stores sessions that are forks.
const FORM: u32 = 2;

/// The form in which it stores all others: older servers know it.
const PLAIN_FORM: u32 = 1;

/// Why what is stored cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unreadable {
    /// It is not what was written.
    Garbled,
    /// A newer server has written it.
    Newer,
}

impl From<Unreadable> for StoreError {
    fn from(unreadable: Unreadable) -> Self {
        match unreadable {
            Garbled => Self::Damaged("it is garbled".to_owned()),
            Newer => Self::Newer,
        }
    }
}

#[derive(Clone, PartialEq, Message)]
#[prost(skip_debug)]
struct HeaderForm {
    #[prost(uint32, tag = "1")]
    form: u32,
    #[prost(string, tag = "2")]
    game: String,
    #[prost(uint32, tag = "3")]
    rules_version: u32,
    #[prost(message, optional, tag = "4")]
    options: Option<pb::Options>,
    #[prost(uint32, tag = "5")]
    seats: u32,
    /// 32 bytes.
    #[prost(bytes = "vec", tag = "6")]
    seed: Vec<u8>,
    #[prost(bool, tag = "7")]
    seed_given: bool,
    /// 32 bytes: the hash of the host's token.
    #[prost(bytes = "vec", tag = "8")]
    host: Vec<u8>,
    /// Nanoseconds since 1970.
    #[prost(fixed64, tag = "9")]
    create_time: u64,
    #[prost(uint64, tag = "10")]
    serial: u64,
    /// 32 bytes.
    #[prost(bytes = "vec", tag = "11")]
    nonce: Vec<u8>,
    #[prost(message, optional, tag = "12")]
    clock: Option<pb::Clock>,
    /// 32 bytes: the hash of the join token. Empty if the session is not private.
    #[prost(bytes = "vec", tag = "13")]
    join: Vec<u8>,
    #[prost(message, optional, tag = "14")]
    request: Option<RequestForm>,
    #[prost(message, optional, tag = "30")]
    fork: Option<ForkForm>,
}

/// The mark of a request.
#[derive(Clone, Copy, PartialEq, Message)]
struct RequestForm {
    #[prost(fixed64, tag = "1")]
    id: u64,
    #[prost(fixed64, tag = "2")]
    content: u64,
}

impl From<RequestMark> for RequestForm {
    fn from(RequestMark { id, content }: RequestMark) -> Self {
        Self { id, content }
    }
}

impl From<RequestForm> for RequestMark {
    fn from(RequestForm { id, content }: RequestForm) -> Self {
        Self { id, content }
    }
}

#[derive(Clone, PartialEq, Message)]
#[prost(skip_debug)]
struct ForkForm {
    /// 16 bytes: the id of the session that it was forked from. Empty where not everybody may know.
    #[prost(bytes = "vec", tag = "1")]
    origin: Vec<u8>,
    #[prost(uint32, tag = "2")]
    ply: u32,
    #[prost(bool, tag = "3")]
    over: bool,
    #[prost(uint32, tag = "4")]
    secret_seeds: u32,
    /// 32 bytes each: the hashes of the tokens of its seats, in order.
    #[prost(bytes = "vec", repeated, tag = "5")]
    seats: Vec<Vec<u8>>,
    #[prost(message, repeated, tag = "6")]
    reseeds: Vec<ReseedForm>,
    /// What was played before it was forked.
    #[prost(message, optional, tag = "7")]
    entries: Option<EntriesForm>,
}

#[derive(Clone, PartialEq, Message)]
#[prost(skip_debug)]
struct ReseedForm {
    #[prost(uint32, tag = "1")]
    after_ply: u32,
    /// 32 bytes.
    #[prost(bytes = "vec", tag = "2")]
    seed: Vec<u8>,
}

/// Entries of a log, in order. Such messages one after the other are one such message.
#[derive(Clone, PartialEq, Message)]
#[prost(skip_debug)]
struct EntriesForm {
    #[prost(message, repeated, tag = "1")]
    entries: Vec<EntryForm>,
}

#[derive(Clone, PartialEq, Message)]
#[prost(skip_debug)]
struct EntryForm {
    #[prost(oneof = "KindForm", tags = "1, 2, 3, 4, 5, 6")]
    kind: Option<KindForm>,
    /// What asked for the seat that was taken, if it may be asked again.
    #[prost(message, optional, tag = "12")]
    request: Option<RequestForm>,
    /// Whether the session chose a ply because the time of its seat was up.
    #[prost(bool, tag = "13")]
    out_of_time: bool,
    /// What the clocks have to count, in milliseconds. Of plies and of seats handed over.
    #[prost(uint64, tag = "14")]
    elapsed: u64,
    /// Nanoseconds since 1970. Of plies only.
    #[prost(fixed64, tag = "15")]
    time: u64,
}

#[derive(Clone, PartialEq, Oneof)]
#[prost(skip_debug)]
enum KindForm {
    #[prost(message, tag = "1")]
    Player(PlayerForm),
    #[prost(message, tag = "2")]
    Bot(BotForm),
    /// The seat that was left.
    #[prost(uint32, tag = "3")]
    Left(u32),
    #[prost(message, tag = "4")]
    Action(ActionForm),
    /// The seat that resigned.
    #[prost(uint32, tag = "5")]
    Resigned(u32),
    /// The seat that a house bot took over.
    #[prost(uint32, tag = "6")]
    HandedOver(u32),
}

#[derive(Clone, PartialEq, Message)]
#[prost(skip_debug)]
struct PlayerForm {
    #[prost(uint32, tag = "1")]
    seat: u32,
    /// 32 bytes: the hash of the player's token.
    #[prost(bytes = "vec", tag = "2")]
    token: Vec<u8>,
}

#[derive(Clone, PartialEq, Message)]
#[prost(skip_debug)]
struct BotForm {
    #[prost(uint32, tag = "1")]
    seat: u32,
    /// The bot's name in the catalog.
    #[prost(string, tag = "2")]
    bot: String,
}

#[derive(Clone, PartialEq, Message)]
#[prost(skip_debug)]
struct ActionForm {
    #[prost(uint32, tag = "1")]
    seat: u32,
    #[prost(uint32, tag = "2")]
    action_id: u32,
}

/// The stored form of a header.
pub(super) fn encode_header(header: &Header) -> Vec<u8> {
    let Header {
        serial,
        game,
        opening,
        seed_given,
        nonce,
        clock,
        host,
        join,
        request,
        create_time,
        fork,
    } = header;
    let form = HeaderForm {
        form: if fork.is_some() { FORM } else { PLAIN_FORM },
        game: game.clone(),
        rules_version: opening.rules_version,
        options: Some(opening.options.clone()),
        seats: opening.seats.into(),
        seed: opening.seed.0.to_vec(),
        seed_given: *seed_given,
        host: host.to_bytes().to_vec(),
        create_time: nanos(*create_time),
        serial: *serial,
        fork: fork.as_ref().map(|fork| encode_fork(fork, opening)),
        nonce: nonce.0.to_vec(),
        clock: clock.map(Clock::to_pb),
        join: join.map_or(Vec::new(), |join| join.to_bytes().to_vec()),
        request: request.map(RequestForm::from),
    };
    form.encode_to_vec()
}

fn encode_fork(fork: &Fork, opening: &Opening) -> ForkForm {
    let reseed = |reseed: &Reseed| ReseedForm {
        after_ply: reseed.after_ply,
        seed: reseed.seed.0.to_vec(),
    };
    let entries = opening.entries.iter();
    let entries = entries.map(|entry| EntryForm {
        kind: Some(encode_ply(*entry)),
        ..EntryForm::default()
    });
    ForkForm {
        origin: fork
            .origin
            .map_or_else(Vec::new, |origin| origin.to_bytes().to_vec()),
        ply: fork.ply,
        over: fork.over,
        secret_seeds: fork.secret_seeds,
        seats: fork
            .seats
            .iter()
            .map(|token| token.to_bytes().to_vec())
            .collect(),
        reseeds: opening.reseeds.iter().map(reseed).collect(),
        entries: Some(EntriesForm {
            entries: entries.collect(),
        }),
    }
}

/// The header that was stored.
///
/// # Errors
/// If it is none, or one that this server does not know how to read.
pub(super) fn decode_header(bytes: &[u8]) -> Result<Header, Unreadable> {
    let form = HeaderForm::decode(bytes).map_err(|_| Garbled)?;
    if form.form > FORM {
        return Err(Newer);
    }
    let mut header = Header {
        serial: form.serial,
        game: form.game,
        opening: Opening {
            rules_version: form.rules_version,
            options: form.options.unwrap_or_default(),
            seats: u8::try_from(form.seats).map_err(|_| Garbled)?,
            seed: seed(form.seed)?,
            reseeds: Vec::new(),
            entries: Vec::new(),
        },
        seed_given: form.seed_given,
        nonce: Nonce(form.nonce.try_into().map_err(|_| Garbled)?),
        clock: match form.clock {
            None => None,
            Some(clock) => Some(Clock::from_pb(&clock).map_err(|_| Garbled)?),
        },
        host: token_hash(form.host)?,
        join: match form.join.is_empty() {
            true => None,
            false => Some(token_hash(form.join)?),
        },
        request: form.request.map(RequestMark::from),
        create_time: time(form.create_time),
        fork: None,
    };
    if let Some(form) = form.fork {
        decode_fork(form, &mut header)?;
    }
    Ok(header)
}

fn decode_fork(form: ForkForm, header: &mut Header) -> Result<(), Unreadable> {
    let reseed = |form: ReseedForm| {
        Ok(Reseed {
            after_ply: form.after_ply,
            seed: seed(form.seed)?,
        })
    };
    let played = |form: EntryForm| match decode_entry(form)? {
        LogEntry::Ply(ply) => Ok(ply.entry),
        LogEntry::Taken(..) | LogEntry::Left(_) | LogEntry::HandedOver(..) => Err(Garbled),
    };
    let entries = form.entries.unwrap_or_default().entries;
    header.opening.reseeds = form
        .reseeds
        .into_iter()
        .map(reseed)
        .collect::<Result<_, _>>()?;
    header.opening.entries = entries.into_iter().map(played).collect::<Result<_, _>>()?;
    let origin = match form.origin.is_empty() {
        true => None,
        false => Some(form.origin.try_into().map_err(|_| Garbled)?),
    };
    let seats = form.seats.into_iter().map(token_hash);
    header.fork = Some(Fork {
        origin: origin.map(SessionId::from_bytes),
        ply: form.ply,
        over: form.over,
        secret_seeds: form.secret_seeds,
        seats: seats.collect::<Result<_, _>>()?,
        resigned: Vec::new(),
    });
    Ok(())
}

fn seed(bytes: Vec<u8>) -> Result<Seed, Unreadable> {
    bytes.try_into().map(Seed).map_err(|_| Garbled)
}

/// Appends the stored form of an entry to those of the entries before it.
pub(super) fn append_entry(entry: LogEntry, bytes: &mut Vec<u8>) {
    let timed = |elapsed: Duration| EntryForm {
        elapsed: u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX),
        ..EntryForm::default()
    };
    let asked = |request: Option<RequestMark>| EntryForm {
        request: request.map(RequestForm::from),
        ..EntryForm::default()
    };
    let (kind, form) = match entry {
        LogEntry::Taken(seat, Holder::Player(token), request) => {
            let form = PlayerForm {
                seat: seat.0.into(),
                token: token.to_bytes().to_vec(),
            };
            (KindForm::Player(form), asked(request))
        }
        LogEntry::Taken(seat, Holder::Bot(bot), request) => {
            let form = BotForm {
                seat: seat.0.into(),
                bot: bot.name().to_owned(),
            };
            (KindForm::Bot(form), asked(request))
        }
        LogEntry::Left(seat) => (KindForm::Left(seat.0.into()), EntryForm::default()),
        LogEntry::Ply(ply) => {
            let form = EntryForm {
                out_of_time: ply.out_of_time,
                time: nanos(ply.time),
                ..timed(ply.elapsed)
            };
            (encode_ply(ply.entry), form)
        }
        LogEntry::HandedOver(seat, elapsed) => {
            (KindForm::HandedOver(seat.0.into()), timed(elapsed))
        }
    };
    let form = EntryForm {
        kind: Some(kind),
        ..form
    };
    prost::encoding::message::encode(1, &form, bytes);
}

fn encode_ply(entry: Entry) -> KindForm {
    match entry {
        Entry::Action(seat, action) => KindForm::Action(ActionForm {
            seat: seat.0.into(),
            action_id: action.0,
        }),
        Entry::Resign(seat) => KindForm::Resigned(seat.0.into()),
    }
}

/// The entries that were stored, in order.
///
/// # Errors
/// If one of them is none, or one that this server does not know how to read.
pub(super) fn decode_entries(bytes: &[u8]) -> Result<Vec<LogEntry>, Unreadable> {
    let form = EntriesForm::decode(bytes).map_err(|_| Garbled)?;
    form.entries.into_iter().map(decode_entry).collect()
}

/// How many entries were stored; 0 if these are none.
pub(super) fn count_entries(bytes: &[u8]) -> u64 {
    EntriesForm::decode(bytes).map_or(0, |form| form.entries.len() as u64)
}

fn decode_entry(form: EntryForm) -> Result<LogEntry, Unreadable> {
    let seat = |number: u32| u8::try_from(number).map(Seat).map_err(|_| Garbled);
    let elapsed = Duration::from_millis(form.elapsed);
    let request = form.request.map(RequestMark::from);
    let ply = |entry| {
        LogEntry::Ply(Ply {
            entry,
            time: time(form.time),
            elapsed,
            out_of_time: form.out_of_time,
        })
    };
    Ok(match form.kind.ok_or(Newer)? {
        KindForm::Player(PlayerForm { seat: of, token }) => {
            LogEntry::Taken(seat(of)?, Holder::Player(token_hash(token)?), request)
        }
        KindForm::Bot(BotForm { seat: of, bot }) => {
            let bot = HouseBot::find(&bot).ok_or(Newer)?;
            LogEntry::Taken(seat(of)?, Holder::Bot(bot), request)
        }
        KindForm::Left(of) => LogEntry::Left(seat(of)?),
        KindForm::Action(form) => {
            let action = ActionId(form.action_id);
            ply(Entry::Action(seat(form.seat)?, action))
        }
        KindForm::Resigned(of) => ply(Entry::Resign(seat(of)?)),
        KindForm::HandedOver(of) => LogEntry::HandedOver(seat(of)?, elapsed),
    })
}

fn token_hash(bytes: Vec<u8>) -> Result<TokenHash, Unreadable> {
    Ok(TokenHash::from_bytes(
        bytes.try_into().map_err(|_| Garbled)?,
    ))
}

/// Nanoseconds since 1970, up to the year 2554. A clock that is set to before 1970 is taken for 1970.
fn nanos(time: SystemTime) -> u64 {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_nanos()).unwrap_or(u64::MAX)
}

fn time(nanos: u64) -> SystemTime {
    UNIX_EPOCH + Duration::from_nanos(nanos)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        clock::{OnExpiry, Pace},
        pb::{santorini::v1 as game, v1::options::Game},
        token::Token,
    };

    fn header() -> Header {
        let options = game::Options {
            max_turns: Some(7),
            fixed_gods: vec![1, 2],
            ..Default::default()
        };
        Header {
            serial: u64::MAX,
            game: "santorini".to_owned(),
            opening: Opening {
                rules_version: 3,
                options: pb::Options {
                    game: Some(Game::Santorini(options)),
                },
                seats: u8::MAX,
                seed: Seed([9; 32]),
                reseeds: Vec::new(),
                entries: Vec::new(),
            },
            seed_given: true,
            nonce: Nonce::new(),
            clock: Some(Clock {
                pace: Pace::Bank {
                    bank: Duration::from_secs(604_800),
                    increment: Duration::from_millis(1),
                },
                on_expiry: OnExpiry::HouseBot,
            }),
            host: Token::new().hash(),
            join: Some(Token::new().hash()),
            request: Some(RequestMark { id: 3, content: 4 }),
            create_time: SystemTime::now(),
            fork: None,
        }
    }

    fn fork(origin: Option<SessionId>) -> Header {
        let mut header = header();
        header.opening.reseeds = vec![
            Reseed {
                after_ply: 0,
                seed: Seed([1; 32]),
            },
            Reseed {
                after_ply: 2,
                seed: Seed([2; 32]),
            },
        ];
        header.opening.entries = vec![
            Entry::Action(Seat(1), ActionId(u32::MAX)),
            Entry::Resign(Seat(0)),
        ];
        header.fork = Some(Fork {
            origin,
            ply: 2,
            over: origin.is_some(),
            secret_seeds: 1,
            seats: vec![Token::new().hash(), Token::new().hash()],
            resigned: Vec::new(),
        });
        header
    }

    #[test]
    fn a_fork_reads_what_it_wrote() {
        for header in [fork(None), fork(Some(SessionId::new()))] {
            assert_eq!(decode_header(&encode_header(&header)), Ok(header));
        }
    }

    #[test]
    fn an_older_server_leaves_forks_alone_and_reads_all_else() {
        let form = |header: &Header| HeaderForm::decode(&*encode_header(header)).unwrap().form;
        assert_eq!(
            [form(&header()), form(&fork(None))],
            [PLAIN_FORM, PLAIN_FORM + 1]
        );
    }

    #[test]
    fn a_header_reads_what_it_wrote() {
        for seed_given in [false, true] {
            let header = Header {
                seed_given,
                ..header()
            };
            assert_eq!(decode_header(&encode_header(&header)), Ok(header));
        }
    }

    #[test]
    fn a_log_reads_what_it_wrote_entry_by_entry() {
        let entries = [
            LogEntry::Taken(
                Seat(0),
                Holder::Player(Token::new().hash()),
                Some(RequestMark {
                    id: u64::MAX,
                    content: 0,
                }),
            ),
            LogEntry::Left(Seat(u8::MAX)),
            LogEntry::Taken(Seat(7), Holder::Bot(HouseBot::Random), None),
            LogEntry::Taken(
                Seat(1),
                Holder::Bot(HouseBot::Greedy),
                Some(RequestMark { id: 1, content: 2 }),
            ),
            LogEntry::Ply(Ply::now(
                Entry::Action(Seat(2), ActionId(u32::MAX)),
                Duration::ZERO,
            )),
            LogEntry::Ply(Ply {
                entry: Entry::Action(Seat(0), ActionId(0)),
                time: UNIX_EPOCH,
                elapsed: Duration::from_millis(604_800_000),
                out_of_time: true,
            }),
            LogEntry::Ply(Ply::now(Entry::Resign(Seat(3)), Duration::from_millis(1))),
            LogEntry::HandedOver(Seat(2), Duration::from_millis(7)),
        ];
        let mut bytes = Vec::new();
        for (nth, entry) in entries.into_iter().enumerate() {
            append_entry(entry, &mut bytes);
            assert_eq!(decode_entries(&bytes).as_deref(), Ok(&entries[..=nth]));
        }
    }

    #[test]
    fn what_a_newer_server_has_stored_is_refused_and_not_guessed_at() {
        let mut form = HeaderForm::decode(&*encode_header(&header())).unwrap();
        form.form = FORM + 1;
        assert_eq!(decode_header(&form.encode_to_vec()), Err(Newer));
        // An entry of kind 14, and a house bot that nobody here knows.
        let (kind, bot) = (&[0x0a, 2, 14 << 3, 1][..], b"\x0a\x06\x12\x04\x12\x02no");
        assert_eq!(decode_entries(kind), Err(Newer));
        assert_eq!(decode_entries(bot), Err(Newer));
    }

    #[test]
    fn garbage_is_refused() {
        let mut short = HeaderForm::decode(&*encode_header(&header())).unwrap();
        short.seed.pop();
        for garbage in [&short.encode_to_vec()[..], b"", b"\x0a", b"\x30\x01"] {
            assert_eq!(decode_header(garbage), Err(Garbled), "{garbage:?}");
        }
        for garbage in [&b"\x0a"[..], b"\x0a\x05\x18", b"\x0a\x04\x0a\x02\x08\x01"] {
            assert_eq!(decode_entries(garbage), Err(Garbled), "{garbage:?}");
        }
    }
}
