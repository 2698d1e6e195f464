//! Sessions in each state, and all that a caller can see of them.

use tavola::pb::v1::{
    CreateSessionRequest, Game, GetObservationResponse, ListGamesRequest, ListSessionsRequest,
    Session, View,
};

use crate::common::{Catalog, Dice, Server, Sessions, Table, santorini};

/// Sessions in each state, for calls to be refused in.
pub(crate) struct World {
    pub(crate) catalog: Catalog,
    /// Waits for its second player.
    pub(crate) waiting: Table,
    /// Seat 0 is to place its first worker: decision 1.
    pub(crate) running: Table,
    pub(crate) finished: Table,
    /// One that is none of the caller's business.
    pub(crate) other: Table,
    /// A game of each kind that is played here, at its first decision.
    pub(crate) games: Vec<(Game, Table)>,
}

/// All of the world that a caller can see.
#[derive(Debug, PartialEq)]
pub(crate) struct Seen {
    sessions: Vec<Session>,
    observations: Vec<GetObservationResponse>,
}

impl World {
    /// The table of a game.
    pub(crate) fn table_of(&self, game: &str) -> &Table {
        let found = self.games.iter().find(|(of, _)| of.game == game);
        found.map_or_else(|| panic!("{game} is not played here"), |(_, table)| table)
    }

    pub(crate) async fn new(server: &Server) -> Self {
        let client: Sessions = server.sessions().await;
        let mut waiting = Table::create(&client, santorini()).await;
        waiting.join().await;
        let finished = Table::santorini(&client).await;
        finished.play_out(&mut Dice::new()).await;
        let other = Table::santorini(&client).await;
        let mut catalog = server.catalog().await;
        let listed = catalog.list_games(ListGamesRequest::default()).await;
        let mut games = Vec::new();
        for game in listed.unwrap().into_inner().games {
            let request = CreateSessionRequest {
                game: game.game.clone(),
                ..Default::default()
            };
            games.push((game, Table::start(&client, request).await));
        }
        Self {
            catalog,
            games,
            waiting,
            running: Table::santorini(&client).await,
            finished,
            other,
        }
    }

    pub(crate) async fn seen(&self) -> Seen {
        let mut client = self.running.client.clone();
        let request = ListSessionsRequest {
            page_size: Some(100),
            ..Default::default()
        };
        let sessions = client
            .list_sessions(request)
            .await
            .unwrap()
            .into_inner()
            .sessions;
        let mut observations = Vec::new();
        let of_games = self.games.iter().map(|(_, table)| table);
        for table in [&self.waiting, &self.running, &self.finished]
            .into_iter()
            .chain(of_games)
        {
            for viewer in std::iter::once(None).chain((0..table.tokens.len()).map(Some)) {
                observations.push(table.observe(viewer, View::Full).await);
            }
        }
        Seen {
            sessions,
            observations,
        }
    }
}
