//! Calls that panic or are dropped, through the whole service: what others see of it, and what is left behind.

use std::{
    future::{Future, poll_fn},
    pin::Pin,
    sync::Arc,
    task::Poll,
};

use tokio::task::JoinSet;
use tokio_stream::StreamExt as _;
use tonic::{
    Code, Request, Status,
    transport::{Endpoint, Server, server::TcpIncoming},
};

use super::{
    Registry, Session,
    tests::{Tricky, booby, house},
};
use crate::{
    access::Access,
    config::{Config, Parsed},
    pb::v1::{
        CreateSessionRequest, GetObservationRequest, GetSessionRequest, JoinSessionRequest,
        LeaveSessionRequest, SubmitActionRequest, View, WatchSessionRequest,
        session_service_client::SessionServiceClient,
        session_service_server::{SessionService, SessionServiceServer},
        submit_action_request::Answer,
    },
    rpc::Sessions,
    store::{MemoryStore, Store as _},
    transport::GateLayer,
};

fn with_token<T>(token: &str, message: T) -> Request<T> {
    let mut request = Request::new(message);
    let value = format!("Bearer {token}").parse().unwrap();
    request.metadata_mut().insert("authorization", value);
    request
}

/// Everybody may come in.
fn access() -> Arc<Access> {
    let Ok(Parsed::Config(config)) = Config::read(["tavola".into()]) else {
        unreachable!("there are no flags")
    };
    Arc::new(Access::read(&config).unwrap())
}

// === panics

/// Plays with whoever is asked, over this connection, until so many plies are played.
async fn play(
    mut client: SessionServiceClient<tonic::transport::Channel>,
    plies: usize,
) -> Result<(), Status> {
    let create = CreateSessionRequest {
        game: "santorini".to_owned(),
        ..Default::default()
    };
    let session_id = client.create_session(create).await?.into_inner().session_id;
    let mut tokens = Vec::new();
    for _ in 0..2 {
        let join = JoinSessionRequest {
            session_id: session_id.clone(),
            seat: None,
            ..Default::default()
        };
        tokens.push(client.join_session(join).await?.into_inner().seat_token);
    }
    for _ in 0..plies {
        for token in &tokens {
            let observe = GetObservationRequest {
                session_id: session_id.clone(),
                view: View::Lean.into(),
            };
            let seen = client.get_observation(with_token(token, observe)).await?;
            let seen = seen.into_inner();
            let Some(action) = seen.legal_action_ids.first() else {
                continue;
            };
            let submit = SubmitActionRequest {
                session_id: session_id.clone(),
                decision_id: seen.decision.map_or(0, |open| open.decision_id),
                answer: Some(Answer::ActionId(*action)),
                view: View::Lean.into(),
            };
            client.submit_action(with_token(token, submit)).await?;
        }
    }
    Ok(())
}

#[tokio::test]
async fn a_session_whose_rules_panic_is_frozen_and_felt_by_nobody_else() {
    let house = house(Arc::new(MemoryStore::default()));
    let faulty = booby(&house);
    let registry = Arc::new(Registry::new(house));
    registry.adopt(&faulty);
    let Ok(Parsed::Config(config)) = Config::read(["tavola".into()]) else {
        unreachable!("there are no flags")
    };
    let incoming = TcpIncoming::bind("127.0.0.1:0".parse().unwrap()).unwrap();
    let address = incoming.local_addr().unwrap();
    tokio::spawn(
        Server::builder()
            .layer(GateLayer::new(
                &config.limits,
                config.limits.calls_max,
                None,
            ))
            .add_service(SessionServiceServer::new(Sessions::new(registry, access())))
            .serve_with_incoming(incoming),
    );
    // All of it on one connection: a fault must not even end that.
    let endpoint = Endpoint::from_shared(format!("http://{address}")).unwrap();
    let mut client = SessionServiceClient::new(endpoint.connect().await.unwrap());

    let session_id = faulty.id().to_string();
    let join = JoinSessionRequest {
        session_id: session_id.clone(),
        seat: None,
        ..Default::default()
    };
    let token = client
        .join_session(join)
        .await
        .unwrap()
        .into_inner()
        .seat_token;
    let watch = WatchSessionRequest {
        session_id: session_id.clone(),
        ..Default::default()
    };
    let mut watched = client.watch_session(watch).await.unwrap().into_inner();
    watched.next().await.unwrap().unwrap();
    let mut others = JoinSet::new();
    for _ in 0..4 {
        others.spawn(play(client.clone(), 30));
    }
    for _ in 0..50 {
        let submit = SubmitActionRequest {
            session_id: session_id.clone(),
            decision_id: 1,
            answer: Some(Answer::ActionId(0)),
            view: View::Lean.into(),
        };
        let refused = client.submit_action(with_token(&token, submit)).await;
        assert_eq!(refused.unwrap_err().code(), Code::Internal);
        let get = GetSessionRequest {
            session_id: session_id.clone(),
        };
        let frozen = client.get_session(get).await;
        assert_eq!(frozen.unwrap_err().code(), Code::Internal);
    }
    let end = watched.next().await.unwrap();
    assert_eq!(end.unwrap_err().code(), Code::Internal);
    for played in others.join_all().await {
        played.expect("nobody else notices");
    }
}

// === dropped at every await

/// A call that changes something, ready to be made.
type Call = Pin<Box<dyn Future<Output = Result<(), Status>> + Send>>;

/// What is called.
#[derive(Clone, Copy, Debug)]
enum Change {
    Join,
    Submit,
    Leave,
}

/// A session for which `change` can be called, over a store that holds back what is written from then on.
async fn prepared(change: Change) -> (Arc<Tricky>, Arc<Session>, Call) {
    let store = Arc::new(Tricky::default());
    let registry = Arc::new(Registry::new(house(Arc::clone(&store) as _)));
    let sessions = Sessions::new(Arc::clone(&registry), access());
    let create = CreateSessionRequest {
        game: "santorini".to_owned(),
        ..Default::default()
    };
    let created = sessions.create_session(Request::new(create)).await.unwrap();
    let session_id = created.into_inner().session_id;
    let session = registry.find(&session_id, None).await.unwrap();
    let join = JoinSessionRequest {
        session_id: session_id.clone(),
        seat: None,
        ..Default::default()
    };
    let mut tokens = Vec::new();
    for _ in 0..2 {
        if tokens.len() == 1 && matches!(change, Change::Join) {
            break;
        }
        let joined = sessions.join_session(Request::new(join.clone())).await;
        tokens.push(joined.unwrap().into_inner().seat_token);
    }
    let call: Call = match change {
        Change::Join => {
            Box::pin(async move { sessions.join_session(Request::new(join)).await.map(drop) })
        }
        Change::Leave => Box::pin(async move {
            let leave = with_token(&tokens[0], LeaveSessionRequest { session_id });
            sessions.leave_session(leave).await.map(drop)
        }),
        Change::Submit => {
            let mut asked = None;
            for token in tokens {
                let observe = GetObservationRequest {
                    session_id: session_id.clone(),
                    view: View::Lean.into(),
                };
                let seen = sessions.get_observation(with_token(&token, observe)).await;
                let seen = seen.unwrap().into_inner();
                if let Some(action) = seen.legal_action_ids.first() {
                    asked = Some((token, seen.decision.unwrap().decision_id, *action));
                }
            }
            let (token, decision_id, action) = asked.expect("somebody is asked");
            Box::pin(async move {
                let submit = SubmitActionRequest {
                    session_id,
                    decision_id,
                    answer: Some(Answer::ActionId(action)),
                    view: View::Full.into(),
                };
                sessions
                    .submit_action(with_token(&token, submit))
                    .await
                    .map(drop)
            })
        }
    };
    store.set_late(true);
    (store, session, call)
}

/// The entries that are stored.
fn stored(store: &Tricky, session: &Session) -> usize {
    store.load(session.id()).unwrap().log.len()
}

#[tokio::test]
async fn a_call_that_is_dropped_at_any_await_is_done_wholly_or_not_at_all() {
    for change in [Change::Join, Change::Submit, Change::Leave] {
        // Dropped after so many polls, the commit coming before one of them, or after all.
        let mut most_polls = 0;
        for polls in 0..8 {
            for commit_before in 0..=polls {
                let (store, session, mut call) = prepared(change).await;
                let before = stored(&store, &session);
                let mut answered = false;
                for poll in 0..polls {
                    if poll == commit_before && store.waiting() > 0 {
                        store.commit();
                    }
                    answered = poll_fn(|cx| Poll::Ready(call.as_mut().poll(cx).is_ready())).await;
                    most_polls = most_polls.max(poll + 1);
                    if answered {
                        break;
                    }
                }
                drop(call);
                while store.waiting() > 0 {
                    store.commit();
                }
                store.set_late(false);
                let settled = session.describe().unwrap().settle().await.unwrap();
                let after = stored(&store, &session);
                let begun = usize::from(polls > 0);
                assert_eq!(
                    after,
                    before + begun,
                    "{change:?} dropped after {polls} polls"
                );
                assert!(
                    !answered || after == before + 1,
                    "answered, and then missing"
                );
                let replayed =
                    super::state::State::load(session.game, &store.load(session.id()).unwrap());
                assert_eq!(
                    settled.version,
                    replayed.unwrap().version(),
                    "the log is the state"
                );
            }
        }
        println!("{change:?}: answered after {most_polls} polls at most");
    }
}
