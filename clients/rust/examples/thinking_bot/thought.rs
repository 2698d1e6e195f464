//! How the bot chooses.

use tavola_client::v1::{LegalAction, Update, action, observation};

use crate::santorini::Position;

/// The id of the action that leads to the best table, by chance among equals.
pub(crate) fn think(update: &Update) -> u32 {
    let table = update
        .observation
        .as_ref()
        .and_then(|observation| observation.game.as_ref());
    let value = |legal: &LegalAction| {
        let action = legal
            .action
            .as_ref()
            .and_then(|action| action.game.as_ref());
        match (table, action) {
            (Some(observation::Game::Santorini(table)), Some(action::Game::Santorini(action))) => {
                Position::after(table, action).value(table, update.seat())
            }
            _ => 0,
        }
    };
    let chance = |_: &_| rand::random::<u64>();
    let best = update
        .legal_actions
        .iter()
        .max_by_key(|legal| (value(legal), chance(legal)));
    best.map(LegalAction::action_id).unwrap_or_default()
}
