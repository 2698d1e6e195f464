//! What a seat may do (sections 5.7 and 6): every list of options, from what the seat sees.

use super::action::{Action, Site};
use super::cards::Cards;
use super::character::{Character, Rank, tunables};
use super::district::{self, District};
use super::setup::Step;
use super::state::{Citadels, Private, Public, Stage, Turn, Window};
use crate::game::Seen;
use crate::seat::Seat;

/// Fills `out` with the legal actions of the viewing seat, ascending by id.
pub(super) fn legal_actions(seen: Seen<'_, Citadels>, out: &mut Vec<Action>) {
    let (public, Some(seat), Some(own)) = (seen.public, seen.seat, seen.own) else {
        return;
    };
    if public.decider() != Some(seat) {
        return;
    }
    match public.stage {
        Stage::Draft { step } => draft(public, own, step, out),
        Stage::Hospital { .. } => {
            // Only if he holds the murdered character; asked in any case.
            if own.draft.held().contains(Rank(public.calls.called)) {
                out.push(Action::HospitalUse);
            }
            out.push(Action::HospitalDecline);
        }
        Stage::Thanks => out.extend([Action::SayThanks, Action::StaySilent]),
        Stage::GiveCrown | Stage::MoveCrown { .. } => out.extend(
            public
                .crown_targets(seat)
                .map(|player| Action::GiveCrown { player }),
        ),
        Stage::PayEmperor { .. } => {
            if public.boards[seat].gold > 0 {
                out.push(Action::PayEmperorGold);
            }
            out.extend(own.hand.kinds().map(|card| Action::PayEmperorCard { card }));
        }
        Stage::Menu => {
            if let Some(turn) = &public.turn {
                Menu {
                    public,
                    turn,
                    hand: own.hand,
                }
                .list(out);
            }
        }
        Stage::Keep { .. } => {
            let in_view: Cards = own.in_view.into_iter().flatten().collect();
            out.extend(in_view.kinds().map(|card| Action::KeepCard { card }));
        }
        Stage::Navigator => {
            if public.bank_gives() {
                out.push(Action::NavigatorGold);
            }
            if public.deck() > 0 {
                out.push(Action::NavigatorCards);
            }
        }
        Stage::Bewitch => out.extend(
            public
                .other_characters(Character::Witch)
                .map(|character| Action::Bewitch { character }),
        ),
        Stage::Mark { marked } => {
            out.extend(own.hand.kinds().map(|card| Action::MarkCard { card }));
            if marked > 0 {
                out.push(Action::RedrawDone);
            }
        }
        Stage::WizardTake { from } => out.extend(
            own.known.hands[from]
                .kinds()
                .map(|card| Action::WizardTake { card }),
        ),
        Stage::WizardBuild { .. } => {
            out.push(Action::WizardKeep);
            if let (Some(turn), Some(card)) = (&public.turn, own.taken)
                && public.can_build(turn, card)
            {
                out.push(Action::WizardBuild);
            }
        }
        Stage::Lighthouse => {
            out.extend(
                own.deck_seen
                    .kinds()
                    .map(|card| Action::LighthouseTake { card }),
            );
            out.push(Action::LighthouseDecline);
        }
        Stage::BellTower => out.extend([Action::BellTowerRing, Action::BellTowerSilent]),
        Stage::Graveyard { .. } => out.extend([Action::GraveyardTake, Action::GraveyardDecline]),
        Stage::DiplomatGive { from, site: taken } => out.extend(
            public.boards[seat]
                .sites()
                .into_iter()
                .filter(|&given| public.can_give(seat, from, taken, given))
                .map(|site| Action::DiplomatGive { site }),
        ),
        Stage::Over(_) => {}
    }
}

/// D1, D2.
fn draft(public: &Public, own: &Private, step: u8, out: &mut Vec<Action>) {
    let discards = matches!(public.draft_step(step), Some(Step::Discard(_)));
    let cards = if discards {
        own.draft.discardable()
    } else {
        own.draft.on_offer()
    };
    // In the order of ids, which is not that of ranks.
    let characters = Character::ALL
        .into_iter()
        .filter(|&character| public.in_set(character) && cards.contains(character.rank()));
    if discards {
        out.extend(characters.map(|character| Action::DiscardCharacter { character }));
    } else {
        out.extend(characters.map(|character| Action::PickCharacter { character }));
    }
}

/// D7.
struct Menu<'a> {
    public: &'a Public,
    turn: &'a Turn,
    hand: Cards,
}

impl Menu<'_> {
    fn list(&self, out: &mut Vec<Action>) {
        let turn = self.turn;
        if turn.window == Window::Pre {
            self.actions(out);
        }
        if !turn.is_full() {
            return;
        }
        if self.may_collect_income() {
            out.push(Action::CollectIncome);
        }
        out.extend(
            self.public
                .buildable(turn, self.hand)
                .map(|card| Action::Build { card }),
        );
        if turn.window != Window::Last {
            self.powers(out);
            self.districts(out);
        }
        if turn.window == Window::Post {
            self.rank_8(out);
        }
        if turn.window != Window::Pre {
            out.push(Action::EndTurn);
        }
    }

    /// The action, exactly one of which is taken (5.6).
    fn actions(&self, out: &mut Vec<Action>) {
        let (gold, cards) = (self.public.bank_gives(), self.public.deck() > 0);
        if gold {
            out.push(Action::TakeGold);
        }
        if cards {
            out.push(Action::DrawCards);
        }
        if !gold && !cards {
            out.push(Action::NoAction);
        }
    }

    fn may_collect_income(&self) -> bool {
        !self.turn.used.income && self.public.bank_gives() && self.public.income(self.turn) > 0
    }

    /// Powers before or after the action.
    fn powers(&self, out: &mut Vec<Action>) {
        let (public, turn) = (self.public, self.turn);
        let unused = !turn.used.power;
        match turn.character {
            Character::Assassin if unused => out.extend(
                public
                    .other_characters(Character::Assassin)
                    .map(|character| Action::Murder { character }),
            ),
            Character::Thief if unused => out.extend(
                Character::ALL
                    .into_iter()
                    .filter(|&character| public.can_be_robbed(character))
                    .map(|character| Action::Rob { character }),
            ),
            Character::Magician if unused => {
                out.extend(
                    public
                        .others(turn.seat)
                        .map(|player| Action::MagicianSwap { player }),
                );
                if !self.hand.is_empty() {
                    out.push(Action::MagicianRedraw);
                }
            }
            Character::Wizard if unused => out.extend(
                public
                    .others(turn.seat)
                    .filter(|&player| public.boards[player].hand > 0)
                    .map(|player| Action::WizardLook { player }),
            ),
            Character::Abbot if unused && public.tithe_payer(turn.seat).is_some() => {
                out.push(Action::AbbotTithe);
            }
            Character::Queen
                if unused && public.bank_gives() && public.sits_beside_king(turn.seat) =>
            {
                out.push(Action::QueenGold);
            }
            Character::Artist => self.beautify(out),
            Character::Assassin
            | Character::Thief
            | Character::Magician
            | Character::King
            | Character::Bishop
            | Character::Merchant
            | Character::Architect
            | Character::Warlord
            | Character::Witch
            | Character::TaxCollector
            | Character::Wizard
            | Character::Emperor
            | Character::Abbot
            | Character::Alchemist
            | Character::Navigator
            | Character::Diplomat
            | Character::Queen => {}
        }
    }

    fn beautify(&self, out: &mut Vec<Action>) {
        let board = &self.public.boards[self.turn.seat];
        if self.turn.beautified < tunables().beautify_per_turn
            && board.gold >= tunables().beautify_gold.into()
        {
            out.extend(
                board
                    .sites()
                    .into_iter()
                    .filter(|site| !site.beautified)
                    .map(|site| Action::Beautify {
                        district: site.district,
                    }),
            );
        }
    }

    /// Districts that are used.
    fn districts(&self, out: &mut Vec<Action>) {
        let (public, turn) = (self.public, self.turn);
        let board = &public.boards[turn.seat];
        if board.has(District::Laboratory) && !turn.used.laboratory && public.bank_gives() {
            out.extend(self.hand.kinds().map(|card| Action::UseLaboratory { card }));
        }
        if board.has(District::Museum) && !turn.used.museum {
            out.extend(self.hand.kinds().map(|card| Action::UseMuseum { card }));
        }
        if board.has(District::Smithy)
            && !turn.used.smithy
            && board.gold >= district::tunables().smithy_price.into()
            && public.deck() > 0
        {
            out.push(Action::UseSmithy);
        }
        if board.has(District::Armory) {
            for player in public.others(turn.seat) {
                out.extend(
                    public.boards[player]
                        .sites()
                        .into_iter()
                        .map(|site| Action::UseArmory { player, site }),
                );
            }
        }
    }

    fn rank_8(&self, out: &mut Vec<Action>) {
        let (public, seat) = (self.public, self.turn.seat);
        let sites = || {
            public.seated().flat_map(move |player| {
                public.boards[player]
                    .sites()
                    .into_iter()
                    .map(move |site: Site| (player, site))
            })
        };
        let destroys = |&(player, site): &(Seat, Site)| public.can_destroy(seat, player, site);
        let takes = |&(player, site): &(Seat, Site)| public.can_take(seat, player, site);
        if self.turn.character == Character::Warlord {
            out.extend(
                sites()
                    .filter(destroys)
                    .map(|(player, site)| Action::WarlordDestroy { player, site }),
            );
        }
        if self.turn.character == Character::Diplomat {
            out.extend(
                sites()
                    .filter(takes)
                    .map(|(player, site)| Action::DiplomatTake { player, site }),
            );
        }
    }
}

/// Why the viewing seat, to whom the action isn't legal, may not play it now.
pub(super) fn why_not(seen: Seen<'_, Citadels>, action: Action) -> &'static str {
    let public = seen.public;
    if matches!(public.stage, Stage::Over(_)) {
        return "the game is over (10)";
    }
    if public.decider() != seen.seat {
        return "another player decides (5)";
    }
    let in_menu = matches!(public.stage, Stage::Menu);
    match action {
        Action::PickCharacter { .. } => "only a picker takes a card that was passed to him (5.2)",
        Action::DiscardCharacter { .. } => {
            "with two players a picker lays one of the cards left to him face down (5.2)"
        }
        Action::HospitalUse | Action::HospitalDecline => {
            "the hospital's owner is asked when a murdered character is called, and uses it only if he holds that (8)"
        }
        Action::SayThanks | Action::StaySilent => {
            "thanks is due when called while the ball room's owner has the crown (8)"
        }
        Action::GiveCrown { .. } => {
            "the emperor gives the crown to a player other than its holder and himself (5.5)"
        }
        Action::PayEmperorGold | Action::PayEmperorCard { .. } => {
            "the new holder of the crown pays a gold or a card that he has (7)"
        }
        Action::KeepCard { .. } => "only a card in view is kept (5.6)",
        Action::NavigatorGold | Action::NavigatorCards => {
            "the navigator chooses after the action, what there is (5.6)"
        }
        Action::Bewitch { .. } => "the witch names another character after her action (5.6)",
        Action::MarkCard { .. } | Action::RedrawDone => {
            "the magician's redraw puts at least one card of his hand under the deck (7)"
        }
        Action::WizardTake { .. } => "the wizard takes a card out of the hand he looks at (7)",
        Action::WizardKeep | Action::WizardBuild => {
            "the wizard keeps the card, or builds it after the action if he can pay (7)"
        }
        Action::LighthouseTake { .. } | Action::LighthouseDecline => {
            "the builder of the lighthouse takes a card that is in the deck (8)"
        }
        Action::BellTowerRing | Action::BellTowerSilent => {
            "the builder of the bell tower is asked when it is built (8)"
        }
        Action::GraveyardTake | Action::GraveyardDecline => {
            "the graveyard's owner is asked when the warlord destroys a district (8)"
        }
        Action::DiplomatGive { .. } => {
            "the diplomat gives a district that leaves no duplicate and that he can pay for (7)"
        }
        _ if !in_menu => "another decision comes first (5)",
        Action::TakeGold | Action::DrawCards | Action::NoAction => {
            "exactly one action is taken, before all else that needs it, of what there is (5.6)"
        }
        Action::CollectIncome => "income is collected once a turn, if the city brings any (7)",
        Action::Build { .. } => {
            "a district is built after the action: from the hand, paid for, no duplicate, within the limit (5.8)"
        }
        Action::Murder { .. } => "the assassin names another character of the set, once (7)",
        Action::Rob { .. } => {
            "the thief names once a character that is not of rank 1 or 2, murdered or bewitched (7)"
        }
        Action::MagicianSwap { .. } | Action::MagicianRedraw => {
            "the magician swaps with another player or redraws cards he has, once (7)"
        }
        Action::WizardLook { .. } => {
            "the wizard looks once at the hand of another player who has cards (7)"
        }
        Action::AbbotTithe => "the single richest player other than the abbot pays, once (7)",
        Action::QueenGold => "the queen is paid once, beside a player who has shown rank 4 (7)",
        Action::Beautify { .. } => {
            "the artist lays gold he has on own plain districts, at most two a turn (7)"
        }
        Action::UseLaboratory { .. } => "the laboratory takes one card of the hand a turn (8)",
        Action::UseMuseum { .. } => "the museum takes one card of the hand a turn (8)",
        Action::UseSmithy => "the smithy sells cards of the deck for 2 gold once a turn (8)",
        Action::UseArmory { .. } => "the armory destroys a district of another player (8)",
        Action::WarlordDestroy { .. } => {
            "the warlord destroys, once and last, what he can pay for: no keep, no complete city, not the bishop's (7)"
        }
        Action::DiplomatTake { .. } => {
            "the diplomat takes, once and last, what he can give a district for: no keep, no complete city, not the bishop's (7)"
        }
        Action::EndTurn => "a turn ends after its action (5.7)",
    }
}
