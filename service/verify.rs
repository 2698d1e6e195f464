//! `tavola verify`: checks the replay of a finished game, as GetReplay gave it, without the server that it was played on.
//!
//! The seed and its nonce are checked against the commitment, and then the game is played again from the seed: every
//! shuffle and roll, every event, the hash of every state and the result must come out as the replay says. A fork is
//! bound to the seed of what comes after it, and played again from all of its seeds.

use std::{fmt, fs, path::Path};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use bytes::Bytes;
use prost::Message as _;
use prost_reflect::{DescriptorPool, DynamicMessage};
use serde_json::{Deserializer, Value};
use tavola_engine::{ActionId, Entry, Reseed, Seat, Seed, Viewer};

use crate::{
    fair_dice::{self, Nonce},
    pb::{
        DESCRIPTORS,
        v1::{GetReplayResponse, ReplayStep, replay_step},
    },
    store::Opening,
    wire::{GameEntry, Table},
};

/// What was checked and found right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verified {
    /// The id of the game.
    pub game: String,
    /// The number of its plies.
    pub plies: u32,
    /// What its dice were bound by.
    pub commitment: [u8; 32],
    /// Whether the host chose the seed, and so may have known what the dice would say.
    pub seed_given: bool,
}

/// Why a replay is not verified.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotVerified {
    /// It cannot be read, or not be played again here: nothing is said about it.
    #[error("cannot be checked: {0}")]
    Unreadable(String),
    /// It is not what it says that it is.
    #[error("does not verify: {0}")]
    Untrue(Untruth),
}

/// What a replay says and is not so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Untruth {
    /// The ply at which it shows, if it is about one; 0 is the set-up.
    pub ply: Option<u32>,
    /// What is wrong.
    pub what: String,
}

impl fmt::Display for Untruth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.ply {
            Some(ply) => write!(f, "ply {ply}: {}", self.what),
            None => f.write_str(&self.what),
        }
    }
}

impl fmt::Display for Verified {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seed = if self.seed_given {
            "the host chose the seed"
        } else {
            "the server drew the seed"
        };
        let commitment = STANDARD.encode(self.commitment);
        let Self { game, plies, .. } = self;
        write!(
            f,
            "verified: {plies} plies of {game}, commitment {commitment}, {seed}"
        )
    }
}

/// Checks the replay in a file: pages of GetReplay as JSON, one after the other or in an array, as grpcurl prints them;
/// or a single page as binary protobuf. `noted` is the commitment that was seen when the session was created.
///
/// # Errors
/// If it is not true, or cannot be read.
pub fn file(path: &Path, noted: Option<[u8; 32]>) -> Result<Verified, NotVerified> {
    let bytes = fs::read(path).map_err(unreadable)?;
    pages(read(&bytes)?, noted)
}

/// Reads a commitment as JSON has it, in base64.
///
/// # Errors
/// If it is none.
pub fn commitment_from_text(text: &str) -> Result<[u8; 32], String> {
    let bytes = STANDARD.decode(text).ok();
    bytes
        .and_then(|bytes| bytes.try_into().ok())
        .ok_or_else(|| "a commitment is 32 bytes in base64, as seedCommitment shows it".to_owned())
}

/// Reads the pages of a replay.
///
/// # Errors
/// [`NotVerified::Unreadable`].
pub fn read(bytes: &[u8]) -> Result<Vec<GetReplayResponse>, NotVerified> {
    if !matches!(bytes.trim_ascii_start().first(), Some(b'{' | b'[')) {
        return match GetReplayResponse::decode(bytes) {
            Ok(page) if !page.game.is_empty() => Ok(vec![page]),
            Ok(_) | Err(_) => Err(unreadable(
                "it is no replay, neither in JSON nor in protobuf",
            )),
        };
    }
    let replay = DescriptorPool::decode(DESCRIPTORS)
        .map_err(unreadable)?
        .get_message_by_name("tavola.v1.GetReplayResponse")
        .ok_or_else(|| unreadable("this binary knows no replays"))?;
    let mut pages = Vec::new();
    for value in Deserializer::from_slice(bytes).into_iter::<Value>() {
        let values = match value.map_err(unreadable)? {
            Value::Array(values) => values,
            value => vec![value],
        };
        for value in values {
            let page = DynamicMessage::deserialize(replay.clone(), value).map_err(unreadable)?;
            pages.push(page.transcode_to().map_err(unreadable)?);
        }
    }
    Ok(pages)
}

/// Checks the pages of a replay, which are in their order.
///
/// # Errors
/// If it is not true, or this binary cannot play it again.
pub fn pages(
    mut pages: Vec<GetReplayResponse>,
    noted: Option<[u8; 32]>,
) -> Result<Verified, NotVerified> {
    let mut steps = Vec::new();
    for page in &mut pages {
        steps.append(&mut page.steps);
        page.next_page_token.clear();
    }
    // What is left of a page is the same on all.
    let Some(first) = pages.first() else {
        return Err(unreadable("it has no pages"));
    };
    if pages.iter().any(|page| page != first) {
        return Err(untrue("its pages are not of one replay"));
    }
    let game = GameEntry::find(&first.game)
        .ok_or_else(|| unreadable(format_args!("there is no game `{}` here", first.game)))?;
    if first.rules_version != game.info.rules_version {
        return Err(unreadable(format_args!(
            "it was played by version {} of the rules, and this is version {}",
            first.rules_version, game.info.rules_version
        )));
    }
    let (seed, reseeds, commitment) = dice(first, noted)?;

    let opening = Opening {
        rules_version: first.rules_version,
        options: first.options.clone().unwrap_or_default(),
        seats: u8::try_from(first.seats).map_err(|_| untrue("it has too many seats"))?,
        seed,
        reseeds,
        entries: Vec::new(),
    };
    let mut table = game
        .open(&opening)
        .map_err(|error| untrue(format_args!("it cannot be set up: {error}")))?;
    if Some(table.options()) != first.options {
        return Err(untrue("its options are not written out"));
    }
    let viewer = match first.seat {
        None => Viewer::Spectator,
        Some(seat) if seat < first.seats => Viewer::Seat(seat_of(seat)),
        Some(_) => {
            return Err(untrue(
                "its events are those of a seat that it does not have",
            ));
        }
    };
    for ply in 0..=first.plies {
        let step = usize::try_from(ply).ok().and_then(|at| steps.get(at));
        let Some(step) = step.filter(|step| step.ply == ply) else {
            return Err(untrue_at(
                ply,
                "its step is missing; are all pages there, in order?",
            ));
        };
        check_step(&mut *table, step, viewer).map_err(|what| untrue_at(ply, what))?;
    }
    if steps.len() as u64 != u64::from(first.plies) + 1 {
        return Err(untrue("it has steps after its last ply"));
    }
    if !table.to_act().is_empty() {
        return Err(untrue("the game is not over after its last ply"));
    }
    if table.outcome() != first.outcome {
        return Err(untrue("the result is another one"));
    }
    Ok(Verified {
        game: first.game.clone(),
        plies: first.plies,
        commitment,
        seed_given: first.seed_given,
    })
}

/// The seeds, if the last of them is the one that the session was bound to, and what bound it.
fn dice(
    replay: &GetReplayResponse,
    noted: Option<[u8; 32]>,
) -> Result<(Seed, Vec<Reseed>, [u8; 32]), NotVerified> {
    let bytes = |name: &str, bytes: &[u8]| {
        <[u8; 32]>::try_from(bytes).map_err(|_| untrue(format_args!("its {name} is not 32 bytes")))
    };
    let kept = |seed: &Bytes| seed.is_empty();
    if !replay.reseeds.is_empty()
        && (kept(&replay.seed) || replay.reseeds.iter().any(|reseed| kept(&reseed.seed)))
    {
        return Err(unreadable(
            "it was forked from a session that was still on and has not told its seed",
        ));
    }
    let seed = Seed(bytes("seed", &replay.seed)?);
    let reseeds: Vec<_> = replay
        .reseeds
        .iter()
        .map(|reseed| {
            Ok(Reseed {
                after_ply: reseed.after_ply,
                seed: Seed(bytes("reseeds.seed", &reseed.seed)?),
            })
        })
        .collect::<Result<_, NotVerified>>()?;
    let nonce = Nonce(bytes("seed_nonce", &replay.seed_nonce)?);
    let commitment = bytes("seed_commitment", &replay.seed_commitment)?;
    let own = reseeds.last().map_or(seed, |reseed| reseed.seed);
    if fair_dice::commitment(own, nonce) != commitment {
        return Err(untrue(if reseeds.is_empty() {
            "seed_commitment is not the SHA-256 of seed and seed_nonce"
        } else {
            "seed_commitment is not the SHA-256 of the last of reseeds and seed_nonce"
        }));
    }
    if noted.is_some_and(|noted| noted != commitment) {
        return Err(untrue("its commitment is not the one that was noted"));
    }
    // A seed that is given is a number of eight bytes.
    if replay.seed_given && seed.0[8..] != [0; 24] {
        return Err(untrue("its seed is none that a host can give"));
    }
    Ok((seed, reseeds, commitment))
}

/// Plays a step and compares what comes of it.
fn check_step(
    table: &mut (dyn Table + 'static),
    step: &ReplayStep,
    viewer: Viewer,
) -> Result<(), String> {
    let entry = match (step.ply, &step.entry, step.seat) {
        (0, None, None) => None,
        (0, ..) => return Err("somebody acts in the set-up".to_owned()),
        (_, Some(replay_step::Entry::ActionId(id)), Some(seat)) => {
            Some(Entry::Action(seat_of(seat), ActionId(*id)))
        }
        (_, Some(replay_step::Entry::Resignation(_)), Some(seat)) => {
            Some(Entry::Resign(seat_of(seat)))
        }
        (_, None, _) => return Err("nobody does anything".to_owned()),
        (_, Some(_), None) => return Err("it does not say who acts".to_owned()),
    };
    let mut action = None;
    if let Some(entry) = entry {
        table
            .enter(entry)
            .map_err(|error| format!("what is done cannot be: {error}"))?;
        if let Entry::Action(_, id) = entry {
            action = table.action(id);
        }
    } else if step.out_of_time {
        return Err("nobody can be out of time in the set-up".to_owned());
    }
    if action != step.action {
        return Err("the action is not the one of its number".to_owned());
    }
    if table.state_hash().0[..] != step.state_hash[..] {
        return Err("the hash of the state is another one".to_owned());
    }
    if table.events(viewer) != step.events {
        return Err("the events are others".to_owned());
    }
    Ok(())
}

/// A seat of a replay; one that no table has if it is none.
fn seat_of(seat: u32) -> Seat {
    Seat(u8::try_from(seat).unwrap_or(u8::MAX))
}

fn unreadable(why: impl fmt::Display) -> NotVerified {
    NotVerified::Unreadable(why.to_string())
}

fn untrue(what: impl fmt::Display) -> NotVerified {
    NotVerified::Untrue(Untruth {
        ply: None,
        what: what.to_string(),
    })
}

fn untrue_at(ply: u32, what: impl fmt::Display) -> NotVerified {
    NotVerified::Untrue(Untruth {
        ply: Some(ply),
        what: what.to_string(),
    })
}
