//! How messages become bytes and back: by prost, in buffers of the size that messages have here.

use std::{fmt, marker::PhantomData};

use prost::Message;
use tonic::{
    Status,
    codec::{self, BufferSettings, EncodeBuf},
};
use tonic_prost::ProstDecoder;

use crate::encoding;

/// Bytes that a call's buffers begin with; they grow for whoever needs more. Few calls do, and the 8 KiB that tonic
/// begins with cost more than all the rest of a short call's memory.
const BUFFER_BYTES: usize = 1 << 10;

/// Bytes of a stream that are gathered before they are sent, at most, when more is ready: tonic's own.
const GATHERED_BYTES: usize = 32 << 10;

/// The codec of every generated service and client: it encodes `T` and decodes `U`.
pub struct Codec<T, U>(PhantomData<fn(T) -> U>);

impl<T, U> Default for Codec<T, U> {
    fn default() -> Self {
        Self(PhantomData)
    }
}

impl<T, U> fmt::Debug for Codec<T, U> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Codec")
    }
}

impl<T, U> codec::Codec for Codec<T, U>
where
    T: Message + Send + 'static,
    U: Message + Default + Send + 'static,
{
    type Encode = T;
    type Decode = U;
    type Encoder = Encoder<T>;
    type Decoder = ProstDecoder<U>;

    fn encoder(&mut self) -> Self::Encoder {
        Encoder(PhantomData)
    }

    fn decoder(&mut self) -> Self::Decoder {
        ProstDecoder::new(buffers())
    }
}

/// Encodes a `T`.
pub struct Encoder<T>(PhantomData<fn(T)>);

impl<T> fmt::Debug for Encoder<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Encoder")
    }
}

impl<T: Message> codec::Encoder for Encoder<T> {
    type Item = T;
    type Error = Status;

    fn encode(&mut self, message: T, into: &mut EncodeBuf<'_>) -> Result<(), Status> {
        encoding::encode(&message, into).map_err(|error| Status::internal(error.to_string()))
    }

    fn buffer_settings(&self) -> BufferSettings {
        buffers()
    }
}

fn buffers() -> BufferSettings {
    BufferSettings::new(BUFFER_BYTES, GATHERED_BYTES)
}
