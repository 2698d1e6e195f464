//! The clock that connections are kept alive by. Hyper asks for the time whenever it hears something of a call, and this
//! clock looks only once for all that a connection brings at a time.

use std::{
    cell::Cell,
    future::Future,
    pin::Pin,
    task::{Context, Poll},
    time::{Duration, Instant},
};

use hyper::rt::{Sleep, Timer};

thread_local! {
    static GLANCE: Cell<Glance> = const { Cell::new(Glance { number: 0, time: Time::Flows }) };
}

/// What a thread knows of the time.
#[derive(Clone, Copy)]
struct Glance {
    /// Counts how often a connection was polled.
    number: u64,
    time: Time,
}

#[derive(Clone, Copy)]
enum Time {
    /// No connection is polled.
    Flows,
    /// It stands still from the first look on.
    Unknown,
    Stands(Instant),
}

/// While it lives, the time of this thread stands still.
pub(super) struct Standstill;

impl Standstill {
    pub(super) fn begin() -> Self {
        let number = GLANCE.get().number.wrapping_add(1);
        GLANCE.set(Glance {
            number,
            time: Time::Unknown,
        });
        Self
    }
}

impl Drop for Standstill {
    fn drop(&mut self) {
        let time = Time::Flows;
        GLANCE.set(Glance {
            time,
            ..GLANCE.get()
        });
    }
}

/// Tokio's timer, looked at rarely.
#[derive(Clone, Copy, Debug)]
pub(super) struct RareTimer;

impl Timer for RareTimer {
    fn sleep(&self, duration: Duration) -> Pin<Box<dyn Sleep>> {
        Box::pin(Nap::new(tokio::time::sleep(duration)))
    }

    fn sleep_until(&self, deadline: Instant) -> Pin<Box<dyn Sleep>> {
        Box::pin(Nap::new(tokio::time::sleep_until(deadline.into())))
    }

    fn now(&self) -> Instant {
        let glance = GLANCE.get();
        let now = || tokio::time::Instant::now().into_std();
        match glance.time {
            Time::Flows => now(),
            Time::Stands(time) => time,
            Time::Unknown => {
                let now = now();
                GLANCE.set(Glance {
                    time: Time::Stands(now),
                    ..glance
                });
                now
            }
        }
    }

    fn reset(&self, sleep: &mut Pin<Box<dyn Sleep>>, deadline: Instant) {
        match sleep.as_mut().downcast_mut_pin::<Nap>() {
            Some(nap) => nap.get_mut().reset(deadline),
            None => *sleep = self.sleep_until(deadline),
        }
    }
}

/// A sleep that is not asked twice while the time stands still.
struct Nap {
    sleep: Pin<Box<tokio::time::Sleep>>,
    /// The glance at which it was not over.
    asked: Option<u64>,
}

impl Nap {
    fn new(sleep: tokio::time::Sleep) -> Self {
        Self {
            sleep: Box::pin(sleep),
            asked: None,
        }
    }

    fn reset(&mut self, deadline: Instant) {
        self.sleep.as_mut().reset(deadline.into());
        self.asked = None;
    }
}

impl Sleep for Nap {}

impl Future for Nap {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let Glance { number, time } = GLANCE.get();
        let standing = (!matches!(time, Time::Flows)).then_some(number);
        // Within one poll of a connection there is one task to wake, and it has been noted.
        if standing.is_some() && self.asked == standing {
            return Poll::Pending;
        }
        self.asked = standing;
        self.sleep.as_mut().poll(cx)
    }
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;

    use futures_util::future::poll_immediate;

    use super::*;

    #[test]
    fn time_stands_still_while_a_connection_is_polled() {
        let (before, after) = {
            let _standstill = Standstill::begin();
            let before = RareTimer.now();
            std::thread::sleep(Duration::from_millis(2));
            (before, RareTimer.now())
        };
        assert_eq!(before, after);
        let later = RareTimer.now();
        std::thread::sleep(Duration::from_millis(2));
        assert!(before < later && later < RareTimer.now());
    }

    #[tokio::test(start_paused = true)]
    async fn a_sleep_ends_in_time_and_can_be_begun_anew() {
        let began = RareTimer.now();
        let mut sleep = RareTimer.sleep(Duration::from_secs(3));
        let mut polls = 0;
        let mut ends = async |sleep: &mut Pin<Box<dyn Sleep>>| {
            poll_fn(|cx| {
                let _standstill = Standstill::begin();
                polls += 1;
                // As often as there are calls.
                let first = sleep.as_mut().poll(cx);
                if first.is_pending() {
                    assert!(sleep.as_mut().poll(cx).is_pending());
                }
                first
            })
            .await;
            RareTimer.now() - began
        };
        assert_eq!(ends(&mut sleep).await.as_secs(), 3);
        RareTimer.reset(&mut sleep, began + Duration::from_secs(8));
        assert!(sleep.is::<Nap>());
        assert_eq!(ends(&mut sleep).await.as_secs(), 8);
        assert!(polls <= 4, "{polls}");
        assert!(
            poll_immediate(RareTimer.sleep(Duration::ZERO))
                .await
                .is_some()
        );
    }
}
