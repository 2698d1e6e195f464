//! The cards of the three decks (section 9).

use serde::Deserialize;

use super::tables::{CardFacts, HermitFacts, TABLES};

/// One of the two decks whose cards are played face up.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Color {
    /// The White deck.
    White,
    /// The Black deck.
    Black,
}

/// A deck to draw from.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Deck {
    /// The Hermit deck: its cards are seen by giver and receiver only.
    Hermit,
    /// The White deck.
    White,
    /// The Black deck.
    Black,
}

impl Deck {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Hermit, Self::White, Self::Black];

    /// The color of its cards; the Hermit's have none.
    pub const fn color(self) -> Option<Color> {
        match self {
            Self::Hermit => None,
            Self::White => Some(Color::White),
            Self::Black => Some(Color::Black),
        }
    }

    /// The name on the backs of its cards.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Hermit => "Hermit",
            Self::White => "White",
            Self::Black => "Black",
        }
    }
}

/// An equipment card: each exists once. The first six are White, the others Black.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Equipment {
    /// Two rolls to move.
    MysticCompass,
    /// No damage from Spider, Bat and Dynamite.
    Talisman,
    /// No damage from the Weird Woods.
    FortuneBrooch,
    /// Takes all equipment of whom its owner kills by attack.
    SilverRosary,
    /// 2 more damage for a revealed Hunter.
    SpearOfLonginus,
    /// 1 damage less, given and taken, in attacks.
    HolyRobe,
    /// Attacks roll the d4 only, and must be made.
    Masamune,
    /// An attack hits everybody in range.
    MachineGun,
    /// The range is everything but the own pair.
    Handgun,
    /// 1 more damage.
    ButcherKnife,
    /// 1 more damage.
    Chainsaw,
    /// 1 more damage.
    RustedBroadAxe,
}

impl Equipment {
    /// How many there are.
    pub const COUNT: u8 = 12;

    /// All of them, in order.
    pub const ALL: [Self; Self::COUNT as usize] = [
        Self::MysticCompass,
        Self::Talisman,
        Self::FortuneBrooch,
        Self::SilverRosary,
        Self::SpearOfLonginus,
        Self::HolyRobe,
        Self::Masamune,
        Self::MachineGun,
        Self::Handgun,
        Self::ButcherKnife,
        Self::Chainsaw,
        Self::RustedBroadAxe,
    ];

    /// Its number, 0 to 11.
    pub const fn index(self) -> u8 {
        self as u8
    }

    /// The card of this number.
    pub fn from_index(index: u8) -> Option<Self> {
        Self::ALL.get(usize::from(index)).copied()
    }

    /// The deck it belongs to.
    pub const fn color(self) -> Color {
        if (self as u8) < 6 {
            Color::White
        } else {
            Color::Black
        }
    }

    /// What is printed on the card.
    pub fn facts(self) -> &'static CardFacts {
        Card::Equipment(self).facts()
    }

    /// The printed name.
    pub fn name(self) -> &'static str {
        &self.facts().name
    }
}

/// A single-use card. The first nine are White, the others Black.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SingleUse {
    /// A Hunter may reveal and heal all.
    Advent,
    /// A Shadow other than Unknown must reveal.
    DisenchantMirror,
    /// Another character heals a d6.
    Blessing,
    /// One of six characters may reveal and heal all.
    Chocolate,
    /// Another turn after this one.
    ConcealedKnowledge,
    /// No damage from attacks until the next own turn.
    GuardianAngel,
    /// 2 damage to everybody else.
    FlareOfJudgement,
    /// A character's damage is set to 7.
    FirstAid,
    /// Heals 2.
    HolyWaterOfHealing,
    /// Takes an equipment card.
    MoodyGoblin,
    /// 2 damage to another character and to its user.
    BloodthirstySpider,
    /// 2 damage to another character, its user heals 1.
    VampireBat,
    /// A Shadow may reveal and heal all.
    DiabolicRitual,
    /// Gives an equipment card away, or takes 1 damage.
    BananaPeel,
    /// 3 damage in the area that is rolled.
    Dynamite,
    /// 3 damage to another character, or to its user.
    SpiritualDoll,
}

impl SingleUse {
    /// All of them, in order.
    pub const ALL: [Self; 16] = [
        Self::Advent,
        Self::DisenchantMirror,
        Self::Blessing,
        Self::Chocolate,
        Self::ConcealedKnowledge,
        Self::GuardianAngel,
        Self::FlareOfJudgement,
        Self::FirstAid,
        Self::HolyWaterOfHealing,
        Self::MoodyGoblin,
        Self::BloodthirstySpider,
        Self::VampireBat,
        Self::DiabolicRitual,
        Self::BananaPeel,
        Self::Dynamite,
        Self::SpiritualDoll,
    ];

    /// The deck it belongs to.
    pub const fn color(self) -> Color {
        if (self as u8) < 9 {
            Color::White
        } else {
            Color::Black
        }
    }

    /// What is printed on the card.
    pub fn facts(self) -> &'static CardFacts {
        Card::SingleUse(self).facts()
    }
}

/// A White or Black card.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Deserialize)]
#[serde(untagged)]
pub enum Card {
    /// Stays with its owner.
    Equipment(Equipment),
    /// Is discarded after its effect.
    SingleUse(SingleUse),
}

impl Card {
    /// How many different ones there are.
    pub const COUNT: u8 = 28;

    /// Its number: equipment 0 to 11, single-use cards 12 to 27.
    pub const fn index(self) -> u8 {
        match self {
            Self::Equipment(card) => card as u8,
            Self::SingleUse(card) => Equipment::COUNT + card as u8,
        }
    }

    /// The deck it belongs to.
    pub const fn color(self) -> Color {
        match self {
            Self::Equipment(card) => card.color(),
            Self::SingleUse(card) => card.color(),
        }
    }

    /// The equipment that it is, if it is one.
    pub const fn equipment(self) -> Option<Equipment> {
        match self {
            Self::Equipment(card) => Some(card),
            Self::SingleUse(_) => None,
        }
    }

    /// What is printed on the card.
    pub fn facts(self) -> &'static CardFacts {
        &TABLES.cards[usize::from(self.index())]
    }
}

/// A Hermit card.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Deserialize)]
pub enum HermitCard {
    /// A Hunter heals 1, or takes 1 damage if unhurt.
    #[serde(rename = "hermits_aid")]
    Aid,
    /// A Shadow heals 1, or takes 1 damage if unhurt.
    #[serde(rename = "hermits_huddle")]
    Huddle,
    /// A Neutral heals 1, or takes 1 damage if unhurt.
    #[serde(rename = "hermits_nurturance")]
    Nurturance,
    /// A Hunter or Shadow gives equipment or takes 1 damage.
    #[serde(rename = "hermits_anger")]
    Anger,
    /// A Hunter or Neutral gives equipment or takes 1 damage.
    #[serde(rename = "hermits_blackmail")]
    Blackmail,
    /// A Shadow or Neutral gives equipment or takes 1 damage.
    #[serde(rename = "hermits_greed")]
    Greed,
    /// A Hunter takes 1 damage.
    #[serde(rename = "hermits_slap")]
    Slap,
    /// A Shadow takes 1 damage.
    #[serde(rename = "hermits_spell")]
    Spell,
    /// A Shadow takes 2 damage.
    #[serde(rename = "hermits_exorcism")]
    Exorcism,
    /// Who has 11 hit points or less takes 1 damage.
    #[serde(rename = "hermits_bully")]
    Bully,
    /// Who has 12 hit points or more takes 2 damage.
    #[serde(rename = "hermits_tough_lesson")]
    ToughLesson,
    /// Shows the character card to the giver.
    #[serde(rename = "hermits_prediction")]
    Prediction,
}

impl HermitCard {
    /// All of them, in order.
    pub const ALL: [Self; 12] = [
        Self::Aid,
        Self::Huddle,
        Self::Nurturance,
        Self::Anger,
        Self::Blackmail,
        Self::Greed,
        Self::Slap,
        Self::Spell,
        Self::Exorcism,
        Self::Bully,
        Self::ToughLesson,
        Self::Prediction,
    ];

    /// What is printed on the card.
    pub fn facts(self) -> &'static HermitFacts {
        &TABLES.hermit[self as usize]
    }

    /// The printed name.
    pub fn name(self) -> &'static str {
        &self.facts().name
    }
}
