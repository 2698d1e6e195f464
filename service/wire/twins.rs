//! Twin worlds on the wire: who may not tell two worlds apart is sent the same bytes in both: what he sees, what he may
//! do, what he is told, and how he is refused.
//!
//! [`Sent`] is what is compared. [`in_random_games`] draws worlds out of random games, for every game; worlds that a game
//! has made up to differ in one secret are in the folder of the game.

use std::{collections::HashMap, env};

use prost::Message as _;
use tavola_engine::{
    ActionId, Chance, Game, Playthrough, Reseed, Seat, SeatSet, Seed, Seen, Viewer,
    games::{
        citadels::{Action as CitadelsAction, Character, Citadels, Options as CitadelsOptions},
        council_of_shadows::{
            AutomaMode, CouncilOfShadows, Options as CouncilOptions, Stage as CouncilStage,
        },
        santorini::{God, GodMode, Options as SantoriniOptions, Santorini},
        shadow_hunters::{Options as ShadowHuntersOptions, ShadowHunters},
        under_falling_skies::{Mode, Options as SkiesOptions, UnderFallingSkies},
    },
};
use tonic::{Code, Status};
use tonic_types::StatusExt as _;

use super::{Live, Table, Wire};
use crate::pb::v1::{Decision, Update};

/// Something that is sent to somebody.
#[derive(PartialEq, Debug)]
pub(super) struct Sent {
    ply: u32,
    viewer: Viewer,
    message: Message,
}

#[derive(PartialEq, Debug)]
enum Message {
    /// What an observation, a reply to an answer and an update of a stream have in common, with
    /// labelled actions or with ids.
    Update(Vec<u8>),
    Refusal(Refusal),
}

/// Why an answer is refused.
#[derive(PartialEq, Debug)]
struct Refusal {
    code: Code,
    text: String,
    reason: String,
    /// A map: in the bytes its entries have no order, so those are compared by their number only.
    facts: HashMap<String, String>,
    size: usize,
}

impl From<Status> for Refusal {
    fn from(status: Status) -> Self {
        let info = status.get_details_error_info().unwrap();
        Self {
            code: status.code(),
            text: status.message().to_owned(),
            reason: info.reason,
            facts: info.metadata,
            size: status.details().len(),
        }
    }
}

impl Sent {
    /// Its bytes, more or less.
    pub(super) fn size(&self) -> usize {
        match &self.message {
            Message::Update(bytes) => bytes.len(),
            Message::Refusal(refusal) => refusal.size,
        }
    }
}

/// Which of the answers that are not legal are tried.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tried {
    /// Of a seat that is asked: each so-manieth.
    pub(super) asked: usize,
    /// Of one that is not, which is refused whatever it answers.
    pub(super) others: usize,
}

/// What this viewer is sent at this moment.
pub(super) fn send<G: Wire>(
    table: &mut Live<G>,
    viewer: Viewer,
    tried: Tried,
    sent: &mut Vec<Sent>,
) {
    let ply = table.ply();
    let mut add = |message| {
        sent.push(Sent {
            ply,
            viewer,
            message,
        });
    };
    for update in updates(table, viewer) {
        add(Message::Update(update.encode_to_vec()));
    }
    if let Viewer::Seat(seat) = viewer {
        refusals(table, seat, tried).into_iter().for_each(add);
    }
}

/// The full and the lean one.
fn updates<G: Wire>(table: &Live<G>, viewer: Viewer) -> [Update; 2] {
    let (mut legal_actions, mut legal_action_ids) = (Vec::new(), Vec::new());
    if let Viewer::Seat(seat) = viewer {
        legal_actions = table.legal_actions(seat);
        legal_action_ids = table.legal_action_ids(seat);
    }
    let lean = Update {
        observation: Some(table.observation(viewer)),
        decision: Some(Decision {
            decision_id: table.decision_number(viewer),
            seats: table.to_act().iter().map(|seat| seat.0.into()).collect(),
        }),
        legal_action_ids,
        events: table.events(viewer),
        outcome: table.outcome(),
        ..Update::default()
    };
    let full = Update {
        legal_actions,
        legal_action_ids: Vec::new(),
        ..lean.clone()
    };
    [full, lean]
}

/// The refusals of what the seat may not answer. Nothing changes by them.
fn refusals<G: Wire>(table: &mut Live<G>, seat: Seat, tried: Tried) -> Vec<Message> {
    let legal = table.legal_action_ids(seat);
    let asked = table.to_act().contains(seat);
    let step = if asked { tried.asked } else { tried.others };
    let refused = |id| {
        let error = table.submit(seat, ActionId(id)).unwrap_err();
        Message::Refusal(Status::from(error).into())
    };
    (0..G::ACTION_SPACE)
        .step_by(step)
        .filter(|id| !legal.contains(id))
        .map(refused)
        .collect()
}

// === worlds out of random games

/// What was compared.
#[derive(Debug, Default)]
struct Tally {
    /// Pairs of worlds that differ and that somebody may not tell apart.
    pairs: usize,
    /// Plies after which he still could not.
    plies: usize,
    /// Plies in which something else was chosen in secret in the one world than in the other.
    secrets: usize,
    sent: usize,
    bytes: usize,
}

/// An answer that nobody but its seat may know.
type Secret<G> = fn(Seen<'_, G>, <G as Game>::Action) -> bool;

/// How far a pair of worlds is followed.
const FOLLOWED_PLIES: u32 = 12;

/// Of the answers that are refused every few are tried: all of them are in the tests of each game's own worlds.
const SAMPLE: Tried = Tried {
    asked: 61,
    others: 499,
};

/// Random games until so many pairs of worlds were compared: at their plies each viewer's world is exchanged for another
/// that he could be in for all he knows. He is sent the same in both, at once and after what others and he do there, as
/// long as that shows him nothing new.
fn in_random_games<G: Wire>(options: &G::Options, seats: u8, secret: Secret<G>, tally: &mut Tally) {
    let wanted = tally.pairs + if is_full() { 5_000 } else { 150 };
    for number in 0.. {
        let mut dice = Chance::at_ply(Seed::from_number(number), u32::MAX);
        let seed = Seed::from_number(number);
        let mut play = Playthrough::<G>::start(options.clone(), seats, seed, None).unwrap();
        while let Some((seat, action)) = random_action(play.state(), &mut dice) {
            let viewers = (0..seats).map(|seat| Viewer::Seat(Seat(seat)));
            for viewer in viewers.chain([Viewer::Spectator]) {
                if dice.below(8) > 0 {
                    continue;
                }
                if let Some(worlds) = worlds(&play, viewer, &mut dice) {
                    tally.pairs += 1;
                    follow(worlds, viewer, secret, &mut dice, tally);
                }
                if tally.pairs >= wanted {
                    return;
                }
            }
            play.submit(seat, action, None).unwrap();
        }
    }
}

fn random_action<G: Game>(state: &G, dice: &mut Chance) -> Option<(Seat, G::Action)> {
    let seat = pick(&G::to_act(state.public()).iter().collect::<Vec<_>>(), dice)?;
    let legal = G::legal_actions(state.seen(Viewer::Seat(seat)));
    Some((seat, pick(&legal, dice)?))
}

fn pick<T: Copy>(items: &[T], dice: &mut Chance) -> Option<T> {
    let bound = u32::try_from(items.len()).ok().filter(|&len| len > 0)?;
    items.get(usize::try_from(dice.below(bound)).ok()?).copied()
}

/// The world as it is and another one that the viewer could be in; none if it is the same. In both the dice will say the
/// same.
fn worlds<G: Wire>(
    play: &Playthrough<G>,
    viewer: Viewer,
    dice: &mut Chance,
) -> Option<[Live<G>; 2]> {
    let record = play.record();
    let (options, seats) = (record.options.clone(), record.seats);
    let number = u64::from(dice.below(u32::MAX));
    let (seed, drawn) = (Seed::from_number(number), Seed::from_number(number + 1));
    let here = Playthrough::placed(play.state().clone(), options.clone(), seats, seed);
    let there = Playthrough::imagined(&play.state().observe(viewer), options, seats, drawn);
    let there = there.with_reseeds(vec![Reseed { after_ply: 0, seed }]);
    (here.state() != there.state())
        .then(|| [here, there].map(|play| Live::placed(play, Vec::new())))
}

/// Plays the same in both worlds, but for what is chosen in secret.
fn follow<G: Wire>(
    [mut here, mut there]: [Live<G>; 2],
    viewer: Viewer,
    secret: Secret<G>,
    dice: &mut Chance,
    tally: &mut Tally,
) {
    same(&mut here, &mut there, viewer, tally);
    for _ in 0..FOLLOWED_PLIES {
        let Some((seat, action)) = random_action(here.truth(), dice) else {
            return;
        };
        let by_viewer = viewer == Viewer::Seat(seat);
        let mut other = action;
        let hidden = !by_viewer && secret(here.truth().seen(Viewer::Seat(seat)), action);
        if hidden {
            let seen = there.truth().seen(Viewer::Seat(seat));
            let mut legal = G::legal_actions(seen);
            legal.retain(|&legal| legal != action && secret(seen, legal));
            other = pick(&legal, dice).unwrap_or(action);
        }
        here.submit(seat, G::encode(action)).unwrap();
        let possible = there.submit(seat, G::encode(other)).is_ok();
        assert!(
            possible || !by_viewer,
            "{action:?} is listed in both worlds"
        );
        let seen = |table: &Live<G>| table.truth().observe(viewer);
        if !possible || seen(&here) != seen(&there) {
            return;
        }
        tally.plies += 1;
        tally.secrets += usize::from(other != action);
        same(&mut here, &mut there, viewer, tally);
    }
}

#[track_caller]
fn same<G: Wire>(here: &mut Live<G>, there: &mut Live<G>, viewer: Viewer, tally: &mut Tally) {
    let [here, there] = [here, there].map(|table| {
        let mut sent = Vec::new();
        send(table, viewer, SAMPLE, &mut sent);
        sent
    });
    assert_eq!(here.len(), there.len(), "as much is sent in both");
    for (here, there) in here.iter().zip(&there) {
        assert_eq!(here, there);
    }
    tally.sent += 2 * here.len();
    tally.bytes += 2 * here.iter().map(Sent::size).sum::<usize>();
}

/// Whether tests are to be as large as they are meant to be: see tests/common/size.rs.
fn is_full() -> bool {
    env::var_os("TAVOLA_TESTS").is_some_and(|size| size == "full")
}

/// Nothing is chosen in secret.
fn open<G: Game>(_: Seen<'_, G>, _: G::Action) -> bool {
    false
}

fn check<G: Wire>(tables: &[(G::Options, u8)], secret: Secret<G>) -> Tally {
    let mut tally = Tally::default();
    for (options, seats) in tables {
        in_random_games::<G>(options, *seats, secret, &mut tally);
    }
    println!("{}: {tally:?}", G::INFO.slug);
    assert!(tally.plies > tally.pairs, "pairs are followed: {tally:?}");
    tally
}

#[test]
fn citadels_sends_nobody_what_he_may_not_know() {
    let bonus = CitadelsOptions {
        bonus_characters: vec![Character::Wizard, Character::Navigator, Character::Witch],
        allow_many_bonus: true,
        ..CitadelsOptions::default()
    };
    let tables = [
        (CitadelsOptions::default(), 2),
        (CitadelsOptions::default(), 7),
        (bonus, 5),
    ];
    let tally = check::<Citadels>(&tables, |_, action| {
        matches!(
            action,
            CitadelsAction::PickCharacter { .. } | CitadelsAction::DiscardCharacter { .. }
        )
    });
    assert!(tally.secrets > 20, "{tally:?}");
}

#[test]
fn council_of_shadows_sends_nobody_what_he_may_not_know() {
    let automa = CouncilOptions {
        automa: Some(AutomaMode::Hard),
        ..CouncilOptions::default()
    };
    let tables = [
        (CouncilOptions::default(), 2),
        (CouncilOptions::default(), 4),
        (automa, 1),
    ];
    let tally = check::<CouncilOfShadows>(&tables, |seen, _| {
        matches!(seen.public.stage, CouncilStage::Planning { .. })
    });
    assert!(tally.secrets > 20, "{tally:?}");
}

#[test]
fn santorini_sends_nobody_the_deck_of_chaos() {
    let chaos = SantoriniOptions {
        god_mode: GodMode::Fixed,
        fixed_gods: vec![Some(God::Chaos), Some(God::Atlas)],
        ..SantoriniOptions::default()
    };
    check::<Santorini>(&[(chaos, 2), (SantoriniOptions::default(), 3)], open);
}

#[test]
fn shadow_hunters_sends_nobody_what_he_may_not_know() {
    let tables = [4, 6, 8].map(|seats| (ShadowHuntersOptions::default(), seats));
    check::<ShadowHunters>(&tables, open);
}

#[test]
fn under_falling_skies_sends_nobody_what_its_campaign_will_bring() {
    let campaign = SkiesOptions {
        mode: Mode::Campaign,
        campaign_content: true,
        ..SkiesOptions::default()
    };
    check::<UnderFallingSkies>(&[(campaign, 1)], open);
}

/// The comparison itself bites: a leak in whatever is sent is found.
#[test]
fn another_world_is_sent_to_those_who_may_know() {
    let options = CitadelsOptions::default();
    let mut dice = Chance::at_ply(Seed::from_number(0), 1);
    let play = Playthrough::<Citadels>::start(options, 4, Seed::from_number(0), None).unwrap();
    let [mut here, mut there] = worlds(&play, Viewer::Seat(Seat(0)), &mut dice).unwrap();
    let mut sent_to = |seat| {
        [&mut here, &mut there].map(|table| {
            let mut sent = Vec::new();
            send(table, Viewer::Seat(Seat(seat)), SAMPLE, &mut sent);
            sent
        })
    };
    let [here, there] = sent_to(0);
    assert_eq!(here, there);
    let [here, there] = sent_to(1);
    assert_ne!(here, there, "seat 1 sees its own hand");
}

/// The seats but for these.
pub(super) fn outsiders(seats: u8, insiders: SeatSet) -> impl Iterator<Item = Viewer> {
    (0..seats)
        .map(Seat)
        .filter(move |&seat| !insiders.contains(seat))
        .map(Viewer::Seat)
        .chain([Viewer::Spectator])
}
