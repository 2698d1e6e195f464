//! The house bots, by name.

/// The house bots, which play every game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HouseBot {
    /// Any legal action, each equally likely.
    Random,
    /// The action after which the table looks best.
    Greedy,
}

impl HouseBot {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Random, Self::Greedy];

    /// Its name in the catalog.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Random => "random",
            Self::Greedy => "greedy",
        }
    }

    /// The bot of this name.
    #[must_use]
    pub fn find(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|bot| bot.name() == name)
    }
}
