//! Forks: sessions that go on from a ply of another one, and sandboxes that are drawn from what a seat sees.

use std::{sync::Arc, time::SystemTime};

use tavola_engine::{Reseed, Seat};

use super::{
    Registry, Session,
    commit::Settling,
    registry::Creating,
    sandboxes::Owner,
    state::{Caller, State},
};
use crate::{
    error::{Error, Violation},
    fair_dice::{self, Nonce},
    pb::v1::SessionStatus,
    request_id::{Claim, Repeatable},
    store::{Fork, Header, Opening, SessionId},
    token::{Token, TokenHash},
    wire::{Forking, GameEntry},
};

/// What somebody asks a fork to be.
#[derive(Debug)]
pub struct NewFork<'a> {
    /// The ply to go on from; the latest if unset.
    pub ply: Option<u32>,
    /// Whether it is there only for those who have a token of it, even if all may see what it is forked from.
    pub private: bool,
    /// Whether the caller may open sessions, which a fork is unless it is a sandbox.
    pub may_open: bool,
    /// The request, if it may be repeated.
    pub request: Option<&'a Repeatable>,
}

impl NewFork<'_> {
    /// Checks that the caller may have a session of this kind.
    ///
    /// # Errors
    /// If it is no sandbox, and the caller has no API key where one is needed.
    fn check_key(&self, sandbox: bool) -> Result<(), Error> {
        match sandbox || self.may_open {
            true => Ok(()),
            false => Err(Error::ApiKeyRequired),
        }
    }
}

/// What somebody may make of a session: it is all that the fork needs of it.
struct Offshoot {
    game: &'static GameEntry,
    opening: Opening,
    fork: Fork,
    private: bool,
    /// For a sandbox: whose it is, and what it takes to make its table.
    sandbox: Option<(Owner, Forking)>,
}

/// A fork, with what the one who forked is shown this once.
#[derive(Debug)]
pub struct Forked {
    /// The session.
    pub session: Arc<Session>,
    /// The host's token.
    pub host: Token,
    /// The join token, if the session is private. It lets in who only looks on.
    pub join: Option<Token>,
    /// The tokens of its seats, in their order.
    pub seats: Vec<Token>,
}

impl Session {
    /// What the holder of the token may make of the session: another one that goes on from this ply, or from the latest;
    /// for the player of a seat, while the game is on, a sandbox drawn from what the seat sees now.
    ///
    /// # Errors
    /// If the caller may not fork it, needs an API key and has none, or there is no such ply.
    #[tracing::instrument(level = "debug", skip_all, fields(session_id = %self.id()))]
    fn fork(
        &self,
        token: Option<TokenHash>,
        new: &NewFork<'_>,
    ) -> Result<Settling<Offshoot>, Error> {
        let mut inside = self.enter()?;
        let state = &inside.state;
        let caller = state.caller(token)?;
        let last = state.table.ply();
        let over = match state.status() {
            SessionStatus::Waiting => return Err(Error::SessionNotStarted),
            SessionStatus::Finished => true,
            SessionStatus::Running | SessionStatus::Unspecified => false,
        };
        let fork = match caller {
            Caller::Seat(seat) if !over => {
                if new.ply.is_some_and(|ply| ply != last) {
                    let allowed = "is unset: a seat can fork what it sees now, nothing earlier";
                    return Err(Error::Malformed(Violation::new("ply", allowed)));
                }
                self.imagined(state, seat)
            }
            Caller::Anyone if !over => {
                return Err(Error::TokenRequired(
                    "to fork a game that is on needs the token of a seat, or the host's where nothing is hidden, as \
                     metadata `authorization: Bearer TOKEN`",
                ));
            }
            Caller::Guest if !over => {
                return Err(Error::SeatMismatch(
                    "to fork a game that is on needs the token of a seat, not the join token",
                ));
            }
            Caller::Host if !over && !state.open_to_host() => {
                return Err(Error::SeatMismatch(
                    "this game hides something from its host: fork it with the token of a seat, or once it is over",
                ));
            }
            Caller::Seat(_) | Caller::Anyone | Caller::Guest | Caller::Host => {
                new.check_key(self.sandbox.is_some())?;
                let ply = new.ply.unwrap_or(last);
                if ply > last {
                    let allowed = format!("is unset, or a ply from 0 to {last}");
                    return Err(Error::Malformed(Violation::new("ply", allowed)));
                }
                self.continued(state, ply, over)
            }
        };
        Ok(self.settling(&mut inside, fork))
    }

    /// A sandbox of this seat. Nothing goes into it but what the seat sees and what everybody knows.
    fn imagined(&self, state: &State, seat: Seat) -> Offshoot {
        let seed = fair_dice::seed();
        let left = (0..).map(Seat).zip(&state.seats);
        let left = left.filter_map(|(seat, state)| state.resigned().then_some(seat));
        let owner = match &self.sandbox {
            Some(sandbox) => sandbox.owner,
            None => (self.id(), seat),
        };
        Offshoot {
            game: self.game,
            opening: Opening {
                seed,
                reseeds: Vec::new(),
                entries: Vec::new(),
                ..self.header().opening.clone()
            },
            fork: Fork {
                origin: None,
                ply: state.table.ply(),
                over: false,
                secret_seeds: 0,
                seats: Vec::new(),
                resigned: left.collect(),
            },
            private: true,
            sandbox: Some((owner, state.table.imagine(seat, seed))),
        }
    }

    /// A session that goes on from this ply with dice of its own.
    fn continued(&self, state: &State, ply: u32, over: bool) -> Offshoot {
        let seed = fair_dice::seed();
        let before = self.header().fork.as_ref();
        let reseeds = state.table.reseeds().iter();
        let mut reseeds = Vec::from_iter(reseeds.filter(|reseed| reseed.after_ply < ply).copied());
        // Who plays a fork to its end must not learn what the dice will say where the game is still on.
        let taken_over = u32::try_from(1 + reseeds.len()).unwrap_or(u32::MAX);
        let secret_seeds = match over {
            true => before.map_or(0, |fork| fork.secret_seeds.min(taken_over)),
            false => taken_over,
        };
        let fork = Fork {
            origin: self.sandbox.is_none().then(|| self.id()),
            ply,
            over: over && ply == state.table.ply(),
            secret_seeds,
            seats: Vec::new(),
            resigned: before.map_or_else(Vec::new, |fork| fork.resigned.clone()),
        };
        if let Some(sandbox) = &self.sandbox {
            return Offshoot {
                game: self.game,
                opening: self.header().opening.clone(),
                fork,
                private: true,
                sandbox: Some((sandbox.owner, state.table.fork(ply, seed))),
            };
        }
        reseeds.push(Reseed {
            after_ply: ply,
            seed,
        });
        let played = usize::try_from(ply).unwrap_or(usize::MAX);
        Offshoot {
            game: self.game,
            opening: Opening {
                reseeds,
                entries: state.table.entries().iter().take(played).copied().collect(),
                ..self.header().opening.clone()
            },
            fork,
            private: self.private(),
            sandbox: None,
        }
    }

    /// A request to fork this session where its id counts: among those of this token.
    fn fork_claim(&self, token: Option<TokenHash>, request: &Repeatable) -> Claim {
        let mut scope = self.id().to_string().into_bytes();
        scope.extend(token.into_iter().flat_map(TokenHash::to_bytes));
        request.within(&scope, self.house().secret())
    }
}

impl Registry {
    /// Forks a session for the holder of the token. All seats of the fork are taken: whoever forks has all its tokens. A
    /// request that opened a fork before gets the same.
    ///
    /// # Errors
    /// If the caller may not fork the session, or not into one that is kept, there is no such ply, there are too many
    /// sessions, or sandboxes of the same seat, the request id was used for another fork, or the store does not answer.
    pub async fn fork(
        self: &Arc<Self>,
        origin: &Session,
        token: Option<TokenHash>,
        new: NewFork<'_>,
    ) -> Result<Forked, Error> {
        let claim = new.request.map(|request| origin.fork_claim(token, request));
        let claim = claim.as_ref();
        let again = claim.map(Claim::session_id);
        if let Some(id) = again
            && let Some(session) = self.opened(id).await?
        {
            new.check_key(session.sandbox.is_some())?;
            return forked_before(session, claim);
        }
        let Offshoot {
            game,
            opening,
            fork,
            private,
            sandbox,
        } = origin.fork(token, &new)?.settle().await?;
        let private = private || new.private;
        let tokens = Tokens::of(claim, opening.seats, private);
        let mut header = Header {
            serial: 0,
            game: game.id.to_owned(),
            opening,
            seed_given: false,
            nonce: Nonce::new(),
            clock: None,
            host: tokens.host.hash(),
            join: tokens.join.as_ref().map(Token::hash),
            request: claim.map(Claim::mark),
            create_time: SystemTime::now(),
            fork: Some(Fork {
                seats: tokens.seats.iter().map(Token::hash).collect(),
                ..fork
            }),
        };
        let id = again.unwrap_or_default();
        if let Some((owner, draw)) = sandbox {
            let session = self.open_sandbox(game, id, header, owner, draw).await?;
            return match claim {
                Some(_) => forked_before(session, claim),
                None => Ok(tokens.to(session)),
            };
        }
        let creating = Creating::begin(self)?;
        header.serial = self.serial(private);
        // The game is played again up to the fork: that takes a while.
        let playing = tokio::task::spawn_blocking(move || {
            let state = State::new(game, &header)?;
            Ok::<_, Error>((header, state))
        });
        let (header, state) = playing.await.map_err(Error::internal)??;
        match self.keep(creating, game, id, header, state).await? {
            Some(session) => Ok(tokens.to(session)),
            None => match self.opened(id).await? {
                Some(session) => forked_before(session, claim),
                // Deleted at once: whoever asks again opens another.
                None => Err(Error::StoreUnavailable),
            },
        }
    }

    async fn open_sandbox(
        self: &Arc<Self>,
        game: &'static GameEntry,
        id: SessionId,
        header: Header,
        owner: Owner,
        draw: Forking,
    ) -> Result<Arc<Session>, Error> {
        let limits = self.house().limits();
        self.sandboxes.check_room(owner, limits)?;
        let table = tokio::task::spawn_blocking(draw);
        let table = table.await.map_err(Error::internal)??;
        let state = State::at(&header, table);
        let house = Arc::clone(self.house());
        self.sandboxes.open(id, owner, limits, |sandbox| {
            tracing::info!(session_id = %id, game = game.id, "sandbox opened");
            Session::begin(id, header, game, house, state, Some(sandbox))
        })
    }
}

/// The tokens of a fork.
struct Tokens {
    host: Token,
    join: Option<Token>,
    seats: Vec<Token>,
}

impl Tokens {
    /// Fresh ones, or those that the same request gets each time.
    fn of(claim: Option<&Claim>, seats: u8, private: bool) -> Self {
        let token = |of: &str| claim.map_or_else(Token::new, |claim| claim.token(of));
        Self {
            host: token("host"),
            join: private.then(|| token("join")),
            seats: (0..seats)
                .map(|seat| token(&format!("seat {seat}")))
                .collect(),
        }
    }

    fn to(self, session: Arc<Session>) -> Forked {
        let Self { host, join, seats } = self;
        Forked {
            session,
            host,
            join,
            seats,
        }
    }
}

/// What the request got that opened this fork before, if it is the same.
fn forked_before(session: Arc<Session>, claim: Option<&Claim>) -> Result<Forked, Error> {
    if !claim.is_some_and(|claim| session.created_by(claim.mark())) {
        return Err(Error::RequestIdReused);
    }
    let seats = session.header().opening.seats;
    Ok(Tokens::of(claim, seats, session.private()).to(session))
}
