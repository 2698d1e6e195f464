//! The conformance suite: the laws that every game keeps, tried on seeded random play (feature
//! `testing`).
//!
//! A game's tests call [`check_game`] for each of its options and numbers of seats. At every ply of
//! every game it holds:
//!
//! - **Lists.** A seat that is to act has a decision and legal actions, nobody else has; the game
//!   is over exactly when nobody is to act. The actions are ascending by id, none twice, at most
//!   `INFO.legal_max`; ids are one-to-one with actions and below `ACTION_SPACE`; labels tell them
//!   apart; the mask says the same.
//! - **Refusals.** What is not listed is refused with a reason, at the game's end too, and changes
//!   nothing. `is_legal` is the list.
//! - **Bounds.** The game ends within `plies_max`, and what the caller says is conserved is so.
//! - **Decisions.** A decision's number never comes back, stays while the others answer, and gets
//!   one answer from each seat; the order in which sealed answers come doesn't matter; an answer
//!   can be found again.
//! - **Replay.** The record gives the same state at every ply, whether anybody listens or not;
//!   equal states, and no others, have equal canonical bytes; a copy made earlier stays as it was.
//! - **Hidden information.** A determinized state looks the same to its viewer, has the same legal
//!   actions, can be played to its end, and differs from the truth where the options let something
//!   be hidden. A viewer to whom two states look the same before and after the same action hears
//!   the same events: so an event tells nobody more than the observation that goes with it.
//!
//! In every fourth game a seat resigns at a random ply.

mod decisions;
mod hidden;
mod lists;
mod refusals;
mod replays;

use std::fmt::{self, Debug, Display};
use std::ops::Range;

use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};

use crate::chance::Seed;
use crate::cx::Audience;
use crate::game::{Game, StateHash};
use crate::playthrough::Playthrough;
use crate::seat::{SEATS_MAX, Seat, SeatSet, Viewer};
use decisions::Decisions;

/// What was tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Report {
    /// Games played to their end.
    pub games: u64,
    /// Plies in all of them.
    pub plies: u64,
    /// Plies of the longest.
    pub longest_game: u32,
    /// Actions in the longest list.
    pub longest_list: usize,
    /// Determinized states that differed from the truth.
    pub varied: u64,
}

/// A law that didn't hold, with everything needed to see it again.
#[derive(Clone, PartialEq, Eq)]
pub struct Failure(String);

impl Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The same as `Display`, so that a test that unwraps shows it readably.
impl Debug for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Display::fmt(self, f)
    }
}

impl std::error::Error for Failure {}

/// Plays one random game per seed and checks all laws at every ply.
///
/// # Errors
///
/// The first [`Failure`]: its message names game, options, seats, seed and ply.
pub fn check_game<G: Game>(
    options: &G::Options,
    seats: u8,
    seeds: Range<u64>,
) -> Result<Report, Failure> {
    check_game_with::<G>(options, seats, seeds, |_| Ok(()))
}

/// As [`check_game`]; besides, at every ply `conserved` is asked whether the state is sound:
/// whether all pieces are still there, whether nobody is in two places. It says what is wrong.
///
/// # Errors
///
/// As [`check_game`].
pub fn check_game_with<G: Game>(
    options: &G::Options,
    seats: u8,
    seeds: Range<u64>,
    conserved: impl Fn(&G) -> Result<(), String>,
) -> Result<Report, Failure> {
    let mut report = Report::default();
    debug_assert!(G::INFO.hidden || !G::hides(options));
    check_seats::<G>(options, seeds.start)?;
    for seed in seeds.clone() {
        let game = Trial::start(options, seats, seed, &conserved, &mut report)?;
        game.play()?;
    }
    if G::hides(options) && report.games > 0 && report.varied == 0 {
        let context = Context::<G> {
            options,
            seats,
            seed: seeds.start,
        };
        return Err(context.failure(
            0,
            "the game hides something, but no determinized state differed from the truth",
        ));
    }
    Ok(report)
}

/// No table has fewer or more seats than `INFO` says.
fn check_seats<G: Game>(options: &G::Options, seed: u64) -> Result<(), Failure> {
    let table = G::INFO.seats_min..=G::INFO.seats_max.min(SEATS_MAX);
    for seats in (0..=u8::MAX).filter(|seats| !table.contains(seats)) {
        let started =
            Playthrough::<G>::start(options.clone(), seats, Seed::from_number(seed), None);
        if !started.is_err_and(|refused| refused.field == "seats") {
            let context = Context::<G> {
                options,
                seats,
                seed,
            };
            return Err(context.failure(0, "the number of seats is not refused"));
        }
    }
    Ok(())
}

/// What a failure names.
struct Context<'a, G: Game> {
    options: &'a G::Options,
    seats: u8,
    seed: u64,
}

impl<G: Game> Context<'_, G> {
    fn failure(&self, ply: u32, law: &str) -> Failure {
        let Self {
            options,
            seats,
            seed,
        } = self;
        Failure(format!(
            "{}, {options:?}, {seats} seats, seed {seed}, ply {ply}: {law}",
            G::INFO.slug
        ))
    }
}

/// One game under test.
struct Trial<'a, G: Game> {
    context: Context<'a, G>,
    conserved: &'a dyn Fn(&G) -> Result<(), String>,
    report: &'a mut Report,
    /// The suite's own dice: they pick actions and decide what is looked at more closely.
    dice: StdRng,
    playthrough: Playthrough<G>,
    decisions: Decisions,
    /// The fingerprint at each ply so far.
    hashes: Vec<StateHash>,
}

impl<'a, G: Game> Trial<'a, G> {
    fn start(
        options: &'a G::Options,
        seats: u8,
        seed: u64,
        conserved: &'a dyn Fn(&G) -> Result<(), String>,
        report: &'a mut Report,
    ) -> Result<Self, Failure> {
        let context = Context {
            options,
            seats,
            seed,
        };
        let playthrough = Playthrough::start(
            options.clone(),
            seats,
            Seed::from_number(seed),
            Some(&mut Vec::new()),
        )
        .map_err(|refused| context.failure(0, &format!("the options are refused: {refused}")))?;
        Ok(Self {
            context,
            conserved,
            report,
            dice: StdRng::seed_from_u64(seed),
            decisions: Decisions::new(&playthrough),
            hashes: vec![playthrough.state_hash()],
            playthrough,
        })
    }

    fn play(mut self) -> Result<(), Failure> {
        let mut may_quit = self.context.seed % 4 == 3;
        let mut keepsake = (self.playthrough.state().clone(), self.hashes[0]);
        self.check_state()?;
        while !self.to_act().is_empty() {
            if may_quit && self.one_in(20) {
                may_quit = false;
                self.resign()?;
            } else {
                self.act()?;
            }
            self.hashes.push(self.playthrough.state_hash());
            self.check_state()?;
            if self.one_in(20) {
                keepsake = (
                    self.playthrough.state().clone(),
                    self.playthrough.state_hash(),
                );
            }
            self.law(keepsake.0.state_hash() == keepsake.1, || {
                "a copy of an earlier state has changed".into()
            })?;
        }
        self.check_replay()?;
        self.check_answers()?;
        self.report.games += 1;
        self.report.plies += u64::from(self.playthrough.ply());
        self.report.longest_game = self.report.longest_game.max(self.playthrough.ply());
        Ok(())
    }

    /// One random action, with the laws about what an action does.
    fn act(&mut self) -> Result<(), Failure> {
        let seats: Vec<Seat> = self.to_act().iter().collect();
        self.check_order_of_answers()?;
        let before = self.playthrough.state().clone();
        let Some(&seat) = seats.choose(&mut self.dice) else {
            return Ok(());
        };
        let legal = G::legal_actions(before.seen(Viewer::Seat(seat)));
        let Some(&action) = legal.choose(&mut self.dice) else {
            return Ok(());
        };
        let mut events = Vec::new();
        let played = self.playthrough.submit(seat, action, Some(&mut events));
        self.law(played.is_ok(), || {
            format!("{action:?} of {seat} is listed but refused: {played:?}")
        })?;
        let (hash_before, hash) = (before.state_hash(), self.playthrough.state_hash());
        self.law(
            (hash == hash_before) == (*self.playthrough.state() == before),
            || format!("{action:?} of {seat}: states are equal or their hashes, but not both"),
        )?;
        self.check_twins(&before, seat, action, &events)?;
        self.check_decision(seat, G::to_act(before.public()))
    }

    /// A seat of the table leaves.
    fn resign(&mut self) -> Result<(), Failure> {
        let seat = Seat(self.dice.random_range(0..self.context.seats));
        let resigned = self.playthrough.resign(seat, Some(&mut Vec::new()));
        self.law(resigned.is_ok(), || {
            format!("{seat} may not resign: {resigned:?}")
        })?;
        let again = self.playthrough.resign(seat, None);
        self.law(again.is_err(), || format!("{seat} may resign twice"))?;
        self.check_new_decision()
    }

    /// The laws about a state as it stands.
    fn check_state(&mut self) -> Result<(), Failure> {
        let bound = G::plies_max(self.context.options, self.context.seats);
        self.law(self.playthrough.ply() <= bound, || {
            format!("the game goes on beyond its bound of {bound} plies")
        })?;
        let sound = (self.conserved)(self.playthrough.state());
        self.law(sound.is_ok(), || format!("{sound:?}"))?;
        self.check_lists()?;
        self.check_refusals()?;
        self.check_determinizations()
    }

    /// A law: if it doesn't hold, the message says what is wrong instead.
    fn law(&self, holds: bool, broken: impl FnOnce() -> String) -> Result<(), Failure> {
        if holds {
            Ok(())
        } else {
            Err(self.context.failure(self.playthrough.ply(), &broken()))
        }
    }

    fn to_act(&self) -> SeatSet {
        G::to_act(self.playthrough.state().public())
    }

    /// Everybody who may look: each seat, and a spectator.
    fn viewers(&self) -> impl Iterator<Item = Viewer> + use<G> {
        (0..self.context.seats)
            .map(|seat| Viewer::Seat(Seat(seat)))
            .chain([Viewer::Spectator])
    }

    fn one_in(&mut self, times: u32) -> bool {
        self.dice.random_range(0..times) == 0
    }
}

/// A game that panics breaks no law that could be returned: at least say where it was.
impl<G: Game> Drop for Trial<'_, G> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!(
                "{}",
                self.context.failure(self.playthrough.ply(), "panicked")
            );
        }
    }
}

/// What this viewer hears of the events.
fn heard<E>(events: &[(Audience, E)], viewer: Viewer) -> impl Iterator<Item = &E> {
    let seat = match viewer {
        Viewer::Seat(seat) => Some(seat),
        Viewer::Spectator => None,
    };
    events
        .iter()
        .filter(move |(audience, _)| audience.includes(seat))
        .map(|(_, event)| event)
}
