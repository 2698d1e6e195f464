//! The hooks: the points of a turn at which gods may change something, as the table of section 6 has
//! them.

use crate::games::santorini::god::{God, Gods};

/// A point of the turn, and behind it the gods that change something there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::games::santorini) enum Hook {
    OwnTurnStart,
    OppTurnStart,
    OppTurnFilter,
    PreMove,
    MoveTargets,
    OppMoveFilter,
    AfterMove,
    ExtraMove,
    ZeroMove,
    WinCheckMove,
    WinVetoMove,
    BuildOptions,
    BuildCount,
    OppBuildFilter,
    ExtraBuild,
    AfterBuild,
    AfterDome,
    WinCheckState,
    TurnEnd,
}

impl Hook {
    /// The gods that are asked here; the others have nothing to say.
    #[inline]
    pub(in crate::games::santorini) const fn gods(self) -> Gods {
        use God::*;
        match self {
            Self::OwnTurnStart => Gods::of(&[Athena, Circe, Morpheus]),
            Self::OppTurnStart => Gods::of(&[Aphrodite, Hypnus]),
            Self::OppTurnFilter => Gods::of(&[Persephone]),
            Self::PreMove => Gods::of(&[Prometheus, Charon]),
            Self::MoveTargets => Gods::of(&[Apollo, Minotaur]),
            Self::OppMoveFilter => Gods::of(&[Athena, Aphrodite, Hypnus]),
            Self::AfterMove => Gods::of(&[Athena, Bia]),
            Self::ExtraMove => Gods::of(&[Artemis, Hermes, Triton]),
            Self::ZeroMove => Gods::of(&[Hermes]),
            Self::WinCheckMove => Gods::of(&[Pan, Eros]),
            Self::WinVetoMove => Gods::of(&[Hera]),
            // With `builder_choice`.
            Self::BuildOptions => Gods::of(&[Atlas, Hermes, Selene, Zeus]),
            Self::BuildCount => Gods::of(&[Morpheus]),
            Self::OppBuildFilter => Gods::of(&[Limus]),
            Self::ExtraBuild => Gods::of(&[Demeter, Hephaestus, Hestia]),
            Self::AfterBuild => Gods::of(&[Dionysus, Morpheus]),
            Self::AfterDome => Gods::of(&[Chaos]),
            Self::WinCheckState => Gods::of(&[Chronus]),
            Self::TurnEnd => Gods::of(&[Ares, Medusa, Poseidon]),
        }
    }
}
