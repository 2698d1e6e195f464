//! TLS: the server's certificate, and which clients' certificates it takes.

use std::{
    fmt, io,
    path::{Path, PathBuf},
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, ready},
};

use parking_lot::RwLock;
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    net::TcpStream,
};
use tokio_rustls::{
    Accept, TlsAcceptor,
    rustls::{
        RootCertStore, ServerConfig,
        crypto::ring,
        pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject as _},
        server::{VerifierBuilderError, WebPkiClientVerifier},
    },
    server::TlsStream,
};

use crate::config::{ConfigError, TlsFiles};

/// What is spoken over TLS: HTTP/2, and HTTP/1.1 for browsers.
const PROTOCOLS: [&[u8]; 2] = [b"h2", b"http/1.1"];

/// How connections are made secret. The files may be read again while the server runs; connections that are open stay
/// as they are.
#[derive(Debug)]
pub struct Tls {
    files: TlsFiles,
    config: RwLock<Arc<ServerConfig>>,
}

impl Tls {
    /// Reads the files.
    ///
    /// # Errors
    /// One sentence that names the file and what is wrong with it.
    pub fn read(files: TlsFiles) -> Result<Self, ConfigError> {
        let config = RwLock::new(server_config(&files)?);
        Ok(Self { files, config })
    }

    /// Reads the files again, for connections from now on.
    ///
    /// # Errors
    /// One sentence that names the file and what is wrong with it. Nothing has changed then.
    pub fn reload(&self) -> Result<(), ConfigError> {
        let config = server_config(&self.files)?;
        *self.config.write() = config;
        Ok(())
    }

    fn accept(&self, stream: TcpStream) -> Accept<TcpStream> {
        TlsAcceptor::from(Arc::clone(&self.config.read())).accept(stream)
    }
}

fn server_config(files: &TlsFiles) -> Result<Arc<ServerConfig>, ConfigError> {
    let TlsFiles {
        cert,
        key,
        client_ca,
    } = files;
    let crypto = Arc::new(ring::default_provider());
    let chain = certificates(cert)?;
    let private_key = PrivateKeyDer::from_pem_file(key)
        .map_err(|error| in_file(key, &format_args!("there is no private key in it: {error}")))?;
    let builder = ServerConfig::builder_with_provider(Arc::clone(&crypto))
        .with_safe_default_protocol_versions()
        .map_err(|error| in_file(cert, &error))?;
    let builder = match client_ca {
        None => builder.with_no_client_auth(),
        Some(client_ca) => {
            let mut roots = RootCertStore::empty();
            for authority in certificates(client_ca)? {
                roots
                    .add(authority)
                    .map_err(|error| in_file(client_ca, &error))?;
            }
            let clients = WebPkiClientVerifier::builder_with_provider(Arc::new(roots), crypto)
                .build()
                .map_err(|error: VerifierBuilderError| in_file(client_ca, &error))?;
            builder.with_client_cert_verifier(clients)
        }
    };
    let mut config = builder
        .with_single_cert(chain, private_key)
        .map_err(|error| {
            in_file(
                cert,
                &format_args!("with the key {}: {error}", key.display()),
            )
        })?;
    config.alpn_protocols = PROTOCOLS.map(<[u8]>::to_vec).to_vec();
    Ok(Arc::new(config))
}

fn certificates(path: &PathBuf) -> Result<Vec<CertificateDer<'static>>, ConfigError> {
    let read = CertificateDer::pem_file_iter(path).and_then(Iterator::collect::<Result<Vec<_>, _>>);
    let certificates = read.map_err(|error| in_file(path, &error))?;
    if certificates.is_empty() {
        return Err(in_file(path, &"there is no certificate in it"));
    }
    Ok(certificates)
}

fn in_file(path: &Path, what: &dyn std::fmt::Display) -> ConfigError {
    ConfigError::new(format!("TLS file {}: {what}", path.display()))
}

/// What a connection is read from and written to.
#[derive(Debug)]
pub(super) struct Socket(Kind);

enum Kind {
    Plain(TcpStream),
    /// Until both sides have agreed on a key.
    Agreeing(Box<Accept<TcpStream>>),
    Secret(Box<TlsStream<TcpStream>>),
    /// The two sides could not agree.
    Failed,
}

impl fmt::Debug for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Plain(_) => "Plain",
            Self::Agreeing(_) => "Agreeing",
            Self::Secret(_) => "Secret",
            Self::Failed => "Failed",
        })
    }
}

impl Socket {
    pub(super) fn new(stream: TcpStream, tls: Option<&Tls>) -> Self {
        Self(match tls {
            None => Kind::Plain(stream),
            Some(tls) => Kind::Agreeing(Box::new(tls.accept(stream))),
        })
    }

    /// Gets as far as the first secret byte, if this is not a plain socket.
    fn poll_agreed(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        match &mut self.0 {
            Kind::Plain(_) | Kind::Secret(_) => Poll::Ready(Ok(())),
            Kind::Failed => Poll::Ready(Err(io::ErrorKind::NotConnected.into())),
            Kind::Agreeing(agreeing) => match ready!(Pin::new(agreeing.as_mut()).poll(cx)) {
                Ok(stream) => {
                    self.0 = Kind::Secret(Box::new(stream));
                    Poll::Ready(Ok(()))
                }
                Err(error) => {
                    tracing::debug!(%error, "no TLS with this peer");
                    self.0 = Kind::Failed;
                    Poll::Ready(Err(error))
                }
            },
        }
    }
}

/// Does the same with a plain socket and a secret one, once it is one of them.
macro_rules! with_stream {
    ($socket:expr, $cx:expr, $stream:ident => $do:expr) => {{
        let socket = $socket.get_mut();
        if let Kind::Plain($stream) = &mut socket.0 {
            return $do;
        }
        ready!(socket.poll_agreed($cx))?;
        match &mut socket.0 {
            Kind::Secret(stream) => {
                let $stream = stream.as_mut();
                $do
            }
            Kind::Plain(_) | Kind::Agreeing(_) | Kind::Failed => {
                Poll::Ready(Err(io::ErrorKind::NotConnected.into()))
            }
        }
    }};
}

impl AsyncRead for Socket {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        with_stream!(self, cx, stream => Pin::new(stream).poll_read(cx, buf))
    }
}

impl AsyncWrite for Socket {
    fn poll_write(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &[u8],
    ) -> Poll<io::Result<usize>> {
        with_stream!(self, cx, stream => Pin::new(stream).poll_write(cx, buf))
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        with_stream!(self, cx, stream => Pin::new(stream).poll_flush(cx))
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        // Whoever has not agreed on a key by now does not have to.
        if matches!(self.0, Kind::Agreeing(_) | Kind::Failed) {
            return Poll::Ready(Ok(()));
        }
        with_stream!(self, cx, stream => Pin::new(stream).poll_shutdown(cx))
    }
}
