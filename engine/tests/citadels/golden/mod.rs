//! The golden scenarios of section 12, by their numbers.

mod bonus_characters;
mod bonus_districts;
mod borders;
mod characters;
mod draft;
mod scoring;
