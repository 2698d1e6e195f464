//! For how long what fails for the moment is tried again.

use std::time::Duration;

use tokio::time::{self, Instant};

use crate::Error;

const PAUSE_MIN: Duration = Duration::from_millis(100);
const PAUSE_MAX: Duration = Duration::from_secs(2);

/// How long to go on trying.
#[derive(Debug)]
pub(crate) struct Patience {
    limit: Duration,
    /// The present trouble, if there is any.
    trouble: Option<Trouble>,
}

#[derive(Debug)]
struct Trouble {
    since: Instant,
    /// The longest that the next pause may be.
    pause: Duration,
}

impl Patience {
    pub(crate) fn new(limit: Duration) -> Self {
        Self {
            limit,
            trouble: None,
        }
    }

    /// Something has worked: what fails from now on is a new trouble.
    pub(crate) fn restore(&mut self) {
        self.trouble = None;
    }

    /// Sleeps before the next attempt.
    ///
    /// # Errors
    /// With the error itself if there is to be none. The patience is then as new.
    pub(crate) async fn wait(&mut self, error: Error) -> Result<(), Error> {
        match self.pause(Instant::now(), &error) {
            Some(pause) => time::sleep(pause).await,
            None => {
                self.restore();
                return Err(error);
            }
        }
        Ok(())
    }

    /// How long to wait after an error before the next attempt. None: there is to be none.
    fn pause(&mut self, now: Instant, error: &Error) -> Option<Duration> {
        if !error.is_transient() {
            return None;
        }
        let trouble = self.trouble.get_or_insert(Trouble {
            since: now,
            pause: PAUSE_MIN,
        });
        // Never before the server says, and not all clients at the same moment.
        let asked = error.retry_delay().unwrap_or_default();
        let pause = asked.saturating_add(trouble.pause.mul_f64(rand::random_range(0.5..1.0)));
        trouble.pause = PAUSE_MAX.min(trouble.pause * 2);
        let over = (now - trouble.since).saturating_add(pause);
        (over <= self.limit).then_some(pause)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that fails panics")]
mod tests {
    use tonic::{Code, Status};
    use tonic_types::{ErrorDetails, StatusExt as _};

    use super::*;

    fn error(code: Code) -> Error {
        Status::new(code, "for a test").into()
    }

    fn busy(retry_delay: Duration) -> Error {
        let details = ErrorDetails::with_retry_info(Some(retry_delay));
        Status::with_error_details(Code::ResourceExhausted, "for a test", details).into()
    }

    #[test]
    fn pauses_grow_and_end() {
        let mut patience = Patience::new(Duration::from_secs(10));
        let unavailable = error(Code::Unavailable);
        let began = Instant::now();
        let mut now = began;
        for longest_ms in [100, 200, 400, 800, 1600, 2000, 2000] {
            let pause = patience.pause(now, &unavailable).unwrap();
            let longest = Duration::from_millis(longest_ms);
            assert!(
                pause >= longest / 2 && pause < longest,
                "{pause:?} of {longest:?}"
            );
            now += pause;
        }
        let late = began + Duration::from_secs(10);
        assert_eq!(patience.pause(late, &unavailable), None);
        patience.restore();
        assert!(patience.pause(late, &unavailable).unwrap() < Duration::from_millis(100));
    }

    #[test]
    fn the_server_may_ask_for_a_longer_pause() {
        let mut patience = Patience::new(Duration::from_secs(10));
        let asked = Duration::from_secs(3);
        assert!(patience.pause(Instant::now(), &busy(asked)).unwrap() >= asked);
        assert_eq!(
            patience.pause(Instant::now(), &busy(Duration::from_secs(11))),
            None
        );
        assert_eq!(patience.pause(Instant::now(), &busy(Duration::MAX)), None);
    }

    #[test]
    fn only_what_may_pass_is_tried_again() {
        for (code, again) in [
            (Code::Unavailable, true),
            (Code::DeadlineExceeded, true),
            (Code::Cancelled, false),
            (Code::Aborted, false),
            (Code::ResourceExhausted, false),
            (Code::Internal, false),
        ] {
            let pause = Patience::new(Duration::from_secs(60)).pause(Instant::now(), &error(code));
            assert_eq!(pause.is_some(), again, "{code:?}");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn after_the_last_attempt_patience_is_as_new() {
        let mut patience = Patience::new(Duration::from_secs(1));
        for _ in 0..2 {
            let began = Instant::now();
            while patience.wait(error(Code::Unavailable)).await.is_ok() {}
            assert!(began.elapsed() > Duration::from_millis(300));
        }
    }
}
