//! A seat's first answer to a decision counts, and the same answer again gets the first reply.

use std::collections::{BTreeMap, BTreeSet};

use prost::Message as _;
use tavola::pb::v1::{
    CreateSessionRequest, ErrorReason, GetReplayRequest, PlayAnswer, PlayOpen,
    SubmitActionResponse, View, play_answer, play_submit, submit_action_request::Answer,
};
use tonic::Status;

use crate::common::{Dice, Player, Server, Table, asked_seat, refused, soon};

/// An answer that counted, and all of its reply.
#[derive(Clone, Debug)]
struct Given {
    seat: usize,
    decision: u64,
    action: u32,
    view: View,
    reply: Vec<u8>,
}

/// The answers that the asked seat may give, and some that it may not.
struct Open {
    seat: usize,
    decision: u64,
    legal: Vec<u32>,
}

async fn open(table: &Table) -> Option<Open> {
    let decision = table.observe(None, View::Lean).await.decision?;
    let seat = asked_seat(Some(&decision)).expect("there is a decision");
    let legal = table.observe(Some(seat), View::Lean).await.legal_action_ids;
    Some(Open {
        seat,
        decision: decision.decision_id,
        legal,
    })
}

async fn submit(table: &Table, given: &Given) -> Result<SubmitActionResponse, Status> {
    table
        .submit_as(
            &table.tokens[given.seat],
            given.decision,
            Answer::ActionId(given.action),
            given.view,
        )
        .await
}

/// Plays one ply and keeps the reply. `None` once the game is over.
async fn give(table: &Table, dice: &mut Dice) -> Option<Given> {
    let Open {
        seat,
        decision,
        legal,
    } = open(table).await?;
    let mut given = Given {
        seat,
        decision,
        action: *dice.pick(&legal),
        view: [View::Full, View::Lean][dice.below(2)],
        reply: Vec::new(),
    };
    given.reply = submit(table, &given)
        .await
        .expect("what is listed is accepted")
        .encode_to_vec();
    Some(given)
}

async fn assert_repeats(table: &Table, given: &Given) {
    let again = submit(table, given).await.expect("it is the same answer");
    assert_eq!(again.encode_to_vec(), given.reply, "{given:?}");
}

#[tokio::test]
async fn the_same_answer_again_gets_the_first_reply_and_changes_nothing() {
    let server = Server::start(&[]);
    let table = Table::santorini(&server.sessions().await).await;
    let mut dice = Dice::new();
    while let Some(given) = give(&table, &mut dice).await {
        let after = table.session().await;
        let seen = table.observe(None, View::Full).await;
        for _ in 0..3 {
            assert_repeats(&table, &given).await;
        }
        assert_eq!(table.session().await, after);
        assert_eq!(table.observe(None, View::Full).await, seen);
    }
}

#[tokio::test]
async fn an_answer_is_repeated_after_later_plies_and_after_the_end() {
    let server = Server::start(&[]);
    let client = server.sessions().await;
    let mut dice = Dice::new();
    for resigns in [false, true] {
        let table = Table::santorini(&client).await;
        let mut answers = Vec::new();
        while let Some(given) = give(&table, &mut dice).await {
            answers.push(given);
            assert_repeats(&table, dice.pick(&answers)).await;
            if resigns && answers.len() == 30 {
                table.leave(dice.below(2)).await.unwrap();
            }
        }
        let after = table.session().await;
        for given in &answers {
            assert_repeats(&table, given).await;
        }
        // From another connection, as a client that has lost its own would.
        let table = Table {
            client: server.sessions().await,
            ..table
        };
        assert_repeats(&table, answers.last().unwrap()).await;
        assert_eq!(table.session().await, after);
        let replay = table.replay(GetReplayRequest::default()).await.unwrap();
        let plies = answers.len() + usize::from(resigns);
        assert_eq!(usize::try_from(replay.plies).unwrap(), plies);
    }
}

#[tokio::test]
async fn an_answer_is_the_same_by_number_and_by_meaning_and_in_either_view() {
    let server = Server::start(&[]);
    let table = Table::santorini(&server.sessions().await).await;
    let mut dice = Dice::new();
    for _ in 0..12 {
        let decision = table.observe(None, View::Full).await.decision.unwrap();
        let seat = asked_seat(Some(&decision)).unwrap();
        let decision = decision.decision_id;
        let legal = table.observe(Some(seat), View::Full).await.legal_actions;
        let chosen = dice.pick(&legal).clone();
        let by_number = Answer::ActionId(chosen.action_id.unwrap());
        let by_meaning = Answer::Action(chosen.action.unwrap());
        let token = &table.tokens[seat];
        let full = table
            .submit_as(token, decision, by_meaning.clone(), View::Full)
            .await
            .unwrap();
        assert_eq!(
            table
                .submit_as(token, decision, by_number.clone(), View::Full)
                .await
                .unwrap(),
            full
        );
        let lean = table
            .submit_as(token, decision, by_number, View::Lean)
            .await
            .unwrap();
        assert_eq!(
            table
                .submit_as(token, decision, by_meaning, View::Lean)
                .await
                .unwrap(),
            lean
        );
        let ids: Vec<u32> = full
            .legal_actions
            .iter()
            .map(|legal| legal.action_id.unwrap())
            .collect();
        assert_eq!(lean.legal_action_ids, ids);
        assert_eq!((lean.version, lean.decision), (full.version, full.decision));
    }
}

#[tokio::test]
async fn the_same_answer_from_sixteen_at_once_is_applied_once() {
    let server = Server::start(&[]);
    let table = Table::santorini(&server.sessions().await).await;
    let mut clients = Vec::new();
    for _ in 0..16 {
        clients.push(Table {
            client: server.sessions().await,
            ..table.clone()
        });
    }
    let mut dice = Dice::new();
    let mut version = table.session().await.version;
    while let Some(Open {
        seat,
        decision,
        legal,
    }) = open(&table).await
    {
        let action = *dice.pick(&legal);
        let mut at_once = tokio::task::JoinSet::new();
        for table in &clients {
            let table = table.clone();
            at_once.spawn(async move {
                let given = Given {
                    seat,
                    decision,
                    action,
                    view: View::Full,
                    reply: Vec::new(),
                };
                submit(&table, &given).await
            });
        }
        let mut replies = Vec::new();
        while let Some(reply) = at_once.join_next().await {
            let reply = reply.unwrap().expect("it is the same answer");
            assert_eq!(reply.version, version + 1);
            replies.push(reply.encode_to_vec());
        }
        assert_eq!(replies.len(), 16);
        assert!(replies.iter().all(|reply| *reply == replies[0]));
        version += 1;
        assert_eq!(table.session().await.version, version);
    }
}

#[tokio::test]
async fn of_two_clients_that_race_for_one_decision_one_wins() {
    let server = Server::start(&[]);
    let table = Table::santorini(&server.sessions().await).await;
    let rivals = [server.sessions().await, server.sessions().await].map(|client| Table {
        client,
        ..table.clone()
    });
    let mut dice = Dice::new();
    let mut races = [0, 0];
    while let Some(Open {
        seat,
        decision,
        mut legal,
    }) = open(&table).await
    {
        let first = legal.swap_remove(dice.below(legal.len()));
        let Some(&second) = legal.first() else {
            // Nothing to race with.
            table
                .submit(seat, decision, Answer::ActionId(first))
                .await
                .unwrap();
            continue;
        };
        let race = |rival: &Table, action| {
            let rival = rival.clone();
            async move { rival.submit(seat, decision, Answer::ActionId(action)).await }
        };
        let version = table.session().await.version;
        let (one, two) = tokio::join!(
            tokio::spawn(race(&rivals[0], first)),
            tokio::spawn(race(&rivals[1], second))
        );
        let (winner, won, lost) = match (one.unwrap(), two.unwrap()) {
            (Ok(won), lost) => (0, won, lost),
            (lost, Ok(won)) => (1, won, lost),
            both => panic!("one of them wins: {both:?}"),
        };
        races[winner] += 1;
        assert_eq!(won.version, version + 1);
        assert_eq!(table.session().await.version, version + 1);
        let refusal = refused(lost, ErrorReason::StaleDecision);
        match &won.decision {
            Some(current) => {
                assert_eq!(
                    refusal.metadata["decision_id"],
                    current.decision_id.to_string()
                );
                assert_eq!(refusal.metadata["seats"], current.seats[0].to_string());
            }
            None => assert!(!refusal.metadata.contains_key("decision_id"), "{refusal:?}"),
        }
        // Who lost the race and observes again can go on.
        let action = [first, second][winner];
        let again = table.submit(seat, decision, Answer::ActionId(action)).await;
        assert_eq!(again.unwrap(), won);
    }
    println!("won by the first and by the second client: {races:?}");
}

#[tokio::test]
async fn another_answer_to_an_answered_decision_is_stale_for_ever() {
    let server = Server::start(&[]);
    let table = Table::santorini(&server.sessions().await).await;
    let mut dice = Dice::new();
    let mut answers: Vec<Given> = Vec::new();
    let stale = async |given: &Given| {
        // Also one that was never legal: it is not even looked at.
        for other in [given.action + 1, 599 - given.action] {
            let other = Answer::ActionId(other);
            let refusal = refused(
                table.submit(given.seat, given.decision, other).await,
                ErrorReason::StaleDecision,
            );
            let current = table.observe(None, View::Lean).await.decision;
            assert_eq!(
                refusal.metadata.get("decision_id").cloned(),
                current.map(|current| current.decision_id.to_string())
            );
        }
    };
    while let Some(given) = give(&table, &mut dice).await {
        stale(&given).await;
        answers.push(given);
        stale(dice.pick(&answers)).await;
    }
    let after = table.session().await;
    for given in &answers {
        stale(given).await;
    }
    assert_eq!(table.session().await, after);
}

#[tokio::test]
async fn another_seat_cannot_repeat_an_answer() {
    let server = Server::start(&[]);
    let table = Table::santorini(&server.sessions().await).await;
    let mut dice = Dice::new();
    while let Some(given) = give(&table, &mut dice).await {
        let thief = Given {
            seat: 1 - given.seat,
            ..given
        };
        let stolen = submit(&table, &thief).await;
        if table.session().await.outcome.is_some() {
            refused(stolen, ErrorReason::GameOver);
        } else {
            refused(stolen, ErrorReason::StaleDecision);
        }
    }
}

/// F61.
#[tokio::test]
async fn of_seats_that_decide_at_once_each_answer_counts_once_and_makes_no_other_stale() {
    let server = Server::start(&[]);
    let mut dice = Dice::new();
    let request = CreateSessionRequest {
        game: "council_of_shadows".to_owned(),
        seats: Some(4),
        ..Default::default()
    };
    let table = Table::start(&server.sessions().await, request).await;
    let mut clients = Vec::new();
    for _ in 0..8 {
        clients.push(Table {
            client: server.sessions().await,
            ..table.clone()
        });
    }
    let mut together = 0;
    while together < 12 {
        let asked = table.observe(None, View::Lean).await.decision;
        let asked = asked.expect("the game is on").seats;
        if asked.len() < 2 {
            table.play_ply(&mut dice).await;
            continue;
        }
        together += 1;
        let version = table.session().await.version;
        // What each of them is asked, before any of them answers.
        let (mut answers, mut others) = (Vec::new(), Vec::new());
        for seat in asked {
            let seat = usize::try_from(seat).unwrap();
            let mine = table.observe(Some(seat), View::Lean).await;
            let mut legal = mine.legal_action_ids;
            let action = legal.swap_remove(dice.below(legal.len()));
            answers.push(Given {
                seat,
                decision: mine.decision.unwrap().decision_id,
                action,
                view: View::Full,
                reply: Vec::new(),
            });
            others.push(legal.first().copied());
        }
        // All answer at the same time, and each from two places.
        let mut at_once = tokio::task::JoinSet::new();
        for (nth, given) in answers.iter().chain(&answers).enumerate() {
            let (client, given) = (clients[nth].clone(), given.clone());
            at_once.spawn(async move { (given.seat, submit(&client, &given).await) });
        }
        let mut replies: BTreeMap<usize, BTreeSet<Vec<u8>>> = BTreeMap::new();
        while let Some(answered) = at_once.join_next().await {
            let (seat, reply) = answered.unwrap();
            let reply = reply.expect("nobody's answer makes another's stale");
            replies
                .entry(seat)
                .or_default()
                .insert(reply.encode_to_vec());
        }
        for (seat, replies) in &replies {
            assert_eq!(replies.len(), 1, "seat {seat} was told different things");
        }
        let applied = u64::try_from(answers.len()).unwrap();
        assert_eq!(table.session().await.version, version + applied);
        // Another answer comes too late, whether the others have answered or not.
        for (given, other) in answers.iter().zip(others) {
            if let Some(other) = other.map(Answer::ActionId) {
                let late = table.submit(given.seat, given.decision, other).await;
                refused(late, ErrorReason::StaleDecision);
            }
        }
    }
}

#[tokio::test]
async fn an_answer_is_repeated_across_unary_calls_and_streams() {
    let server = Server::start(&[]);
    let table = Table::santorini(&server.sessions().await).await;
    let mut dice = Dice::new();
    let accepted = |decision_id, version| PlayAnswer {
        decision_id,
        result: Some(play_answer::Result::AcceptedVersion(version)),
    };
    let mut answers = Vec::new();
    loop {
        let Some(Open {
            seat,
            decision,
            legal,
        }) = open(&table).await
        else {
            break;
        };
        let action = *dice.pick(&legal);
        let answer = play_submit::Answer::ActionId(action);
        let mut player = Player::at(&table, seat).await;
        let version = player.update().await.version + 1;

        // Three times in a row on one stream.
        for _ in 0..3 {
            player.submit(decision, Some(answer.clone()));
        }
        let mut told = Vec::new();
        while told.len() < 3 {
            let reply = player.reply().await;
            let update = reply.update.as_ref().map(crate::common::update_of);
            match reply.answer {
                Some(answer) => {
                    assert_eq!(
                        update.map(|update| update.version),
                        told.is_empty().then_some(version),
                        "the first comes with its update"
                    );
                    told.push(answer);
                }
                None => panic!("nothing else happens here: {reply:?}"),
            }
        }
        assert_eq!(told, vec![accepted(decision, version); 3]);
        drop(player);

        // Then by a call of its own, and on another stream.
        let given = Given {
            seat,
            decision,
            action,
            view: View::Full,
            reply: Vec::new(),
        };
        let reply = submit(&table, &given).await.unwrap();
        assert_eq!(reply.version, version);
        answers.push((given, version));
        let (given, version) = dice.pick(&answers);
        let open = PlayOpen {
            from_version: Some(table.session().await.version),
            ..Default::default()
        };
        let mut player = Player::open(&table, table.token(Some(given.seat)), open)
            .await
            .unwrap();
        if table.session().await.outcome.is_some() {
            // This stream has nothing to tell any more; see the next test.
            continue;
        }
        player.submit(
            given.decision,
            Some(play_submit::Answer::ActionId(given.action)),
        );
        let reply = player.reply().await;
        assert_eq!(reply.answer, Some(accepted(given.decision, *version)));
        assert_eq!(reply.update, None);
    }
    assert!(answers.len() > 10);
}

#[tokio::test]
async fn what_is_submitted_together_with_the_last_answer_is_answered_for() {
    let server = Server::start(&[]);
    let client = server.sessions().await;
    let mut dice = Dice::new();
    for _ in 0..5 {
        let table = Table::santorini(&client).await;
        // Both seats are played by streams that send each answer twice at once.
        let mut players = [Player::at(&table, 0).await, Player::at(&table, 1).await];
        for player in &mut players {
            player.update().await;
        }
        loop {
            let Open {
                seat,
                decision,
                legal,
            } = open(&table).await.expect("the game is on");
            let answer = play_submit::Answer::ActionId(*dice.pick(&legal));
            players[seat].submit(decision, Some(answer.clone()));
            players[seat].submit(decision, Some(answer));
            let first = players[seat].reply().await;
            let update = crate::common::update_of(first.update.as_ref().expect("it made one"));
            let second = players[seat].reply().await;
            assert_eq!(
                (&second.answer, &second.update),
                (&first.answer, &None),
                "the second gets an answer too, also after the end"
            );
            let other = players[1 - seat].update().await;
            assert_eq!(other.version, update.version);
            if update.outcome.is_some() {
                break;
            }
        }
        for mut player in players {
            let end = soon("the end of the stream", player.next()).await;
            assert_eq!(end.unwrap(), None);
        }
    }
}
