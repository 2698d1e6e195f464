//! Messages as bytes: by prost, which writes byte by byte. Each byte of a buffer that may grow costs several of one that
//! may not, so whatever is small is written to the stack first.

use bytes::{BufMut, Bytes};
use prost::{EncodeError, Message};

/// What is small.
const SMALL_BYTES: usize = 1 << 10;

/// A message in bytes of its own.
pub(crate) fn encoded(message: &impl Message) -> Bytes {
    match small(message, &mut [0; SMALL_BYTES]) {
        Some(bytes) => Bytes::copy_from_slice(bytes),
        None => message.encode_to_vec().into(),
    }
}

/// Writes a message at the end of a buffer.
///
/// # Errors
/// If the buffer has not the room for it.
pub(crate) fn encode(message: &impl Message, into: &mut impl BufMut) -> Result<(), EncodeError> {
    let mut on_stack = [0; SMALL_BYTES];
    match small(message, &mut on_stack) {
        Some(bytes) if bytes.len() <= into.remaining_mut() => {
            into.put_slice(bytes);
            Ok(())
        }
        _ => message.encode(into),
    }
}

/// The message, if it is small.
fn small<'a>(message: &impl Message, buffer: &'a mut [u8; SMALL_BYTES]) -> Option<&'a [u8]> {
    let mut rest = &mut buffer[..];
    message.encode(&mut rest).ok()?;
    let length = SMALL_BYTES - rest.len();
    buffer.get(..length)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pb::v1::GetSessionRequest;

    #[test]
    fn messages_of_any_size_are_what_prost_makes_of_them() {
        for size in [0, 1, SMALL_BYTES - 3, SMALL_BYTES - 2, SMALL_BYTES, 5000] {
            let message = GetSessionRequest {
                session_id: "a".repeat(size),
            };
            let expected = message.encode_to_vec();
            assert_eq!(encoded(&message), expected, "{size}");
            let mut bytes = b"before".to_vec();
            encode(&message, &mut bytes).unwrap();
            assert_eq!(bytes, [b"before", &expected[..]].concat(), "{size}");
        }
    }

    #[test]
    fn a_buffer_without_room_is_an_error() {
        let message = GetSessionRequest {
            session_id: "a".repeat(10),
        };
        assert!(encode(&message, &mut &mut [0; 11][..]).is_err());
        assert!(encode(&message, &mut &mut [0; 12][..]).is_ok());
    }
}
