//! The tables of set-up and draft: what `setup.toml` says.

use std::sync::LazyLock;

use serde::Deserialize;

/// The numbers of `setup.toml`.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Setup {
    /// How a game starts.
    pub start: Start,
    /// What an action brings.
    pub turn: TurnNumbers,
    /// What is worth points.
    pub score: ScoreNumbers,
    /// The drafts, one for each number of players and characters.
    pub draft: Vec<Draft>,
}

/// How a game starts.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Start {
    /// Cards dealt to each player.
    pub hand: u8,
    /// Gold given to each player.
    pub gold: u16,
    /// Gold pieces in the box.
    pub gold_pieces: u16,
    /// Districts in a complete city, unless the options say otherwise.
    pub end_districts: u8,
    /// Who has the crown first, unless the options say otherwise.
    pub first_crown: String,
    /// The game is scored after this round at the latest (10.4).
    pub round_limit: u8,
}

/// What an action brings.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TurnNumbers {
    /// Gold taken.
    pub take_gold: u8,
    /// Cards looked at.
    pub draw_cards: u8,
    /// Cards kept of these.
    pub keep_cards: u8,
}

/// What is worth points besides the districts (10.2).
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScoreNumbers {
    /// Districts of all five colors.
    pub five_colors: u16,
    /// The first complete city.
    pub first_complete: u16,
    /// Any other complete city.
    pub other_complete: u16,
}

/// The draft for one number of players and of characters (5.1, 5.2).
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(from = "Row")]
pub struct Draft {
    /// Players at the table.
    pub players: u8,
    /// Characters in the set.
    pub characters: u8,
    /// Cards laid out face up.
    pub face_up: u8,
    /// Characters that each player takes.
    pub picks_per_player: u8,
    /// What is done with the cards that are passed, in order. Each step takes one card out.
    pub steps: Vec<Step>,
    /// Whether the last picker also looks at the first face-down card.
    pub last_takes_face_down: bool,
    /// How many cards each picker sees, in order of picking.
    pub seen: Vec<u8>,
}

/// A step of a draft. Players are counted clockwise from the holder of the crown, from 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// D1: the player takes a card.
    Pick(u8),
    /// D2: the player lays a card face down.
    Discard(u8),
    /// C6: a card is laid face down at random, unseen.
    RandomFaceDown,
    /// The last card is laid face down.
    RestFaceDown,
}

/// The set-up of the game, from `setup.toml`.
#[inline]
pub fn setup() -> &'static Setup {
    &SETUP
}

/// A row as the file has it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    players: u8,
    characters: u8,
    face_down_start: u8,
    face_up: u8,
    picks_per_player: u8,
    #[serde(default)]
    steps: Vec<StepText>,
    #[serde(default)]
    last_takes_face_down: bool,
    seen: Vec<u8>,
}

#[derive(Deserialize)]
#[serde(try_from = "String")]
struct StepText(Step);

impl TryFrom<String> for StepText {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let step = match text.split_once(':') {
            Some(("pick", player)) => player.parse().ok().map(Step::Pick),
            Some(("discard", player)) => player.parse().ok().map(Step::Discard),
            None if text == "random_face_down" => Some(Step::RandomFaceDown),
            None if text == "rest_face_down" => Some(Step::RestFaceDown),
            _ => None,
        };
        step.map(Self)
            .ok_or_else(|| format!("{text:?} is no step of a draft"))
    }
}

impl From<Row> for Draft {
    /// A row without steps is one pick for each player in turn.
    fn from(row: Row) -> Self {
        debug_assert_eq!(row.face_down_start, 1);
        let mut steps: Vec<_> = row.steps.into_iter().map(|StepText(step)| step).collect();
        if steps.is_empty() {
            steps.extend((0..row.players).map(Step::Pick));
            steps.push(Step::RestFaceDown);
        }
        Self {
            players: row.players,
            characters: row.characters,
            face_up: row.face_up,
            picks_per_player: row.picks_per_player,
            steps,
            last_takes_face_down: row.last_takes_face_down,
            seen: row.seen,
        }
    }
}

#[expect(
    clippy::expect_used,
    reason = "the table is part of the program, and a test reads it"
)]
static SETUP: LazyLock<Setup> = LazyLock::new(|| {
    toml::from_str(include_str!("setup.toml")).expect("setup.toml is well formed")
});
