//! Council of Shadows over the wire: whole games for each number of seats and with the Automa, and four clients that
//! plan at the same time.

use std::sync::Arc;

use prost::Message as _;
use tavola::pb::{
    council_of_shadows::v1 as game,
    v1::{
        AddBotRequest, CreateSessionRequest, ErrorReason, Event, GetReplayRequest, Observation,
        Options, SessionStatus, Update, View, event, observation, options, play_answer,
        submit_action_request::Answer,
    },
};
use tokio::sync::Barrier;

use crate::common::{Dice, Player, Server, Table, Watching, refused, with_token};

fn request(seats: u32, options: game::Options) -> CreateSessionRequest {
    CreateSessionRequest {
        game: "council_of_shadows".to_owned(),
        seats: Some(seats),
        options: Some(Options {
            game: Some(options::Game::CouncilOfShadows(options)),
        }),
        seed: Some(7),
        ..Default::default()
    }
}

async fn start(server: &Server, seats: u32, options: game::Options) -> Table {
    let sessions = server.sessions().await;
    let mut table = Table::create(&sessions, request(seats, options)).await;
    for _ in 0..seats {
        table.join().await;
    }
    table
}

fn seen(observation: Option<&Observation>) -> &game::Observation {
    match observation.and_then(|observation| observation.game.as_ref()) {
        Some(observation::Game::CouncilOfShadows(seen)) => seen,
        _ => panic!("there is an observation of Council of Shadows"),
    }
}

fn stage(update: Option<&Observation>) -> game::stage::Kind {
    let table = seen(update).table.as_ref().unwrap();
    table.stage.as_ref().unwrap().kind.clone().unwrap()
}

fn told(event: &Event) -> &game::event::Kind {
    match &event.game {
        Some(event::Game::CouncilOfShadows(event)) => event.kind.as_ref().unwrap(),
        _ => panic!("there is an event of Council of Shadows"),
    }
}

/// A client that answers for one seat with whatever is legal, over one stream both ways, to the end of the game.
async fn play_seat(table: Table, seat: usize, mut dice: Dice) -> Update {
    let mut player = Player::at(&table, seat).await;
    let mut answered = 0;
    loop {
        let Some(reply) = player.next().await.expect("the stream goes on") else {
            panic!("the stream ends before the game does");
        };
        if let Some(answer) = reply.answer {
            let accepted = matches!(answer.result, Some(play_answer::Result::AcceptedVersion(_)));
            assert!(accepted, "what is listed is accepted: {answer:?}");
        }
        let Some(update) = reply.update else { continue };
        let update = crate::common::update_of(&update);
        if update.status() == SessionStatus::Finished {
            return update;
        }
        let Some(decision) = &update.decision else {
            continue;
        };
        let asked = decision.seats.contains(&u32::try_from(seat).unwrap());
        // While others answer, the decision keeps its number: it has been answered already.
        if !asked || decision.decision_id <= answered {
            continue;
        }
        answered = decision.decision_id;
        let legal: Vec<u32> = update
            .legal_actions
            .iter()
            .filter_map(|legal| legal.action_id)
            .collect();
        let action = Answer::ActionId(*dice.pick(&legal));
        player.submit(decision.decision_id, Some(as_play(action)));
    }
}

fn as_play(answer: Answer) -> tavola::pb::v1::play_submit::Answer {
    use tavola::pb::v1::play_submit::Answer as Play;
    match answer {
        Answer::ActionId(id) => Play::ActionId(id),
        Answer::Action(action) => Play::Action(action),
    }
}

/// A whole game with a client for each seat, all at the same time.
async fn whole_game(seats: u32, options: game::Options) -> Update {
    let server = Server::start(&[]);
    let table = start(&server, seats, options).await;
    let mut dice = Dice::new();
    let players: Vec<_> = (0..table.tokens.len())
        .map(|seat| tokio::spawn(play_seat(table.clone(), seat, dice.split())))
        .collect();
    let mut last = Vec::new();
    for player in players {
        last.push(player.await.expect("the client plays on"));
    }
    assert!(
        last.windows(2)
            .all(|pair| pair[0].outcome == pair[1].outcome)
    );
    let update = last.remove(0);
    let game::stage::Kind::Ending(ending) = stage(update.observation.as_ref()) else {
        panic!("the game is over");
    };
    let winners = &update.outcome.as_ref().unwrap().winners;
    let ranked_first = || {
        ending
            .standings
            .iter()
            .filter(|standing| standing.rank == 1)
    };
    // Who plays alone has to rank above the Automa.
    let alone_and_tied = seats == 1 && ranked_first().count() > 1;
    let first: Vec<u32> = ranked_first()
        .filter(|_| !alone_and_tied)
        .filter_map(|standing| standing.party)
        .filter(|party| *party < seats)
        .collect();
    assert_eq!(winners, &first);
    assert!(matches!(
        told(update.events.last().unwrap()),
        game::event::Kind::GameOver(_)
    ));
    // Everything is for all now: the whole state, and the replay.
    let state = table.state(None).await.expect("the game is over");
    assert!(state.state.is_some());
    let replay = table
        .replay(GetReplayRequest::default())
        .await
        .expect("the game is over");
    assert!(!replay.steps.is_empty());
    assert_eq!(table.session().await.status(), SessionStatus::Finished);
    update
}

fn short() -> game::Options {
    game::Options {
        max_rounds: Some(5),
        ..game::Options::default()
    }
}

#[tokio::test]
async fn one_client_plays_against_each_automa() {
    for automa in [
        game::AutomaMode::Unspecified,
        game::AutomaMode::Easy,
        game::AutomaMode::Hard,
    ] {
        let options = game::Options {
            automa: automa.into(),
            ..short()
        };
        let update = whole_game(1, options).await;
        let parties = &seen(update.observation.as_ref())
            .table
            .as_ref()
            .unwrap()
            .parties;
        assert_eq!(parties.len(), 2, "a human and the Automa");
    }
}

#[tokio::test]
async fn two_clients_play_with_and_without_the_automa() {
    whole_game(2, short()).await;
    let options = game::Options {
        automa: game::AutomaMode::Normal.into(),
        leaders: game::LeaderMode::Random.into(),
        ..short()
    };
    whole_game(2, options).await;
}

#[tokio::test]
async fn three_clients_play_with_all_modules() {
    let options = game::Options {
        stations: Some(true),
        leaders: game::LeaderMode::Draft.into(),
        scoring_timing: game::ScoringTiming::AfterAll.into(),
        ..short()
    };
    let update = whole_game(3, options).await;
    let parties = &seen(update.observation.as_ref())
        .table
        .as_ref()
        .unwrap()
        .parties;
    assert!(parties.iter().all(|party| party.leader != 0));
}

#[tokio::test]
async fn four_clients_play_openly() {
    let options = game::Options {
        open_planning: Some(true),
        ..short()
    };
    whole_game(4, options).await;
}

/// Ends all buy turns of the first round.
async fn buy_nothing(table: &Table) {
    loop {
        let observed = table.observe(None, View::Full).await;
        match stage(observed.observation.as_ref()) {
            game::stage::Kind::Buying(buying) => {
                let seat = usize::try_from(buying.seat.unwrap()).unwrap();
                let end = game::action::Kind::EndBuy(game::EndBuy {});
                let decision = observed.decision.unwrap().decision_id;
                table
                    .submit(seat, decision, meant(end))
                    .await
                    .expect("a buy turn may end");
            }
            game::stage::Kind::Planning(_) => return,
            other => panic!("the first round is begun with {other:?}"),
        }
    }
}

fn meant(kind: game::action::Kind) -> Answer {
    let action = game::Action { kind: Some(kind) };
    Answer::Action(tavola::pb::v1::Action {
        game: Some(tavola::pb::v1::action::Game::CouncilOfShadows(action)),
    })
}

fn lay(slot: u32, card: game::Card) -> Answer {
    meant(game::action::Kind::PlanPlace(game::PlanPlace {
        slot,
        card: card.into(),
    }))
}

const PLAN: [game::Card; 3] = [game::Card::SSettle, game::Card::SMine, game::Card::SGems];

#[tokio::test]
async fn four_clients_plan_at_once() {
    let server = Server::start(&[]);
    let table = start(&server, 4, short()).await;
    buy_nothing(&table).await;
    let observed = table.observe(None, View::Full).await;
    assert_eq!(
        observed.decision.unwrap().seats,
        [0, 1, 2, 3],
        "all are asked"
    );

    // Each client goes its own way through the slots; nobody's answer makes another's stale.
    let barrier = Arc::new(Barrier::new(4));
    let clients: Vec<_> = (0..4_usize)
        .map(|seat| {
            let (table, barrier) = (table.clone(), Arc::clone(&barrier));
            tokio::spawn(async move {
                let first = table
                    .observe(Some(seat), View::Full)
                    .await
                    .decision
                    .unwrap();
                barrier.wait().await;
                let mut decision = first.decision_id;
                let mut asked = vec![decision];
                for (slot, card) in (1..).zip(PLAN) {
                    let reply = table.submit(seat, decision, lay(slot, card)).await;
                    let reply = reply.expect("no answer is stale");
                    decision = reply.decision.unwrap().decision_id;
                    asked.push(decision);
                }
                asked
            })
        })
        .collect();
    for client in clients {
        let asked = client.await.expect("the client plans");
        // Each answer brings a number of its own, until the plan is done.
        assert!(
            asked[..3].windows(2).all(|pair| pair[0] < pair[1]),
            "{asked:?}"
        );
    }
    let observed = table.observe(None, View::Full).await;
    let public = seen(observed.observation.as_ref()).table.clone().unwrap();
    for party in &public.parties {
        assert_eq!(
            party.total,
            1 + 2 + 2,
            "all plans are revealed and consumed"
        );
        let tops: Vec<i32> = party
            .slots
            .iter()
            .filter_map(|slot| slot.cards.last().copied())
            .collect();
        assert_eq!(tops, PLAN.map(i32::from));
    }
}

/// What a watcher is shown, without the number of the update.
fn shown(update: &Update) -> Vec<u8> {
    let update = Update {
        version: 0,
        snapshot: false,
        session: None,
        events: Vec::new(),
        ..update.clone()
    };
    update.encode_to_vec()
}

async fn next_until(watching: &mut Watching, version: u64) -> Update {
    loop {
        let update = watching.next().await;
        if update.version >= version {
            return update;
        }
    }
}

#[tokio::test]
async fn others_learn_that_a_plan_is_done_and_nothing_else() {
    let server = Server::start(&[]);
    let table = start(&server, 2, short()).await;
    buy_nothing(&table).await;
    let mut before = Vec::new();
    let mut watchers = Vec::new();
    for viewer in [Some(1), None] {
        let mut watching = table.watch(viewer, View::Full).await;
        before.push(shown(&watching.next().await));
        watchers.push(watching);
    }
    let mut decision = table
        .observe(Some(0), View::Full)
        .await
        .decision
        .unwrap()
        .decision_id;
    for (slot, card) in (1..).zip(PLAN) {
        let reply = table.submit(0, decision, lay(slot, card)).await.unwrap();
        let own = seen(reply.observation.as_ref()).own.clone().unwrap();
        let choices = own.plan.unwrap().choices;
        assert_eq!(
            choices.last().unwrap().card,
            i32::from(card),
            "the planner sees his plan"
        );
        decision = reply.decision.unwrap().decision_id;
        for (watching, before) in watchers.iter_mut().zip(&before) {
            let update = next_until(watching, reply.version).await;
            let table = seen(update.observation.as_ref()).table.clone().unwrap();
            assert!(
                table.parties[0]
                    .slots
                    .iter()
                    .all(|slot| slot.cards.is_empty())
            );
            if slot < 3 {
                assert!(
                    update.events.is_empty(),
                    "nobody hears of a card that is laid"
                );
                assert_eq!(&shown(&update), before, "nobody sees it");
            } else {
                let done = game::event::Kind::PlanDone(game::PlanDone { seat: Some(0) });
                assert_eq!(update.events.iter().map(told).collect::<Vec<_>>(), [&done]);
                assert!(matches!(
                    table.stage.unwrap().kind.unwrap(),
                    game::stage::Kind::Planning(planning) if planning.done == [0]
                ));
            }
        }
    }
    let observed = table.observe(Some(1), View::Full).await;
    assert_eq!(observed.decision.unwrap().seats, [1]);
}

/// A card laid in planning: an answer that counted, and all of its reply.
struct Laid {
    seat: usize,
    decision: u64,
    slot: u32,
    card: game::Card,
    version: u64,
    reply: Vec<u8>,
}

/// Each answer can be given again, and gets its first reply; no other one can be given in its place.
async fn assert_final(table: &Table, answers: &[Laid]) {
    let before = table.session().await;
    for laid in answers {
        let again = table
            .submit(laid.seat, laid.decision, lay(laid.slot, laid.card))
            .await
            .expect("it is the same answer");
        assert_eq!(again.version, laid.version, "slot {}", laid.slot);
        assert_eq!(again.encode_to_vec(), laid.reply, "slot {}", laid.slot);
        let another_slot = lay(laid.slot % 3 + 1, laid.card);
        let keeping = meant(game::action::Kind::PlanKeep(game::PlanKeep {
            slot: laid.slot,
        }));
        for other in [
            lay(laid.slot, game::Card::SExplore),
            another_slot,
            keeping,
            meant(game::action::Kind::EndBuy(game::EndBuy {})),
        ] {
            let other = table.submit(laid.seat, laid.decision, other).await;
            let status = other.unwrap_err();
            assert_eq!(status.code(), tonic::Code::Aborted);
            refused(Err::<(), _>(status), ErrorReason::StaleDecision);
        }
    }
    assert_eq!(table.session().await, before, "nothing has changed");
}

#[tokio::test]
async fn each_step_of_a_plan_is_answered_once_and_can_be_repeated_for_ever() {
    let server = Server::start(&[]);
    let table = start(&server, 2, short()).await;
    buy_nothing(&table).await;
    let mut answers: Vec<Laid> = Vec::new();
    // Seat 0 is ahead of seat 1, and done while seat 1 still plans.
    for seat in [0, 0, 1, 0, 1, 1] {
        let asked = table.observe(Some(seat), View::Lean).await;
        let decision = asked.decision.unwrap().decision_id;
        let step = answers.iter().filter(|laid| laid.seat == seat).count();
        let (slot, card) = (u32::try_from(step).unwrap() + 1, PLAN[step]);
        let reply = table.submit(seat, decision, lay(slot, card)).await.unwrap();
        assert_eq!(reply.version, asked.version + 1);
        answers.push(Laid {
            seat,
            decision,
            slot,
            card,
            version: reply.version,
            reply: reply.encode_to_vec(),
        });
        // In the middle of a plan, when it is complete, and with the last one after the reveal.
        assert_final(&table, &answers).await;
    }
    let revealed = table.observe(None, View::Full).await;
    let kind = stage(revealed.observation.as_ref());
    assert!(!matches!(kind, game::stage::Kind::Planning(_)), "{kind:?}");
    // A number of the one is none of the other.
    let second = &answers[1];
    let other = table
        .submit(1, second.decision, lay(second.slot, second.card))
        .await;
    refused(other, ErrorReason::StaleDecision);

    // And at the end of the game, also from another connection.
    let mut dice = Dice::new();
    let players = [0, 1].map(|seat| tokio::spawn(play_seat(table.clone(), seat, dice.split())));
    for player in players {
        let last = player.await.expect("the client plays on");
        assert_eq!(last.status(), SessionStatus::Finished);
    }
    let table = Table {
        client: server.sessions().await,
        ..table
    };
    assert_final(&table, &answers).await;
}

#[tokio::test]
async fn house_bots_play_against_a_client() {
    let server = Server::start(&[]);
    let sessions = server.sessions().await;
    let mut table = Table::create(&sessions, request(3, short())).await;
    table.join().await;
    for bot in ["greedy", "random"] {
        let request = AddBotRequest {
            session_id: table.id.clone(),
            bot: bot.to_owned(),
            seat: None,
            ..Default::default()
        };
        let added = table
            .client
            .clone()
            .add_bot(with_token(Some(&table.host), request))
            .await;
        added.expect("a seat is open");
    }
    let last = play_seat(table.clone(), 0, Dice::new()).await;
    assert_eq!(last.status(), SessionStatus::Finished);
}

#[tokio::test]
async fn options_that_the_game_forbids_name_their_field() {
    let server = Server::start(&[]);
    let sessions = server.sessions().await;
    for (seats, options, field) in [
        (
            1,
            game::Options {
                automa: game::AutomaMode::Off.into(),
                ..short()
            },
            "options.council_of_shadows.automa",
        ),
        (
            3,
            game::Options {
                automa: game::AutomaMode::Easy.into(),
                ..short()
            },
            "options.council_of_shadows.automa",
        ),
        (
            2,
            game::Options {
                max_rounds: Some(4),
                ..short()
            },
            "options.council_of_shadows.max_rounds",
        ),
        (
            2,
            game::Options {
                civilizations: vec![1, 1],
                ..short()
            },
            "options.council_of_shadows.civilizations",
        ),
    ] {
        let status = sessions
            .clone()
            .create_session(request(seats, options))
            .await
            .unwrap_err();
        assert_eq!(status.code(), tonic::Code::InvalidArgument);
        assert!(status.message().contains(field), "{}", status.message());
    }
}
