//! House bots at a table of Under Falling Skies.

use tavola_engine::bots::{Bot, GreedyBot, RandomBot};
use tavola_engine::games::under_falling_skies::{
    BattleEnd, City, CitySide, EndReason, Mode, Options, UnderFallingSkies,
};
use tavola_engine::{Evaluate, Game, Playthrough, Seat, Seed, Viewer};

use crate::scenario::{easy, fresh, r0};

/// Whether the bot wins, and its score.
fn play(options: &Options, seed: u64, mut bot: impl Bot<UnderFallingSkies>) -> (bool, i32) {
    let started =
        Playthrough::<UnderFallingSkies>::start(options.clone(), 1, Seed::from_number(seed), None);
    let mut game = started.unwrap();
    while !UnderFallingSkies::to_act(game.state().public()).is_empty() {
        let seen = game.state().seen(Viewer::Seat(Seat(0)));
        let action = bot.choose(seen, &UnderFallingSkies::legal_actions(seen));
        game.submit(Seat(0), action, None).unwrap();
    }
    let outcome = UnderFallingSkies::outcome(game.state().public()).unwrap();
    let score = *outcome.returns.get(Seat(0)).unwrap();
    (outcome.winners.contains(Seat(0)), score)
}

fn dice(seed: u64) -> [u8; 32] {
    let mut bytes = Seed::from_number(seed).0;
    bytes[31] = 1;
    bytes
}

#[test]
fn greedy_wins_half_of_the_easy_games_and_random_none() {
    let games = 60;
    let options = easy("roswell");
    let greedy = (0..games).filter(|&seed| play(&options, seed, GreedyBot::new(dice(seed))).0);
    let greedy = greedy.count();
    let random = (0..games).filter(|&seed| play(&options, seed, RandomBot::new(dice(seed))).0);
    let random = random.count();
    println!("greedy won {greedy} of {games} games, random {random}");
    assert!(greedy >= 30, "greedy won {greedy} of {games}");
    assert_eq!(random, 0);
}

#[test]
fn every_city_can_be_won_on_both_sides() {
    for city in City::all() {
        for city_side in [CitySide::Intact, CitySide::Damaged] {
            let options = Options {
                city_side,
                ..easy(&city.tile().id)
            };
            let won = (0..40).any(|seed| play(&options, seed, GreedyBot::new(dice(seed))).0);
            assert!(won, "{}, {city_side:?}", city.tile().id);
        }
    }
}

#[test]
fn greedy_plays_a_campaign_to_its_end() {
    let options = Options {
        mode: Mode::Campaign,
        campaign_content: true,
        ..Options::default()
    };
    let mut game =
        Playthrough::<UnderFallingSkies>::start(options, 1, Seed::from_number(1), None).unwrap();
    let mut bot = GreedyBot::new(dice(1));
    while !UnderFallingSkies::to_act(game.state().public()).is_empty() {
        let seen = game.state().seen(Viewer::Seat(Seat(0)));
        let action = bot.choose(seen, &UnderFallingSkies::legal_actions(seen));
        game.submit(Seat(0), action, None).unwrap();
    }
    let public = game.state().public();
    let ending = public.ending.as_ref().unwrap();
    let campaign = public.campaign.as_ref().unwrap();
    // 12.4: two battles in each of three chapters, tried twice if lost, then the final battle.
    let mut battles: Vec<_> = campaign
        .results
        .iter()
        .map(|result| (result.chapter, result.battle))
        .collect();
    battles.dedup();
    assert_eq!(
        battles,
        [(1, 1), (1, 2), (2, 1), (2, 2), (3, 1), (3, 2), (4, 1)]
    );
    let points = campaign.results.iter().map(|result| match result.end {
        BattleEnd::Won => i32::from(result.difficulty),
        _ => -1,
    });
    let score = *ending.outcome.returns.get(Seat(0)).unwrap();
    assert_eq!(score, points.sum::<i32>());
    let won = campaign.results.last().unwrap().end == BattleEnd::Won;
    let reason = if won {
        EndReason::CampaignWon
    } else {
        EndReason::CampaignLost
    };
    assert_eq!(ending.reason, reason);
    assert!(
        campaign
            .results
            .iter()
            .any(|result| result.end == BattleEnd::Won),
        "the greedy bot wins some of them"
    );
}

#[test]
fn a_won_game_is_above_all_others_and_a_lost_one_below() {
    let value = |table: &crate::scenario::Table| table.state.evaluate(Seat(0));
    let won = r0()
        .research(15)
        .e(29)
        .rooms(&[(6, 26), (6, 27), (6, 28)])
        .resolves_steps("b_b_research_4", 1);
    let lost = r0().m(5).research(15).energy(6).mothership_stops();
    assert!(matches!(
        lost.state.public().ending.as_ref().unwrap().reason,
        EndReason::Battle(_)
    ));
    for open in [r0(), fresh("tokyo"), r0().damage(6).m(6)] {
        assert!(value(&won) > value(&open) && value(&open) > value(&lost));
    }
    assert!(value(&r0().research(3)) > value(&r0()));
    assert!(value(&r0().damage(3)) < value(&r0()));
}

#[test]
fn the_same_dice_choose_the_same() {
    let score = || play(&Options::default(), 5, GreedyBot::new(dice(5)));
    assert_eq!(score(), score());
}
