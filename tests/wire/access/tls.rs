//! TLS: secret connections, and clients that have to show who they are.

use std::{net::SocketAddr, sync::Arc, time::Instant};

use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};
use rustix::process::Signal;
use tavola::pb::v1::{CreateSessionResponse, GetServerInfoRequest, View};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
};
use tokio_rustls::{
    TlsConnector,
    client::TlsStream,
    rustls::{
        ClientConfig, RootCertStore,
        crypto::ring,
        pki_types::{CertificateDer, ServerName, pem::PemObject as _},
    },
};
use tonic::transport::{Certificate, Channel, ClientTlsConfig, Identity};

use super::files::Files;
use crate::common::{
    Catalog, Dice, PATIENCE, Server, Sessions, Table, command, eventually, run, santorini, soon,
    web::{Part, Web},
};

/// An authority that signs certificates.
struct Authority(CertifiedIssuer<'static, KeyPair>);

/// A certificate and its key, in PEM.
struct Signed {
    cert: String,
    key: String,
}

impl Authority {
    fn new() -> Self {
        let mut params = CertificateParams::new(Vec::new()).unwrap();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let key = KeyPair::generate().unwrap();
        Self(CertifiedIssuer::self_signed(params, key).unwrap())
    }

    fn pem(&self) -> String {
        self.0.pem()
    }

    fn sign(&self) -> Signed {
        let key = KeyPair::generate().unwrap();
        let params = CertificateParams::new(vec!["localhost".to_owned()]).unwrap();
        let cert = params.signed_by(&key, &self.0).unwrap();
        Signed {
            cert: cert.pem(),
            key: key.serialize_pem(),
        }
    }
}

/// A server with a certificate of this authority, and with these flags.
fn start(files: &Files, authority: &Authority, flags: &[&str]) -> Server {
    let Signed { cert, key } = authority.sign();
    let (cert, key) = (files.write("cert.pem", &cert), files.write("key.pem", &key));
    let mut all = vec!["--tls-cert", &cert, "--tls-key", &key];
    all.extend(flags);
    Server::start(&all)
}

/// A channel to the server for a client that trusts this authority and shows this certificate.
async fn connect(
    server: &Server,
    authority: &Authority,
    shows: Option<&Signed>,
) -> Result<Channel, tonic::transport::Error> {
    let mut tls = ClientTlsConfig::new()
        .ca_certificate(Certificate::from_pem(authority.pem()))
        .domain_name("localhost");
    if let Some(Signed { cert, key }) = shows {
        tls = tls.identity(Identity::from_pem(cert, key));
    }
    server.endpoint().tls_config(tls).unwrap().connect().await
}

/// Whether a client gets an answer.
async fn is_answered(server: &Server, authority: &Authority, shows: Option<&Signed>) -> bool {
    // A client may believe that it is connected before the server has looked at its certificate.
    match connect(server, authority, shows).await {
        Ok(channel) => {
            let ask = Catalog::new(channel)
                .get_server_info(GetServerInfoRequest {})
                .await;
            ask.is_ok()
        }
        Err(_) => false,
    }
}

/// A connection by hand that offers these protocols.
async fn by_hand(
    address: SocketAddr,
    authority: &Authority,
    protocols: &[&str],
) -> TlsStream<TcpStream> {
    let mut roots = RootCertStore::empty();
    roots
        .add(CertificateDer::from_pem_slice(authority.pem().as_bytes()).unwrap())
        .unwrap();
    let mut config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth();
    config.alpn_protocols = protocols
        .iter()
        .map(|name| name.as_bytes().to_vec())
        .collect();
    let socket = TcpStream::connect(address).await.unwrap();
    TlsConnector::from(Arc::new(config))
        .connect(ServerName::try_from("localhost").unwrap(), socket)
        .await
        .unwrap()
}

#[tokio::test]
async fn a_game_is_played_over_tls() {
    let (files, authority) = (Files::new(), Authority::new());
    let server = start(&files, &authority, &[]);
    let channel = connect(&server, &authority, None).await.unwrap();
    let table = Table::santorini(&Sessions::new(channel)).await;
    let mut watching = table.watch(Some(1), View::Full).await;
    table.play_out(&mut Dice::new()).await;
    assert!(watching.rest().await.last().unwrap().outcome.is_some());
    assert!(
        !is_answered(&server, &Authority::new(), None).await,
        "a client that trusts somebody else does not trust the server"
    );
}

#[tokio::test]
async fn the_protocol_is_agreed_on_and_browsers_call_over_http_1() {
    let (files, authority) = (Files::new(), Authority::new());
    let server = start(&files, &authority, &[]);
    for (offered, agreed) in [
        (&["h2", "http/1.1"][..], "h2"),
        (&["http/1.1"], "http/1.1"),
        (&["h2"], "h2"),
    ] {
        let stream = by_hand(server.address(), &authority, offered).await;
        let (_, connection) = stream.get_ref();
        assert_eq!(connection.alpn_protocol(), Some(agreed.as_bytes()));
    }
    let mut web = Web::over(by_hand(server.address(), &authority, &["http/1.1"]).await);
    let path = "/tavola.v1.SessionService/CreateSession";
    let (status, head) = web
        .call(path, "https://table.example", None, &santorini())
        .await;
    assert_eq!(status, 200, "{head:?}");
    let Some(Part::Message(message)) = web.part().await else {
        panic!("a message comes first");
    };
    let created: CreateSessionResponse = prost::Message::decode(message).unwrap();
    assert!(!created.host_token.is_empty());
}

#[tokio::test]
async fn with_an_authority_of_clients_only_its_clients_are_answered() {
    let (files, authority, of_clients) = (Files::new(), Authority::new(), Authority::new());
    let client_ca = files.write("clients.pem", &of_clients.pem());
    let server = start(&files, &authority, &["--tls-client-ca", &client_ca]);
    assert!(is_answered(&server, &authority, Some(&of_clients.sign())).await);
    assert!(
        !is_answered(&server, &authority, None).await,
        "no certificate"
    );
    let wrong = authority.sign();
    assert!(
        !is_answered(&server, &authority, Some(&wrong)).await,
        "a certificate of somebody else"
    );
    let channel = connect(&server, &authority, Some(&of_clients.sign()))
        .await
        .unwrap();
    let table = Table::santorini(&Sessions::new(channel)).await;
    table.play_plies(&mut Dice::new(), 4).await;
}

/// What the peer says until it closes the connection.
async fn until_closed(socket: &mut (impl tokio::io::AsyncRead + Unpin)) -> Vec<u8> {
    let mut said = Vec::new();
    // A connection that is cut is closed, too.
    let _ = soon("the end of the connection", socket.read_to_end(&mut said)).await;
    said
}

#[tokio::test]
async fn plain_words_on_a_tls_port_and_tls_on_a_plain_port_are_hung_up_on() {
    let (files, authority) = (Files::new(), Authority::new());
    let secret = start(&files, &authority, &[]);
    for words in [
        &b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0"[..],
        b"POST /tavola.v1.CatalogService/GetServerInfo HTTP/1.1\r\nhost: a\r\n\r\n",
        b"SSH-2.0-OpenSSH_9.6\r\n",
    ] {
        let mut socket = TcpStream::connect(secret.address()).await.unwrap();
        socket.write_all(words).await.unwrap();
        let said = until_closed(&mut socket).await;
        // At most a TLS alert: its type is 21.
        assert!(said.is_empty() || said[0] == 21, "{said:?}");
        assert!(said.len() < 16, "{said:?}");
    }
    assert!(is_answered(&secret, &authority, None).await);
    let plain = Server::start(&[]);
    let tls = ClientTlsConfig::new()
        .ca_certificate(Certificate::from_pem(authority.pem()))
        .domain_name("localhost");
    let url = format!("https://{}", plain.address());
    let endpoint = Channel::from_shared(url).unwrap();
    let connected = endpoint.tls_config(tls).unwrap().connect().await;
    assert!(connected.is_err());
}

#[tokio::test]
async fn whoever_does_not_get_to_the_point_is_hung_up_on() {
    let (files, authority) = (Files::new(), Authority::new());
    let server = start(&files, &authority, &["--handshake-timeout-s", "1"]);
    let began = Instant::now();
    let mut silent = TcpStream::connect(server.address()).await.unwrap();
    let mut halfway = TcpStream::connect(server.address()).await.unwrap();
    // The beginning of a ClientHello of 512 bytes.
    halfway.write_all(&[22, 3, 1, 2, 0, 1, 0, 1]).await.unwrap();
    let mut agreed = by_hand(server.address(), &authority, &["h2"]).await;
    until_closed(&mut silent).await;
    until_closed(&mut halfway).await;
    until_closed(&mut agreed).await;
    let took = began.elapsed().as_secs_f64();
    assert!((0.9..8.0).contains(&took), "{took} s, and 10 by default");
}

#[tokio::test]
async fn a_new_certificate_is_taken_up_without_a_restart() {
    let (files, before, after) = (Files::new(), Authority::new(), Authority::new());
    let mut server = start(&files, &before, &[]);
    let channel = connect(&server, &before, None).await.unwrap();
    let table = Table::santorini(&Sessions::new(channel)).await;
    files.write("cert.pem", "garbage");
    server.signal(Signal::HUP);
    let logged = async |what: &str| server.log().contains(what).then_some(());
    eventually("a warning", async || {
        logged("the certificates stay as they are").await
    })
    .await;
    assert!(is_answered(&server, &before, None).await);
    let Signed { cert, key } = after.sign();
    files.write("cert.pem", &cert);
    files.write("key.pem", &key);
    server.signal(Signal::HUP);
    eventually("a new certificate", async || {
        logged("certificates read again").await
    })
    .await;
    assert!(is_answered(&server, &after, None).await);
    assert!(!is_answered(&server, &before, None).await);
    table.play_out(&mut Dice::new()).await;
    drop(table);
    server.terminate();
    assert_eq!(server.exit(PATIENCE).await.code(), Some(0));
}

#[test]
fn files_that_cannot_be_used_are_one_sentence() {
    let (files, authority) = (Files::new(), Authority::new());
    let (one, other) = (authority.sign(), authority.sign());
    let cert = files.write("cert.pem", &one.cert);
    let key = files.write("key.pem", &one.key);
    let others_key = files.write("other.pem", &other.key);
    let empty = files.write("empty.pem", "");
    for (flags, what) in [
        (vec!["--tls-cert", &cert], "--tls-key"),
        (vec!["--tls-key", &key], "--tls-cert"),
        (vec!["--tls-client-ca", &cert], "--tls-cert"),
        (vec!["--tls-cert", &empty, "--tls-key", &key], "empty.pem"),
        (vec!["--tls-cert", &cert, "--tls-key", &empty], "empty.pem"),
        (
            vec!["--tls-cert", &cert, "--tls-key", &others_key],
            "other.pem",
        ),
        (
            vec!["--tls-cert", "/no/such/file", "--tls-key", &key],
            "/no/such/file",
        ),
        (
            vec![
                "--tls-cert",
                &cert,
                "--tls-key",
                &key,
                "--tls-client-ca",
                &empty,
            ],
            "empty.pem",
        ),
    ] {
        let mut all = vec!["--listen", "127.0.0.1:0"];
        all.extend(flags);
        let output = run(command(&all));
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(what), "{said}");
        assert_eq!(said.trim().lines().count(), 1, "{said}");
    }
}
