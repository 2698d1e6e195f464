//! Whole games of Shadow Hunters over the wire, and twin worlds that nobody can tell apart from
//! what he is sent.

use prost::Message as _;
use tavola::{
    pb::{
        shadow_hunters::v1 as game,
        v1::{
            self as pb, AddBotRequest, CreateSessionRequest, GetObservationResponse, Options,
            SessionStatus, Update, View, observation, options, submit_action_request::Answer,
        },
    },
    wire::Wire as _,
};
use tavola_engine::{
    ActionId, Audience, Game as _, Playthrough, Seat, Seed, Viewer,
    games::shadow_hunters::{Event, ExpansionCharacters, Options as EngineOptions, ShadowHunters},
};

use crate::common::{
    Dice, Server, Sessions, Table, Watching, asked_seat, refusal, update_of, with_token,
};

fn request(seats: u8, options: &EngineOptions, seed: u64) -> CreateSessionRequest {
    CreateSessionRequest {
        game: "shadow_hunters".to_owned(),
        seats: Some(seats.into()),
        options: Some(ShadowHunters::options_to_pb(options)),
        seed: Some(seed),
        ..Default::default()
    }
}

/// A session with a player at each seat.
async fn start(client: &Sessions, seats: u8, options: &EngineOptions, seed: u64) -> Table {
    let mut table = Table::create(client, request(seats, options, seed)).await;
    for _ in 0..seats {
        table.join().await;
    }
    table
}

/// Everybody who may look.
fn viewers(seats: u8) -> Vec<Option<usize>> {
    (0..usize::from(seats)).map(Some).chain([None]).collect()
}

fn eyes(viewer: Option<usize>) -> Viewer {
    viewer.map_or(Viewer::Spectator, |seat| {
        Viewer::Seat(Seat(u8::try_from(seat).unwrap()))
    })
}

/// Holds what a viewer is shown to what the engine says of the same game.
fn assert_as_the_engine_has_it(
    shown: &GetObservationResponse,
    viewer: Option<usize>,
    mirror: &Playthrough<ShadowHunters>,
) {
    let seen = mirror.state().seen(eyes(viewer));
    assert_eq!(
        shown.observation,
        Some(ShadowHunters::observation_to_pb(seen))
    );
    let legal: Vec<u32> = ShadowHunters::legal_actions(seen)
        .into_iter()
        .map(|action| ShadowHunters::encode(action).0)
        .collect();
    assert_eq!(shown.legal_action_ids, legal);
    let asked = mirror.state().public().asked();
    let seats = shown
        .decision
        .as_ref()
        .map(|decision| decision.seats.clone());
    assert_eq!(seats, asked.map(|ask| vec![ask.seat.0.into()]));
}

/// Every seat is played by a client that answers at random, every viewer sees what the engine says,
/// to the end.
async fn play(client: &Sessions, seats: u8, options: EngineOptions, dice: &mut Dice) {
    let seed = dice.next();
    let table = start(client, seats, &options, seed).await;
    let mut mirror =
        Playthrough::<ShadowHunters>::start(options, seats, Seed::from_number(seed), None).unwrap();
    while let Some(ask) = mirror.state().public().asked() {
        let seat = usize::from(ask.seat.0);
        let shown = table.observe(Some(seat), View::Lean).await;
        assert_as_the_engine_has_it(&shown, Some(seat), &mirror);
        // Each ply somebody else looks as well.
        let all = viewers(seats);
        let other = *dice.pick(&all);
        let look = table.observe(other, View::Lean).await;
        assert_as_the_engine_has_it(&look, other, &mirror);

        let id = *dice.pick(&shown.legal_action_ids);
        let decision = shown.decision.unwrap().decision_id;
        table
            .submit(seat, decision, Answer::ActionId(id))
            .await
            .expect("what is listed is accepted");
        mirror.submit_id(ask.seat, ActionId(id), None).unwrap();
    }
    for viewer in viewers(seats) {
        let shown = table.observe(viewer, View::Lean).await;
        assert_as_the_engine_has_it(&shown, viewer, &mirror);
        assert_eq!(shown.status(), SessionStatus::Finished);
        let outcome = shown.outcome.unwrap();
        let expected = ShadowHunters::outcome(mirror.state().public()).unwrap();
        let winners: Vec<u32> = expected.winners.iter().map(|seat| seat.0.into()).collect();
        assert_eq!(outcome.winners, winners);
    }
    let state = table.state(None).await.unwrap().state;
    assert_eq!(state, Some(mirror.state().state_to_pb()));
}

#[tokio::test]
async fn whole_games_for_every_number_of_seats() {
    let server = Server::start(&[]);
    let client = server.sessions().await;
    let mut dice = Dice::new();
    for seats in 4..=8 {
        let options = EngineOptions {
            turn_limit: 60,
            opening_hermit: seats >= 6,
            ..EngineOptions::default()
        };
        play(&client, seats, options, &mut dice).await;
    }
}

#[tokio::test]
async fn whole_games_with_other_options() {
    let server = Server::start(&[]);
    let client = server.sessions().await;
    let mut dice = Dice::new();
    for (expansion_characters, special_abilities) in [
        (ExpansionCharacters::None, false),
        (ExpansionCharacters::Only, true),
        (ExpansionCharacters::OnePerInitial, false),
    ] {
        let options = EngineOptions {
            turn_limit: 40,
            expansion_characters,
            special_abilities,
            opening_hermit: false,
        };
        play(&client, 5, options, &mut dice).await;
    }
}

#[tokio::test]
async fn options_that_are_not_legal_are_refused_by_their_field() {
    let server = Server::start(&[]);
    let client = server.sessions().await;
    let refused = |seats: u32, options: game::Options| {
        let mut client = client.clone();
        async move {
            let request = CreateSessionRequest {
                game: "shadow_hunters".to_owned(),
                seats: Some(seats),
                options: Some(Options {
                    game: Some(options::Game::ShadowHunters(options)),
                }),
                ..Default::default()
            };
            let status = client.create_session(request).await.unwrap_err();
            assert_eq!(status.code(), tonic::Code::InvalidArgument, "{status:?}");
            String::from_utf8_lossy(status.details()).into_owned()
        }
    };
    let opening = game::Options {
        opening_hermit: Some(true),
        ..Default::default()
    };
    let details = refused(5, opening).await;
    assert!(
        details.contains("options.shadow_hunters.opening_hermit"),
        "{details}"
    );
    let short = game::Options {
        turn_limit: Some(9),
        ..Default::default()
    };
    let details = refused(5, short).await;
    assert!(
        details.contains("options.shadow_hunters.turn_limit"),
        "{details}"
    );
    let details = refused(9, game::Options::default()).await;
    assert!(details.contains("seats"), "{details}");
}

/// The whole game reaches every viewer over his stream, one update a ply, and tells him what the
/// engine tells him.
#[tokio::test]
async fn every_stream_has_one_update_a_ply_and_its_own_events() {
    let server = Server::start(&[]);
    let client = server.sessions().await;
    let mut dice = Dice::new();
    let (seats, seed) = (6, dice.next());
    let options = EngineOptions {
        turn_limit: 15,
        opening_hermit: true,
        ..EngineOptions::default()
    };
    let table = start(&client, seats, &options, seed).await;
    let mut streams = Vec::new();
    for viewer in viewers(seats) {
        let mut stream = table.watch(viewer, View::Lean).await;
        stream.next().await;
        streams.push((viewer, stream));
    }
    let mut mirror =
        Playthrough::<ShadowHunters>::start(options, seats, Seed::from_number(seed), None).unwrap();
    while let Some(ask) = mirror.state().public().asked() {
        let legal = ShadowHunters::legal_actions(mirror.state().seen(Viewer::Seat(ask.seat)));
        let action = *dice.pick(&legal);
        let id = ShadowHunters::encode(action);
        let decision = mirror.decision_number();
        let seat = usize::from(ask.seat.0);
        table
            .submit(seat, decision, Answer::ActionId(id.0))
            .await
            .expect("what is legal is accepted");
        let mut told = Vec::new();
        mirror.submit(ask.seat, action, Some(&mut told)).unwrap();
        for (viewer, stream) in &mut streams {
            let update = stream.next().await;
            assert_eq!(update.events, heard(&told, *viewer));
            let seen = mirror.state().seen(eyes(*viewer));
            assert_eq!(
                update.observation,
                Some(ShadowHunters::observation_to_pb(seen))
            );
        }
    }
    for (_, stream) in &mut streams {
        assert_eq!(
            stream.rest().await,
            [],
            "the last update carries the result"
        );
    }
}

fn heard(told: &[(Audience, Event)], viewer: Option<usize>) -> Vec<pb::Event> {
    let seat = viewer.map(|seat| Seat(u8::try_from(seat).unwrap()));
    told.iter()
        .filter(|(audience, _)| audience.includes(seat))
        .map(|(_, event)| ShadowHunters::event_to_pb(event))
        .collect()
}

/// A player leaves a table of house bots: one of them plays his seat on, the game comes to its end,
/// and he doesn't win it.
#[tokio::test]
async fn a_seat_that_is_left_is_played_on() {
    let server = Server::start(&[]);
    let client = server.sessions().await;
    let options = EngineOptions {
        turn_limit: 40,
        ..EngineOptions::default()
    };
    let mut table = Table::create(&client, request(5, &options, 3)).await;
    table.join().await;
    for bot in ["greedy", "random", "greedy", "random"] {
        let request = AddBotRequest {
            session_id: table.id.clone(),
            bot: bot.to_owned(),
            seat: None,
            ..Default::default()
        };
        let request = with_token(Some(&table.host), request);
        table.client.clone().add_bot(request).await.unwrap();
    }
    let mut stream = table.watch(None, View::Lean).await;
    table.leave(0).await.unwrap();
    let mut last = stream.rest().await.pop().unwrap();
    let outcome = last.outcome.clone().unwrap();
    assert!(!outcome.winners.contains(&0));
    assert_eq!(outcome.returns[0], -1);
    let players = &seen(&mut last).unwrap().table.as_ref().unwrap().players;
    assert!(players[0].resigned);
    assert!(players.iter().all(|player| player.character.is_some()));
}

/// Two tables that differ in characters alone. One seed sets both up: areas, decks and dice are the
/// same, and the options, which draw from the pools in another way, deal other characters to some
/// seats. Until somebody is revealed, nobody is sent anything else at one table than at the other but
/// what he knows of those seats.
#[tokio::test]
async fn twin_tables_look_alike_over_the_wire_until_somebody_is_revealed() {
    let server = Server::start(&[]);
    let client = server.sessions().await;
    let mut dice = Dice::new();
    let mut compared = 0;
    let mut tables = 0;
    while compared < 400 {
        tables += 1;
        assert!(tables <= 60, "only {compared} plies could be compared");
        let seats = *dice.pick(&[4, 5, 6, 7, 8]);
        let deal = Deal::draw(seats, &mut dice);
        let mut pair = Vec::new();
        for options in &deal.worlds {
            pair.push(World::open(&client, seats, options, deal.seed).await);
        }
        let [one, other] = &mut pair[..] else {
            panic!("a pair is two")
        };
        compared += play_alike(&deal, one, other, &mut dice).await;
    }
}

/// A seed that with either options sets up the same table, but for the characters of some seats.
struct Deal {
    seed: u64,
    worlds: [EngineOptions; 2],
    /// Whether the seat has the same character in both worlds.
    same: Vec<bool>,
}

impl Deal {
    fn draw(seats: u8, dice: &mut Dice) -> Self {
        let worlds = [ExpansionCharacters::All, ExpansionCharacters::OnePerInitial].map(
            |expansion_characters| EngineOptions {
                expansion_characters,
                ..EngineOptions::default()
            },
        );
        loop {
            let seed = dice.next();
            let [one, other] = worlds.map(|options| {
                Playthrough::<ShadowHunters>::start(options, seats, Seed::from_number(seed), None)
                    .unwrap()
            });
            let character = |play: &Playthrough<ShadowHunters>, seat| {
                play.state().private(Seat(seat)).map(|own| own.character)
            };
            let same: Vec<bool> = (0..seats)
                .map(|seat| character(&one, seat) == character(&other, seat))
                .collect();
            let differing = same.iter().filter(|same| !**same).count();
            let both_kinds = differing > 1 && differing < same.len();
            if both_kinds && one.state().public().active == other.state().public().active {
                return Self { seed, worlds, same };
            }
        }
    }

    /// Whether the viewer is the same in both worlds; a spectator always is.
    fn is_same(&self, viewer: Option<usize>) -> bool {
        viewer.is_none_or(|seat| self.same[seat])
    }

    /// The update without what the worlds differ in and the viewer may know of it: the options, his
    /// own character and what it can do, and the characters that he was shown.
    fn less_the_difference(&self, mut update: Update, viewer: Option<usize>) -> Update {
        let same =
            |seat: Option<u32>| self.is_same(seat.map(|seat| usize::try_from(seat).unwrap()));
        update.session = None;
        if !self.is_same(viewer) {
            update.legal_actions.clear();
        }
        update.events.retain(|event| match kind_of(event) {
            game::event::Kind::CharacterDealt(dealt) => same(dealt.seat),
            game::event::Kind::IdentityShown(shown) => same(shown.seat),
            _ => true,
        });
        let seen = seen(&mut update).unwrap();
        seen.table.as_mut().unwrap().options = None;
        if let Some(own) = &mut seen.own {
            if !self.is_same(viewer) {
                own.character = game::Character::Unspecified.into();
            }
            own.identities.retain(|identity| same(identity.seat));
        }
        update
    }
}

fn kind_of(event: &pb::Event) -> &game::event::Kind {
    match &event.game {
        Some(pb::event::Game::ShadowHunters(event)) => event.kind.as_ref().unwrap(),
        _ => panic!("an event of this game"),
    }
}

/// A session that everybody watches.
struct World {
    table: Table,
    streams: Vec<(Option<usize>, Watching)>,
}

impl World {
    async fn open(client: &Sessions, seats: u8, options: &EngineOptions, seed: u64) -> Self {
        let table = start(client, seats, options, seed).await;
        let mut streams = Vec::new();
        for viewer in viewers(seats) {
            streams.push((viewer, table.watch(viewer, View::Full).await));
        }
        Self { table, streams }
    }

    /// The next update of everybody, with its size.
    async fn next(&mut self) -> Vec<(Option<usize>, Update, usize)> {
        let mut updates = Vec::new();
        for (viewer, stream) in &mut self.streams {
            let encoded = stream.next_encoded().await.unwrap().unwrap();
            updates.push((*viewer, update_of(&encoded), encoded.len()));
        }
        updates
    }
}

/// Plays the same at both tables as long as nobody is revealed; how many plies were compared.
async fn play_alike(deal: &Deal, one: &mut World, other: &mut World, dice: &mut Dice) -> u32 {
    let mut compared = 0;
    loop {
        let (here, there) = (one.next().await, other.next().await);
        if here
            .iter()
            .chain(&there)
            .any(|(_, update, _)| somebody_is_known(update))
        {
            return compared;
        }
        let mut listed = Vec::new();
        for ((viewer, one, one_size), (_, other, other_size)) in here.iter().zip(there) {
            let [one_list, other_list] = [one, &other].map(|update| {
                let ids = update.legal_actions.iter().map(|legal| legal.action_id());
                ids.collect::<Vec<u32>>()
            });
            if !one_list.is_empty() {
                let both = one_list.into_iter().filter(|id| other_list.contains(id));
                listed = both.collect();
            }
            // Whatever differs takes up one byte; but the first update has the session in it.
            if compared > 0 && deal.is_same(*viewer) {
                assert_eq!(*one_size, other_size, "{viewer:?} after {compared} plies");
            }
            assert_eq!(
                deal.less_the_difference(one.clone(), *viewer),
                deal.less_the_difference(other, *viewer),
                "{viewer:?} after {compared} plies"
            );
        }
        compared += 1;
        let (_, update, _) = &here[0];
        let Some(seat) = asked_seat(update.decision.as_ref()) else {
            return compared;
        };
        let decision = update.decision.as_ref().unwrap().decision_id;
        let tables = [&one.table, &other.table];
        refuse_alike(deal, tables, (seat, &listed), decision, dice).await;
        // Nobody reveals or uses an ability, as far as that can be helped.
        let quiet: Vec<u32> = listed
            .into_iter()
            .filter(|id| !(1..23).contains(id))
            .collect();
        if quiet.is_empty() {
            return compared;
        }
        let id = *dice.pick(&quiet);
        for table in tables {
            table
                .submit(seat, decision, Answer::ActionId(id))
                .await
                .expect("what is legal is accepted");
        }
    }
}

/// Who is not asked is refused in the same words at both tables; so is who is asked and answers what
/// he can't, if he is the same in both.
async fn refuse_alike(
    deal: &Deal,
    tables: [&Table; 2],
    asked: (usize, &[u32]),
    decision: u64,
    dice: &mut Dice,
) {
    let (seat, listed) = asked;
    let seats = deal.same.len();
    let mut id = 0;
    while id == 0 || listed.contains(&id) {
        id = u32::try_from(dice.below(328)).unwrap();
    }
    let another = (seat + 1 + dice.below(seats - 1)) % seats;
    for refused in [another, seat] {
        if refused == seat && !deal.same[seat] {
            continue;
        }
        let mut refusals = Vec::new();
        for table in tables {
            let reply = table.submit(refused, decision, Answer::ActionId(id)).await;
            refusals.push(refusal(&reply.unwrap_err()));
        }
        assert_eq!(
            refusals[0], refusals[1],
            "{id} by {refused}, {seat} is asked"
        );
    }
}

fn seen(update: &mut Update) -> Option<&mut game::Observation> {
    match update.observation.as_mut()?.game.as_mut()? {
        observation::Game::ShadowHunters(seen) => Some(seen),
        _ => None,
    }
}

/// Whether a character is revealed, or the update is too short to tell.
fn somebody_is_known(update: &Update) -> bool {
    assert!(update.encoded_len() > 50);
    let mut update = update.clone();
    let table = seen(&mut update).unwrap().table.as_ref().unwrap();
    table
        .players
        .iter()
        .any(|player| player.character.is_some())
}
