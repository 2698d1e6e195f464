//! Sockets and what lies between them and the services: listeners, connections, TLS, browsers.

mod connection;
mod gate;
mod listener;
mod measured;
mod tls;
mod web;

pub use connection::{Connection, ConnectionLimits, Connections};
pub use gate::GateLayer;
pub use listener::{BindError, Incoming, bind};
pub use tls::Tls;
pub use web::WebLayer;
