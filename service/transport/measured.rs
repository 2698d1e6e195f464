//! A call that is counted: by what it ends with, and by how long its reply took to begin.

use std::{
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, ready},
    time::Instant,
};

use bytes::Bytes;
use http::Response;
use http_body::{Frame, SizeHint};
use pin_project_lite::pin_project;
use tonic::{Code, Status, body::Body};
use tonic_types::StatusExt as _;

use crate::metrics::{Method, Metrics};

/// An event loop's own handle of what all of them count in. Each call takes another handle, and cores that share a
/// count of handles wait for it.
#[derive(Debug)]
pub(super) struct OwnMetrics(pub(super) Arc<Metrics>);

/// One call, from its beginning to its end. One that is dropped before was cancelled.
#[derive(Debug)]
pub(super) struct Measure {
    metrics: Arc<OwnMetrics>,
    method: usize,
    began: Instant,
    /// Whether the call is counted by what it ended with.
    ended: bool,
    /// Whether its reply is a stream that is open.
    open: bool,
}

impl Measure {
    /// A call of the method at this path.
    pub(super) fn begin(metrics: &Arc<OwnMetrics>, path: &str) -> Self {
        Self {
            metrics: Arc::clone(metrics),
            method: metrics.0.calls.number(path),
            began: Instant::now(),
            ended: false,
            open: false,
        }
    }

    /// The reply begins. If what it ends with is not known yet, it is followed to its end.
    pub(super) fn reply(mut self, reply: Response<Body>) -> Response<Body> {
        let calls = &self.metrics.0.calls;
        calls.begun(self.method, self.began.elapsed());
        let Method {
            ends_late, streams, ..
        } = *calls.method(self.method);
        let refusal = match ends_late {
            true => Status::from_header_map(reply.headers()),
            // A refusal that our services or the gate made, which is quicker to look for.
            false => reply.extensions().get::<Status>().cloned(),
        };
        if let Some(status) = refusal {
            self.refused(&status);
            return reply;
        }
        if !ends_late {
            self.end(Code::Ok);
            return reply;
        }
        if streams {
            calls.method(self.method).opened(1);
            self.open = true;
        }
        reply.map(|body| {
            Body::new(Measured {
                body,
                measure: self,
            })
        })
    }

    fn end(&mut self, code: Code) {
        if !std::mem::replace(&mut self.ended, true) {
            self.metrics.0.calls.ended(self.method, code);
        }
    }

    fn refused(&mut self, status: &Status) {
        self.end(status.code());
        if status.code() == Code::ResourceExhausted {
            let limit = status
                .get_details_error_info()
                .and_then(|info| info.metadata.get("limit").cloned());
            self.metrics.0.refused(limit.as_deref().unwrap_or("other"));
        }
    }
}

impl Drop for Measure {
    fn drop(&mut self) {
        if self.open {
            self.metrics.0.calls.method(self.method).opened(-1);
        }
        self.end(Code::Cancelled);
    }
}

pin_project! {
    /// A reply that is followed to its end.
    struct Measured {
        #[pin]
        body: Body,
        measure: Measure,
    }
}

impl http_body::Body for Measured {
    type Data = Bytes;
    type Error = Status;

    fn poll_frame(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Status>>> {
        let this = self.project();
        let frame = ready!(this.body.poll_frame(cx));
        match &frame {
            Some(Ok(frame)) => {
                if let Some(status) = frame.trailers_ref().and_then(Status::from_header_map) {
                    this.measure.refused(&status);
                }
            }
            Some(Err(status)) => this.measure.refused(status),
            None => this.measure.end(Code::Unknown),
        }
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
