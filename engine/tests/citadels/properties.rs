//! What holds in every game: the ledger of events, leaving, bots.

use tavola_engine::bots::{Bot, GreedyBot, RandomBot};
use tavola_engine::games::citadels::{
    Character, Citadels, District, Event, Options, Public, Stage,
};
use tavola_engine::{Audience, Chance, Game, Playthrough, Seat, Seed, Viewer};

fn all_bonus(characters: &[Character]) -> Options {
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

/// Gold, crown and hand sizes as the events tell them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Ledger {
    gold: Vec<u16>,
    hands: Vec<u8>,
    crown: Option<Seat>,
}

impl Ledger {
    fn of(public: &Public) -> Self {
        Self {
            gold: public
                .seated()
                .map(|seat| public.boards[seat].gold)
                .collect(),
            hands: public
                .seated()
                .map(|seat| public.boards[seat].hand)
                .collect(),
            crown: Some(public.crown),
        }
    }

    /// What a spectator can write down.
    fn enter(&mut self, event: &Event) {
        let at = |seat: &Seat| usize::from(seat.0);
        match event {
            Event::FirstCrown { seat } => self.crown = Some(*seat),
            Event::CrownMoved { from, to } => {
                assert_eq!(self.crown, Some(*from));
                self.crown = Some(*to);
            }
            Event::GoldGained { seat, gold, .. } => self.gold[at(seat)] += gold,
            Event::GoldPaid { seat, gold, .. } => self.gold[at(seat)] -= gold,
            Event::GoldMoved { from, to, gold, .. } => {
                self.gold[at(from)] -= gold;
                self.gold[at(to)] += gold;
            }
            Event::Beautified { seat, .. } => self.gold[at(seat)] -= 1,
            Event::CardsDrawn { seat, count, .. } => self.hands[at(seat)] += count,
            Event::CardKept { seat, .. } | Event::Rescued { seat, .. } => self.hands[at(seat)] += 1,
            Event::LighthouseTaken { seat, taken, .. } => self.hands[at(seat)] += u8::from(*taken),
            Event::Built { seat, .. } | Event::StoredInMuseum { seat, .. } => {
                self.hands[at(seat)] -= 1
            }
            Event::CardPutUnder { seat, reason, .. } => {
                use tavola_engine::games::citadels::event::UnderReason;
                if *reason != UnderReason::Rejected {
                    self.hands[at(seat)] -= 1;
                }
            }
            Event::CardMoved { from, to, .. } => {
                self.hands[at(from)] -= 1;
                self.hands[at(to)] += 1;
            }
            Event::HandsSwapped { seat, with } => self.hands.swap(at(seat), at(with)),
            _ => {}
        }
    }
}

#[test]
fn events_account_for_gold_cards_and_crown() {
    use Character::*;
    let sets: [(u8, &[Character]); 5] = [
        (2, &[TaxCollector]),
        (4, &[]),
        (
            5,
            &[
                Witch, Wizard, Emperor, Abbot, Alchemist, Navigator, Diplomat, Queen,
            ],
        ),
        (7, &[Emperor, Artist]),
        (8, &[Witch, TaxCollector, Queen]),
    ];
    for (seats, characters) in sets {
        for seed in 0..6 {
            let mut log = Vec::new();
            let mut dice = Chance::at_ply(Seed::from_number(seed), 77);
            let options = all_bonus(characters);
            let mut play = Playthrough::<Citadels>::start(
                options,
                seats,
                Seed::from_number(seed),
                Some(&mut log),
            )
            .unwrap();
            let mut ledger = Ledger {
                gold: vec![2; seats.into()],
                hands: vec![0; seats.into()],
                crown: None,
            };
            loop {
                for (audience, event) in log.drain(..) {
                    if audience.includes(None) {
                        ledger.enter(&event);
                    }
                }
                let public = play.state().public();
                assert_eq!(ledger, Ledger::of(public));
                let Some(seat) = public.decider() else { break };
                let legal = Citadels::legal_actions(play.state().seen(Viewer::Seat(seat)));
                let action = legal[dice.below(legal.len() as u32) as usize];
                play.submit(seat, action, Some(&mut log)).unwrap();
            }
        }
    }
}

#[test]
fn random_games_end_long_before_the_bound() {
    let mut rounds = Vec::new();
    let mut bot = RandomBot::new([5; 32]);
    for seed in 0..60 {
        let seats = 2 + (seed % 6) as u8;
        let mut play = Playthrough::<Citadels>::start(
            Options::default(),
            seats,
            Seed::from_number(seed),
            None,
        )
        .unwrap();
        while let Some(seat) = play.state().public().decider() {
            let seen = play.state().seen(Viewer::Seat(seat));
            let action = bot.choose(seen, &Citadels::legal_actions(seen));
            play.submit(seat, action, None).unwrap();
        }
        rounds.push(play.state().public().round);
    }
    assert!(
        rounds.iter().all(|round| (4..=60).contains(round)),
        "{rounds:?}"
    );
}

#[test]
fn who_has_left_is_played_on_and_cannot_win() {
    let mut bot = RandomBot::new([9; 32]);
    for seed in 0..12 {
        let leaver = Seat((seed % 3) as u8);
        let mut play =
            Playthrough::<Citadels>::start(Options::default(), 3, Seed::from_number(seed), None)
                .unwrap();
        let mut log = Vec::new();
        while let Some(seat) = play.state().public().decider() {
            if play.ply() == 20 {
                play.resign(leaver, Some(&mut log)).unwrap();
                assert_eq!(log, [(Audience::All, Event::SeatLeft { seat: leaver })]);
                assert_eq!(play.state().public().decider(), Some(seat));
                continue;
            }
            let seen = play.state().seen(Viewer::Seat(seat));
            let action = bot.choose(seen, &Citadels::legal_actions(seen));
            play.submit(seat, action, None).unwrap();
        }
        let outcome = Citadels::outcome(play.state().public()).unwrap();
        assert!(!outcome.winners.contains(leaver) && !outcome.winners.is_empty());
        for (seat, &returns) in outcome.returns.iter() {
            let expected = match (outcome.winners.contains(seat), seat == leaver) {
                (true, _) => 1,
                (false, true) => -1,
                (false, false) => 0,
            };
            assert_eq!(returns, expected);
        }
        assert!(matches!(play.state().public().stage, Stage::Over(_)));
    }
}

#[test]
fn greedy_beats_random() {
    for seats in [2, 4] {
        let mut won = 0;
        for seed in 0..30u8 {
            let hero = Seat(seed % seats);
            let (mut greedy, mut random) = (GreedyBot::new([seed; 32]), RandomBot::new([seed; 32]));
            let mut play =
                Playthrough::<Citadels>::start(Options::default(), seats, Seed([seed; 32]), None)
                    .unwrap();
            while let Some(seat) = play.state().public().decider() {
                let seen = play.state().seen(Viewer::Seat(seat));
                let legal = Citadels::legal_actions(seen);
                let action = if seat == hero {
                    greedy.choose(seen, &legal)
                } else {
                    random.choose(seen, &legal)
                };
                play.submit(seat, action, None).unwrap();
            }
            let outcome = Citadels::outcome(play.state().public()).unwrap();
            won += u32::from(outcome.winners.contains(hero));
        }
        assert!(won >= 27, "{won} of 30 with {seats} seats");
    }
}
