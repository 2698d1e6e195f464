//! What a game is to the rest of the house: the [`Game`] trait, and what a viewer may know of one.

use std::fmt::{self, Debug};
use std::hash::Hash;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::action::{ActionId, ActionMask};
use crate::chance::Chance;
use crate::cx::Cx;
use crate::error::{OptionsError, Rejected};
use crate::outcome::Outcome;
use crate::seat::{Seat, SeatSet, Viewer};

/// The fixed facts of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameInfo {
    /// The id under which the game is registered: lower case, words joined by `_`.
    pub slug: &'static str,
    /// The name on the box.
    pub title: &'static str,
    /// The fewest seats.
    pub seats_min: u8,
    /// The most seats.
    pub seats_max: u8,
    /// Grows whenever the same record could lead to another state. Records of other versions are
    /// refused.
    pub rules_version: u32,
    /// The longest list of legal actions, over all options and numbers of seats.
    pub legal_max: u32,
    /// Whether any state, under any options, hides something from some seat.
    pub hidden: bool,
}

impl GameInfo {
    /// Checks a number of seats.
    ///
    /// # Errors
    ///
    /// [`OptionsError`] for the field `seats`, if it is below `seats_min` or above `seats_max`.
    pub fn check_seats(&self, seats: u8) -> Result<(), OptionsError> {
        if (self.seats_min..=self.seats_max).contains(&seats) {
            return Ok(());
        }
        let allowed = match (self.seats_min, self.seats_max) {
            (min, max) if min == max => min.to_string(),
            (min, max) => format!("{min} to {max}"),
        };
        Err(OptionsError::new("seats", allowed))
    }
}

/// The rules of one game, on a state that is a plain value.
///
/// The state has three parts: public, one private part per seat, and the hidden rest. Where a fact
/// lives settles who may know it: all that concerns a viewer (decisions, legal actions, labels,
/// reasons) takes a [`Seen`], which holds the public part and the viewer's own. Chance is handed in
/// and is no part of the state, so a clone foresees nothing.
pub trait Game: Clone + Eq + Debug + Send + Sync + 'static {
    /// What a table is set up with, besides the number of seats.
    type Options: Clone
        + Eq
        + Debug
        + Default
        + Serialize
        + DeserializeOwned
        + Send
        + Sync
        + 'static;
    /// What a photograph of the table shows.
    type Public: Clone + Eq + Debug + Send + Sync + 'static;
    /// What one seat holds and remembers; `()` if nothing.
    type Private: Clone + Eq + Debug + Send + Sync + 'static;
    /// The kind of a decision, with what distinguishes it.
    type Decision: Copy + Eq + Debug + Send + Sync + 'static;
    /// One answer to a decision. Ordered as its ids are.
    type Action: Copy + Eq + Ord + Hash + Debug + Send + Sync + 'static;
    /// Something that has happened.
    type Event: Clone + Eq + Debug + Send + Sync + 'static;

    /// The fixed facts.
    const INFO: GameInfo;
    /// How many action ids there are, over all options and numbers of seats. Ids are dense from 0.
    const ACTION_SPACE: u32;

    /// The most plies a game with these options can take, resignations included.
    fn plies_max(options: &Self::Options, seats: u8) -> u32;

    /// Whether any state of a game with these options hides something from some seat: with some
    /// options a game may hide nothing at all.
    fn hides(_options: &Self::Options) -> bool {
        Self::INFO.hidden
    }

    /// Sets up the table, as far as nobody decides anything. All chance of it is drawn from `cx`.
    ///
    /// # Errors
    ///
    /// [`OptionsError`] names the option at fault (`seats` for the number of seats) and what would
    /// be allowed.
    fn new(
        options: &Self::Options,
        seats: u8,
        cx: &mut Cx<'_, Self::Event>,
    ) -> Result<Self, OptionsError>;

    /// The part that everybody sees.
    fn public(&self) -> &Self::Public;
    /// The part that this seat alone sees; `None` if the table has no such seat.
    fn private(&self, seat: Seat) -> Option<&Self::Private>;

    /// The seats that owe a decision: several when they decide at the same time, none exactly when
    /// the game is over.
    fn to_act(public: &Self::Public) -> SeatSet;
    /// The result, once the game is over.
    fn outcome(public: &Self::Public) -> Option<&Outcome>;
    /// The decision that the viewing seat owes, if any.
    fn decision(seen: Seen<'_, Self>) -> Option<Self::Decision>;
    /// Fills `out`, after clearing it, with all legal actions of the viewing seat: ascending by id,
    /// none twice, none that leads into a dead end. Empty exactly if the seat is not to act.
    fn legal_actions_into(seen: Seen<'_, Self>, out: &mut Vec<Self::Action>);
    /// Why the rules forbid the viewing seat this action now: one sentence with the number of the
    /// rule, in lower case and without a full stop, as in
    /// `a worker climbs at most one level (5.1)`. Meant for an action that is not legal.
    fn why_not(seen: Seen<'_, Self>, action: Self::Action) -> &'static str;
    /// Appends a short text that tells the action from all others that are legal now, as in
    /// `B2 → C3`.
    fn label(seen: Seen<'_, Self>, action: Self::Action, out: &mut String);

    /// Plays an action that is legal for the seat, and runs on through every step in which nobody
    /// chooses, to the next decision or the end.
    ///
    /// An action that is not legal leaves the state in disorder; [`apply`](Game::apply) is the one
    /// that checks.
    fn apply_unchecked(&mut self, seat: Seat, action: Self::Action, cx: &mut Cx<'_, Self::Event>);
    /// A seat of this table leaves for good while the game goes on, whether it is to act or not, as
    /// the game's rules page says.
    fn resign(&mut self, seat: Seat, cx: &mut Cx<'_, Self::Event>);
    /// A state that this viewer could be in, drawn with the viewer's own chance. Every such state
    /// can come up; each game says how likely.
    fn determinize(seen: Seen<'_, Self>, chance: &mut Chance) -> Self;

    /// The action's number.
    fn encode(action: Self::Action) -> ActionId;
    /// The action of this number; `None` from [`ACTION_SPACE`](Game::ACTION_SPACE) on.
    fn decode(id: ActionId) -> Option<Self::Action>;

    /// Appends every fact of the state, hidden ones too, in an order and widths that each game
    /// documents and never changes within a rules version. Equal states write equal bytes,
    /// different states different ones.
    fn write_canonical(&self, out: &mut Vec<u8>);

    /// Whether the action is legal for the viewing seat: whether
    /// [`legal_actions_into`](Game::legal_actions_into) lists it. A game may answer faster, by the
    /// same predicates.
    fn is_legal(seen: Seen<'_, Self>, action: Self::Action) -> bool {
        Self::legal_actions(seen).contains(&action)
    }

    /// What the viewer may know. A seat that the table doesn't have sees what a spectator sees.
    #[inline]
    fn seen(&self, viewer: Viewer) -> Seen<'_, Self> {
        let seat_and_own = match viewer {
            Viewer::Seat(seat) => self.private(seat).map(|own| (seat, own)),
            Viewer::Spectator => None,
        };
        Seen {
            seat: seat_and_own.map(|(seat, _)| seat),
            public: self.public(),
            own: seat_and_own.map(|(_, own)| own),
        }
    }

    /// What the viewer may know, to keep.
    fn observe(&self, viewer: Viewer) -> Observation<Self> {
        let seen = self.seen(viewer);
        Observation {
            seat: seen.seat,
            public: seen.public.clone(),
            own: seen.own.cloned(),
        }
    }

    /// Whether the seat may play this action now.
    ///
    /// # Errors
    ///
    /// [`Rejected::GameOver`], else [`Rejected::NotToAct`], else [`Rejected::NotLegal`].
    #[inline]
    fn check(&self, seat: Seat, action: Self::Action) -> Result<(), Rejected> {
        let waiting_for = Self::to_act(self.public());
        if waiting_for.is_empty() {
            return Err(Rejected::GameOver);
        }
        if !waiting_for.contains(seat) {
            return Err(Rejected::NotToAct { waiting_for });
        }
        let seen = self.seen(Viewer::Seat(seat));
        if !Self::is_legal(seen, action) {
            return Err(Rejected::NotLegal {
                why: Self::why_not(seen, action),
            });
        }
        Ok(())
    }

    /// Plays an action, if it is legal.
    ///
    /// # Errors
    ///
    /// As [`check`](Game::check); the state is then unchanged.
    fn apply(
        &mut self,
        seat: Seat,
        action: Self::Action,
        cx: &mut Cx<'_, Self::Event>,
    ) -> Result<(), Rejected> {
        self.check(seat, action)?;
        self.apply_unchecked(seat, action, cx);
        Ok(())
    }

    /// All legal actions of the viewing seat, ascending by id; empty exactly if the seat is not to
    /// act.
    fn legal_actions(seen: Seen<'_, Self>) -> Vec<Self::Action> {
        let mut actions = Vec::new();
        Self::legal_actions_into(seen, &mut actions);
        actions
    }

    /// The legal actions of the viewing seat as a mask over all action ids.
    fn action_mask(seen: Seen<'_, Self>) -> ActionMask {
        let mut mask = ActionMask::new(Self::ACTION_SPACE);
        for action in Self::legal_actions(seen) {
            mask.insert(Self::encode(action));
        }
        mask
    }

    /// The fingerprint of the state: BLAKE3 of what [`write_canonical`](Game::write_canonical)
    /// writes. Anyone who replays a record can compare it at each ply. It covers what is hidden, so
    /// it is no business of the players before the game is over.
    fn state_hash(&self) -> StateHash {
        let mut canonical = Vec::new();
        self.write_canonical(&mut canonical);
        StateHash(blake3::hash(&canonical).into())
    }
}

/// How good a state is for a seat, for bots that look ahead.
pub trait Evaluate: Game {
    /// The higher the better for `seat`; only the order of values matters. A won game is above all
    /// that are not over, a lost one below.
    fn evaluate(&self, seat: Seat) -> f32;
}

/// What a viewer may know, borrowed: the only way in which rules reach a viewer's knowledge. Free
/// to make and to copy.
pub struct Seen<'a, G: Game> {
    /// The viewing seat; `None` for a spectator.
    pub seat: Option<Seat>,
    /// What everybody sees.
    pub public: &'a G::Public,
    /// What the viewing seat holds and remembers; `None` for a spectator.
    pub own: Option<&'a G::Private>,
}

impl<G: Game> Clone for Seen<'_, G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game> Copy for Seen<'_, G> {}

impl<G: Game> Debug for Seen<'_, G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { seat, public, own } = self;
        f.debug_struct("Seen")
            .field("seat", seat)
            .field("public", public)
            .field("own", own)
            .finish()
    }
}

/// What a viewer may know, owned: for the wire and for search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Observation<G: Game> {
    /// The viewing seat; `None` for a spectator.
    pub seat: Option<Seat>,
    /// What everybody sees.
    pub public: G::Public,
    /// What the viewing seat holds and remembers; `None` for a spectator.
    pub own: Option<G::Private>,
}

impl<G: Game> Observation<G> {
    /// The same, borrowed.
    pub fn seen(&self) -> Seen<'_, G> {
        Seen {
            seat: self.seat,
            public: &self.public,
            own: self.own.as_ref(),
        }
    }
}

/// The fingerprint of a state; shown as 64 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct StateHash(pub [u8; 32]);

impl fmt::Display for StateHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl Debug for StateHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "StateHash({self})")
    }
}
