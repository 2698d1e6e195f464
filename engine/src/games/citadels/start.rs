//! SETUP (section 4): characters, deck, hands, gold and crown.

use super::character::{Character, Rank, Ranks};
use super::district::District;
use super::event::{DrawReason, Event};
use super::knowledge::Knowledge;
use super::options::{FirstCrown, GoldSupply, Options};
use super::pile::Pile;
use super::setup::setup;
use super::state::{Calls, Citadels, Hidden, Museum, PerSeat, Public, Rules, Stage};
use crate::chance::Chance;
use crate::cx::{Audience, Cx};
use crate::seat::{Seat, SeatSet};

impl Citadels {
    /// SETUP (section 4), for options and a number of seats that are allowed; then the first round begins.
    pub(super) fn set_up(options: &Options, seats: u8, cx: &mut Cx<'_, Event>) -> Self {
        let rules = Rules::of(options, seats, cx.chance);
        let mut table = Self {
            public: Public::empty(options, seats, rules),
            private: PerSeat::default(),
            hidden: Hidden {
                deck: Pile::default(),
                museum: Pile::default(),
                face_down: None,
                passing: Ranks::EMPTY,
                aside: Ranks::EMPTY,
            },
        };
        let public = &table.public;
        cx.tell(Audience::All, || Event::SetChosen {
            characters: public.characters(public.ranks()),
            bonus_districts: public.bonus_districts(),
        });
        // C1. The deck lies in the order of `districts.toml`, the first card at the bottom, before it is shuffled.
        table.hidden.deck = Pile::from_bottom(table.public.all_cards().iter().map(Some));
        table.shuffle_deck(cx);
        let start = &setup().start;
        for seat in table.public.seated() {
            // C2.
            table.draw(seat, start.hand, DrawReason::Deal, cx);
            table.public.boards[seat].gold = start.gold;
            table.public.bank = table.public.bank.map(|bank| bank - start.gold);
        }
        // C3.
        let crown = match options.first_crown {
            FirstCrown::Random => Seat(cx.chance.below(seats.into()) as u8),
            FirstCrown::Seat(seat) => seat,
        };
        table.public.crown = crown;
        cx.tell(Audience::All, || Event::FirstCrown { seat: crown });
        table.start_round(cx);
        table
    }
}

impl Rules {
    /// What the options make of a game; what they leave to chance is drawn (C0).
    fn of(options: &Options, seats: u8, chance: &mut Chance) -> Self {
        let mut characters = [None; Rank::MAX as usize];
        for character in Character::ALL {
            let listed = options.bonus_characters.contains(&character);
            if (listed || !character.is_bonus())
                && let Some(place) = characters.get_mut(character.rank().index())
            {
                *place = Some(character);
            }
        }
        let mut ranks: Ranks = (1..Rank::MAX)
            .map(Rank)
            .filter(|&rank| seats > 2 || rank != Rank::KING)
            .collect();
        for _ in 0..options.bonus_characters_random {
            let Some(rank) = ranks.nth(chance.below(ranks.len())) else {
                break;
            };
            ranks = ranks.without(rank);
            let bonus = Character::ALL
                .into_iter()
                .find(|character| character.is_bonus() && character.rank() == rank);
            if let Some(place) = characters.get_mut(rank.index()) {
                *place = bonus;
            }
        }
        let assassin = characters.contains(&Some(Character::Assassin));
        let mut candidates: Vec<_> = District::ALL
            .into_iter()
            .filter(|district| district.is_bonus() && !options.bonus_districts.contains(district))
            .filter(|&district| assassin || district != District::Hospital)
            .collect();
        let mut bonus_districts = options.bonus_districts.clone();
        for _ in 0..options.bonus_districts_random {
            if candidates.is_empty() {
                break;
            }
            let at = chance.below(candidates.len() as u32);
            bonus_districts.push(candidates.remove(at as usize));
        }
        let count = characters.iter().flatten().count();
        let draft = setup()
            .draft
            .iter()
            .position(|draft| draft.players == seats && usize::from(draft.characters) == count);
        debug_assert!(draft.is_some());
        Self {
            characters,
            bonus_districts: bonus_districts
                .iter()
                .fold(0, |bits, district| bits | 1 << district.index()),
            end_districts: options.end_districts,
            ball_room: options.ball_room,
            draft: draft.unwrap_or_default() as u8,
        }
    }
}

impl Public {
    /// Before the set-up.
    fn empty(options: &Options, seats: u8, rules: Rules) -> Self {
        Self {
            seats,
            rules,
            round: 0,
            crown: Seat(0),
            bank: match options.gold_supply {
                GoldSupply::Unlimited => None,
                GoldSupply::Limited => Some(setup().start.gold_pieces),
            },
            boards: PerSeat::default(),
            known: Knowledge::default(),
            deck_known_by: Pile::default(),
            acquaintance: PerSeat::default(),
            museum: Museum::default(),
            lighthouse: PerSeat::default(),
            bell_rung: false,
            risen: Default::default(),
            end: None,
            calls: Calls::new(Seat(0)),
            turn: None,
            stage: Stage::Menu,
            left: SeatSet::EMPTY,
        }
    }
}
