//! The rules of Tavola's games: pure, exact and reproducible.
