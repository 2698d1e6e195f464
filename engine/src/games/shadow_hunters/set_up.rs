//! The set-up (section 4): areas, decks, characters, start player, in this order of chance.

use arrayvec::ArrayVec;

use super::area::Area;
use super::card::HermitCard;
use super::character::{Character, Characters, Faction};
use super::event::Event;
use super::frame::{Frame, Step};
use super::options::{ExpansionCharacters, Options};
use super::state::{HermitPile, Hidden, Pile, Player, Private, Public, ShadowHunters};
use super::tables::{Allocation, TABLES};
use crate::chance::Chance;
use crate::cx::{Audience, Cx};
use crate::seat::{Seat, SeatSet};

/// The initials in the order in which their characters are drawn (4.3).
const INITIALS: [char; 10] = ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'U', 'V', 'W'];

impl ShadowHunters {
    pub(super) fn set_up(options: &Options, seats: u8, cx: &mut Cx<'_, Event>) -> Self {
        // 1. The areas.
        let mut areas = Area::ALL;
        cx.chance.shuffle(&mut areas);
        // 2. The decks.
        let mut hermit: HermitPile = TABLES.hermit_deck.iter().copied().collect();
        let mut white: Pile = TABLES.white_deck.iter().copied().collect();
        let mut black: Pile = TABLES.black_deck.iter().copied().collect();
        cx.chance.shuffle(&mut hermit);
        cx.chance.shuffle(&mut white);
        cx.chance.shuffle(&mut black);
        // 3. to 5. The characters.
        let characters = deal_characters(options, seats, cx.chance);
        // 6. The start player. A table has at most 8 seats.
        let start_player = Seat(cx.chance.below(u32::from(seats)) as u8);

        let public = Public {
            options: *options,
            areas,
            players: (0..seats).map(|_| Player::new()).collect(),
            active: start_player,
            turn: 0,
            white_draw: white.len() as u8,
            black_draw: black.len() as u8,
            hermit_draw: hermit.len() as u8,
            white_discard: Pile::new(),
            black_discard: Pile::new(),
            hermit_discard: 0,
            hermit_shuffles: 0,
            in_play: None,
            stack: ArrayVec::new(),
            ending: None,
        };
        let mut state = Self {
            public,
            privates: characters.into_iter().map(Private::new).collect(),
            hidden: Hidden {
                white,
                black,
                hermit,
                hermit_discard: ArrayVec::<HermitCard, 16>::new(),
            },
        };
        cx.tell(Audience::All, || Event::GameStarted { start_player });
        for (seat, private) in (0..).map(Seat).zip(&state.privates) {
            let character = private.character;
            cx.tell(Audience::Only(SeatSet::only(seat)), || {
                Event::CharacterDealt { seat, character }
            });
        }
        // 7. The opening, or the first turn.
        if options.opening_hermit {
            state.begin_opening(cx);
        } else {
            state.push(Frame::Turn(Step::Begin));
        }
        state.run(cx);
        state
    }
}

/// 4.3 to 4.5: the characters of the seats, in seat order.
pub(super) fn deal_characters(
    options: &Options,
    seats: u8,
    chance: &mut Chance,
) -> ArrayVec<Character, 8> {
    let pool = draw_pool(options, chance);
    let allocation = Allocation::of(seats);
    let mut drawn = ArrayVec::<Character, 8>::new();
    for faction in Faction::ALL {
        let mut cards: ArrayVec<Character, 20> = pool
            .iter()
            .filter(|character| character.faction() == faction)
            .collect();
        chance.shuffle(&mut cards);
        drawn.extend(
            cards
                .into_iter()
                .take(usize::from(allocation.count(faction))),
        );
    }
    chance.shuffle(&mut drawn);
    drawn
}

/// 4.3: with `one_per_initial` one character of each initial, else all there are.
fn draw_pool(options: &Options, chance: &mut Chance) -> Characters {
    let all = Characters::pool(options);
    if options.expansion_characters != ExpansionCharacters::OnePerInitial {
        return all;
    }
    let mut pool = Characters::EMPTY;
    for initial in INITIALS {
        let pair: ArrayVec<Character, 20> = all
            .iter()
            .filter(|character| character.facts().initial == initial)
            .collect();
        // No draw where only one is left: B without abilities.
        let index = match pair.len() {
            0 | 1 => 0,
            // Two at most.
            several => chance.below(several as u32) as usize,
        };
        if let Some(&character) = pair.get(index) {
            pool = pool.with(character);
        }
    }
    pool
}
