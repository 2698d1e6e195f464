//! The rulings of section 11, by their numbers, and every card of sections 7 and 8, by its name.

mod bonus;
mod bonus_powers;
mod characters;
mod districts;
mod draft;
mod powers;
mod purple;
mod table;
