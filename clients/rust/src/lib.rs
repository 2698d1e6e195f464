//! Plays board games on a Tavola server.
//!
//! ```no_run
//! # async fn example(session_id: &str) -> Result<(), tavola_client::Error> {
//! use tavola_client::Client;
//!
//! let client = Client::connect("localhost:50051").await?;
//! let seat = client.join(session_id).await?;
//! let outcome = seat.play(|update| update.legal_actions[0].action_id()).await?;
//! println!("won by {:?}", outcome.winners);
//! # Ok(())
//! # }
//! ```
//!
//! It is thin: it adds tokens, deadlines and typed errors to the calls of the contract, and [`Seat::play`] and [`Updates`]
//! come back after a broken connection. The messages are in [`v1`] and, per game, in [`santorini::v1`] and its
//! neighbors; their documentation is that of the contract. What has no method here goes through the stubs:
//!
//! ```no_run
//! # use tavola_client::{Client, Error, Seat, v1::GetStateRequest};
//! # async fn example(client: Client, seat: Seat) -> Result<(), Error> {
//! let request = GetStateRequest { session_id: seat.session_id().to_owned() };
//! let state = client.sessions().get_state(seat.token().authorize(request)).await?;
//! # Ok(())
//! # }
//! ```
//!
//! # Errors
//!
//! A refused or failed call returns an [`Error`], which says the status code, the reason, and the fields that are wrong.
//! The stubs return a [`tonic::Status`], of which it can be made.
//!
//! ```no_run
//! # use tavola_client::{Client, Error, v1::ErrorReason};
//! # async fn example(client: Client) -> Result<(), Error> {
//! match client.join("somewhere").await {
//!     Err(error) if error.reason() == Some(ErrorReason::SessionFull) => println!("too late"),
//!     Err(error) => return Err(error),
//!     Ok(seat) => println!("seat {}", seat.number()),
//! }
//! # Ok(())
//! # }
//! ```
//!
//! # Repeating
//!
//! While the server cannot be reached, what is safe to repeat is repeated, with longer and longer pauses, for as long as
//! [`Builder::patience`] says:
//!
//! - reading, and the streams of [`Updates`], which resume after the last update that came;
//! - [`Seat::submit`]: the answer to a decision counts once, however often it is given;
//! - [`Client::create`], [`Client::join`] and [`Host::add_bot`] if the request has a `request_id`: see [`request_id`].
//!
//! Nothing else is.
//!
//! # Features
//!
//! - `tls`: encrypted connections, see [`Builder::connect`];
//! - `server`: the traits of the services, for a table of one's own in tests.
//!
//! The futures of this crate need a runtime of Tokio. One that is dropped ends what it does; a call may have had its
//! effect.

mod call;
mod client;
mod connect;
mod error;
mod generated;
mod host;
mod patience;
mod seat;
mod token;
mod updates;
mod viewer;

pub use prost_types;
pub use tonic;

pub use client::Client;
pub use connect::{ApiKey, Builder, Transport};
pub use error::{Error, Violation};
pub use generated::tavola::{
    citadels, council_of_shadows, santorini, shadow_hunters, under_falling_skies, v1,
};
pub use host::Host;
pub use seat::{Answer, Seat};
pub use token::{Token, request_id};
pub use updates::Updates;
pub use viewer::Viewer;

/// The examples of the README compile.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
