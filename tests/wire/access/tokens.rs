//! Tokens: who has one acts, nobody else does, and nobody else ever sees it.

use std::time::Instant;

use prost::Message as _;
use tavola::pb::v1::{
    CreateSessionRequest, DeleteSessionRequest, ErrorReason, GetReplayRequest, GetSessionRequest,
    JoinSessionRequest, LeaveSessionRequest, ListSessionsRequest, PlayOpen, SessionStatus, View,
    submit_action_request::Answer,
};

use crate::common::{Dice, Player, Server, Table, raw::Raw, refused, santorini, soon, with_token};

fn private() -> CreateSessionRequest {
    CreateSessionRequest {
        private: true,
        ..santorini()
    }
}

/// Everything that a client is sent that is not the owner of the token at hand.
#[derive(Default)]
struct Heard(Vec<(String, Vec<u8>)>);

impl Heard {
    fn add(&mut self, what: impl Into<String>, message: &impl prost::Message) {
        self.0.push((what.into(), message.encode_to_vec()));
    }

    fn holds(&self, secret: &str) -> Option<&str> {
        let found = self.0.iter().find(|(_, bytes)| {
            bytes
                .windows(secret.len())
                .any(|window| window == secret.as_bytes())
        });
        found.map(|(what, _)| what.as_str())
    }
}

#[tokio::test]
async fn a2_no_token_is_ever_told_to_others_logged_or_recorded() {
    const REQUEST_ID: &str = "the-canary-among-request-ids";
    for format in ["text", "json"] {
        let mut server = Server::start(&[
            "--log",
            "trace",
            "--log-format",
            format,
            "--metrics",
            "127.0.0.1:0",
        ]);
        let client = server.sessions().await;
        let mut heard = Heard::default();
        let mut secrets = vec![REQUEST_ID.to_owned()];
        for request in [santorini(), private()] {
            let request = CreateSessionRequest {
                request_id: REQUEST_ID.to_owned(),
                ..request
            };
            // The second is another request with the same id.
            let request = match request.private {
                true => CreateSessionRequest {
                    request_id: format!("{REQUEST_ID}-2"),
                    ..request
                },
                false => request,
            };
            let mut table = Table::create(&client, request).await;
            let request = JoinSessionRequest {
                session_id: table.id.clone(),
                request_id: REQUEST_ID.to_owned(),
                ..Default::default()
            };
            let request = with_token(table.join_token.as_deref(), request);
            let joined = client.clone().join_session(request).await.unwrap();
            table.tokens.push(joined.into_inner().seat_token);
            table.join().await;
            secrets.extend([table.host.clone()]);
            secrets.extend(table.join_token.clone());
            secrets.extend(table.tokens.clone());

            let mut spectator = table.watch(None, View::Full).await;
            let mut rival = table.watch(Some(1), View::Full).await;
            // Bad tokens, and good ones where they do not belong.
            for token in [&table.tokens[0], &table.host] {
                let stranger = Table {
                    id: "f".repeat(32),
                    ..table.clone()
                };
                let refusal = stranger.try_observe(Some(token), View::Full).await;
                let status = refusal.unwrap_err();
                heard.0.push(("a refusal".into(), status.message().into()));
                heard
                    .0
                    .push(("its details".into(), status.details().into()));
                let deleting = DeleteSessionRequest {
                    session_id: table.id.clone(),
                };
                let refusal = client
                    .clone()
                    .delete_session(with_token(Some(&table.tokens[0]), deleting))
                    .await;
                let status = refusal.unwrap_err();
                heard.0.push(("a refusal".into(), status.message().into()));
                heard
                    .0
                    .push(("its details".into(), status.details().into()));
            }
            table.play_out(&mut Dice::new()).await;
            for update in spectator.rest_encoded().await {
                heard
                    .0
                    .push(("a spectator's update".into(), update.to_vec()));
            }
            for update in rival.rest_encoded().await {
                heard.0.push(("a rival's update".into(), update.to_vec()));
            }
            heard.add("the session", &table.session().await);
            heard.add("an observation", &table.observe(None, View::Full).await);
            let replay = table.replay(GetReplayRequest::default()).await.unwrap();
            heard.add("the replay", &replay);
            heard.add("the state", &table.state(table.token(None)).await.unwrap());
        }
        let listed = client
            .clone()
            .list_sessions(ListSessionsRequest::default())
            .await;
        heard.add("the list", &listed.unwrap().into_inner());
        let metrics = crate::common::metrics(server.metrics_address().await).await;
        heard.0.push(("the metrics".into(), metrics.into_bytes()));
        drop(client);
        server.terminate();
        server.exit(crate::common::PATIENCE).await;
        heard.0.push(("the log".into(), server.log().into_bytes()));
        assert!(server.log().contains("TRACE"), "the log is told all");
        for secret in secrets {
            assert_eq!(heard.holds(&secret), None, "{secret} was told");
        }
    }
}

#[tokio::test]
async fn a3_a_thousand_bad_tries_do_not_hurt_the_owner() {
    let server = Server::start(&[]);
    let table = Table::santorini(&server.sessions().await).await;
    let mut dice = Dice::new();
    table.play_plies(&mut dice, 4).await;
    let version = table.session().await.version;
    let mut owner = table.watch(Some(0), View::Lean).await;
    owner.next().await;
    let mut playing = Player::at(&table, 1).await;
    playing.update().await;
    let mut attackers = Vec::new();
    for number in 0..10 {
        let elsewhere = Table {
            client: server.sessions().await,
            ..table.clone()
        };
        attackers.push(tokio::spawn(async move {
            let mut dice = Dice::new();
            for _ in 0..100 {
                // One character of a good token is another one.
                let mut token = elsewhere.tokens[0].clone().into_bytes();
                let place = *dice.pick(&(0..42).collect::<Vec<usize>>());
                token[place] = if token[place] == b'A' { b'B' } else { b'A' };
                let token = String::from_utf8(token).unwrap();
                match number % 3 {
                    0 => {
                        let watch = elsewhere.try_watch(Some(&token), View::Full, None).await;
                        refused(watch.map(drop), ErrorReason::TokenRequired);
                    }
                    1 => {
                        let open = PlayOpen::default();
                        let play = Player::open(&elsewhere, Some(&token), open).await;
                        refused(play.map(drop), ErrorReason::TokenRequired);
                    }
                    _ => {
                        let answer = Answer::ActionId(0);
                        let submit = elsewhere.submit_as(&token, 1, answer, View::Lean).await;
                        refused(submit, ErrorReason::TokenRequired);
                    }
                }
            }
        }));
    }
    for attacker in attackers {
        attacker.await.unwrap();
    }
    assert_eq!(
        table.session().await.version,
        version,
        "nothing has changed"
    );
    // The owner, on the old streams and on new ones, plays on to the end.
    let resumed = table.resume(Some(0), View::Lean, version).await.unwrap();
    drop(resumed);
    table.play_out(&mut dice).await;
    let updates = owner.rest().await;
    assert!(
        (version + 1..)
            .zip(&updates)
            .all(|(version, update)| update.version == version)
    );
    assert!(updates.last().unwrap().outcome.is_some());
}

#[tokio::test]
async fn a5_whoever_fails_to_show_a_token_is_sent_nothing_more() {
    let server = Server::start(&[]);
    let mut table = Table::start(&server.sessions().await, private()).await;
    let guest = table.join_token.take();
    let mut raw = Raw::connect(server.address(), 1 << 16).await;
    let mut silent = Vec::new();
    for token in [None, Some("A".repeat(43)), Some("garbage".to_owned())] {
        let watch = tavola::pb::v1::WatchSessionRequest {
            session_id: table.id.clone(),
            ..Default::default()
        };
        let path = "/tavola.v1.SessionService/WatchSession";
        let request = raw.request(path, token.as_deref());
        let (response, mut body) = raw.begin(request).await;
        body.send_data(crate::common::raw::framed(&watch.encode_to_vec()), true)
            .unwrap();
        let response = soon("a refusal", response).await.unwrap();
        assert!(
            tonic::Status::from_header_map(response.headers()).is_some(),
            "refused at once: {response:?}"
        );
        silent.push(response.into_body());
    }
    table.join_token = guest;
    table.play_plies(&mut Dice::new(), 20).await;
    for mut body in silent {
        assert!(body.is_end_stream(), "the reply has ended with its head");
        assert!(soon("the end", body.data()).await.is_none(), "0 bytes");
    }
}

#[tokio::test]
async fn a6_a_seat_that_is_left_stops_at_once() {
    let server = Server::start(&[]);
    let client = server.sessions().await;
    for request in [santorini(), private()] {
        let gone = match request.private {
            true => ErrorReason::SessionNotFound,
            false => ErrorReason::TokenRequired,
        };
        let mut table = Table::create(&client, request).await;
        table.join().await;
        let old = table.tokens[0].clone();
        let mut watching = table.watch(Some(0), View::Full).await;
        watching.next().await;
        let mut playing = Player::at(&table, 0).await;
        playing.update().await;
        let request = LeaveSessionRequest {
            session_id: table.id.clone(),
        };
        client
            .clone()
            .leave_session(with_token(Some(&old), request))
            .await
            .unwrap();
        let began = Instant::now();
        // Not one update more: the streams of the seat end with the change that voids its token.
        let end = watching.next_encoded().await;
        refused(end, gone);
        refused(playing.next().await, gone);
        println!("the streams ended after {:?}", began.elapsed());
        for _ in 0..2 {
            refused(table.try_observe(Some(&old), View::Full).await, gone);
            let answer = Answer::ActionId(0);
            refused(table.submit_as(&old, 1, answer, View::Full).await, gone);
            let watch = table.try_watch(Some(&old), View::Full, None).await;
            refused(watch.map(drop), gone);
            let play = Player::open(&table, Some(&old), PlayOpen::default()).await;
            refused(play.map(drop), gone);
            let request = LeaveSessionRequest {
                session_id: table.id.clone(),
            };
            let leave = client
                .clone()
                .leave_session(with_token(Some(&old), request))
                .await;
            refused(leave, gone);
            // Somebody else gets the seat, and then the game is on: the old token is as void as before.
            if table.tokens.len() < 2 {
                table.tokens.clear();
                table.join().await;
                table.join().await;
            }
        }
        assert_eq!(table.session().await.status(), SessionStatus::Running);
    }
}

#[tokio::test]
async fn f43_no_id_that_others_see_is_a_credential() {
    let server = Server::start(&[]);
    let client = server.sessions().await;
    let table = Table::santorini(&client).await;
    table.play_plies(&mut Dice::new(), 6).await;
    let session = table.session().await;
    let shown = table.observe(None, View::Full).await;
    let mut known = vec![
        session.session_id.clone(),
        session.session_id.to_uppercase(),
        session.game.clone(),
        session.version.to_string(),
        shown.decision.unwrap().decision_id.to_string(),
        "0".to_owned(),
        "1".to_owned(),
        "host".to_owned(),
    ];
    // As the bits of a token, too, and not only as its text.
    for text in known.clone() {
        use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
        let mut bits = [0; 32];
        let length = text.len().min(32);
        bits[..length].copy_from_slice(&text.as_bytes()[..length]);
        known.push(URL_SAFE_NO_PAD.encode(bits));
    }
    for id in known {
        refused(
            table.try_observe(Some(&id), View::Full).await,
            ErrorReason::TokenRequired,
        );
        let answer = Answer::ActionId(0);
        refused(
            table.submit_as(&id, 1, answer, View::Full).await,
            ErrorReason::TokenRequired,
        );
        let request = DeleteSessionRequest {
            session_id: table.id.clone(),
        };
        let deleted = client
            .clone()
            .delete_session(with_token(Some(&id), request))
            .await;
        refused(deleted, ErrorReason::TokenRequired);
    }
    let request = GetSessionRequest {
        session_id: table.id.clone(),
    };
    let after = client.clone().get_session(request).await.unwrap();
    assert_eq!(after.into_inner().session.unwrap(), session);
}
