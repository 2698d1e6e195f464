//! The gRPC services: each method reads its request, calls a session or the catalog, and writes the reply.

mod catalog;
mod codec;
mod page;
mod session;
mod token;

pub use catalog::Catalog;
pub use codec::Codec;
pub use session::Sessions;
