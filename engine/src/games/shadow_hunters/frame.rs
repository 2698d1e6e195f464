//! What is going on: a small stack of frames, all of it public. The top one says what happens next.

use super::area::Areas;
use super::card::SingleUse;
use crate::seat::{SEATS_MAX, Seat, SeatSet};

/// Something that is under way.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Frame {
    /// 6.2: one Hermit card goes round the table.
    Opening {
        /// How many players have resolved it.
        answered: u8,
    },
    /// 6.1: the active player's turn.
    Turn(Step),
    /// 5.2: the players are gone through one after another.
    Window(Window),
    /// Section 10.
    Attack(Attack),
    /// Section 11.
    Deaths(Deaths),
    /// A player is to choose, if he has a choice.
    Ask(Ask),
}

/// The steps of a turn (6.1): the one that comes next.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Step {
    /// T0 and T1.
    Begin,
    /// T2: `window_start`.
    StartWindow,
    /// T3.
    Movement,
    /// T4.
    Area,
    /// T5.
    Attack,
    /// T6: `window_end`.
    EndWindow,
    /// T7: the next turn.
    End,
}

/// A window in progress.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Window {
    /// Which.
    pub kind: WindowKind,
    /// Who comes next, counted clockwise from the active player.
    pub next: u8,
}

/// The windows that go round the table.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum WindowKind {
    /// Before the turn's movement.
    Start,
    /// After an attack was declared, before its dice.
    Attack {
        /// Who attacks.
        attacker: Seat,
        /// Whom.
        targets: SeatSet,
    },
}

/// A question to a seat.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Ask {
    /// Who decides.
    pub seat: Seat,
    /// What he decides.
    pub question: Question,
}

/// The kinds of decisions with their public context (7.1).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Question {
    /// Before the movement of a turn: reveal, use an ability, or pass.
    WindowStart,
    /// After an attack was declared: reveal, use an ability, or pass.
    WindowAttack {
        /// Who attacks.
        attacker: Seat,
        /// Whom.
        targets: SeatSet,
    },
    /// At the end of the own turn: use an ability, or pass.
    WindowEnd,
    /// How to move.
    MoveChoice,
    /// Where to.
    ChooseDestination {
        /// The first roll.
        roll: Dice,
        /// The second one, for who has the Mystic Compass.
        second: Option<Dice>,
        /// Where the dice lead.
        areas: Areas,
    },
    /// Whether and how to use the own area.
    AreaChoice,
    /// To whom to give the Hermit card that was drawn.
    GiveHermit,
    /// How to answer a Hermit card.
    HermitRespond {
        /// Who gave it.
        giver: Seat,
    },
    /// Advent, Chocolate, Diabolic Ritual: whether to reveal and heal.
    Accept {
        /// The card.
        card: SingleUse,
    },
    /// On whom the card is played.
    CardTarget {
        /// The card.
        card: SingleUse,
    },
    /// Moody Goblin: which equipment to take.
    StealByGoblin,
    /// Banana Peel: which equipment to give, and to whom.
    GiveCard,
    /// Whom to attack, if anybody.
    AttackChoice,
    /// Whether to reveal for the Spear of Longinus.
    SpearReveal {
        /// Who is attacked.
        targets: SeatSet,
        /// The dice.
        roll: AttackRoll,
    },
    /// Whether to rob instead of giving damage.
    Rob {
        /// Who is attacked.
        target: Seat,
        /// The damage it would get.
        damage: u8,
    },
    /// Whether to reveal for Suck Blood.
    SuckBlood {
        /// How many characters got damage.
        damaged: u8,
    },
    /// Whether to reveal and take everything.
    TakeAll {
        /// Who was killed.
        victim: Seat,
    },
    /// Which card to take.
    Loot {
        /// Who was killed.
        victim: Seat,
    },
    /// Whether to attack the attacker.
    Counterattack {
        /// Who attacked.
        attacker: Seat,
    },
    /// Whether to attack again.
    Feast {
        /// The survivors of the attack.
        targets: SeatSet,
    },
}

/// A throw of both dice.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Dice {
    /// The six-sided one.
    pub d6: u8,
    /// The four-sided one.
    pub d4: u8,
}

impl Dice {
    /// The sum, 2 to 10.
    pub const fn total(self) -> u8 {
        self.d6 + self.d4
    }
}

/// The dice of an attack.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct AttackRoll {
    /// The six-sided die; `None` where only the d4 is rolled.
    pub d6: Option<u8>,
    /// The four-sided die.
    pub d4: u8,
}

impl AttackRoll {
    /// The damage before bonuses: the difference of the dice, or the d4 alone. 0 is a failure.
    pub const fn base(self) -> u8 {
        match self.d6 {
            Some(d6) => d6.abs_diff(self.d4),
            None => self.d4,
        }
    }
}

/// An attack in progress (section 10).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Attack {
    /// Who attacks.
    pub attacker: Seat,
    /// Whom: fixed when the attack was declared.
    pub targets: SeatSet,
    /// Whether it is the Werewolf's answer to another attack.
    pub counter: bool,
    /// What comes next.
    pub step: AttackStep,
    /// The dice, once rolled.
    pub roll: Option<AttackRoll>,
    /// The final damage per seat, once fixed.
    pub damage: [u8; SEATS_MAX as usize],
    /// Whom Bob robbed: they get no damage.
    pub robbed: SeatSet,
    /// How many characters got 1 damage or more.
    pub damaged: u8,
    /// The targets who still have to be gone through in the present step.
    pub left: SeatSet,
}

/// The steps of an attack, in order; see the file `attack.rs`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum AttackStep {
    /// Reveals and abilities before the dice.
    Window,
    /// The dice.
    Roll,
    /// A hidden Hunter's Spear.
    Spear,
    /// The damage is fixed.
    Fix,
    /// Bob robs.
    Rob,
    /// The damage is given.
    Deal,
    /// The Vampire heals.
    SuckBlood,
    /// Deaths and loot.
    Deaths,
    /// Who was attacked may strike back.
    Counterattack,
    /// Charles may attack again.
    Feast,
    /// Nothing is left.
    Done,
}

/// Deaths being resolved (section 11).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Deaths {
    /// Whose effect gave the damage.
    pub owner: Seat,
    /// Whether that was an attack of his.
    pub by_attack: bool,
    /// Whether he owned the Silver Rosary when the damage was given.
    pub rosary: bool,
    /// Who died; `None` before that was looked at.
    pub killed: Option<SeatSet>,
    /// Who of them still has to be looted.
    pub left: SeatSet,
}
