//! Sockets and what lies between them and the services: listeners, connections, TLS, HTTP, floods, replies that nobody
//! reads, browsers.

mod begin;
mod connection;
mod direct;
mod frames;
mod gate;
mod keepalive;
mod line;
mod listener;
mod measured;
mod patience;
mod serving;
mod tls;
mod unread;
mod web;

pub use connection::{Connection, ConnectionLimits, Connections};
pub use direct::DirectLayer;
pub use gate::GateLayer;
pub use line::Line;
pub use listener::{BindError, Incoming, bind};
pub use serving::Http;
pub use tls::Tls;
pub use unread::UnreadReplies;
pub use web::WebLayer;
