//! How to reach a server.

use std::{fmt, time::Duration};

#[cfg(feature = "tls")]
use tonic::transport::ClientTlsConfig;
use tonic::{
    Request, Status,
    codegen::{InterceptedService, http::Uri},
    metadata::{Ascii, MetadataValue},
    service::Interceptor,
    transport::{Channel, Endpoint},
};

#[cfg(feature = "tls")]
use crate::error::with_causes;
use crate::{Client, Error, token::secret};

/// The shortest time between two pings that servers put up with.
const KEEPALIVE_MIN: Duration = Duration::from_secs(10);
/// How long to wait for the reply to a ping.
const PING_TIMEOUT: Duration = Duration::from_secs(10);
/// How long to wait for a connection.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// What the stubs of a [`Client`] speak through.
pub type Transport = InterceptedService<Channel, ApiKey>;

/// How to connect: see [`Client::builder`].
#[derive(Clone)]
pub struct Builder {
    address: String,
    #[cfg(feature = "tls")]
    tls: Option<ClientTlsConfig>,
    api_key: Option<String>,
    timeout: Duration,
    patience: Duration,
    keepalive: Duration,
}

impl Builder {
    pub(crate) fn new(address: String) -> Self {
        Self {
            address,
            #[cfg(feature = "tls")]
            tls: None,
            api_key: None,
            timeout: Duration::from_secs(20),
            patience: Duration::from_secs(60),
            keepalive: Duration::from_secs(30),
        }
    }

    /// Encrypts the connection as this says. Without it an address that begins with `https://` trusts whom the system
    /// trusts.
    #[cfg(feature = "tls")]
    #[must_use]
    pub fn tls(mut self, config: ClientTlsConfig) -> Self {
        self.tls = Some(config);
        self
    }

    /// Sends an API key of the server with every call, as metadata `x-api-key`.
    #[must_use]
    pub fn api_key(mut self, key: impl Into<String>) -> Self {
        self.api_key = Some(key.into());
        self
    }

    /// The time after which an attempt of a call fails, and that of opening a stream: 20 s, unless it is given.
    #[must_use]
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// For how long that is tried again which is safe to repeat while the server cannot be reached: 60 s, unless it is
    /// given; 0: it is not tried again.
    #[must_use]
    pub fn patience(mut self, limit: Duration) -> Self {
        self.patience = limit;
        self
    }

    /// The time without a sign of life after which an open call or stream pings the server, to find out about a
    /// connection that died without a word: 30 s, unless it is given; never less than 10 s.
    #[must_use]
    pub fn keepalive(mut self, interval: Duration) -> Self {
        self.keepalive = interval.max(KEEPALIVE_MIN);
        self
    }

    /// Connects. A connection that breaks later is made anew with the next call.
    ///
    /// # Errors
    /// If the address is none, if an API key is not visible ASCII, or if the server cannot be reached: that may pass.
    pub async fn connect(self) -> Result<Client, Error> {
        let api_key = self.secret_key()?;
        let channel = self.endpoint()?.connect().await?;
        Ok(self.client(channel, api_key))
    }

    /// Connects with the first call. A server that is not there yet is waited for with the client's patience then, where
    /// the call is safe to repeat.
    ///
    /// # Errors
    /// If the address is none, or if an API key is not visible ASCII.
    ///
    /// # Panics
    /// Outside a runtime of Tokio.
    pub fn connect_lazy(self) -> Result<Client, Error> {
        let api_key = self.secret_key()?;
        let channel = self.endpoint()?.connect_lazy();
        Ok(self.client(channel, api_key))
    }

    fn secret_key(&self) -> Result<ApiKey, Error> {
        Ok(ApiKey(self.api_key.clone().map(secret).transpose()?))
    }

    fn client(&self, channel: Channel, api_key: ApiKey) -> Client {
        let transport = InterceptedService::new(channel, api_key);
        Client::new(transport, self.timeout, self.patience)
    }

    fn endpoint(&self) -> Result<Endpoint, Error> {
        let address = Address::parse(&self.address)?;
        #[cfg(feature = "tls")]
        if address.encrypted || self.tls.is_some() {
            let system = || ClientTlsConfig::new().with_native_roots();
            let config = self.tls.clone().unwrap_or_else(system);
            return self
                .reach(address.url("https"))?
                .tls_config(config)
                .map_err(|error| Error::invalid(with_causes(&error)));
        }
        #[cfg(not(feature = "tls"))]
        if address.encrypted {
            return Err(Error::invalid(
                "an https:// address needs the feature `tls` of tavola-client",
            ));
        }
        self.reach(address.url("http"))
    }

    fn reach(&self, url: String) -> Result<Endpoint, Error> {
        let endpoint = Endpoint::from_shared(url)?;
        Ok(endpoint
            .connect_timeout(CONNECT_TIMEOUT)
            .http2_keep_alive_interval(self.keepalive)
            .keep_alive_timeout(PING_TIMEOUT))
    }
}

impl fmt::Debug for Builder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Builder")
            .field("address", &self.address)
            .field("timeout", &self.timeout)
            .field("patience", &self.patience)
            .field("keepalive", &self.keepalive)
            .finish_non_exhaustive()
    }
}

/// Where a server is.
struct Address {
    host: String,
    port: u16,
    encrypted: bool,
}

impl Address {
    /// # Errors
    /// If it is neither HOST:PORT nor a URL of a host and a port alone.
    fn parse(text: &str) -> Result<Self, Error> {
        let wrong = |what: &str| Error::invalid(format!("address {text:?}: {what}"));
        let form = || wrong("must be HOST:PORT, http://HOST:PORT or https://HOST:PORT");
        let (encrypted, place, default_port) = match text.split_once("://") {
            None => (false, text, None),
            Some(("http", place)) => (false, place, Some(80)),
            Some(("https", place)) => (true, place, Some(443)),
            Some(_) => return Err(wrong("its scheme must be http or https")),
        };
        let place = place.strip_suffix('/').unwrap_or(place);
        let authority = place
            .parse::<Uri>()
            .map_err(|_| form())?
            .into_parts()
            .authority;
        // A path, a query or a user would be lost without a word.
        let authority = authority.filter(|it| it.as_str() == place && !place.contains('@'));
        let authority = authority.ok_or_else(form)?;
        let port = match authority.port() {
            Some(port) => Some(port.as_u16()),
            None if place == authority.host() => default_port,
            None => None,
        };
        match port {
            Some(port) if !authority.host().is_empty() => Ok(Self {
                host: authority.host().to_owned(),
                port,
                encrypted,
            }),
            _ => Err(form()),
        }
    }

    fn url(&self, scheme: &str) -> String {
        format!("{scheme}://{}:{}", self.host, self.port)
    }
}

/// Adds the API key, if there is one, to each call.
#[derive(Clone, Debug)]
pub struct ApiKey(Option<MetadataValue<Ascii>>);

impl Interceptor for ApiKey {
    fn call(&mut self, mut request: Request<()>) -> Result<Request<()>, Status> {
        if let Some(key) = &self.0 {
            request.metadata_mut().insert("x-api-key", key.clone());
        }
        Ok(request)
    }
}
