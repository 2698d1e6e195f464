//! Named positions: a table in the middle of a game, put together by hand.

use arrayvec::ArrayVec;
use thiserror::Error;

use super::area::Area;
use super::card::{Card, Color, Deck, Equipment, HermitCard, SingleUse};
use super::character::Character;
use super::event::Event;
use super::frame::{Frame, Step};
use super::options::Options;
use super::state::{HermitPile, Hidden, Pile, Player, Private, Public, ShadowHunters};
use super::tables::TABLES;
use crate::cx::Cx;
use crate::error::OptionsError;
use crate::game::{Game, GameInfo};
use crate::seat::Seat;

/// A table in the middle of a game. Cards that are named nowhere lie in the draw piles, below those
/// that come next.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Position {
    /// What the table is set up with.
    pub options: Options,
    /// The area on each slot.
    pub areas: [Area; 6],
    /// By seat: the character, and everything about the player that everybody sees.
    pub players: Vec<(Character, Player)>,
    /// Whose turn it is.
    pub active: Seat,
    /// Which step of the turn comes next.
    pub step: Step,
    /// How many turns have begun.
    pub turn: u16,
    /// White cards that are drawn next, the first one first.
    pub white_next: Vec<Card>,
    /// Black cards that are drawn next, the first one first.
    pub black_next: Vec<Card>,
    /// Hermit cards that are drawn next, the first one first.
    pub hermit_next: Vec<HermitCard>,
    /// White and Black cards that lie in the discard piles, from bottom to top.
    pub discarded: Vec<Card>,
    /// Decks of which all other cards have been drawn and lie at the bottom of the discard pile.
    pub used_up: Vec<Deck>,
}

/// A position that no game can reach for want of cards, seats or characters.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum PositionError {
    /// The options or the number of seats are not legal.
    #[error(transparent)]
    Options(#[from] OptionsError),
    /// A character is at two seats, or is shown as another one.
    #[error("a character is at two seats, or shown as another")]
    Characters,
    /// The active seat is not at the table.
    #[error("the active seat is not at the table")]
    Active,
    /// A card is named more often than there are copies.
    #[error("a card is named more often than there are copies")]
    Cards,
}

impl Default for Player {
    fn default() -> Self {
        Self::new()
    }
}

impl Position {
    /// The table at the first decision from here on.
    ///
    /// # Errors
    ///
    /// [`PositionError`] if there is no such table.
    pub fn start(&self, cx: &mut Cx<'_, Event>) -> Result<ShadowHunters, PositionError> {
        const INFO: GameInfo = ShadowHunters::INFO;
        // At most 255 players are refused as well as more.
        let seats = u8::try_from(self.players.len()).unwrap_or(u8::MAX);
        INFO.check_seats(seats)?;
        self.options.check(seats)?;
        for (index, (character, player)) in self.players.iter().enumerate() {
            let twice = self
                .players
                .iter()
                .skip(index + 1)
                .any(|(other, _)| other == character);
            if twice || player.character.is_some_and(|shown| shown != *character) {
                return Err(PositionError::Characters);
            }
        }
        if self.active.0 >= seats {
            return Err(PositionError::Active);
        }
        let white = self.pile(Color::White)?;
        let black = self.pile(Color::Black)?;
        let (hermit, hermit_discard) = self.hermit_piles()?;
        let lengths = [
            white.0.len(),
            black.0.len(),
            hermit.len(),
            hermit_discard.len(),
        ]
        .map(|length| length as u8);
        let public = Public {
            options: self.options,
            areas: self.areas,
            players: self
                .players
                .iter()
                .map(|(_, player)| player.clone())
                .collect(),
            active: self.active,
            turn: self.turn,
            white_draw: lengths[0],
            black_draw: lengths[1],
            hermit_draw: lengths[2],
            white_discard: white.1,
            black_discard: black.1,
            hermit_discard: lengths[3],
            hermit_shuffles: 0,
            in_play: None,
            stack: ArrayVec::new(),
            ending: None,
        };
        let mut state = ShadowHunters {
            public,
            privates: self
                .players
                .iter()
                .map(|&(character, _)| Private::new(character))
                .collect(),
            hidden: Hidden {
                white: white.0,
                black: black.0,
                hermit,
                hermit_discard,
            },
        };
        if self.options.opening_hermit && self.turn == 0 {
            state.begin_opening(cx);
        } else {
            state.push(Frame::Turn(self.step));
        }
        state.run(cx);
        Ok(state)
    }

    /// The draw pile and the discard pile of a color.
    fn pile(&self, color: Color) -> Result<(Pile, Pile), PositionError> {
        let (deck, next, name) = match color {
            Color::White => (&TABLES.white_deck, &self.white_next, Deck::White),
            Color::Black => (&TABLES.black_deck, &self.black_next, Deck::Black),
        };
        let discarded: Vec<Card> = self
            .discarded
            .iter()
            .copied()
            .filter(|card| card.color() == color)
            .collect();
        let owned = self
            .players
            .iter()
            .flat_map(|(_, player)| &player.equipment)
            .map(|&card| Card::Equipment(card))
            .filter(|card| card.color() == color);
        let named = owned
            .chain(next.iter().copied())
            .chain(discarded.iter().copied());
        let rest = without(deck, named)?;
        let next = next.iter().rev().copied();
        let piles = if self.used_up.contains(&name) {
            (next.collect(), rest.into_iter().chain(discarded).collect())
        } else {
            (
                rest.into_iter().chain(next).collect(),
                discarded.into_iter().collect(),
            )
        };
        Ok(piles)
    }

    fn hermit_piles(&self) -> Result<(HermitPile, HermitPile), PositionError> {
        let rest = without(&TABLES.hermit_deck, self.hermit_next.iter().copied())?;
        let next = self.hermit_next.iter().rev().copied();
        Ok(if self.used_up.contains(&Deck::Hermit) {
            (next.collect(), rest.into_iter().collect())
        } else {
            (rest.into_iter().chain(next).collect(), HermitPile::new())
        })
    }
}

/// What is left of a deck without these cards.
fn without<T: Copy + PartialEq>(
    deck: &[T],
    cards: impl Iterator<Item = T>,
) -> Result<Vec<T>, PositionError> {
    let mut rest = deck.to_vec();
    for card in cards {
        let place = rest
            .iter()
            .position(|left| *left == card)
            .ok_or(PositionError::Cards)?;
        rest.remove(place);
    }
    Ok(rest)
}

/// The card by its id in the data files, such as `holy_robe`.
impl std::str::FromStr for Card {
    type Err = UnknownId;

    fn from_str(id: &str) -> Result<Self, UnknownId> {
        let equipment = Equipment::ALL.map(Self::Equipment);
        let single_use = SingleUse::ALL.map(Self::SingleUse);
        let snake = |card: &Self| {
            snake_case(&match card {
                Self::Equipment(card) => format!("{card:?}"),
                Self::SingleUse(card) => format!("{card:?}"),
            })
        };
        equipment
            .into_iter()
            .chain(single_use)
            .find(|card| snake(card) == id)
            .ok_or(UnknownId)
    }
}

/// The character by its id in the data file, such as `fu_ka`.
impl std::str::FromStr for Character {
    type Err = UnknownId;

    fn from_str(id: &str) -> Result<Self, UnknownId> {
        Self::ALL
            .into_iter()
            .find(|character| snake_case(&format!("{character:?}")) == id)
            .ok_or(UnknownId)
    }
}

/// An id that is in no data file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("no card or character has this id")]
pub struct UnknownId;

fn snake_case(name: &str) -> String {
    let mut snake = String::new();
    for (index, letter) in name.char_indices() {
        if letter.is_ascii_uppercase() && index > 0 {
            snake.push('_');
        }
        snake.push(letter.to_ascii_lowercase());
    }
    snake
}
