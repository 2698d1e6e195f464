//! Every method with every credential, taken from the contract: a method that is not classified here fails the tests.

use tavola::pb::v1::{
    Action, CreateSessionRequest, ErrorReason, LeaveSessionRequest, PlayOpen, SubmitActionRequest,
    submit_action_request::Answer,
};

use super::{
    call::{Call, Refused},
    cases::{about, bearer},
    contract::Contract,
    world::World,
};
use crate::common::{Player, Server, Table, refusal, refused, santorini, with_token};

/// Who may make a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum For {
    /// Everybody: it is about no session, or about none in particular.
    All,
    /// Whoever knows the session.
    Visitors,
    /// Whoever knows the session, to take a seat in it; with a seat, only in one that is not private.
    Newcomers,
    /// Those who have no token, or a good one.
    Viewers,
    /// Whoever has a seat.
    Players,
    /// Whoever has a seat, and the host of a game that hides nothing.
    Insiders,
    /// The host.
    Hosts,
}

fn who_may(method: &str) -> For {
    match method {
        "ListGames" | "GetGame" | "GetServerInfo" | "CreateSession" | "ListSessions" => For::All,
        "GetSession" | "GetReplay" => For::Visitors,
        "JoinSession" => For::Newcomers,
        "GetObservation" | "WatchSession" => For::Viewers,
        "LeaveSession" | "SubmitAction" | "Play" => For::Players,
        "ForkSession" => For::Insiders,
        "AddBot" | "DeleteSession" | "GetState" => For::Hosts,
        _ => panic!("who may call {method}?"),
    }
}

/// What a caller shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shows {
    Nothing,
    Malformed,
    Forged,
    OtherSessionsSeat,
    OtherSessionsHost,
    LeftSeat,
    Seat,
    OtherSeat,
    Host,
    JoinToken,
}

const ALL_SHOWN: [Shows; 10] = [
    Shows::Nothing,
    Shows::Malformed,
    Shows::Forged,
    Shows::OtherSessionsSeat,
    Shows::OtherSessionsHost,
    Shows::LeftSeat,
    Shows::Seat,
    Shows::OtherSeat,
    Shows::Host,
    Shows::JoinToken,
];

/// Why the caller is refused; none if it may make the call.
fn expected(who: For, shows: Shows, private: bool) -> Option<ErrorReason> {
    use ErrorReason::{SeatMismatch, SessionNotFound, TokenRequired};

    if who == For::All {
        return None;
    }
    match shows {
        Shows::Malformed => Some(TokenRequired),
        Shows::Nothing
        | Shows::Forged
        | Shows::OtherSessionsSeat
        | Shows::OtherSessionsHost
        | Shows::LeftSeat
            if private =>
        {
            Some(SessionNotFound)
        }
        Shows::Nothing => match who {
            For::Players | For::Insiders | For::Hosts => Some(TokenRequired),
            For::All | For::Visitors | For::Newcomers | For::Viewers => None,
        },
        Shows::Forged | Shows::OtherSessionsSeat | Shows::OtherSessionsHost | Shows::LeftSeat => {
            match who {
                For::All | For::Visitors | For::Newcomers => None,
                For::Viewers | For::Players | For::Insiders | For::Hosts => Some(TokenRequired),
            }
        }
        Shows::Seat | Shows::OtherSeat => match who {
            For::Hosts => Some(SeatMismatch),
            For::Newcomers => private.then_some(SeatMismatch),
            For::All | For::Visitors | For::Viewers | For::Players | For::Insiders => None,
        },
        Shows::Host => (who == For::Players).then_some(SeatMismatch),
        Shows::JoinToken => {
            matches!(who, For::Players | For::Insiders | For::Hosts).then_some(SeatMismatch)
        }
    }
}

/// A running game with the token of a seat that was left before it began.
async fn table_with_a_left_seat(world: &World, private: bool) -> (Table, String) {
    let request = CreateSessionRequest {
        private,
        ..santorini()
    };
    let mut table = Table::create(&world.running.client, request).await;
    table.join().await;
    let left = table.tokens.remove(0);
    let request = LeaveSessionRequest {
        session_id: table.id.clone(),
    };
    let mut client = table.client.clone();
    client
        .leave_session(with_token(Some(&left), request))
        .await
        .unwrap();
    table.join().await;
    table.join().await;
    (table, left)
}

fn reason_of(outcome: Result<(), Refused>) -> Option<ErrorReason> {
    match outcome {
        Ok(()) => None,
        Err(Refused::Status(status)) => Some(refusal(&status).reason),
        Err(Refused::Submission(refusal)) => Some(refusal.reason()),
    }
}

#[tokio::test]
async fn a1_every_method_refuses_every_wrong_credential() {
    use ErrorReason::{SeatMismatch, SessionNotFound, TokenRequired};

    let server = Server::start(&[]);
    let world = World::new(&server).await;
    let (mut tried, mut wrong) = (0, Vec::new());
    for method in Contract::read().fields_of_methods().keys() {
        let who = who_may(method);
        if who == For::All {
            continue;
        }
        for private in [false, true] {
            for shows in ALL_SHOWN {
                let (table, left) = table_with_a_left_seat(&world, private).await;
                let authorization = match shows {
                    Shows::Nothing => None,
                    Shows::Malformed => Some("Bearer no token".to_owned()),
                    Shows::Forged => bearer(&"A".repeat(43)),
                    Shows::OtherSessionsSeat => bearer(&world.other.tokens[0]),
                    Shows::OtherSessionsHost => bearer(&world.other.host),
                    Shows::LeftSeat => bearer(&left),
                    Shows::Seat => bearer(&table.tokens[0]),
                    Shows::OtherSeat => bearer(&table.tokens[1]),
                    Shows::Host => bearer(&table.host),
                    Shows::JoinToken => match &table.join_token {
                        Some(token) => bearer(token),
                        None => continue,
                    },
                };
                let (call, _) = about(&world, &table.id)
                    .into_iter()
                    .rfind(|(call, _)| call.method() == method)
                    .unwrap_or_else(|| panic!("there is no call of {method}"));
                let expected = expected(who, shows, private);
                let version = version_of(&table).await;
                let outcome = match call {
                    // A stream that is let in goes on: its first update is enough.
                    Call::Play(_) if expected.is_none() => {
                        let token = authorization
                            .as_deref()
                            .map(|value| &value["Bearer ".len()..]);
                        let mut player = Player::open(&table, token, PlayOpen::default())
                            .await
                            .expect("a seat may play");
                        player.update().await;
                        Ok(())
                    }
                    call => call.make(&world, authorization.as_deref()).await,
                };
                let told = reason_of(outcome);
                let told_of_access = told.filter(|reason| {
                    [TokenRequired, SeatMismatch, SessionNotFound].contains(reason)
                });
                if told_of_access != expected {
                    wrong.push(format!(
                        "{method} private={private} {shows:?}: {told:?} instead of {expected:?}"
                    ));
                }
                if expected.is_some() && version_of(&table).await != version {
                    wrong.push(format!("{method} {shows:?}: something has changed"));
                }
                tried += 1;
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    println!("{tried} combinations");
    assert!(tried >= 12 * 19, "{tried}");
}

async fn version_of(table: &Table) -> u64 {
    table.session().await.version
}

#[tokio::test]
async fn f44_each_way_to_answer_needs_the_token() {
    let server = Server::start(&[]);
    let world = World::new(&server).await;
    let table = &world.running;
    for answer in [
        None,
        Some(Answer::ActionId(0)),
        Some(Answer::Action(Action::default())),
    ] {
        for decision_id in [0, 1, u64::MAX] {
            let call = Call::SubmitAction(SubmitActionRequest {
                session_id: table.id.clone(),
                decision_id,
                answer: answer.clone(),
                view: 0,
            });
            match call.make(&world, None).await {
                Err(Refused::Status(status)) => {
                    let reason = match (decision_id, &answer) {
                        // What cannot be read is refused before anybody asks who says it.
                        (0, _) | (_, None) => ErrorReason::MalformedRequest,
                        _ => ErrorReason::TokenRequired,
                    };
                    refused::<()>(Err(status), reason);
                }
                outcome => panic!("{outcome:?}"),
            }
        }
    }
}
