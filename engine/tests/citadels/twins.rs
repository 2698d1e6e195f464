//! Twins: two worlds, or two choices, that differ in what a viewer may not know show and tell him the same (section 9).

use std::collections::BTreeMap;
use std::mem::discriminant;

use tavola_engine::games::citadels::{
    Action, Character, Character::*, Citadels, Decision, District, Event, Options, Public, Rank,
    Stage, Window,
};
use tavola_engine::{ActionId, Audience, Chance, Cx, Game, Playthrough, Seat, Seed, Viewer};

/// How many worlds are imagined to find one in which all that this call rightly shows is as in the true one.
const WORLDS: u32 = 12;

pub(crate) fn chance(seed: u64) -> Chance {
    Chance::at_ply(Seed::from_number(seed), 0)
}

/// What this viewer hears of the events.
pub(crate) fn heard(
    events: &[(Audience, Event)],
    viewer: Viewer,
) -> impl Iterator<Item = &Event> + Clone {
    let seat = match viewer {
        Viewer::Seat(seat) => Some(seat),
        Viewer::Spectator => None,
    };
    events
        .iter()
        .filter(move |(audience, _)| audience.includes(seat))
        .map(|(_, event)| event)
}

/// Everything that is shown to a viewer: observation, decision, list, labels, and the answer to every action id of a sample.
fn shown(table: &Citadels, viewer: Viewer) -> impl PartialEq + std::fmt::Debug + use<> {
    let seen = table.seen(viewer);
    let legal = Citadels::legal_actions(seen);
    let labels: Vec<_> = legal
        .iter()
        .map(|&action| {
            let mut label = String::new();
            Citadels::label(seen, action, &mut label);
            label
        })
        .collect();
    let answers: Vec<_> = (0..Citadels::ACTION_SPACE)
        .step_by(97)
        .filter_map(|id| Citadels::decode(ActionId(id)))
        .map(|action| match viewer {
            Viewer::Seat(seat) => table.check(seat, action),
            Viewer::Spectator => Ok(()),
        })
        .collect();
    (
        table.observe(viewer),
        Citadels::decision(seen),
        legal,
        labels,
        answers,
    )
}

/// Who holds each of the ranks whose calls all have heard on the way from one state to the next. At the end of a round all are compared: a
/// murdered rank 4 is shown then.
fn answers(table: &Citadels, from: &Public, to: &Public) -> Vec<Option<Seat>> {
    let goes_on = to.round == from.round && !matches!(to.stage, Stage::Over(_));
    let called = if goes_on {
        from.calls.called + 1..=to.calls.called
    } else {
        1..=Rank::MAX
    };
    let (public, private, _) = table.parts();
    called
        .map(|rank| {
            public
                .seated()
                .find(|&seat| private[seat].draft.held().contains(Rank(rank)))
        })
        .collect()
}

/// Whether the event shows its hearer what was hidden from him.
const fn reveals(event: &Event) -> bool {
    matches!(
        event,
        Event::CharactersPassed { seen: Some(_), .. }
            | Event::CardsDrawn { cards: Some(_), .. }
            | Event::CardsLookedAt { cards: Some(_), .. }
            | Event::HandReceived { .. }
            | Event::HandLookedAt { cards: Some(_), .. }
            | Event::LighthouseLook { cards: Some(_), .. }
    )
}

/// A kind of choice whose object only its maker sees, and those that the rules let see it.
fn secret(action: Action) -> Option<&'static str> {
    Some(match action {
        Action::PickCharacter { .. } => "pick_character",
        Action::DiscardCharacter { .. } => "discard_character",
        Action::PayEmperorCard { .. } => "pay_emperor_card",
        Action::KeepCard { .. } => "keep_card",
        Action::MarkCard { .. } => "mark_card",
        Action::WizardTake { .. } => "wizard_take",
        Action::UseLaboratory { .. } => "use_laboratory",
        Action::UseMuseum { .. } => "use_museum",
        Action::LighthouseTake { .. } => "lighthouse_take",
        _ => return None,
    })
}

/// Whether this other seat is one of those who rightly learn of a secret choice.
fn is_party(seat: Seat, action: Action, from: &Public, to: &Public) -> bool {
    match (action, &from.stage) {
        // The next picker sees what is left.
        (Action::PickCharacter { .. } | Action::DiscardCharacter { .. }, _) => {
            matches!(to.stage, Stage::Draft { .. }) && to.decider() == Some(seat)
        }
        (Action::WizardTake { .. }, Stage::WizardTake { from }) => *from == seat,
        (Action::PayEmperorCard { .. }, _) => from.turn.is_some_and(|turn| turn.seat == seat),
        _ => false,
    }
}

/// One action of a game, and what came of it.
struct Step<'a> {
    before: &'a Playthrough<Citadels>,
    seat: Seat,
    action: Action,
    after: &'a Playthrough<Citadels>,
    events: &'a [(Audience, Event)],
}

/// What was compared, how often: decisions of others in another world, and kinds of secret choices.
#[derive(Default)]
struct Met {
    decisions: BTreeMap<String, u32>,
    choices: BTreeMap<&'static str, u32>,
}

impl Step<'_> {
    fn viewers(&self) -> impl Iterator<Item = Viewer> + use<> {
        let seats = self.before.record().seats;
        (0..seats)
            .map(|seat| Viewer::Seat(Seat(seat)))
            .chain([Viewer::Spectator])
    }

    /// The same action in another world that fits what the viewer sees: he is shown the same before it and after it, and hears the same. Only
    /// what he learns by it, a hand, cards drawn or passed to him, may differ; the public part never does.
    fn in_another_world(&self, viewer: Viewer, dice: &mut Chance, met: &mut Met) {
        let (before, after) = (self.before.state(), self.after.state());
        for _ in 0..WORLDS {
            let twin = Citadels::determinize(before.seen(viewer), dice);
            twin.check_sound().unwrap();
            assert_eq!(shown(&twin, viewer), shown(before, viewer));
            // Nothing is hidden; or the action isn't possible there; or what all are about to see, rightly, is something else.
            let (from, to) = (before.public(), after.public());
            let taken = |table: &Citadels| match self.action {
                Action::WizardBuild => table.private(self.seat).and_then(|own| own.taken),
                _ => None,
            };
            if twin == *before
                || twin.check(self.seat, self.action).is_err()
                || answers(&twin, from, to) != answers(before, from, to)
                || taken(&twin) != taken(before)
            {
                continue;
            }
            let mut twin_after = twin;
            let mut twin_events = Vec::new();
            let mut same = Chance::at_ply(self.after.record().seed, self.after.ply());
            let cx = &mut Cx::new(&mut same, Some(&mut twin_events));
            twin_after.apply_unchecked(self.seat, self.action, cx);
            self.compare(viewer, &twin_after, &twin_events);
            if viewer != Viewer::Seat(self.seat) {
                let decision = Citadels::decision(before.seen(Viewer::Seat(self.seat)));
                let name = format!("{:?}", decision.unwrap());
                *met.decisions.entry(name).or_default() += 1;
            }
            return;
        }
    }

    fn compare(&self, viewer: Viewer, twin_after: &Citadels, twin_events: &[(Audience, Event)]) {
        let (action, after) = (self.action, self.after.state());
        assert_eq!(
            twin_after.public(),
            after.public(),
            "{action:?}, {viewer:?}"
        );
        let told = heard(self.events, viewer);
        let looks_under_museum = match viewer {
            Viewer::Seat(seat) => {
                let known = |public: &Public| public.museum.known[seat];
                known(after.public()) > known(self.before.state().public())
            }
            Viewer::Spectator => false,
        };
        if told.clone().any(reveals) || looks_under_museum {
            let plain = |event: &Event| match reveals(event) {
                true => Err(discriminant(event)),
                false => Ok(event.clone()),
            };
            let told: Vec<_> = told.map(plain).collect();
            let twin_told: Vec<_> = heard(twin_events, viewer).map(plain).collect();
            assert_eq!(twin_told, told, "{action:?}, {viewer:?}");
        } else {
            assert_eq!(
                shown(twin_after, viewer),
                shown(after, viewer),
                "{action:?}, {viewer:?}"
            );
            assert!(
                heard(twin_events, viewer).eq(told),
                "{action:?}, {viewer:?}: {twin_events:?}"
            );
        }
    }

    /// Another secret choice of the same kind: nobody but its maker, and those whom it concerns, can tell.
    fn by_another_choice(&self, dice: &mut Chance, met: &mut Met) {
        let Some(kind) = secret(self.action) else {
            return;
        };
        let before = self.before.state();
        let legal = Citadels::legal_actions(before.seen(Viewer::Seat(self.seat)));
        let others: Vec<_> = legal
            .into_iter()
            .filter(|&other| other != self.action && secret(other) == Some(kind))
            .collect();
        if others.is_empty() {
            return;
        }
        let other = others[dice.below(others.len() as u32) as usize];
        let mut twin = self.before.clone();
        let mut twin_events = Vec::new();
        twin.submit(self.seat, other, Some(&mut twin_events))
            .unwrap();
        let (from, to) = (before.public(), self.after.state().public());
        // The last pick opens the calls, which tell who was picked.
        if answers(twin.state(), from, to) != answers(self.after.state(), from, to) {
            return;
        }
        assert_eq!(twin.decision_number(), self.after.decision_number());
        for viewer in self.viewers() {
            if let Viewer::Seat(seat) = viewer {
                let numbers = [&twin, self.after].map(|play| play.decision_number_for(seat));
                assert_eq!(numbers[0], numbers[1], "{kind}");
                if seat == self.seat || is_party(seat, self.action, from, to) {
                    continue;
                }
            }
            assert_eq!(
                shown(twin.state(), viewer),
                shown(self.after.state(), viewer),
                "{kind}, {viewer:?}"
            );
            assert!(
                heard(&twin_events, viewer).eq(heard(self.events, viewer)),
                "{kind}, {viewer:?}: {twin_events:?}"
            );
        }
        *met.choices.entry(kind).or_default() += 1;
    }
}

/// Plays at random; every ply is tried in another world for each viewer and, where the choice is secret, by another choice.
fn twins(options: &Options, seats: u8, seeds: std::ops::Range<u64>, met: &mut Met) {
    for seed in seeds {
        println!("{seats} seats, seed {seed}");
        let mut dice = chance(seed);
        let seed = Seed::from_number(seed);
        let start = Playthrough::<Citadels>::start(options.clone(), seats, seed, None);
        let mut play = start.unwrap();
        while let Some(seat) = play.state().public().decider() {
            let legal = Citadels::legal_actions(play.state().seen(Viewer::Seat(seat)));
            let action = legal[dice.below(legal.len() as u32) as usize];
            let mut events = Vec::new();
            let mut after = play.clone();
            after.submit(seat, action, Some(&mut events)).unwrap();
            let step = Step {
                before: &play,
                seat,
                action,
                after: &after,
                events: &events,
            };
            for viewer in step.viewers() {
                step.in_another_world(viewer, &mut dice, met);
            }
            step.by_another_choice(&mut dice, met);
            play = after;
        }
    }
}

fn with(characters: &[Character]) -> Options {
    Options {
        bonus_characters: characters.to_vec(),
        allow_many_bonus: true,
        bonus_districts: District::ALL
            .into_iter()
            .filter(|district| district.is_bonus())
            .collect(),
        ..Options::default()
    }
}

#[test]
fn nobody_can_tell_twins_apart_in_any_phase() {
    let mut met = Met::default();
    twins(&with(&[]), 2, 0..4, &mut met);
    twins(&with(&[Wizard, Abbot]), 2, 4..6, &mut met);
    twins(&with(&[TaxCollector, Emperor]), 3, 6..9, &mut met);
    twins(&with(&[Witch, Wizard, Artist]), 3, 9..12, &mut met);
    let many = [Wizard, Emperor, Navigator, Diplomat, Artist];
    twins(&with(&many), 4, 12..18, &mut met);
    twins(&with(&[Witch, Queen]), 5, 18..21, &mut met);
    twins(&with(&[]), 6, 21..22, &mut met);
    twins(&with(&[]), 7, 22..24, &mut met);
    twins(&with(&[Artist]), 8, 24..26, &mut met);
    let decisions = [
        Decision::PickCharacter,
        Decision::DiscardCharacter,
        Decision::Hospital,
        Decision::Thanks,
        Decision::GiveCrown,
        Decision::PayEmperor,
        Decision::Menu(Window::Pre),
        Decision::Menu(Window::Post),
        Decision::Menu(Window::Last),
        Decision::KeepCard,
        Decision::Navigator,
        Decision::Bewitch,
        Decision::MarkCard,
        Decision::WizardTake,
        Decision::WizardBuild,
        Decision::Lighthouse,
        Decision::BellTower,
        Decision::Graveyard,
        Decision::DiplomatGive,
    ];
    for decision in decisions {
        let name = format!("{decision:?}");
        let times = met.decisions.get(&name).copied().unwrap_or_default();
        assert!(times > 0, "{name} was never tried in another world");
    }
    let choices = Vec::from_iter(met.choices.keys().copied());
    let all = [
        "discard_character",
        "keep_card",
        "lighthouse_take",
        "mark_card",
        "pay_emperor_card",
        "pick_character",
        "use_laboratory",
        "use_museum",
        "wizard_take",
    ];
    assert_eq!(choices, all, "kinds of secret choices that were tried");
}
