//! What a table of Santorini is set up with (section 2).

use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};

use super::god::{God, Gods};
use crate::error::OptionsError;
use crate::seat::{Seat, SeatSet};

/// The turns that `max_turns` may allow.
pub const MAX_TURNS: RangeInclusive<u16> = 1..=1000;
/// The moves that `max_moves_per_turn` may allow.
pub const MAX_MOVES_PER_TURN: RangeInclusive<u16> = 64..=256;

/// The options of a table. The number of seats is none of them.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// How the gods come to the players.
    pub god_mode: GodMode,
    /// `fixed` only: the god of each seat, in seat order. With two seats an entry may be nobody.
    pub fixed_gods: Vec<Option<God>>,
    /// `draft` and `random`: the gods that may come, less those without the icon of this number of
    /// players.
    pub god_pool: GodPool,
    /// `draft`: who offers the gods.
    pub challenger: Challenger,
    /// Who places first and has the first turn. In a `draft` the Challenger decides.
    pub start_player: StartPlayer,
    /// When Chaos changes her power.
    pub chaos_swap: ChaosSwap,
    /// Which domes may be built beside Limus.
    pub limus_text: LimusText,
    /// Where Bia's workers may enter.
    pub bia_placement: BiaPlacement,
    /// Whether Bia is the Start Player.
    pub bia_start: BiaStart,
    /// Whether the pieces in the box are all there are.
    pub piece_supply: PieceSupply,
    /// Which gods never meet.
    pub banned_pairs: BannedPairs,
    /// The moves that a turn may have, 64 to 256: a cap on the travels of Hermes and Triton.
    pub max_moves_per_turn: u16,
    /// The game is a draw when a normal turn more than this would begin (R45): 1 to 1000, the turns
    /// of all players together.
    pub max_turns: u16,
}

/// How the gods come to the players.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GodMode {
    /// Nobody has a god. With two seats only.
    None,
    /// The Challenger offers, the others take.
    #[default]
    Draft,
    /// They are drawn.
    Random,
    /// As `fixed_gods` says.
    Fixed,
}

/// The gods that may come to the table.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GodPool {
    /// All thirty.
    #[default]
    All,
    /// The ten simple ones.
    Simple,
    /// These.
    Custom(Vec<God>),
}

/// Who offers the gods; replaces "the most god-like player".
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Challenger {
    /// Any seat, each equally likely.
    #[default]
    Random,
    /// This seat.
    Seat(Seat),
}

/// Who places first and has the first turn; replaces "the youngest".
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StartPlayer {
    /// Any seat, each equally likely.
    #[default]
    Random,
    /// This seat.
    Seat(Seat),
}

/// When Chaos changes her power.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ChaosSwap {
    /// At once, for each dome.
    #[default]
    EachDome,
    /// Once, after any turn in which a dome was built.
    AfterTurn,
}

/// Which domes may be built beside Limus.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LimusText {
    /// Those that complete a tower.
    #[default]
    Seed,
    /// Any.
    Revised,
}

/// Where Bia's workers may enter.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BiaPlacement {
    /// On any space.
    #[default]
    Free,
    /// On the perimeter.
    Perimeter,
}

/// Whether Bia is the Start Player.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BiaStart {
    /// No: she only places first.
    #[default]
    PlacementOnly,
    /// Yes, whatever else says who starts.
    StartPlayer,
}

/// How many pieces there are to build with.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PieceSupply {
    /// Those in the box: what is used up can't be built (R40).
    #[default]
    Limited,
    /// No kind of piece ever runs out.
    Unlimited,
}

/// Which gods never meet.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BannedPairs {
    /// The printed list: none of the thirty.
    #[default]
    Official,
    /// Circe and Eros.
    Recommended,
    /// None.
    Off,
}

impl BannedPairs {
    /// The gods that never meet this one.
    pub const fn with(self, god: God) -> Gods {
        match (self, god) {
            (Self::Recommended, God::Circe) => Gods::only(God::Eros),
            (Self::Recommended, God::Eros) => Gods::only(God::Circe),
            (Self::Recommended | Self::Official | Self::Off, _) => Gods::NONE,
        }
    }

    /// The gods of the pool that may join this offer so that it can grow to `count` gods (R70).
    pub fn that_may_join(self, offer: Gods, pool: Gods, count: u8) -> Gods {
        let open = offer
            .iter()
            .fold(pool.less(offer), |open, god| open.less(self.with(god)));
        open.iter()
            .filter(|&god| self.grows(offer.with(god), pool, count))
            .collect()
    }

    /// Whether the offer can grow to `count` gods from the pool.
    pub fn grows(self, offer: Gods, pool: Gods, count: u8) -> bool {
        if offer.len() >= count {
            return true;
        }
        let open = offer
            .iter()
            .fold(pool.less(offer), |open, god| open.less(self.with(god)));
        // Where no god bans another the number says it all.
        if open.iter().all(|god| self.with(god).is_empty()) {
            return offer.len() + open.len() >= count;
        }
        open.iter()
            .any(|god| self.grows(offer.with(god), pool, count))
    }
}

impl Default for Options {
    fn default() -> Self {
        Self {
            god_mode: GodMode::default(),
            fixed_gods: Vec::new(),
            god_pool: GodPool::default(),
            challenger: Challenger::default(),
            start_player: StartPlayer::default(),
            chaos_swap: ChaosSwap::default(),
            limus_text: LimusText::default(),
            bia_placement: BiaPlacement::default(),
            bia_start: BiaStart::default(),
            piece_supply: PieceSupply::default(),
            banned_pairs: BannedPairs::default(),
            max_moves_per_turn: 64,
            max_turns: 500,
        }
    }
}

impl Options {
    /// The base game: no gods.
    pub fn without_gods() -> Self {
        Self {
            god_mode: GodMode::None,
            ..Self::default()
        }
    }

    /// The gods that may come to a table of so many seats.
    pub fn pool(&self, seats: u8) -> Gods {
        let pool = match &self.god_pool {
            GodPool::All => Gods::ALL,
            GodPool::Simple => Gods::SIMPLE,
            GodPool::Custom(gods) => gods.iter().copied().collect(),
        };
        pool.and(Gods::fitting(seats))
    }

    /// Checks the options for a table of `seats` seats.
    pub(super) fn check(&self, seats: u8) -> Result<(), OptionsError> {
        self.check_gods(seats)?;
        let table = SeatSet::first(seats);
        let a_seat = || format!("random, or a seat from 0 to {}", seats - 1);
        if let Challenger::Seat(seat) = self.challenger
            && !table.contains(seat)
        {
            return Err(OptionsError::new("challenger", a_seat()));
        }
        if let StartPlayer::Seat(seat) = self.start_player
            && !table.contains(seat)
        {
            return Err(OptionsError::new("start_player", a_seat()));
        }
        check_range(
            "max_moves_per_turn",
            self.max_moves_per_turn,
            &MAX_MOVES_PER_TURN,
        )?;
        check_range("max_turns", self.max_turns, &MAX_TURNS)
    }

    fn check_gods(&self, seats: u8) -> Result<(), OptionsError> {
        if self.god_mode != GodMode::Fixed && !self.fixed_gods.is_empty() {
            return Err(OptionsError::new(
                "fixed_gods",
                "unset, unless god_mode is fixed",
            ));
        }
        match self.god_mode {
            GodMode::None if seats == 2 => Ok(()),
            GodMode::None => Err(OptionsError::new(
                "god_mode",
                "draft, random or fixed; none with 2 seats only",
            )),
            GodMode::Draft | GodMode::Random => {
                if self.banned_pairs.grows(Gods::NONE, self.pool(seats), seats) {
                    return Ok(());
                }
                Err(OptionsError::new(
                    "god_pool",
                    format!(
                        "all, simple, or at least {seats} gods with the icon of {seats} players of which no two are banned"
                    ),
                ))
            }
            GodMode::Fixed => self.check_fixed_gods(seats),
        }
    }

    fn check_fixed_gods(&self, seats: u8) -> Result<(), OptionsError> {
        let fitting = Gods::fitting(seats);
        let mut gods = Gods::NONE;
        for entry in &self.fixed_gods {
            let legal = match *entry {
                None => seats == 2,
                Some(god) => {
                    let banned = self.banned_pairs.with(god).with(god);
                    let alone = gods.and(banned).is_empty();
                    gods = gods.with(god);
                    alone && fitting.contains(god)
                }
            };
            if !legal {
                return Err(fixed_gods_error(seats));
            }
        }
        if self.fixed_gods.len() != usize::from(seats) {
            return Err(fixed_gods_error(seats));
        }
        Ok(())
    }
}

fn fixed_gods_error(seats: u8) -> OptionsError {
    let nobody = if seats == 2 { ", or none" } else { "" };
    OptionsError::new(
        "fixed_gods",
        format!(
            "{seats} entries, each another god with the icon of {seats} players, no two of them banned{nobody}"
        ),
    )
}

fn check_range(
    field: &'static str,
    value: u16,
    allowed: &RangeInclusive<u16>,
) -> Result<(), OptionsError> {
    if allowed.contains(&value) {
        return Ok(());
    }
    Err(OptionsError::new(
        field,
        format!("{} to {}", allowed.start(), allowed.end()),
    ))
}
