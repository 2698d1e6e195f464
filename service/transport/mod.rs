//! Sockets and what lies between them and the services: listeners, connections, browsers.

mod connection;
mod direct;
mod gate;
mod listener;
mod web;

pub use connection::{Connection, ConnectionLimits, Connections};
pub use direct::DirectLayer;
pub use gate::GateLayer;
pub use listener::{BindError, Incoming, bind};
pub use web::WebLayer;
