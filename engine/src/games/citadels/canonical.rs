//! The bytes behind the state hash.

use super::action::Site;
use super::cards::Cards;
use super::character::Rank;
use super::district::{Color, District};
use super::knowledge::Knowledge;
use super::options::BallRoom;
use super::scoring::Score;
use super::state::{Board, Citadels, Private, Public, Stage, Turn, TurnKind, Window};
use crate::seat::Seat;

/// "None" wherever a number would stand.
const NONE: u8 = u8::MAX;

/// Appends every fact: the public part, the private part of each seat, the hidden part, each in the order of its fields. Numbers of two bytes
/// and more have the lowest first; what may be missing is 255 or, of the bank, 65535; lists and piles begin with their length; a multiset of cards
/// is 16 bytes, three bits for each district; a bool is 0 or 1. Enums are numbered in the order of their declaration.
pub(super) fn write_canonical(table: &Citadels, out: &mut Vec<u8>) {
    public(&table.public, out);
    for seat in table.public.seated() {
        private(&table.private[seat], out);
    }
    let hidden = &table.hidden;
    hidden.deck.write_canonical(out);
    hidden.museum.write_canonical(out);
    out.push(rank(hidden.face_down));
    out.extend(hidden.passing.bits().to_le_bytes());
    out.extend(hidden.aside.bits().to_le_bytes());
}

fn rank(rank: Option<Rank>) -> u8 {
    rank.map_or(NONE, |rank| rank.0)
}

fn seat(seat: Option<Seat>) -> u8 {
    seat.map_or(NONE, |seat| seat.0)
}

fn card(card: Option<District>) -> u8 {
    card.map_or(NONE, District::index)
}

fn cards(cards: Cards, out: &mut Vec<u8>) {
    out.extend(cards.bits().to_le_bytes());
}

fn public(public: &Public, out: &mut Vec<u8>) {
    let rules = &public.rules;
    out.push(public.seats);
    out.extend(
        rules
            .characters
            .map(|character| character.map_or(NONE, |character| character.index())),
    );
    out.extend(rules.bonus_districts.to_le_bytes());
    out.extend([
        rules.end_districts,
        match rules.ball_room {
            BallRoom::Explicit => 0,
            BallRoom::Auto => 1,
        },
        rules.draft,
        public.round,
        public.crown.0,
    ]);
    out.extend(public.bank.unwrap_or(u16::MAX).to_le_bytes());
    for at in public.seated() {
        board(&public.boards[at], out);
    }
    knowledge(&public.known, public, out);
    out.extend(
        public
            .deck_known_by
            .as_slice()
            .iter()
            .map(|seats| seats.bits()),
    );
    for hand in public.seated() {
        for viewer in public.seated() {
            let acquaintance = public.acquaintance[hand][viewer];
            out.extend([acquaintance.least, acquaintance.most]);
        }
    }
    out.push(public.museum.cards);
    out.extend(public.seated().map(|at| public.museum.known[at]));
    for at in public.seated() {
        out.extend(public.lighthouse[at].map_or([NONE; 4], |look| {
            [look.round, look.cards, look.drawn, look.shuffled.into()]
        }));
    }
    out.push(public.bell_rung.into());
    out.push(public.risen.len() as u8);
    out.extend(public.risen.iter().map(|seat| seat.0));
    out.extend(public.end.map_or([0, NONE, 0], |end| {
        [1, seat(end.first_complete), end.districts]
    }));
    calls(public, out);
    match &public.turn {
        None => out.push(0),
        Some(of) => turn(of, out),
    }
    stage(public, out);
    out.push(public.left.bits());
}

fn board(board: &Board, out: &mut Vec<u8>) {
    out.extend(board.gold.to_le_bytes());
    out.extend([board.hand, board.districts()]);
    for built in board.city.iter() {
        out.extend([
            built.district.index(),
            built.beautified.into(),
            built.builder.0,
            built.round,
        ]);
    }
}

fn knowledge(known: &Knowledge, public: &Public, out: &mut Vec<u8>) {
    for hand in public.seated() {
        cards(known.hands[hand], out);
    }
    known.deck.write_canonical(out);
}

fn calls(public: &Public, out: &mut Vec<u8>) {
    let calls = &public.calls;
    out.push(calls.first_picker.0);
    out.extend(calls.face_up.bits().to_le_bytes());
    out.extend([
        calls.rank4_returned.into(),
        calls.called,
        rank(calls.murdered),
        rank(calls.robbed),
        rank(calls.bewitched),
    ]);
    out.extend(calls.revealed.map(seat));
    out.extend(calls.acting.map(seat));
    out.extend([seat(calls.arrears), seat(calls.queen)]);
}

fn turn(turn: &Turn, out: &mut Vec<u8>) {
    out.extend([
        1,
        match turn.kind {
            TurnKind::Normal => 0,
            TurnKind::WitchFirst => 1,
            TurnKind::Bewitched => 2,
            TurnKind::WitchResumed => 3,
            TurnKind::Hospital => 4,
        },
        turn.seat.0,
        turn.rank.0,
        turn.character.index(),
        match turn.window {
            Window::Pre => 0,
            Window::Post => 1,
            Window::Last => 2,
        },
        turn.greeting.into(),
        turn.builds,
        turn.built.into(),
        turn.used.income.into(),
        turn.used.power.into(),
        turn.used.laboratory.into(),
        turn.used.smithy.into(),
        turn.used.museum.into(),
        turn.beautified,
    ]);
    out.extend(turn.spent.to_le_bytes());
}

/// The kind and three numbers that belong to it; of an ended game also outcome and points.
fn stage(public: &Public, out: &mut Vec<u8>) {
    let site = |site: Site| [site.district.index(), site.beautified.into()];
    out.extend(match &public.stage {
        Stage::Draft { step } => [0, *step, 0, 0],
        Stage::Hospital { owner } => [1, owner.0, 0, 0],
        Stage::Thanks => [2, 0, 0, 0],
        Stage::GiveCrown => [3, 0, 0, 0],
        Stage::PayEmperor { payer } => [4, payer.0, 0, 0],
        Stage::Menu => [5, 0, 0, 0],
        Stage::Keep { in_view, left } => [6, *in_view, *left, 0],
        Stage::Navigator => [7, 0, 0, 0],
        Stage::Bewitch => [8, 0, 0, 0],
        Stage::Mark { marked } => [9, *marked, 0, 0],
        Stage::WizardTake { from } => [10, from.0, 0, 0],
        Stage::WizardBuild { from } => [11, from.0, 0, 0],
        Stage::Lighthouse => [12, 0, 0, 0],
        Stage::BellTower => [13, 0, 0, 0],
        Stage::Graveyard { owner, district } => [14, owner.0, district.index(), 0],
        Stage::MoveCrown { emperor } => [15, emperor.0, 0, 0],
        Stage::DiplomatGive { from, site: taken } => {
            let [district, beautified] = site(*taken);
            [16, from.0, district, beautified]
        }
        Stage::Over(ending) => [17, ending.outcome.winners.bits(), 0, 0],
    });
    if let Stage::Over(ending) = &public.stage {
        for at in public.seated() {
            let returns = ending.outcome.returns.get(at).copied().unwrap_or_default();
            out.extend(returns.to_le_bytes());
            score(&ending.scores[at], out);
        }
    }
}

fn score(score: &Score, out: &mut Vec<u8>) {
    for points in [
        score.districts,
        score.colors,
        score.complete,
        score.museum,
        score.imperial_treasury,
        score.map_room,
        score.wishing_well,
    ] {
        out.extend(points.to_le_bytes());
    }
    out.push(match score.haunted_city {
        None => NONE,
        Some(Color::Yellow) => 0,
        Some(Color::Blue) => 1,
        Some(Color::Green) => 2,
        Some(Color::Red) => 3,
        Some(Color::Purple) => 4,
    });
}

fn private(own: &Private, out: &mut Vec<u8>) {
    cards(own.hand, out);
    for seen in own.draft.seen {
        out.extend(seen.bits().to_le_bytes());
    }
    out.extend(own.draft.picked.map(rank));
    out.extend([rank(own.draft.discarded), rank(own.draft.face_down)]);
    out.extend(own.in_view.map(card));
    out.push(card(own.taken));
    for hand in own.known.hands.0 {
        cards(hand, out);
    }
    own.known.deck.write_canonical(out);
    cards(own.deck_seen, out);
    own.museum.write_canonical(out);
}
