//! The server seen from outside: what it counts, what it logs, and how it says it is.

mod health;
mod logs;
mod metrics;
