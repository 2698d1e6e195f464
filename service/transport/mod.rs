//! Sockets and what lies between them and the services: listeners, connections, TLS, floods, replies that nobody
//! reads, browsers.

mod connection;
mod direct;
mod frames;
mod gate;
mod line;
mod listener;
mod measured;
mod tls;
mod unread;
mod web;

pub use connection::{Connection, ConnectionLimits, Connections};
pub use direct::DirectLayer;
pub use gate::GateLayer;
pub use line::Line;
pub use listener::{BindError, Incoming, bind};
pub use tls::Tls;
pub use unread::UnreadLayer;
pub use web::WebLayer;
