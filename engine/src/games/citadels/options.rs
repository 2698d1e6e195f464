//! What a table of Citadels is set up with (section 2).

use serde::{Deserialize, Serialize};

use super::character::{Character, Rank};
use super::district::District;
use crate::error::OptionsError;
use crate::seat::{Seat, SeatSet};

/// The most base characters that are replaced, unless `allow_many_bonus` is set.
const REPLACEMENTS_MAX: usize = 2;
/// What `end_districts` may be.
pub const END_DISTRICTS: [u8; 2] = [7, 8];

/// The options of a table.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// Bonus characters in the set: each takes the place of the base character of its rank; one of rank 9 is added. At most one per rank.
    pub bonus_characters: Vec<Character>,
    /// So many ranks from 1 to 8, drawn at random, have their bonus character: 0 to 2.
    pub bonus_characters_random: u8,
    /// Whether more than two base characters may be replaced.
    pub allow_many_bonus: bool,
    /// Bonus districts that are added to the deck.
    pub bonus_districts: Vec<District>,
    /// So many of the bonus districts that are not listed are drawn at random and added, too: 0 to 14.
    pub bonus_districts_random: u8,
    /// Districts that make a city complete: 8, or 7 for a shorter game.
    pub end_districts: u8,
    /// Whether the gold in the box is all there is.
    pub gold_supply: GoldSupply,
    /// Whether players say thanks at the Ball Room themselves.
    pub ball_room: BallRoom,
    /// Who has the crown first.
    pub first_crown: FirstCrown,
}

/// Whether the gold in the box is all there is (5.11).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GoldSupply {
    /// The bank never runs dry.
    #[default]
    Unlimited,
    /// 30 pieces of gold.
    Limited,
}

/// Whether players say thanks at the Ball Room themselves (section 8).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BallRoom {
    /// They are asked, and may stay silent.
    #[default]
    Explicit,
    /// Thanks is said for them.
    Auto,
}

/// Who has the crown first; replaces "the oldest".
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FirstCrown {
    /// Any seat, each equally likely (C3).
    #[default]
    Random,
    /// This seat.
    Seat(Seat),
}

impl Default for Options {
    fn default() -> Self {
        Self {
            bonus_characters: Vec::new(),
            bonus_characters_random: 0,
            allow_many_bonus: false,
            bonus_districts: Vec::new(),
            bonus_districts_random: 0,
            end_districts: super::setup::setup().start.end_districts,
            gold_supply: GoldSupply::default(),
            ball_room: BallRoom::default(),
            first_crown: FirstCrown::default(),
        }
    }
}

impl Options {
    /// Checks the options for a table of `seats` seats, which the game allows.
    pub(super) fn check(&self, seats: u8) -> Result<(), OptionsError> {
        self.check_characters(seats)?;
        self.check_districts()?;
        if !END_DISTRICTS.contains(&self.end_districts) {
            return Err(OptionsError::new("end_districts", "7 or 8"));
        }
        if self.gold_supply == GoldSupply::Limited
            && self.bonus_characters.contains(&Character::Artist)
        {
            return Err(OptionsError::new(
                "gold_supply",
                "unlimited, with the artist: beautified districts could swallow all gold",
            ));
        }
        if let FirstCrown::Seat(seat) = self.first_crown
            && !SeatSet::first(seats).contains(seat)
        {
            return Err(OptionsError::new(
                "first_crown",
                format!("random, or a seat from 0 to {}", seats.saturating_sub(1)),
            ));
        }
        Ok(())
    }

    fn check_characters(&self, seats: u8) -> Result<(), OptionsError> {
        let refused = |allowed: &'static str| Err(OptionsError::new("bonus_characters", allowed));
        let listed = &self.bonus_characters;
        if listed.iter().any(|character| !character.is_bonus()) {
            return refused("bonus characters only");
        }
        let of_rank = |rank: Rank| {
            listed
                .iter()
                .filter(|character| character.rank() == rank)
                .count()
        };
        if Rank::all().any(|rank| of_rank(rank) > 1) {
            return refused("at most one character of each rank");
        }
        for character in listed {
            let card = character.card();
            if !(card.min_players..=card.max_players).contains(&seats) {
                return Err(OptionsError::new(
                    "bonus_characters",
                    format!(
                        "{} only with {} to {} seats",
                        card.name_en, card.min_players, card.max_players
                    ),
                ));
            }
        }
        // A ninth card for eight players: one of rank 9.
        if seats == 8 && of_rank(Rank(Rank::MAX)) == 0 {
            return refused("with 8 seats artist or queen among them");
        }
        let replacements = listed.len() - of_rank(Rank(Rank::MAX));
        if replacements > REPLACEMENTS_MAX && !self.allow_many_bonus {
            return refused("at most two of ranks 1 to 8, unless allow_many_bonus is set");
        }
        let random = usize::from(self.bonus_characters_random);
        if random > REPLACEMENTS_MAX {
            return Err(OptionsError::new("bonus_characters_random", "0 to 2"));
        }
        if random > 0 && replacements > 0 {
            return Err(OptionsError::new(
                "bonus_characters_random",
                "0 beside bonus_characters of ranks 1 to 8",
            ));
        }
        Ok(())
    }

    fn check_districts(&self) -> Result<(), OptionsError> {
        let listed = &self.bonus_districts;
        let twice = |district: &District| listed.iter().filter(|other| *other == district).count();
        if listed
            .iter()
            .any(|district| !district.is_bonus() || twice(district) > 1)
        {
            return Err(OptionsError::new(
                "bonus_districts",
                "bonus districts only, each at most once",
            ));
        }
        let left = District::ALL
            .iter()
            .filter(|district| district.is_bonus())
            .count()
            - listed.len();
        if usize::from(self.bonus_districts_random) > left {
            return Err(OptionsError::new(
                "bonus_districts_random",
                format!("0 to {left}, the bonus districts that are not listed"),
            ));
        }
        Ok(())
    }
}
