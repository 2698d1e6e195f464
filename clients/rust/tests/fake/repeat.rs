//! What is done again when no reply comes, and what is not.

use std::time::Duration;

use tavola_client::{
    request_id,
    tonic::Code,
    v1::{AddBotRequest, CreateSessionRequest, JoinSessionRequest},
};

use crate::table::{Fake, SESSION, TOKEN, refusal, token};

fn losing(replies: u32) -> Fake {
    let fake = Fake::start();
    fake.table().trouble.lost = replies;
    fake
}

/// Checks that one thing was taken, by so many calls with one request id.
fn check_taken_once(fake: &Fake, calls: usize) {
    let table = fake.table();
    assert_eq!(table.asked.named.len(), calls);
    assert_eq!(table.asked.taken.len(), 1);
    assert!(
        table
            .asked
            .named
            .iter()
            .all(|name| (16..=64).contains(&name.len()))
    );
}

#[tokio::test]
async fn a_session_whose_reply_is_lost_is_opened_once() {
    let fake = losing(2);
    let host = fake.client().await.create("santorini").await.unwrap();
    assert_eq!((host.session_id(), host.token().reveal()), (SESSION, TOKEN));
    assert_eq!(host.join_token(), None);
    check_taken_once(&fake, 3);
}

#[tokio::test]
async fn a_seat_whose_reply_is_lost_is_taken_once() {
    let fake = losing(2);
    let seat = fake.client().await.join(SESSION).await.unwrap();
    assert_eq!((seat.number(), seat.token().reveal()), (0, TOKEN));
    check_taken_once(&fake, 3);
}

#[tokio::test]
async fn a_bot_whose_reply_is_lost_is_added_once() {
    let fake = losing(2);
    let host = fake.client().await.host(SESSION, token());
    assert_eq!(host.add_bot("greedy").await.unwrap(), 1);
    check_taken_once(&fake, 3);
}

#[tokio::test]
async fn what_has_no_request_id_is_not_repeated() {
    let fake = losing(3);
    let client = fake.client().await;
    let create = CreateSessionRequest {
        game: "santorini".into(),
        ..CreateSessionRequest::default()
    };
    let join = JoinSessionRequest {
        session_id: SESSION.into(),
        ..JoinSessionRequest::default()
    };
    let add_bot = AddBotRequest {
        bot: "greedy".into(),
        ..AddBotRequest::default()
    };
    let host = client.host(SESSION, token());
    let errors = [
        client.create(create).await.unwrap_err(),
        client.join(join).await.unwrap_err(),
        host.add_bot(add_bot).await.unwrap_err(),
    ];
    assert!(
        errors.iter().all(|error| error.is_transient()),
        "{errors:?}"
    );
    assert_eq!(fake.table().asked.named, ["", "", ""]);
}

#[tokio::test]
async fn a_request_id_of_ones_own_is_kept() {
    let fake = losing(1);
    let request = CreateSessionRequest {
        game: "santorini".into(),
        private: true,
        request_id: "of one's own, and long enough".into(),
        ..CreateSessionRequest::default()
    };
    let name = request.request_id.clone();
    let host = fake.client().await.create(request).await.unwrap();
    assert_eq!(host.join_token().unwrap().reveal(), "come");
    assert_eq!(fake.table().asked.named, [name.clone(), name]);
}

#[tokio::test]
async fn reading_is_repeated() {
    let fake = Fake::start();
    fake.table().trouble.refusal = Some(refusal(Code::Unavailable, "STORE_UNAVAILABLE", []));
    let seat = fake.seat().await;
    let reading = seat.observe();
    let recovery = async {
        tokio::time::sleep(Duration::from_millis(200)).await;
        fake.table().trouble.refusal = None;
    };
    let (observation, ()) = tokio::join!(reading, recovery);
    assert_eq!(observation.unwrap().version, 1);
}

#[test]
fn request_ids_differ() {
    let ids = [request_id(), request_id()];
    assert_ne!(ids[0], ids[1]);
    let form = |id: &String| id.len() == 32 && id.bytes().all(|byte| byte.is_ascii_hexdigit());
    assert!(ids.iter().all(form), "{ids:?}");
}
