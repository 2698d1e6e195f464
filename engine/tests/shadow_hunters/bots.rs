//! Random and greedy bots: how often each faction wins, and that looking one action ahead helps
//! one's side.

use tavola_engine::bots::{Bot, GreedyBot, RandomBot};
use tavola_engine::games::shadow_hunters::{EndReason, Faction, Options, ShadowHunters};
use tavola_engine::{Game, Playthrough, Seat, Seed, Viewer};

/// Wins and seats of each faction, in the order Hunters, Shadows, Neutrals.
#[derive(Default, Debug, PartialEq, Eq)]
struct Shares {
    games: u32,
    draws: u32,
    wins: [u32; 3],
    seats: [u32; 3],
    plies: u64,
    longest_game: u32,
    longest_list: usize,
    turns: u64,
}

/// Plays games in which the seats of one faction are played by greedy bots, if any is named, all
/// others by random ones.
fn play(
    options: Options,
    seats: u8,
    seeds: std::ops::Range<u64>,
    greedy: Option<Faction>,
) -> Shares {
    let mut shares = Shares::default();
    for seed in seeds {
        let mut game =
            Playthrough::<ShadowHunters>::start(options, seats, Seed::from_number(seed), None)
                .unwrap();
        let mut dice = [0; 32];
        dice[..8].copy_from_slice(&seed.to_le_bytes());
        let (mut random, mut ahead) = (RandomBot::new(dice), GreedyBot::new(dice));
        while let Some(ask) = game.state().public().asked() {
            let seen = game.state().seen(Viewer::Seat(ask.seat));
            let legal = ShadowHunters::legal_actions(seen);
            shares.longest_list = shares.longest_list.max(legal.len());
            let faction = game.state().private(ask.seat).unwrap().character.faction();
            let action = if greedy == Some(faction) {
                ahead.choose(seen, &legal)
            } else {
                random.choose(seen, &legal)
            };
            game.submit(ask.seat, action, None).unwrap();
        }
        let public = game.state().public();
        let ending = public.ending.as_ref().unwrap();
        shares.games += 1;
        shares.draws += u32::from(ending.reason == EndReason::TurnLimit);
        shares.plies += u64::from(game.ply());
        shares.turns += u64::from(public.turn);
        shares.longest_game = shares.longest_game.max(game.ply());
        for seat in (0..seats).map(Seat) {
            let faction = game.state().private(seat).unwrap().character.faction() as usize;
            shares.seats[faction] += 1;
            shares.wins[faction] += u32::from(ending.outcome.winners.contains(seat));
        }
    }
    shares
}

impl Shares {
    /// How many of a hundred seats of the faction win.
    fn percent(&self, faction: Faction) -> f64 {
        let index = faction as usize;
        100.0 * f64::from(self.wins[index]) / f64::from(self.seats[index].max(1))
    }
}

/// `SHADOW_HUNTERS_GAMES=10000` plays as many games for each number of seats as the figures of a
/// release are taken from.
#[test]
fn every_faction_wins_now_and_then_in_random_games() {
    let games = std::env::var("SHADOW_HUNTERS_GAMES").map_or(60, |games| games.parse().unwrap());
    for seats in 4..=8 {
        let shares = play(Options::default(), seats, 0..games, None);
        println!(
            "{seats} seats: Hunters {:.1} %, Shadows {:.1} %, Neutrals {:.1} %; {shares:?}",
            shares.percent(Faction::Hunter),
            shares.percent(Faction::Shadow),
            shares.percent(Faction::Neutral),
        );
        assert_eq!(u64::from(shares.games), games);
        assert!(shares.longest_list <= ShadowHunters::INFO.legal_max as usize);
        for faction in Faction::ALL {
            let plays = shares.seats[faction as usize] > 0;
            assert_eq!(
                shares.wins[faction as usize] > 0,
                plays,
                "{faction:?} with {seats} seats"
            );
        }
    }
}

#[test]
fn looking_ahead_helps_the_own_side() {
    // Neutrals have goals of their own, which are harder to reach alone.
    for (seats, faction, games, margin) in [
        (6, Faction::Hunter, 80, 20.0),
        (6, Faction::Shadow, 80, 20.0),
        (7, Faction::Neutral, 400, 5.0),
    ] {
        let random = play(Options::default(), seats, 0..games, None).percent(faction);
        let greedy = play(Options::default(), seats, 0..games, Some(faction)).percent(faction);
        println!("{seats} seats, {faction:?}: random {random:.1} %, greedy {greedy:.1} %");
        assert!(
            greedy > random + margin,
            "{faction:?}: random {random:.1} %, greedy {greedy:.1} %"
        );
    }
}
