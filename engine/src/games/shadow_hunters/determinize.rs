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
use super::character::{Character, Characters, Faction};
use super::frame::{Attack, Frame, Question};
use super::hermit::could_answer;
use super::options::ExpansionCharacters;
use super::state::{
    HermitAnswer, HermitMemory, HermitPile, Hidden, Pile, Private, Public, ShadowHunters,
};
use super::tables::{Allocation, TABLES};
use crate::chance::Chance;
use crate::game::Seen;
use crate::seat::{SEATS_MAX, Seat};

/// How often a deal is tried before the fitting ones are counted out.
const DEALS: u32 = 24;

/// One character per seat.
type Dealt = ArrayVec<Character, { SEATS_MAX as usize }>;

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

    /// Who could sit where. Deals as the set-up does until a deal fits; where few fit, they are
    /// counted out.
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
        for _ in 0..DEALS {
            if let Some(dealt) = deal.once(chance) {
                return deal.complete(self, &dealt);
            }
        }
        let counted = deal.count_out(chance);
        deal.complete(self, &counted)
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

/// Seats whose character the viewer doesn't know, and who could sit there.
type Free = ArrayVec<(Seat, Characters), { SEATS_MAX as usize }>;

/// The two characters of an initial, as far as they can still be dealt.
type Pair = ArrayVec<Character, 2>;

/// What is left to be dealt, to the seats whose character the viewer doesn't know.
struct Deal {
    /// The seats, and who could sit there.
    free: Free,
    /// The characters that can be dealt, by initial, faction by faction.
    pairs: ArrayVec<(Faction, Pair), 10>,
    /// How many characters of each faction are dealt.
    need: [u8; 3],
    one_per_initial: bool,
}

/// The number of ways to go on, by the set of free seats that are taken.
type Ways = [u32; 1 << SEATS_MAX];

impl Deal {
    fn new(public: &Public, fixed: Characters, free: Free) -> Self {
        let one_per_initial =
            public.options.expansion_characters == ExpansionCharacters::OnePerInitial;
        let allocation = Allocation::of(public.seats());
        let need = Faction::ALL.map(|faction| {
            let known = fixed
                .iter()
                .filter(|character| character.faction() == faction);
            allocation
                .count(faction)
                .saturating_sub(known.count() as u8)
        });
        let mut pairs: ArrayVec<(Faction, Pair), 10> = ArrayVec::new();
        let pool = Characters::pool(&public.options);
        for faction in Faction::ALL {
            for first in pool
                .iter()
                .filter(|character| character.faction() == faction)
            {
                let initial = first.facts().initial;
                let same = |character: &Character| character.facts().initial == initial;
                let is_first = pool.iter().find(same) == Some(first);
                let initial_is_out = one_per_initial && fixed.iter().any(|fixed| same(&fixed));
                if is_first && !initial_is_out {
                    let pair = pool
                        .iter()
                        .filter(|character| same(character) && !fixed.contains(*character));
                    pairs.push((faction, pair.collect()));
                }
            }
        }
        Self {
            free,
            pairs,
            need,
            one_per_initial,
        }
    }

    /// Deals once as the set-up does; `None` if somebody gets a character that he can't be.
    fn once(&self, chance: &mut Chance) -> Option<Dealt> {
        let mut dealt = Dealt::new();
        for (faction, need) in Faction::ALL.into_iter().zip(self.need) {
            let mut pool = ArrayVec::<Character, 20>::new();
            for (_, pair) in self.pairs.iter().filter(|(of, _)| *of == faction) {
                match pair.len() {
                    2 if self.one_per_initial => {
                        pool.extend(pair.get(chance.below(2) as usize).copied());
                    }
                    _ => pool.extend(pair.iter().copied()),
                }
            }
            chance.shuffle(&mut pool);
            dealt.extend(pool.into_iter().take(usize::from(need)));
        }
        chance.shuffle(&mut dealt);
        let fits = dealt.len() == self.free.len()
            && dealt
                .iter()
                .zip(&self.free)
                .all(|(&character, (_, candidates))| candidates.contains(character));
        fits.then_some(dealt)
    }

    /// One of all deals that fit, each as likely as the set-up deals it, by counting the ways to go
    /// on from each set of seats that are taken.
    fn count_out(&self, chance: &mut Chance) -> Dealt {
        let full = (1usize << self.free.len()) - 1;
        // ways[n]: from the n-th pair on.
        let mut ways: Vec<Ways> = vec![[0; 1 << SEATS_MAX]; self.pairs.len() + 1];
        for index in (0..=self.pairs.len()).rev() {
            for taken in 0..=full {
                let count = if !self.complete_so_far(index, taken) {
                    0
                } else if index == self.pairs.len() {
                    u32::from(taken == full)
                } else {
                    self.choices(index, taken)
                        .iter()
                        .map(|choice| choice.weight * ways[index + 1][choice.taken])
                        .sum()
                };
                ways[index][taken] = count;
            }
        }
        let mut dealt: ArrayVec<Option<Character>, { SEATS_MAX as usize }> =
            self.free.iter().map(|_| None).collect();
        let mut taken = 0;
        for index in 0..self.pairs.len() {
            let total = ways[index][taken];
            if total == 0 {
                break;
            }
            let mut left = chance.below(total);
            for choice in self.choices(index, taken) {
                let count = choice.weight * ways[index + 1][choice.taken];
                if left >= count {
                    left -= count;
                    continue;
                }
                for (place, character) in choice.dealt {
                    if let Some(seat) = dealt.get_mut(place) {
                        *seat = Some(character);
                    }
                }
                taken = choice.taken;
                break;
            }
        }
        debug_assert_eq!(taken, full, "the truth is one way to deal");
        dealt
            .into_iter()
            .map(|character| character.unwrap_or(Character::Emi))
            .collect()
    }

    /// Where one faction's characters end, exactly as many seats are taken as the factions so far
    /// need.
    fn complete_so_far(&self, index: usize, taken: usize) -> bool {
        let of = |index: usize| self.pairs.get(index).map(|(faction, _)| *faction);
        let before = index.checked_sub(1).and_then(of);
        let needed = |faction: Faction| -> u32 {
            self.need
                .iter()
                .take(faction as usize + 1)
                .map(|&need| u32::from(need))
                .sum()
        };
        match before {
            Some(faction) if of(index) != before => taken.count_ones() == needed(faction),
            _ => true,
        }
    }

    /// What can be done with the characters of an initial.
    fn choices(&self, index: usize, taken: usize) -> Vec<Choice> {
        let Some((_, pair)) = self.pairs.get(index) else {
            return Vec::new();
        };
        let none = Choice {
            taken,
            weight: 1,
            dealt: ArrayVec::new(),
        };
        // A character that is alone with its initial is in the pool for certain, else with one
        // half.
        let weight = if self.one_per_initial && pair.len() == 1 {
            2
        } else {
            1
        };
        let mut choices = vec![none.clone()];
        for &character in pair {
            for one in self.put(&none, character, weight) {
                let twin = pair.iter().copied().find(|&twin| twin > character);
                if let (Some(twin), false) = (twin, self.one_per_initial) {
                    choices.extend(self.put(&one, twin, 1));
                }
                choices.push(one);
            }
        }
        choices
    }

    /// The character at each seat that is still free and where it can sit.
    fn put(&self, choice: &Choice, character: Character, weight: u32) -> Vec<Choice> {
        let fits = |place: &usize| {
            choice.taken & 1 << place == 0
                && self
                    .free
                    .get(*place)
                    .is_some_and(|(_, candidates)| candidates.contains(character))
        };
        (0..self.free.len())
            .filter(fits)
            .map(|place| {
                let mut dealt = choice.dealt.clone();
                dealt.push((place, character));
                Choice {
                    taken: choice.taken | 1 << place,
                    weight: choice.weight * weight,
                    dealt,
                }
            })
            .collect()
    }

    /// All seats: those that were dealt to, and those that were known.
    fn complete(&self, known: &Known<'_>, dealt: &Dealt) -> Dealt {
        (0..known.seen.public.seats())
            .map(Seat)
            .map(|seat| {
                let place = self.free.iter().position(|(free, _)| *free == seat);
                let new = place.and_then(|place| dealt.get(place).copied());
                new.or(known.identity(seat)).unwrap_or(Character::Emi)
            })
            .collect()
    }
}

/// One thing that can be done with the characters of an initial.
#[derive(Clone)]
struct Choice {
    /// The free seats that are taken then.
    taken: usize,
    weight: u32,
    /// Who is dealt to which of the free seats.
    dealt: ArrayVec<(usize, Character), 2>,
}
