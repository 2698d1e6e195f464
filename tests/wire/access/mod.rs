//! Who may do what: API keys, private sessions, request ids, tokens, TLS.

mod files;
mod keys;
mod private;
mod requests;
mod tls;
mod tokens;
