//! Compiles `proto/` to Rust, and to the descriptor set that reflection serves.

use std::{env, fs, path::PathBuf};

use prost::Message as _;
use prost_types::{FileDescriptorSet, field_descriptor_proto::Type};

/// Streamed messages whose field `update` is generated as bytes. An update is encoded once for all who watch alike;
/// on the wire a field that holds a message and one that holds its bytes are the same.
const SHARED_UPDATES: [&str; 2] = ["WatchSessionResponse", "PlayResponse"];

/// Where a message holds the one of five that is its game's: on the heap, or each would be as large as the largest.
const LARGE_GAMES: [&str; 2] = [".tavola.v1.Observation.game", ".tavola.v1.State.game"];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("cargo:rerun-if-changed=proto");
    let mut descriptors = protox::compile(
        [
            "tavola/v1/catalog_service.proto",
            "tavola/v1/session_service.proto",
        ],
        ["proto"],
    )?;
    let out = PathBuf::from(env::var("OUT_DIR")?);
    fs::write(out.join("descriptors.bin"), descriptors.encode_to_vec())?;
    share_updates(&mut descriptors);
    LARGE_GAMES
        .iter()
        .fold(tonic_prost_build::configure(), |builder, path| {
            builder.boxed(path)
        })
        .bytes(".")
        .codec_path("crate::rpc::Codec")
        .include_file("pb.rs")
        .compile_fds(descriptors)?;
    Ok(())
}

fn share_updates(descriptors: &mut FileDescriptorSet) {
    let messages = descriptors
        .file
        .iter_mut()
        .flat_map(|file| &mut file.message_type);
    for message in messages.filter(|message| SHARED_UPDATES.contains(&message.name())) {
        for field in message
            .field
            .iter_mut()
            .filter(|field| field.name() == "update")
        {
            field.set_type(Type::Bytes);
            field.type_name = None;
            field.proto3_optional = Some(true);
        }
    }
}
