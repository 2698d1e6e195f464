//! The conformance suite, for every number of seats, the Automa and the modules.

use std::collections::BTreeSet;
use std::ops::Range;

use tavola_engine::Game;
use tavola_engine::games::council_of_shadows::components::{
    AutomaCard, Bonus, Card, DarkTech, Numbered, Tile, numbers,
};
use tavola_engine::games::council_of_shadows::{
    AutomaMode, CouncilOfShadows, LeaderMode, Options, Party, ScoringTiming, Stage, StartEnergy,
};
use tavola_engine::testing::{Report, check_game_with};

/// Nothing is lost, nothing is in two places, and what is counted in public is so.
pub(crate) fn conserved(state: &CouncilOfShadows) -> Result<(), String> {
    cubes(state)?;
    tiles(state)?;
    cards(state)?;
    bonus(state)?;
    markers(state)?;
    memories(state)
}

fn law(holds: bool, broken: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(broken()) }
}

/// All of these, each once.
fn each_once<T: Copy + Ord + std::fmt::Debug>(
    things: impl Iterator<Item = T>,
    all: impl Iterator<Item = T>,
    what: &str,
) -> Result<(), String> {
    let mut things: Vec<T> = things.collect();
    things.sort_unstable();
    let all: Vec<T> = all.collect();
    law(things == all, || format!("{what}: {things:?} of {all:?}"))
}

fn cubes(state: &CouncilOfShadows) -> Result<(), String> {
    let public = state.public();
    for party in public.all_parties() {
        let board = public.party(party);
        let placed = public.board.cubes_of(party);
        let built = board.upgrades.len() as u8;
        let all = board.supply + placed + built;
        law(all == numbers().start.cubes, || {
            format!("{party} has {all} cubes")
        })?;
    }
    for (space, system) in public.board.systems() {
        let in_play = space.galaxy().in_play(public.setup.parties());
        law(in_play && system.tile.parsec() == space.parsec(), || {
            format!("{} lies on {space}", system.tile)
        })?;
        for (planet, _) in system.planets() {
            law(system.height(planet) <= numbers().play.max_height, || {
                format!("{space} planet {planet} is too high")
            })?;
        }
    }
    Ok(())
}

fn tiles(state: &CouncilOfShadows) -> Result<(), String> {
    let (public, hidden) = (state.public(), state.hidden());
    let placed = public.board.systems().map(|(_, system)| system.tile);
    let drawn = public
        .seats()
        .iter()
        .filter_map(|seat| state.private(seat))
        .flat_map(|own| own.tiles.clone());
    let stacked = hidden.tile_stacks.iter().flatten().copied();
    each_once(placed.chain(drawn).chain(stacked), Tile::all(), "tiles")?;
    let counts = hidden.tile_stacks.each_ref().map(|stack| stack.len() as u8);
    law(counts == public.tile_stacks, || {
        format!("{counts:?} tiles, counted {:?}", public.tile_stacks)
    })
}

fn cards(state: &CouncilOfShadows) -> Result<(), String> {
    let (public, hidden) = (state.public(), state.hidden());
    let mut held = Vec::new();
    for party in public.all_parties() {
        let board = public.party(party);
        let own = board
            .hand
            .iter()
            .chain(board.slots.iter().flat_map(|slot| slot.stack.clone()));
        let (ai, starting): (Vec<Card>, Vec<Card>) = own.partition(|card| card.is_ai());
        held.extend(ai);
        let human = public.seat_of(party).is_some();
        let set = Card::all().filter(|card| human && !card.is_ai());
        each_once(starting.into_iter(), set, "starting cards")?;
    }
    let offered = public.ai_row.iter().flatten().copied();
    let all = held
        .into_iter()
        .chain(offered)
        .chain(hidden.ai_deck.clone());
    each_once(all, Card::all().filter(|card| card.is_ai()), "AI cards")?;
    law(usize::from(public.ai_deck) == hidden.ai_deck.len(), || {
        "AI deck".into()
    })?;
    law(hidden.ai_deck.ends_with(&public.ai_bottom), || {
        format!("{:?} under {:?}", public.ai_bottom, hidden.ai_deck)
    })?;
    for (index, stack) in hidden.dark_tech.iter().enumerate() {
        let level = index as u8 + 1;
        let taken = public
            .parties
            .iter()
            .flat_map(|board| board.dark_tech.iter());
        let taken = taken.filter(|card| card.data().level == level);
        let mut all: Vec<DarkTech> = taken.chain(stack.iter().copied()).collect();
        all.sort_unstable();
        all.dedup();
        law(
            all.len() == 6 && usize::from(public.dark_tech[index]) == stack.len(),
            || format!("Dark Tech of level {level}: {all:?}"),
        )?;
    }
    if public.setup.automa.is_some() {
        let used = public.automa_used.iter().chain(public.automa_card);
        let all = used.chain(hidden.automa_deck.clone());
        each_once(all, AutomaCard::all(), "Automa cards")?;
    }
    Ok(())
}

fn bonus(state: &CouncilOfShadows) -> Result<(), String> {
    let (public, hidden) = (state.public(), state.hidden());
    let mut all: Vec<Bonus> = hidden.bonus_deck.to_vec();
    for seat in public.seats().iter() {
        let own = state.private(seat).unwrap();
        let board = public.party(seat.into());
        law(
            own.bonus.len() <= usize::from(numbers().play.bonus_limit),
            || format!("{seat} holds {:?}", own.bonus),
        )?;
        let light = own
            .bonus
            .iter()
            .filter(|card| card.index() < Bonus::LIGHT)
            .count();
        let backs = (light as u8, (own.bonus.len() - light) as u8);
        law(backs == (board.light_bonus, board.dark_bonus), || {
            format!("{seat} holds {:?}, counted {backs:?}", own.bonus)
        })?;
        all.extend(own.bonus.iter().copied());
        all.extend(own.bonus_drawn);
    }
    let backs = hidden.bonus_deck.iter().map(|card| card.back());
    law(backs.eq(public.bonus_deck.iter().copied()), || {
        "backs".into()
    })?;
    let (light, dark): (Vec<Bonus>, Vec<Bonus>) = all
        .into_iter()
        .partition(|card| card.index() < Bonus::LIGHT);
    each_once(
        light.into_iter(),
        Bonus::all().take(usize::from(Bonus::LIGHT)),
        "light cards",
    )?;
    let setup = &public.setup;
    let distinct: BTreeSet<Bonus> = dark.iter().copied().collect();
    let used = distinct
        .iter()
        .all(|card| card.in_use(setup.parties(), setup.stations));
    law(
        used && distinct.len() == dark.len() && dark.len() == usize::from(setup.humans),
        || format!("dark cards: {dark:?}"),
    )
}

fn markers(state: &CouncilOfShadows) -> Result<(), String> {
    let public = state.public();
    for party in public.all_parties() {
        let board = public.party(party);
        law(board.consumption >= numbers().start.consumption, || {
            format!("{party} consumes {}", board.consumption)
        })?;
        law(board.energy < board.consumption, || {
            format!(
                "{party} has energy {} of {}",
                board.energy, board.consumption
            )
        })?;
    }
    each_once(
        public.order.iter().copied(),
        public.all_parties(),
        "order tiles",
    )?;
    law(public.round <= public.setup.max_rounds, || {
        format!("round {}", public.round)
    })?;
    let held = public
        .all_parties()
        .any(|party| public.party(party).level >= 3);
    let over = matches!(public.stage, Stage::Over(_));
    let pending = !public.level_ups.is_empty();
    law(over || pending || held == public.throne.is_some(), || {
        format!("throne {:?}", public.throne)
    })?;
    for seat in public.seats().iter() {
        let hand = public.party(seat.into()).hand;
        let plan = &state.private(seat).unwrap().plan;
        law(
            plan.iter().flatten().all(|&card| hand.contains(card)),
            || format!("{seat} plans {plan:?} of {hand:?}"),
        )?;
    }
    Ok(())
}

/// What a seat remembers is true.
fn memories(state: &CouncilOfShadows) -> Result<(), String> {
    let (public, hidden) = (state.public(), state.hidden());
    for seat in public.seats().iter() {
        let own = state.private(seat).unwrap();
        let memory = &own.memory;
        for (known, stack) in memory.tile_stacks.iter().zip(&hidden.tile_stacks) {
            let fits = known.len() == stack.len()
                && known
                    .iter()
                    .zip(stack)
                    .all(|(known, tile)| known.is_none_or(|known| known == *tile));
            law(fits, || format!("{seat} remembers {known:?} of {stack:?}"))?;
        }
        let deck = &memory.bonus_deck;
        let fits = deck.len() == hidden.bonus_deck.len()
            && deck
                .iter()
                .zip(&hidden.bonus_deck)
                .all(|(known, card)| known.is_none_or(|known| known == *card));
        law(fits, || {
            format!("{seat} remembers {deck:?} of {:?}", hidden.bonus_deck)
        })?;
        for other in public.seats().iter() {
            let held = &state.private(other).unwrap().bonus;
            let known = memory.bonus_held[usize::from(other.0)];
            law(known.iter().all(|card| held.contains(&card)), || {
                format!("{seat} thinks {other} holds {known:?}, not {held:?}")
            })?;
        }
        for (seen, stack) in own.dark_tech.iter().zip(&hidden.dark_tech) {
            let stack = stack.iter().copied().collect();
            law(seen.is_none_or(|seen| seen == stack), || {
                format!("{seat} has seen {seen:?}, not {stack:?}")
            })?;
        }
    }
    Ok(())
}

fn check(options: &Options, seats: u8, seeds: Range<u64>) -> Report {
    let report = check_game_with(options, seats, seeds.clone(), conserved).unwrap();
    println!("{seats} seats, {options:?}: {report:?}");
    assert_eq!(report.games, seeds.end - seeds.start);
    assert!(report.varied > 0);
    report
}

/// Games long enough for Dark Tech, the bonus limit and the throne.
#[test]
fn long_games_with_all_modules() {
    let options = Options {
        stations: true,
        leaders: LeaderMode::Random,
        ..Options::default()
    };
    check(&options, 2, 10..12);
    check(&options, 3, 12..13);
}

/// Section 6: at most 60 decisions per human and round, and 10 for Dark Tech (and one for a leader), whatever the play.
#[test]
fn the_bound_on_decisions_of_a_round_holds() {
    use std::collections::BTreeMap;
    use tavola_engine::bots::{Bot, RandomBot};
    use tavola_engine::{Playthrough, Seat, Seed, Viewer};
    for seed in 0..6 {
        let options = Options {
            stations: seed % 2 == 0,
            leaders: LeaderMode::Draft,
            ..Options::default()
        };
        let mut play = Playthrough::<CouncilOfShadows>::start(
            options.clone(),
            4,
            Seed::from_number(seed),
            None,
        )
        .unwrap();
        let mut bot = RandomBot::new(Seed::from_number(seed).0);
        let mut asked: BTreeMap<(u8, Seat), u32> = BTreeMap::new();
        let mut beside: BTreeMap<Seat, u32> = BTreeMap::new();
        while let Some(seat) = CouncilOfShadows::to_act(play.state().public())
            .iter()
            .next()
        {
            let public = play.state().public();
            match public.stage {
                Stage::Events { .. } | Stage::Drafting { .. } => {
                    *beside.entry(seat).or_default() += 1
                }
                _ => *asked.entry((public.round, seat)).or_default() += 1,
            }
            let seen = play.state().seen(Viewer::Seat(seat));
            let legal = CouncilOfShadows::legal_actions(seen);
            let action = bot.choose(seen, &legal);
            play.submit(seat, action, None).unwrap();
        }
        assert!(asked.values().all(|&asked| asked <= 60), "{asked:?}");
        assert!(beside.values().all(|&beside| beside <= 11), "{beside:?}");
        assert!(play.ply() <= CouncilOfShadows::plies_max(&options, 4));
        assert!(play.state().public().round <= options.max_rounds);
    }
}

/// Short games: random players need the end of rounds.
fn short() -> Options {
    Options {
        max_rounds: 7,
        ..Options::default()
    }
}

#[test]
fn base_games_of_two_to_four() {
    for seats in 2..=4 {
        check(&short(), seats, 0..12);
    }
}

#[test]
fn the_default_of_thirty_rounds() {
    check(&Options::default(), 2, 0..2);
}

#[test]
fn one_and_two_with_the_automa() {
    for automa in [AutomaMode::Easy, AutomaMode::Normal, AutomaMode::Hard] {
        for seats in 1..=2 {
            let options = Options {
                automa: Some(automa),
                ..Options::default()
            };
            check(&options, seats, 0..16);
        }
    }
}

#[test]
fn all_modules_at_once() {
    for (seats, leaders) in [
        (1, LeaderMode::Draft),
        (2, LeaderMode::Random),
        (3, LeaderMode::Draft),
        (4, LeaderMode::Random),
        (4, LeaderMode::Draft),
    ] {
        let options = Options {
            stations: true,
            leaders,
            start_energy: StartEnergy::TileMinusOne,
            scoring_timing: ScoringTiming::AfterAll,
            ..short()
        };
        check(&options, seats, 0..10);
    }
}

#[test]
fn open_planning() {
    for seats in 1..=4 {
        let options = Options {
            open_planning: true,
            ..short()
        };
        check(&options, seats, 0..10);
    }
}

#[test]
fn parties_number_from_zero() {
    let public_parties: Vec<Party> = {
        let mut chance = tavola_engine::Chance::at_ply(tavola_engine::Seed::from_number(1), 0);
        let mut cx = tavola_engine::Cx::new(&mut chance, None);
        let table = CouncilOfShadows::new(&Options::default(), 1, &mut cx).unwrap();
        table.public().all_parties().collect()
    };
    assert_eq!(
        public_parties,
        [Party(0), Party(1)],
        "a human and the Automa"
    );
}
