//! How long a client says that it waits.

use std::time::Duration;

use http::{HeaderMap, HeaderName};

static GRPC_TIMEOUT: HeaderName = HeaderName::from_static("grpc-timeout");

/// Digits of a timeout, at most.
const DIGITS_MAX: usize = 8;

/// The time that the client of a call gives it, as `grpc-timeout` says: some digits and a unit. What is not of this form
/// is ignored, as gRPC wants it.
pub(super) fn patience(headers: &HeaderMap) -> Option<Duration> {
    let (unit, digits) = headers.get(&GRPC_TIMEOUT)?.as_bytes().split_last()?;
    if digits.is_empty() || digits.len() > DIGITS_MAX || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let number = digits
        .iter()
        .fold(0, |number, digit| number * 10 + u64::from(digit - b'0'));
    match unit {
        b'H' => Some(Duration::from_secs(number * 60 * 60)),
        b'M' => Some(Duration::from_secs(number * 60)),
        b'S' => Some(Duration::from_secs(number)),
        b'm' => Some(Duration::from_millis(number)),
        b'u' => Some(Duration::from_micros(number)),
        b'n' => Some(Duration::from_nanos(number)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    fn read(text: &str) -> Option<Duration> {
        let value = HeaderValue::from_bytes(text.as_bytes()).unwrap();
        patience(&HeaderMap::from_iter([(GRPC_TIMEOUT.clone(), value)]))
    }

    #[test]
    fn every_unit_is_read() {
        for (text, nanos) in [
            ("2H", 7_200_000_000_000),
            ("3M", 180_000_000_000),
            ("4S", 4_000_000_000),
            ("5m", 5_000_000),
            ("6u", 6_000),
            ("0n", 0),
            ("99999999H", 359_999_996_400_000_000_000),
        ] {
            assert_eq!(
                read(text).map(|time| time.as_nanos()),
                Some(nanos),
                "{text}"
            );
        }
    }

    #[test]
    fn anything_else_is_ignored() {
        assert_eq!(patience(&HeaderMap::new()), None);
        for text in [
            "",
            "S",
            "1",
            "1d",
            "-1S",
            "+1S",
            "1.5S",
            "1 S",
            "999999999H",
            "é",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
