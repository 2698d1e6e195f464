//! A full state that fits what a viewer sees and remembers (section 13).
//!
//! Characters: every allocation that the set-up can deal and that contradicts nothing the viewer
//! knows can come up, as likely as the set-up deals it. What counts: characters that are open or
//! were shown to the viewer, factions and initials, damage below the hit points, Daniel's Scream,
//! wins that have not happened, and the answers in the viewer's memory (Unknown fits them all).
//! Cards: every order of what the viewer doesn't see, each equally likely. Hermit cards that others
//! exchanged are left out of their memories.

use arrayvec::ArrayVec;

use super::card::{Card, Color, Equipment, HermitCard};
use super::character::{Character, Characters};
use super::deal::{Deal, Dealt};
use super::frame::{Attack, Frame, Question};
use super::hermit::could_answer;
use super::state::{
    HermitAnswer, HermitMemory, HermitPile, Hidden, Pile, Private, Public, ShadowHunters,
};
use super::tables::TABLES;
use crate::chance::Chance;
use crate::game::Seen;
use crate::seat::{SEATS_MAX, Seat};

/// How often characters are dealt anew when no card of the opening goes with them.
const DEALS: u32 = 24;

pub(super) fn determinize(seen: Seen<'_, ShadowHunters>, chance: &mut Chance) -> ShadowHunters {
    let public = seen.public;
    let known = Known { seen };
    let (characters, hermit) = known.deal_with_hermit_cards(chance);
    let privates = known.privates(&characters, hermit.in_transit);
    ShadowHunters {
        hidden: Hidden {
            white: unseen(public, Color::White, chance),
            black: unseen(public, Color::Black, chance),
            hermit: hermit.draw,
            hermit_discard: hermit.discard,
        },
        privates,
        public: public.clone(),
    }
}

/// What the viewer knows.
struct Known<'a> {
    seen: Seen<'a, ShadowHunters>,
}

/// A way in which the Hermit cards can lie.
struct HermitCards {
    draw: HermitPile,
    discard: HermitPile,
    in_transit: Option<HermitCard>,
}

impl Known<'_> {
    /// The viewer's memory; a spectator has none.
    fn memory(&self) -> &[HermitMemory] {
        self.seen.own.map_or(&[], |own| &own.memory)
    }

    /// The character at this seat, if the viewer knows it.
    fn identity(&self, seat: Seat) -> Option<Character> {
        let own = self.seen.own.filter(|_| self.seen.seat == Some(seat));
        let shown = self
            .seen
            .own
            .and_then(|own| own.identities.get(usize::from(seat.0)).copied().flatten());
        self.seen
            .public
            .player(seat)
            .character
            .or(own.map(|own| own.character))
            .or(shown)
    }

    /// The characters that the viewer thinks possible at this seat.
    fn candidates(&self, seat: Seat) -> Characters {
        let public = self.seen.public;
        if let Some(character) = self.identity(seat) {
            return Characters::only(character);
        }
        let fits = |character: &Character| {
            let character = *character;
            character.hp() > damage_survived(public, seat)
                && !would_have_screamed(public, seat, character)
                && !would_have_won(public, seat, character)
                && !would_be_revealed_bryan(public, seat, character)
                && self.memory().iter().all(|memory| {
                    memory.receiver != seat
                        || could_answer(public, character, memory.card, memory.answer)
                })
        };
        public.open_characters().iter().filter(fits).collect()
    }

    /// Who could sit where.
    fn deal(&self, chance: &mut Chance) -> Dealt {
        let public = self.seen.public;
        let seats = public.seats();
        let fixed: Characters = (0..seats)
            .filter_map(|seat| self.identity(Seat(seat)))
            .collect();
        let free = (0..seats)
            .map(Seat)
            .filter(|&seat| self.identity(seat).is_none())
            .map(|seat| (seat, self.candidates(seat)))
            .collect();
        let deal = Deal::new(public, fixed, free);
        let dealt = deal.draw(chance);
        (0..seats)
            .map(Seat)
            .map(|seat| {
                let known = self.identity(seat);
                // Each seat is open or known, so nobody is Emi for want of anything else.
                deal.dealt_to(seat, &dealt)
                    .or(known)
                    .unwrap_or(Character::Emi)
            })
            .collect()
    }

    /// Characters, and Hermit cards that go with them: in the opening the card under way has to be
    /// one that did to those who answered it what everybody saw. Where none does (Allie has
    /// healed), any card will do.
    fn deal_with_hermit_cards(&self, chance: &mut Chance) -> (Dealt, HermitCards) {
        for _ in 0..DEALS {
            let characters = self.deal(chance);
            let hermit = self.hermit_cards(&characters, chance);
            let card = hermit.in_transit;
            if self.holds_card()
                || card.is_none_or(|card| self.could_be_under_way(card, &characters))
            {
                return (characters, hermit);
            }
        }
        let characters = self.deal(chance);
        let hermit = self.hermit_cards(&characters, chance);
        (characters, hermit)
    }

    /// What the other players hold and remember, as far as it follows from what the viewer knows.
    fn privates(
        &self,
        characters: &Dealt,
        in_transit: Option<HermitCard>,
    ) -> ArrayVec<Private, { SEATS_MAX as usize }> {
        let public = self.seen.public;
        let holders = public.hermit_holders();
        let opening = matches!(public.stack.first(), Some(Frame::Opening { .. }));
        let opening_memory = match (opening, in_transit, self.holds_card()) {
            (true, Some(card), false) => opening_answers(public, characters, card),
            _ => Vec::new(),
        };
        let all = || self.memory().iter().chain(&opening_memory);
        (0..)
            .map(Seat)
            .zip(characters)
            .map(|(seat, &character)| {
                if let Some(own) = self.seen.own
                    && self.seen.seat == Some(seat)
                {
                    return own.clone();
                }
                let shares = |memory: &&HermitMemory| match memory.turn {
                    // In the opening: whom the card has reached.
                    0 if opening => holders.contains(seat),
                    0 => true,
                    _ => memory.giver == seat || memory.receiver == seat,
                };
                let mut private = Private::new(character);
                private.hermit = in_transit.filter(|_| holders.contains(seat));
                private.memory = all().filter(shares).copied().collect();
                for memory in all().filter(|memory| memory.giver == seat) {
                    let place = usize::from(memory.receiver.0);
                    if memory.answer == HermitAnswer::Show
                        && let Some(identity) = private.identities.get_mut(place)
                    {
                        *identity = characters.get(place).copied();
                    }
                }
                private
            })
            .collect()
    }

    /// Whether the viewer knows the Hermit card that is under way.
    fn holds_card(&self) -> bool {
        self.seen.own.is_some_and(|own| own.hermit.is_some())
    }

    /// The Hermit cards: what the viewer has seen stays where it is.
    fn hermit_cards(&self, characters: &Dealt, chance: &mut Chance) -> HermitCards {
        let public = self.seen.public;
        let mut rest: HermitPile = TABLES.hermit_deck.iter().copied().collect();
        let mut discard: ArrayVec<Option<HermitCard>, 16> =
            (0..public.hermit_discard).map(|_| None).collect();
        for memory in self.memory() {
            if memory.shuffle == public.hermit_shuffles
                && let Some(place @ None) = discard.get_mut(usize::from(memory.place))
            {
                *place = Some(memory.card);
                remove(&mut rest, memory.card);
            }
        }
        let mut in_transit = self.seen.own.and_then(|own| own.hermit);
        if let Some(card) = in_transit {
            remove(&mut rest, card);
        }
        chance.shuffle(&mut rest);
        if in_transit.is_none() && !public.hermit_holders().is_empty() {
            let fits = rest
                .iter()
                .rposition(|&card| self.could_be_under_way(card, characters));
            in_transit = match fits {
                Some(place) => Some(rest.remove(place)),
                None => rest.pop(),
            };
        }
        let discard = discard
            .into_iter()
            .filter_map(|card| card.or_else(|| rest.pop()))
            .collect();
        HermitCards {
            draw: rest,
            discard,
            in_transit,
        }
    }

    /// In the opening, what the card did to those who have answered it narrows down which it is.
    fn could_be_under_way(&self, card: HermitCard, characters: &Dealt) -> bool {
        let public = self.seen.public;
        let Some(Frame::Opening { .. }) = public.stack.first() else {
            return true;
        };
        let saw_identity = self
            .seen
            .own
            .is_some_and(|own| own.identities.iter().any(Option::is_some));
        if saw_identity {
            return card == HermitCard::Prediction;
        }
        opening_answers(public, characters, card)
            .iter()
            .all(|memory| {
                let damage = public.player(memory.receiver).damage;
                let character = characters.get(usize::from(memory.receiver.0));
                character
                    .is_some_and(|&character| could_answer(public, character, card, memory.answer))
                    && (damage == 0 || damage == card.facts().amount)
            })
    }
}

/// How those who have answered the card of the opening must have done so: who has damage took it.
fn opening_answers(public: &Public, characters: &Dealt, card: HermitCard) -> Vec<HermitMemory> {
    let Some(Frame::Opening { answered }) = public.stack.first() else {
        return Vec::new();
    };
    public
        .seats_from(public.active)
        .take(usize::from(*answered))
        .filter(|seat| usize::from(seat.0) < characters.len())
        .map(|receiver| HermitMemory {
            turn: 0,
            giver: public.right_of(receiver),
            receiver,
            card,
            answer: match (public.player(receiver).damage, card) {
                (_, HermitCard::Prediction) => HermitAnswer::Show,
                (0, _) => HermitAnswer::Nothing,
                _ => HermitAnswer::TakeDamage,
            },
            shuffle: public.hermit_shuffles,
            place: public.hermit_discard,
        })
        .collect()
}

/// The damage that the player is known to have survived. While a hidden Vampire is asked, the
/// damage of her attack is given, but nobody has died of it yet.
fn damage_survived(public: &Public, seat: Seat) -> u8 {
    let player = public.player(seat);
    if !player.alive {
        return 0;
    }
    let sucking = matches!(
        public.asked().map(|ask| ask.question),
        Some(Question::SuckBlood { .. })
    );
    let attack = public.stack.iter().rev().find_map(|frame| match frame {
        Frame::Attack(attack) => Some(attack),
        _ => None,
    });
    let given = match attack {
        Some(Attack {
            targets,
            robbed,
            damage,
            ..
        }) if sucking && targets.contains(seat) && !robbed.contains(seat) => {
            damage.get(usize::from(seat.0)).copied().unwrap_or_default()
        }
        _ => 0,
    };
    player.damage.saturating_sub(given)
}

/// Daniel is revealed by the first death, unless his ability is void.
fn would_have_screamed(public: &Public, seat: Seat, character: Character) -> bool {
    character == Character::Daniel && public.has_ability(seat) && public.dead() > 0
}

/// Bob and David win at the checkpoint after they get their last card: they can't own so many and
/// play on.
fn would_have_won(public: &Public, seat: Seat, character: Character) -> bool {
    let before_checkpoint = public
        .stack
        .iter()
        .any(|frame| matches!(frame, Frame::Deaths(_)));
    let player = public.player(seat);
    let facts = character.facts();
    if before_checkpoint || !player.alive {
        return false;
    }
    match character {
        Character::Bob => player.equipment.len() >= usize::from(facts.win_equipment),
        Character::David => {
            let owned = facts.win_cards.iter().filter(|&&card| player.owns(card));
            owned.count() >= usize::from(facts.win_count)
        }
        _ => false,
    }
}

/// Bryan is revealed by a kill of few hit points: a hidden looter of such a victim is somebody
/// else.
fn would_be_revealed_bryan(public: &Public, seat: Seat, character: Character) -> bool {
    let small = |victim: Seat| {
        let shown = public.player(victim).character;
        shown.is_some_and(|victim| victim.hp() <= Character::Bryan.facts().reveal_kill_hp_max)
    };
    character == Character::Bryan
        && public.has_ability(seat)
        && public.stack.iter().any(|frame| match frame {
            Frame::Deaths(deaths) => {
                deaths.by_attack
                    && deaths.owner == seat
                    && deaths.killed.is_some_and(|killed| killed.iter().any(small))
            }
            _ => false,
        })
}

/// The cards of a color that nobody sees, in any order.
fn unseen(public: &Public, color: Color, chance: &mut Chance) -> Pile {
    let deck = match color {
        Color::White => &TABLES.white_deck,
        Color::Black => &TABLES.black_deck,
    };
    let mut pile: Pile = deck.iter().copied().collect();
    let owned = public
        .players
        .iter()
        .flat_map(|player| &player.equipment)
        .map(|&card: &Equipment| Card::Equipment(card));
    let seen = owned
        .chain(public.discard(color).iter().copied())
        .chain(public.in_play.map(Card::SingleUse));
    for card in seen {
        if card.color() == color {
            remove(&mut pile, card);
        }
    }
    chance.shuffle(&mut pile);
    pile
}

/// Takes one copy out of a pile.
fn remove<T: PartialEq>(pile: &mut ArrayVec<T, 16>, card: T) {
    if let Some(place) = pile.iter().position(|lying| *lying == card) {
        pile.remove(place);
    }
}
