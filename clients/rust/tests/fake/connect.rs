//! Addresses, encryption, keys, deadlines and tokens.

use std::time::Duration;

use rcgen::{CertifiedKey, generate_simple_self_signed};
use tavola_client::{
    Client, Token,
    tonic::{
        Code,
        transport::{Certificate, ClientTlsConfig, Identity, server::ServerTlsConfig},
    },
};

use crate::table::{Fake, SESSION, TOKEN, seat, token};

async fn check_catalog(client: &Client) {
    let games = client.games().await.unwrap();
    let ids: Vec<_> = games.iter().map(|game| &*game.game).collect();
    assert_eq!(ids, ["first", "second", "third"]);
}

#[tokio::test]
async fn the_url_that_the_server_prints_is_an_address() {
    let fake = Fake::start();
    for prefix in ["", "http://"] {
        for suffix in ["", "/"] {
            let address = format!("{prefix}{}{suffix}", fake.address());
            check_catalog(&Client::connect(address).await.unwrap()).await;
        }
    }
}

#[tokio::test]
async fn a_server_that_is_not_there_yet_is_waited_for() {
    let mut fake = Fake::start();
    fake.stop();
    let builder = fake.builder().patience(Duration::ZERO);
    while builder.clone().connect().await.is_ok() {} // It goes down in the background.
    let impatient = builder.connect_lazy().unwrap();
    let error = impatient.games().await.unwrap_err();
    assert_eq!((error.code(), error.reason()), (Code::Unavailable, None));

    let client = fake.builder().api_key("our-key").connect_lazy().unwrap();
    let waiting = tokio::spawn(async move { check_catalog(&client).await });
    tokio::time::sleep(Duration::from_millis(200)).await;
    fake.restart();
    waiting.await.unwrap();
    assert_eq!(
        fake.table().asked.metadata.get("x-api-key").unwrap(),
        "our-key"
    );
    check_catalog(&impatient).await;
}

#[tokio::test]
async fn what_is_no_address_is_refused() {
    for (address, wanted) in [
        ("", "HOST:PORT"),
        ("localhost", "HOST:PORT"),
        (":50051", "HOST:PORT"),
        ("localhost:", "HOST:PORT"),
        ("localhost:port", "HOST:PORT"),
        ("localhost:99999", "HOST:PORT"),
        ("ftp://localhost:50051", "http or https"),
        ("http://localhost:50051/v1", "HOST:PORT"),
        ("http://me@localhost:50051", "HOST:PORT"),
        ("http://localhost:50051?a=b", "HOST:PORT"),
        ("http://:50051", "HOST:PORT"),
        ("http://local host", "HOST:PORT"),
    ] {
        let error = Client::connect(address).await.unwrap_err();
        let lazy = Client::builder(address).connect_lazy().unwrap_err();
        assert_eq!(lazy.message(), error.message());
        assert_eq!(error.code(), Code::InvalidArgument, "{address:?}: {error}");
        assert!(error.message().contains(wanted), "{address:?}: {error}");
        assert!(!error.is_transient());
    }
}

#[tokio::test]
async fn tls() {
    let CertifiedKey { cert, signing_key } =
        generate_simple_self_signed(["127.0.0.1".to_owned()]).unwrap();
    let identity = Identity::from_pem(cert.pem(), signing_key.serialize_pem());
    let fake = Fake::with_tls(ServerTlsConfig::new().identity(identity));
    let trust = ClientTlsConfig::new().ca_certificate(Certificate::from_pem(cert.pem()));
    let secure = format!("https://{}", fake.address());
    for address in [&secure, &fake.address()] {
        let client = Client::builder(address.clone())
            .tls(trust.clone())
            .connect();
        check_catalog(&client.await.unwrap()).await;
    }

    let nonsense = ClientTlsConfig::new().identity(Identity::from_pem("no", "PEM"));
    let builder = Client::builder(secure.clone()).tls(nonsense);
    assert_eq!(
        builder.connect().await.unwrap_err().code(),
        Code::InvalidArgument
    );

    let stranger = Client::connect(secure).await.unwrap_err();
    assert_eq!(stranger.code(), Code::Unavailable);
    assert!(stranger.message().contains("certificate"), "{stranger}");
    // Without TLS a connection is made, and no more.
    let plain = fake.builder().patience(Duration::ZERO).connect().await;
    let error = match plain {
        Ok(client) => client.games().await.unwrap_err(),
        Err(error) => error,
    };
    assert_eq!(error.code(), Code::Unavailable, "{error:?}");
}

#[tokio::test]
async fn an_api_key_goes_with_every_call() {
    let fake = Fake::start();
    let key = || {
        fake.table()
            .asked
            .metadata
            .get("x-api-key")
            .map(|key| key.to_str().unwrap().to_owned())
    };
    let client = fake.builder().api_key("our-key").connect().await.unwrap();
    check_catalog(&client).await;
    assert_eq!(key().as_deref(), Some("our-key"));
    seat(&client).watch().next().await.unwrap();
    assert_eq!(key().as_deref(), Some("our-key"));
    assert!(!format!("{client:?}").contains("our-key"), "{client:?}");
    check_catalog(&fake.client().await).await;
    assert_eq!(key(), None);

    let builder = fake.builder().api_key("no\nkey");
    assert!(!format!("{builder:?}").contains("key\""), "{builder:?}");
    assert_eq!(
        builder.connect().await.unwrap_err().code(),
        Code::InvalidArgument
    );
}

#[tokio::test]
async fn a_call_has_a_deadline() {
    let fake = Fake::start();
    fake.table().trouble.late = [1].into();
    let builder = fake
        .builder()
        .timeout(Duration::from_millis(50))
        .patience(Duration::ZERO);
    let seat = seat(&builder.connect().await.unwrap());
    let error = seat.submit(1, 10).await.unwrap_err();
    assert_eq!(error.code(), Code::DeadlineExceeded);
    assert!(error.is_transient());
}

#[tokio::test]
async fn a_private_session_is_joined_with_its_token() {
    let fake = Fake::start();
    let client = fake.client().await;
    let sent = || {
        fake.table()
            .asked
            .metadata
            .get("authorization")
            .map(|sent| sent.to_str().unwrap().to_owned())
    };
    client.join(SESSION).await.unwrap();
    assert_eq!(sent(), None);
    client
        .join_private(SESSION, &"come".parse().unwrap())
        .await
        .unwrap();
    assert_eq!(sent().as_deref(), Some("Bearer come"));
    client.host(SESSION, token()).join().await.unwrap();
    assert_eq!(sent(), Some(format!("Bearer {TOKEN}")));
}

#[tokio::test]
async fn a_token_does_not_show() {
    let fake = Fake::start();
    let client = fake.client().await;
    let seat = client.join(SESSION).await.unwrap();
    let host = client.host(SESSION, token());
    let request = token().authorize(());
    let shown = format!(
        "{seat:?} {host:?} {:#?} {:?} {request:?}",
        seat.token(),
        seat.watch()
    );
    assert!(!shown.contains(TOKEN), "{shown}");
    assert_eq!(seat.token().reveal(), TOKEN);
}

#[test]
fn what_is_no_token_is_refused() {
    for text in ["", "two words", "line\n", "tökén"] {
        assert_eq!(
            text.parse::<Token>().unwrap_err().code(),
            Code::InvalidArgument,
            "{text:?}"
        );
    }
}
