//! The rulings of section 11, by their numbers.

mod bonus;
mod characters;
mod districts;
mod draft;
mod table;
