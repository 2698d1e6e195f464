//! How long the players of a session may think, as its host chose it.

use std::time::Duration;

use prost_types::Duration as DurationPb;

use crate::{
    error::Violation,
    pb::v1::{self as pb, clock::Pace as PacePb},
};

/// The least time that a player can be given for a decision, or for a game.
const TIME_MIN: Duration = Duration::from_millis(10);

/// The most time that a player can be given for a decision, or for a game.
const TIME_MAX: Duration = Duration::from_secs(7 * 24 * 60 * 60);

/// The most time that can be added after an answer.
const INCREMENT_MAX: Duration = Duration::from_secs(24 * 60 * 60);

/// How long each player of a session may think. All times are whole milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// How time is given.
    pub pace: Pace,
    /// What happens when it is up.
    pub on_expiry: OnExpiry,
}

/// How time is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// This much for each decision.
    PerMove(Duration),
    /// A bank for the whole game.
    Bank {
        /// What is in it at the start.
        bank: Duration,
        /// What is added after each answer.
        increment: Duration,
    },
}

/// What happens when the time of a seat is up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnExpiry {
    /// It resigns.
    Forfeit,
    /// The session answers with any legal action.
    RandomAction,
    /// A house bot plays the seat on for good.
    HouseBot,
}

impl Clock {
    /// Reads the clock of a request.
    ///
    /// # Errors
    /// The field that is missing, unknown or out of its range, as its path in `tavola.v1.Clock`.
    pub fn from_pb(clock: &pb::Clock) -> Result<Self, Violation> {
        let on_expiry = match pb::ClockExpiry::try_from(clock.on_expiry) {
            Ok(pb::ClockExpiry::Unspecified | pb::ClockExpiry::Forfeit) => OnExpiry::Forfeit,
            Ok(pb::ClockExpiry::RandomAction) => OnExpiry::RandomAction,
            Ok(pb::ClockExpiry::HouseBot) => OnExpiry::HouseBot,
            Err(_) => {
                let allowed = "is unset, CLOCK_EXPIRY_FORFEIT, CLOCK_EXPIRY_RANDOM_ACTION or CLOCK_EXPIRY_HOUSE_BOT";
                return Err(Violation::new("on_expiry", allowed));
            }
        };
        let pace = match &clock.pace {
            Some(PacePb::PerMove(pb::ClockPerMove { time })) => {
                Pace::PerMove(time_from_pb("per_move.time", *time)?)
            }
            Some(PacePb::Bank(pb::ClockBank { bank, increment })) => Pace::Bank {
                bank: time_from_pb("bank.bank", *bank)?,
                increment: match increment {
                    None => Duration::ZERO,
                    Some(increment) => milliseconds(*increment)
                        .filter(|increment| *increment <= INCREMENT_MAX)
                        .ok_or_else(|| {
                            let allowed = "is unset, or 0s to 86400s in whole milliseconds";
                            Violation::new("bank.increment", allowed)
                        })?,
                },
            },
            None => return Err(Violation::new("pace", "is one of per_move, bank")),
        };
        Ok(Self { pace, on_expiry })
    }

    /// Writes the clock, defaults filled in.
    #[must_use]
    pub fn to_pb(self) -> pb::Clock {
        let on_expiry = match self.on_expiry {
            OnExpiry::Forfeit => pb::ClockExpiry::Forfeit,
            OnExpiry::RandomAction => pb::ClockExpiry::RandomAction,
            OnExpiry::HouseBot => pb::ClockExpiry::HouseBot,
        };
        let pace = match self.pace {
            Pace::PerMove(time) => PacePb::PerMove(pb::ClockPerMove {
                time: Some(time_to_pb(time)),
            }),
            Pace::Bank { bank, increment } => PacePb::Bank(pb::ClockBank {
                bank: Some(time_to_pb(bank)),
                increment: Some(time_to_pb(increment)),
            }),
        };
        pb::Clock {
            pace: Some(pace),
            on_expiry: on_expiry.into(),
        }
    }

    /// The time that a seat begins with.
    #[must_use]
    pub const fn first_time(self) -> Duration {
        match self.pace {
            Pace::PerMove(time) | Pace::Bank { bank: time, .. } => time,
        }
    }
}

/// A span of time on the wire.
#[must_use]
pub fn time_to_pb(time: Duration) -> DurationPb {
    DurationPb {
        seconds: i64::try_from(time.as_secs()).unwrap_or(i64::MAX),
        nanos: i32::try_from(time.subsec_nanos()).unwrap_or(0),
    }
}

fn time_from_pb(field: &'static str, time: Option<DurationPb>) -> Result<Duration, Violation> {
    time.and_then(milliseconds)
        .filter(|time| (TIME_MIN..=TIME_MAX).contains(time))
        .ok_or_else(|| Violation::new(field, "is 0.01s to 604800s in whole milliseconds"))
}

/// The same span, if it is none of less than nothing and one of whole milliseconds.
fn milliseconds(time: DurationPb) -> Option<Duration> {
    let nanos = u32::try_from(time.nanos)
        .ok()
        .filter(|nanos| *nanos < 1_000_000_000 && nanos.is_multiple_of(1_000_000))?;
    Some(Duration::new(u64::try_from(time.seconds).ok()?, nanos))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(seconds: i64, nanos: i32) -> Option<DurationPb> {
        Some(DurationPb { seconds, nanos })
    }

    fn per_move(time: Option<DurationPb>) -> pb::Clock {
        pb::Clock {
            pace: Some(PacePb::PerMove(pb::ClockPerMove { time })),
            on_expiry: 0,
        }
    }

    fn bank(bank: Option<DurationPb>, increment: Option<DurationPb>) -> pb::Clock {
        pb::Clock {
            pace: Some(PacePb::Bank(pb::ClockBank { bank, increment })),
            on_expiry: pb::ClockExpiry::HouseBot.into(),
        }
    }

    #[test]
    fn what_is_written_reads_the_same_and_defaults_are_filled_in() {
        for clock in [
            per_move(span(0, 10_000_000)),
            per_move(span(604_800, 0)),
            bank(span(1, 0), None),
            bank(span(300, 0), span(86_400, 0)),
        ] {
            let read = Clock::from_pb(&clock).unwrap();
            assert_ne!(read.to_pb().on_expiry, 0);
            assert_eq!(Clock::from_pb(&read.to_pb()), Ok(read));
        }
        let Ok(Clock { pace, on_expiry }) = Clock::from_pb(&bank(span(1, 0), None)) else {
            unreachable!()
        };
        let increment = Duration::ZERO;
        let bank = Duration::from_secs(1);
        assert_eq!(
            (pace, on_expiry),
            (Pace::Bank { bank, increment }, OnExpiry::HouseBot)
        );
    }

    #[test]
    fn what_is_out_of_range_is_refused_with_its_field() {
        for (clock, field) in [
            (pb::Clock::default(), "pace"),
            (per_move(None), "per_move.time"),
            (per_move(span(0, 9_000_000)), "per_move.time"),
            (per_move(span(604_800, 1_000_000)), "per_move.time"),
            (per_move(span(-1, 0)), "per_move.time"),
            (per_move(span(i64::MAX, i32::MAX)), "per_move.time"),
            (per_move(span(1, -1)), "per_move.time"),
            (per_move(span(1, 1)), "per_move.time"),
            (bank(None, span(1, 0)), "bank.bank"),
            (bank(span(1, 0), span(86_400, 1_000_000)), "bank.increment"),
            (bank(span(1, 0), span(i64::MIN, 0)), "bank.increment"),
        ] {
            assert_eq!(
                Clock::from_pb(&clock).unwrap_err().field,
                field,
                "{clock:?}"
            );
        }
        let unknown = pb::Clock {
            on_expiry: 4,
            ..per_move(span(1, 0))
        };
        assert_eq!(Clock::from_pb(&unknown).unwrap_err().field, "on_expiry");
    }
}
