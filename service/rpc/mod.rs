//! The gRPC services: each method reads its request, calls a session or the catalog, and writes the reply.

mod catalog;
mod codec;
mod page;
mod session;
mod short_road;
mod token;

pub use catalog::Catalog;
pub use codec::Codec;
pub use session::Sessions;
pub use short_road::ShortRoad;
