//! The gods, on the wire.

use tavola_engine::games::santorini::{God, Gods};

use crate::pb::santorini::v1 as game;

/// All that a list of gods may hold, for the catalog.
pub(super) const GOD_NAMES: &[&str] = &[
    "GOD_APOLLO",
    "GOD_ARTEMIS",
    "GOD_ATHENA",
    "GOD_ATLAS",
    "GOD_DEMETER",
    "GOD_HEPHAESTUS",
    "GOD_HERMES",
    "GOD_MINOTAUR",
    "GOD_PAN",
    "GOD_PROMETHEUS",
    "GOD_APHRODITE",
    "GOD_ARES",
    "GOD_BIA",
    "GOD_CHAOS",
    "GOD_CHARON",
    "GOD_CHRONUS",
    "GOD_CIRCE",
    "GOD_DIONYSUS",
    "GOD_EROS",
    "GOD_HERA",
    "GOD_HESTIA",
    "GOD_HYPNUS",
    "GOD_LIMUS",
    "GOD_MEDUSA",
    "GOD_MORPHEUS",
    "GOD_PERSEPHONE",
    "GOD_POSEIDON",
    "GOD_SELENE",
    "GOD_TRITON",
    "GOD_ZEUS",
    "GOD_NONE",
];

/// The god whose card has this number.
pub(super) fn god_from_pb(number: i32) -> Option<God> {
    God::from_index(u8::try_from(number.checked_sub(1)?).ok()?)
}

pub(super) fn god_to_pb(god: God) -> game::God {
    match god {
        God::Apollo => game::God::Apollo,
        God::Artemis => game::God::Artemis,
        God::Athena => game::God::Athena,
        God::Atlas => game::God::Atlas,
        God::Demeter => game::God::Demeter,
        God::Hephaestus => game::God::Hephaestus,
        God::Hermes => game::God::Hermes,
        God::Minotaur => game::God::Minotaur,
        God::Pan => game::God::Pan,
        God::Prometheus => game::God::Prometheus,
        God::Aphrodite => game::God::Aphrodite,
        God::Ares => game::God::Ares,
        God::Bia => game::God::Bia,
        God::Chaos => game::God::Chaos,
        God::Charon => game::God::Charon,
        God::Chronus => game::God::Chronus,
        God::Circe => game::God::Circe,
        God::Dionysus => game::God::Dionysus,
        God::Eros => game::God::Eros,
        God::Hera => game::God::Hera,
        God::Hestia => game::God::Hestia,
        God::Hypnus => game::God::Hypnus,
        God::Limus => game::God::Limus,
        God::Medusa => game::God::Medusa,
        God::Morpheus => game::God::Morpheus,
        God::Persephone => game::God::Persephone,
        God::Poseidon => game::God::Poseidon,
        God::Selene => game::God::Selene,
        God::Triton => game::God::Triton,
        God::Zeus => game::God::Zeus,
    }
}

pub(super) fn gods_to_pb(gods: Gods) -> Vec<i32> {
    gods.iter().map(|god| god_to_pb(god).into()).collect()
}
