//! Why an action is not legal: the rule, by its number on the rules page. A function of the action
//! and of what is public.

use super::action::Action;
use super::frame::Question;

/// The reason for an action that the open question doesn't offer, or not to this seat.
pub(super) fn why_not(question: Option<Question>, action: Action) -> &'static str {
    let Some(question) = question else {
        return "the seat owes no decision (7.1)";
    };
    match action {
        Action::Pass => "there is nothing to pass on here (7)",
        Action::Reveal => "nobody reveals here, or not this character (5.1)",
        Action::UseAbility | Action::UseAbilityOn { .. } => {
            "this ability can't be used here, or not on this character (8)"
        }
        Action::DigUp { .. } => "only David digs up, once, a card that lies in a discard pile (8)",
        Action::RollMove => "the dice are rolled in the movement (6.3)",
        Action::Teleport { .. } => "only Emi teleports, to an area next to hers (6.3)",
        Action::ChooseDestination { .. } => "the dice do not lead to this area (6.3)",
        Action::Draw { .. } => "the area offers no card of this deck (9.1)",
        Action::WoodsDamage { .. } | Action::WoodsHeal { .. } => {
            "only the Weird Woods do this, to a living character (9.1)"
        }
        Action::Steal { .. } => "this card can't be taken from this player here (9.1)",
        Action::SkipArea => "there is no area to skip here (6.1)",
        Action::GiveHermit { .. } => "a Hermit card is given to another living player (9.2)",
        Action::AnswerNothing
        | Action::AnswerTakeDamage
        | Action::AnswerHeal
        | Action::AnswerGive { .. }
        | Action::AnswerShow => match question {
            Question::HermitRespond { .. } => "the card asks for another answer (9.2)",
            _ => "there is no Hermit card to answer (9.2)",
        },
        Action::CardTarget { .. } => "the card can't be played on this character (9)",
        Action::Accept => "the card is not for this character (9)",
        Action::GiveCard { .. } => "an own card is given to another living player (9.4)",
        Action::Attack { .. } | Action::AttackAll => "this attack is not open (10.1)",
        Action::DeclineAttack => "the attack can't be declined here (10.1)",
        Action::SpearReveal => "only a hidden Hunter reveals for the Spear (10.3)",
        Action::Rob { .. } => "only Bob robs, a card of whom he attacks (10.4)",
        Action::DealDamage => "there is no robbery to do without (10.4)",
        Action::SuckBlood => "only the Vampire sucks blood, after her attack (10.5)",
        Action::TakeAll => "only Bob takes all, of whom he killed (11.3)",
        Action::Loot { .. } => "a card is looted of whom one has killed (11.3)",
        Action::Counterattack => "only the Werewolf strikes back, when attacked (10.6)",
        Action::Feast { .. } => {
            "only Charles feasts, on a survivor, and only if he survives it (10.7)"
        }
    }
}
