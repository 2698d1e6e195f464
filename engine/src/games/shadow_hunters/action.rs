//! What a player can do (section 7), and the stable numbers of it.

use std::fmt;

use super::area::Area;
use super::card::{Deck, Equipment};
use crate::action::{ActionId, Block};
use crate::seat::{SEATS_MAX, Seat};

/// One answer to a decision. A seat or card is named by what is on the table; which are legal
/// depends on the decision.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Action {
    /// Does nothing: in windows and where a question exists for what a hidden player might be.
    Pass,
    /// Shows the own character (5.1).
    Reveal,
    /// Uses an ability that needs no choice: Allie, Agnes, Gregor, Wight.
    UseAbility,
    /// Uses an ability on a character: Ellen, Franklin, Fu-ka, George, Ultra Soul.
    UseAbilityOn {
        /// On whom.
        player: Seat,
    },
    /// Grave Digger: David takes a card from a discard pile.
    DigUp {
        /// Which.
        card: Equipment,
    },
    /// Rolls the dice to move.
    RollMove,
    /// Emi moves to an adjacent slot.
    Teleport {
        /// The area there.
        area: Area,
    },
    /// Moves to an area that the dice allow.
    ChooseDestination {
        /// Which.
        area: Area,
    },
    /// Draws a card, as the own area allows.
    Draw {
        /// From which deck.
        deck: Deck,
    },
    /// Weird Woods: gives 2 damage to a character.
    WoodsDamage {
        /// To whom.
        player: Seat,
    },
    /// Weird Woods: heals 1 damage of a character.
    WoodsHeal {
        /// Of whom.
        player: Seat,
    },
    /// Takes an equipment card: at the Erstwhile Altar, or by Moody Goblin.
    Steal {
        /// From whom.
        player: Seat,
        /// Which.
        card: Equipment,
    },
    /// Leaves the area unused.
    SkipArea,
    /// Gives the Hermit card that was drawn.
    GiveHermit {
        /// To whom.
        player: Seat,
    },
    /// Answers a Hermit card: nothing happens.
    AnswerNothing,
    /// Answers a Hermit card: takes the damage.
    AnswerTakeDamage,
    /// Answers a Hermit card: heals.
    AnswerHeal,
    /// Answers a Hermit card: gives equipment to the giver.
    AnswerGive {
        /// Which.
        card: Equipment,
    },
    /// Answers a Hermit card: shows the character card to the giver.
    AnswerShow,
    /// Chooses on whom a card is played: Blessing, Vampire Bat, Bloodthirsty Spider, Spiritual
    /// Doll, First Aid.
    CardTarget {
        /// Whom.
        player: Seat,
    },
    /// Advent, Chocolate, Diabolic Ritual: reveals if hidden, and heals all.
    Accept,
    /// Banana Peel: gives equipment away.
    GiveCard {
        /// Which.
        card: Equipment,
        /// To whom.
        player: Seat,
    },
    /// Attacks a character in range.
    Attack {
        /// Whom.
        player: Seat,
    },
    /// Machine Gun: attacks everybody in range.
    AttackAll,
    /// Doesn't attack.
    DeclineAttack,
    /// Spear of Longinus: a hidden Hunter reveals for 2 more damage.
    SpearReveal,
    /// Robbery with 4 to 6 players: takes a card instead of giving damage.
    Rob {
        /// Which.
        card: Equipment,
    },
    /// Gives the damage and robs nothing.
    DealDamage,
    /// A hidden Vampire reveals and heals.
    SuckBlood,
    /// Robbery with 7 or 8 players: a hidden Bob reveals and takes all equipment of whom he killed.
    TakeAll,
    /// Takes one card of whom one killed.
    Loot {
        /// Which.
        card: Equipment,
    },
    /// The Werewolf attacks his attacker.
    Counterattack,
    /// Bloody Feast: Charles takes 2 damage and attacks again.
    Feast {
        /// Whom.
        player: Seat,
    },
}

const SEATS: u32 = SEATS_MAX as u32;
const CARDS: u32 = Equipment::COUNT as u32;
const AREAS: u32 = Area::COUNT as u32;
const DECKS: u32 = Deck::ALL.len() as u32;

// New blocks are appended; numbers never change.
const PASS: Block = Block::first(1);
const REVEAL: Block = PASS.then(1);
const USE_ABILITY: Block = REVEAL.then(1);
const USE_ABILITY_ON: Block = USE_ABILITY.then(SEATS);
const DIG_UP: Block = USE_ABILITY_ON.then(CARDS);
const ROLL_MOVE: Block = DIG_UP.then(1);
const TELEPORT: Block = ROLL_MOVE.then(AREAS);
const CHOOSE_DESTINATION: Block = TELEPORT.then(AREAS);
const DRAW: Block = CHOOSE_DESTINATION.then(DECKS);
const WOODS_DAMAGE: Block = DRAW.then(SEATS);
const WOODS_HEAL: Block = WOODS_DAMAGE.then(SEATS);
const STEAL: Block = WOODS_HEAL.then(SEATS * CARDS);
const SKIP_AREA: Block = STEAL.then(1);
const GIVE_HERMIT: Block = SKIP_AREA.then(SEATS);
const ANSWER_NOTHING: Block = GIVE_HERMIT.then(1);
const ANSWER_TAKE_DAMAGE: Block = ANSWER_NOTHING.then(1);
const ANSWER_HEAL: Block = ANSWER_TAKE_DAMAGE.then(1);
const ANSWER_GIVE: Block = ANSWER_HEAL.then(CARDS);
const ANSWER_SHOW: Block = ANSWER_GIVE.then(1);
const CARD_TARGET: Block = ANSWER_SHOW.then(SEATS);
const ACCEPT: Block = CARD_TARGET.then(1);
const GIVE_CARD: Block = ACCEPT.then(CARDS * SEATS);
const ATTACK: Block = GIVE_CARD.then(SEATS);
const ATTACK_ALL: Block = ATTACK.then(1);
const DECLINE_ATTACK: Block = ATTACK_ALL.then(1);
const SPEAR_REVEAL: Block = DECLINE_ATTACK.then(1);
const ROB: Block = SPEAR_REVEAL.then(CARDS);
const DEAL_DAMAGE: Block = ROB.then(1);
const SUCK_BLOOD: Block = DEAL_DAMAGE.then(1);
const TAKE_ALL: Block = SUCK_BLOOD.then(1);
const LOOT: Block = TAKE_ALL.then(CARDS);
const COUNTERATTACK: Block = LOOT.then(1);
const FEAST: Block = COUNTERATTACK.then(SEATS);

/// How many action ids there are.
pub(super) const ACTION_SPACE: u32 = FEAST.end();

/// The action's number. A seat that no table has counts as the last one: such an action is legal
/// nowhere.
pub(super) fn encode(action: Action) -> ActionId {
    let seat = |player: Seat| u32::from(player.0.min(SEATS_MAX - 1));
    match action {
        Action::Pass => PASS.id(0),
        Action::Reveal => REVEAL.id(0),
        Action::UseAbility => USE_ABILITY.id(0),
        Action::UseAbilityOn { player } => USE_ABILITY_ON.id(seat(player)),
        Action::DigUp { card } => DIG_UP.id(card as u32),
        Action::RollMove => ROLL_MOVE.id(0),
        Action::Teleport { area } => TELEPORT.id(area as u32),
        Action::ChooseDestination { area } => CHOOSE_DESTINATION.id(area as u32),
        Action::Draw { deck } => DRAW.id(deck as u32),
        Action::WoodsDamage { player } => WOODS_DAMAGE.id(seat(player)),
        Action::WoodsHeal { player } => WOODS_HEAL.id(seat(player)),
        Action::Steal { player, card } => STEAL.id(seat(player) * CARDS + card as u32),
        Action::SkipArea => SKIP_AREA.id(0),
        Action::GiveHermit { player } => GIVE_HERMIT.id(seat(player)),
        Action::AnswerNothing => ANSWER_NOTHING.id(0),
        Action::AnswerTakeDamage => ANSWER_TAKE_DAMAGE.id(0),
        Action::AnswerHeal => ANSWER_HEAL.id(0),
        Action::AnswerGive { card } => ANSWER_GIVE.id(card as u32),
        Action::AnswerShow => ANSWER_SHOW.id(0),
        Action::CardTarget { player } => CARD_TARGET.id(seat(player)),
        Action::Accept => ACCEPT.id(0),
        Action::GiveCard { card, player } => GIVE_CARD.id(card as u32 * SEATS + seat(player)),
        Action::Attack { player } => ATTACK.id(seat(player)),
        Action::AttackAll => ATTACK_ALL.id(0),
        Action::DeclineAttack => DECLINE_ATTACK.id(0),
        Action::SpearReveal => SPEAR_REVEAL.id(0),
        Action::Rob { card } => ROB.id(card as u32),
        Action::DealDamage => DEAL_DAMAGE.id(0),
        Action::SuckBlood => SUCK_BLOOD.id(0),
        Action::TakeAll => TAKE_ALL.id(0),
        Action::Loot { card } => LOOT.id(card as u32),
        Action::Counterattack => COUNTERATTACK.id(0),
        Action::Feast { player } => FEAST.id(seat(player)),
    }
}

/// The action of this number; `None` from [`ACTION_SPACE`] on.
pub(super) fn decode(id: ActionId) -> Option<Action> {
    let seat = |offset: u32| Some(Seat(u8::try_from(offset).ok()?));
    let card = |offset: u32| Equipment::from_index(u8::try_from(offset).ok()?);
    let area = |offset: u32| Area::ALL.get(offset as usize).copied();
    let at = |block: Block| block.offset(id);
    // Blocks of a single action.
    let single = [
        (PASS, Action::Pass),
        (REVEAL, Action::Reveal),
        (USE_ABILITY, Action::UseAbility),
        (ROLL_MOVE, Action::RollMove),
        (SKIP_AREA, Action::SkipArea),
        (ANSWER_NOTHING, Action::AnswerNothing),
        (ANSWER_TAKE_DAMAGE, Action::AnswerTakeDamage),
        (ANSWER_HEAL, Action::AnswerHeal),
        (ANSWER_SHOW, Action::AnswerShow),
        (ACCEPT, Action::Accept),
        (ATTACK_ALL, Action::AttackAll),
        (DECLINE_ATTACK, Action::DeclineAttack),
        (SPEAR_REVEAL, Action::SpearReveal),
        (DEAL_DAMAGE, Action::DealDamage),
        (SUCK_BLOOD, Action::SuckBlood),
        (TAKE_ALL, Action::TakeAll),
        (COUNTERATTACK, Action::Counterattack),
    ];
    if let Some((_, action)) = single.into_iter().find(|(block, _)| at(*block).is_some()) {
        return Some(action);
    }
    if let Some(offset) = at(USE_ABILITY_ON) {
        return Some(Action::UseAbilityOn {
            player: seat(offset)?,
        });
    }
    if let Some(offset) = at(DIG_UP) {
        return Some(Action::DigUp {
            card: card(offset)?,
        });
    }
    if let Some(offset) = at(TELEPORT) {
        return Some(Action::Teleport {
            area: area(offset)?,
        });
    }
    if let Some(offset) = at(CHOOSE_DESTINATION) {
        return Some(Action::ChooseDestination {
            area: area(offset)?,
        });
    }
    if let Some(offset) = at(DRAW) {
        return Some(Action::Draw {
            deck: Deck::ALL.get(offset as usize).copied()?,
        });
    }
    if let Some(offset) = at(WOODS_DAMAGE) {
        return Some(Action::WoodsDamage {
            player: seat(offset)?,
        });
    }
    if let Some(offset) = at(WOODS_HEAL) {
        return Some(Action::WoodsHeal {
            player: seat(offset)?,
        });
    }
    if let Some(offset) = at(STEAL) {
        return Some(Action::Steal {
            player: seat(offset / CARDS)?,
            card: card(offset % CARDS)?,
        });
    }
    if let Some(offset) = at(GIVE_HERMIT) {
        return Some(Action::GiveHermit {
            player: seat(offset)?,
        });
    }
    if let Some(offset) = at(ANSWER_GIVE) {
        return Some(Action::AnswerGive {
            card: card(offset)?,
        });
    }
    if let Some(offset) = at(CARD_TARGET) {
        return Some(Action::CardTarget {
            player: seat(offset)?,
        });
    }
    if let Some(offset) = at(GIVE_CARD) {
        return Some(Action::GiveCard {
            card: card(offset / SEATS)?,
            player: seat(offset % SEATS)?,
        });
    }
    if let Some(offset) = at(ATTACK) {
        return Some(Action::Attack {
            player: seat(offset)?,
        });
    }
    if let Some(offset) = at(ROB) {
        return Some(Action::Rob {
            card: card(offset)?,
        });
    }
    if let Some(offset) = at(LOOT) {
        return Some(Action::Loot {
            card: card(offset)?,
        });
    }
    let offset = at(FEAST)?;
    Some(Action::Feast {
        player: seat(offset)?,
    })
}

/// As in `attack seat 2`, `steal Handgun of seat 1`: tells all actions apart.
impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Pass => f.write_str("pass"),
            Self::Reveal => f.write_str("reveal"),
            Self::UseAbility => f.write_str("use ability"),
            Self::UseAbilityOn { player } => write!(f, "use ability on {player}"),
            Self::DigUp { card } => write!(f, "dig up {}", card.name()),
            Self::RollMove => f.write_str("roll to move"),
            Self::Teleport { area } => write!(f, "teleport to {}", area.name()),
            Self::ChooseDestination { area } => write!(f, "move to {}", area.name()),
            Self::Draw { deck } => write!(f, "draw a {} card", deck.name()),
            Self::WoodsDamage { player } => write!(f, "woods: damage {player}"),
            Self::WoodsHeal { player } => write!(f, "woods: heal {player}"),
            Self::Steal { player, card } => write!(f, "steal {} of {player}", card.name()),
            Self::SkipArea => f.write_str("skip the area"),
            Self::GiveHermit { player } => write!(f, "give the Hermit card to {player}"),
            Self::AnswerNothing => f.write_str("answer: nothing happens"),
            Self::AnswerTakeDamage => f.write_str("answer: take the damage"),
            Self::AnswerHeal => f.write_str("answer: heal"),
            Self::AnswerGive { card } => write!(f, "answer: give {}", card.name()),
            Self::AnswerShow => f.write_str("answer: show the character card"),
            Self::CardTarget { player } => write!(f, "choose {player}"),
            Self::Accept => f.write_str("accept"),
            Self::GiveCard { card, player } => write!(f, "give {} to {player}", card.name()),
            Self::Attack { player } => write!(f, "attack {player}"),
            Self::AttackAll => f.write_str("attack all in range"),
            Self::DeclineAttack => f.write_str("do not attack"),
            Self::SpearReveal => f.write_str("reveal for the Spear"),
            Self::Rob { card } => write!(f, "rob {}", card.name()),
            Self::DealDamage => f.write_str("deal the damage"),
            Self::SuckBlood => f.write_str("suck blood"),
            Self::TakeAll => f.write_str("take all equipment"),
            Self::Loot { card } => write!(f, "loot {}", card.name()),
            Self::Counterattack => f.write_str("counterattack"),
            Self::Feast { player } => write!(f, "feast: attack {player} again"),
        }
    }
}
