//! CatalogService: what can be played here.

use tonic::{Request, Response, Status, async_trait};

use super::page;
use crate::{
    config::Limits,
    error::Error,
    pb::v1 as pb,
    wire::{GAMES, GameEntry},
};

/// Games on a page of the list, at most.
const GAMES_PER_PAGE_MAX: u32 = 100;

/// The catalog of a server with these limits.
#[derive(Clone, Debug)]
pub struct Catalog {
    limits: Limits,
    api_key_required: bool,
}

impl Catalog {
    /// The catalog of a server with these limits, which may want an API key.
    #[must_use]
    pub fn new(limits: Limits, api_key_required: bool) -> Self {
        Self {
            limits,
            api_key_required,
        }
    }
}

#[async_trait]
impl pb::catalog_service_server::CatalogService for Catalog {
    async fn list_games(
        &self,
        request: Request<pb::ListGamesRequest>,
    ) -> Result<Response<pb::ListGamesResponse>, Status> {
        let request = request.into_inner();
        let size = page::index(page::size(
            request.page_size,
            GAMES_PER_PAGE_MAX,
            GAMES_PER_PAGE_MAX,
        ));
        let start = page::start::<usize>(&request.page_token)?.unwrap_or(0);
        let end = start.saturating_add(size);
        let games = GAMES
            .iter()
            .skip(start)
            .take(size)
            .map(GameEntry::catalog)
            .collect();
        let next_page_token = if end < GAMES.len() {
            end.to_string()
        } else {
            String::new()
        };
        Ok(Response::new(pb::ListGamesResponse {
            games,
            next_page_token,
        }))
    }

    async fn get_game(
        &self,
        request: Request<pb::GetGameRequest>,
    ) -> Result<Response<pb::GetGameResponse>, Status> {
        let id = request.into_inner().game;
        if id.is_empty() {
            return Err(Error::missing("game").into());
        }
        let game = GameEntry::find(&id).ok_or_else(GameEntry::not_found)?;
        Ok(Response::new(pb::GetGameResponse {
            game: Some(game.catalog()),
        }))
    }

    async fn get_server_info(
        &self,
        _request: Request<pb::GetServerInfoRequest>,
    ) -> Result<Response<pb::GetServerInfoResponse>, Status> {
        let limits = &self.limits;
        let limits = pb::Limits {
            request_bytes_max: limits.request_bytes_max.into(),
            response_bytes_max: limits.response_bytes_max.into(),
            streams_per_connection_max: limits.streams_per_connection_max,
            connections_per_peer_max: limits.connections_per_peer_max,
            sessions_max: limits.sessions_max.into(),
            watchers_per_session_max: limits.watchers_per_session_max,
            session_idle_s: limits.session_idle_s.into(),
            session_retain_s: limits.session_retain_s.into(),
            call_timeout_ms: limits.call_timeout_ms.into(),
            sandboxes_per_seat_max: limits.sandboxes_per_seat_max,
            sandboxes_max: limits.sandboxes_max.into(),
            sandbox_idle_s: limits.sandbox_idle_s.into(),
        };
        let version = env!("CARGO_PKG_VERSION").to_owned();
        Ok(Response::new(pb::GetServerInfoResponse {
            version,
            limits: Some(limits),
            api_key_required: self.api_key_required,
        }))
    }
}
