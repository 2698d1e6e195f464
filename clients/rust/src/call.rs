//! Calls: with a token, in time, and again where that is safe.

use std::time::Duration;

use tokio::time;
use tonic::{Request, Response, Status};

use crate::{Client, Error, Token, patience::Patience, token::request};

/// What is asked, as whom, and whether again.
pub(crate) struct Call<'a, Q> {
    request: Q,
    token: Option<&'a Token>,
    repeat: Repeat,
}

/// What to do with a call that got no reply.
pub(crate) enum Repeat {
    /// It may have had its effect, and would have it again.
    Never,
    /// It is safe to repeat.
    IfUnreachable,
}

impl<'a, Q> Call<'a, Q> {
    pub(crate) fn new(request: Q, repeat: Repeat) -> Self {
        Self {
            request,
            token: None,
            repeat,
        }
    }

    pub(crate) fn with_token(mut self, token: Option<&'a Token>) -> Self {
        self.token = token;
        self
    }
}

impl Repeat {
    /// What takes something is safe to repeat if it carries a request id.
    pub(crate) fn if_named(request_id: &str) -> Self {
        if request_id.is_empty() {
            Self::Never
        } else {
            Self::IfUnreachable
        }
    }
}

impl Client {
    pub(crate) fn patience(&self) -> Patience {
        Patience::new(self.patience)
    }

    /// Calls a method of a stub, again and again if that is wanted.
    pub(crate) async fn call<S, Q, R, F>(
        &self,
        stub: S,
        call: Call<'_, Q>,
        method: impl Fn(S, Request<Q>) -> F,
    ) -> Result<R, Error>
    where
        S: Clone,
        Q: Clone,
        F: Future<Output = Result<Response<R>, Status>>,
    {
        let mut patience = match call.repeat {
            Repeat::Never => Patience::new(Duration::ZERO),
            Repeat::IfUnreachable => self.patience(),
        };
        loop {
            let request = request(call.request.clone(), call.token);
            match self.in_time(method(stub.clone(), request)).await {
                Ok(reply) => return Ok(reply.into_inner()),
                Err(error) => patience.wait(error).await?,
            }
        }
    }

    /// One attempt of a call, or of opening a stream.
    pub(crate) async fn in_time<R>(
        &self,
        attempt: impl Future<Output = Result<R, Status>>,
    ) -> Result<R, Error> {
        match time::timeout(self.timeout, attempt).await {
            Ok(result) => Ok(result?),
            Err(_) => Err(Error::too_late(self.timeout)),
        }
    }
}
