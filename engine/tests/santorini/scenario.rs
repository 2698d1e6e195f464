//! Given, when, then: a table in the words of the rules page.

use tavola_engine::games::santorini::{
    Action, DrawReason, EndReason, Event, Position, Santorini, Stage, WinReason,
};
use tavola_engine::{ActionId, Audience, Chance, Cx, Game, Rejected, Seat, SeatSet, Viewer};

/// A table with what was told at it since the last action.
#[derive(Debug)]
pub(crate) struct Table {
    pub(crate) state: Santorini,
    pub(crate) told: Vec<Event>,
}

/// The table at this position, in the notation of [`Position`].
pub(crate) fn given(position: &str) -> Table {
    let position: Position = position.parse().unwrap();
    let mut log = Vec::new();
    let state = position.start(&mut Cx::new(&mut Chance::scripted([]), Some(&mut log)));
    Table {
        state,
        told: events(log),
    }
}

/// The action that the page writes like this.
pub(crate) fn action(notation: &str) -> Action {
    let mut all = (0..Santorini::ACTION_SPACE).filter_map(|id| Santorini::decode(ActionId(id)));
    all.find(|action| action.to_string() == notation)
        .unwrap_or_else(|| panic!("no action is written {notation}"))
}

/// Everything that happens in Santorini is public.
pub(crate) fn events(log: Vec<(Audience, Event)>) -> Vec<Event> {
    assert!(log.iter().all(|(audience, _)| *audience == Audience::All));
    log.into_iter().map(|(_, event)| event).collect()
}

impl Table {
    /// What the seat to act may do, in the notation of the page, ascending by id.
    pub(crate) fn legal(&self) -> Vec<String> {
        let to_act = Santorini::to_act(self.state.public());
        let seen = |seat| self.state.seen(Viewer::Seat(seat));
        to_act
            .iter()
            .flat_map(|seat| Santorini::legal_actions(seen(seat)))
            .map(|action| action.to_string())
            .collect()
    }

    /// Plays an action of the seat on turn.
    pub(crate) fn does(mut self, notation: &str) -> Self {
        let mut log = Vec::new();
        let mut chance = Chance::scripted([]);
        let seat = self.state.public().on_turn;
        let played = self.state.apply(
            seat,
            action(notation),
            &mut Cx::new(&mut chance, Some(&mut log)),
        );
        assert_eq!(played, Ok(()), "{notation}");
        assert_eq!(chance.script_fits(), Ok(()));
        self.told = events(log);
        self
    }

    /// Lets a seat resign.
    pub(crate) fn resigns(mut self, seat: u8) -> Self {
        let mut log = Vec::new();
        self.state.resign(
            Seat(seat),
            &mut Cx::new(&mut Chance::scripted([]), Some(&mut log)),
        );
        self.told = events(log);
        self
    }

    /// These are among the options.
    pub(crate) fn allows(self, notations: &[&str]) -> Self {
        let legal = self.legal();
        for notation in notations {
            assert!(
                legal.iter().any(|action| action == notation),
                "{notation} is not among {legal:?}"
            );
        }
        self
    }

    /// The seat on turn may not, for this reason.
    pub(crate) fn refuses(mut self, notation: &str, why: &'static str) -> Self {
        let before = self.state.clone();
        let seat = self.state.public().on_turn;
        let refused = self.state.apply(
            seat,
            action(notation),
            &mut Cx::new(&mut Chance::scripted([]), None),
        );
        assert_eq!(refused, Err(Rejected::NotLegal { why }), "{notation}");
        assert_eq!(self.state, before);
        self
    }

    /// The options are these and no others.
    pub(crate) fn offers(self, notations: &[&str]) -> Self {
        assert_eq!(self.legal(), notations);
        self
    }

    /// So many options.
    pub(crate) fn offers_number(self, count: usize) -> Self {
        assert_eq!(self.legal().len(), count, "{:?}", self.legal());
        self
    }

    /// The towers stand like this.
    pub(crate) fn board(self, board: &str) -> Self {
        assert_eq!(self.state.public().board.to_string(), board);
        self
    }

    /// The game goes on with this seat on turn.
    pub(crate) fn turn_of(self, seat: u8) -> Self {
        assert_eq!(
            Santorini::to_act(self.state.public()),
            SeatSet::only(Seat(seat))
        );
        assert_eq!(
            self.state.public().stage,
            Stage::Moving,
            "at the beginning of the turn"
        );
        self
    }

    /// The game goes on with a build by the seat on turn.
    pub(crate) fn must_build(self) -> Self {
        assert!(
            matches!(self.state.public().stage, Stage::Building),
            "{:?}",
            self.state.public().stage
        );
        assert_eq!(Santorini::outcome(self.state.public()), None);
        self
    }

    /// This seat has won.
    pub(crate) fn won_by(self, seat: u8, reason: WinReason) -> Self {
        assert_eq!(
            Santorini::outcome(self.state.public()).unwrap().winners,
            SeatSet::only(Seat(seat))
        );
        self.ended(EndReason::Won(reason))
    }

    /// Nobody has won.
    pub(crate) fn drawn(self, reason: DrawReason) -> Self {
        assert_eq!(
            Santorini::outcome(self.state.public()).unwrap().winners,
            SeatSet::EMPTY
        );
        self.ended(EndReason::Drawn(reason))
    }

    fn ended(self, reason: EndReason) -> Self {
        let Stage::Over(ending) = &self.state.public().stage else {
            panic!("the game goes on")
        };
        assert_eq!(ending.reason, reason);
        assert!(Santorini::to_act(self.state.public()).is_empty());
        self.offers(&[])
    }
}
