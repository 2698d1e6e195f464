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

/// A small message as gRPC sends it: not compressed, after its length.
pub(crate) fn framed(message: &impl Message) -> Option<Bytes> {
    let mut frame = [0; 1 + size_of::<u32>() + SMALL_BYTES];
    let (head, room) = frame.split_at_mut(1 + size_of::<u32>());
    let length = small(message, room)?.len();
    head[1..].copy_from_slice(&u32::try_from(length).ok()?.to_be_bytes());
    let whole = head.len() + length;
    Some(Bytes::copy_from_slice(&frame[..whole]))
}

/// The message, if there is the room for it.
fn small<'a>(message: &impl Message, room: &'a mut [u8]) -> Option<&'a [u8]> {
    let mut rest = &mut *room;
    message.encode(&mut rest).ok()?;
    let left = rest.len();
    let length = room.len() - left;
    room.get(..length)
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
            let framed = framed(&message);
            assert_eq!(framed.is_some(), expected.len() <= SMALL_BYTES, "{size}");
            if let Some(framed) = framed {
                let (head, rest) = framed.split_at(5);
                let length = u32::try_from(expected.len()).unwrap();
                assert_eq!((head[0], &head[1..]), (0, &length.to_be_bytes()[..]));
                assert_eq!(rest, expected);
            }
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
