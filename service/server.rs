//! The server: one event loop per core, each with its own listener, all serving the same sessions.

use std::{
    convert::Infallible,
    io,
    net::{SocketAddr, TcpListener},
    sync::Arc,
    thread,
    time::Duration,
};

use tokio::sync::mpsc;
use tonic::{server::NamedService, service::Routes};
use tonic_health::{
    ServingStatus,
    pb::health_server::HealthServer,
    server::{HealthReporter, HealthService},
};
use tower::Layer as _;

use crate::{
    access::Access,
    config::{Config, ConfigError, Limits},
    event_loop::EventLoop,
    metrics::{self, Metrics, Page},
    pb::{
        DESCRIPTORS,
        v1::{
            catalog_service_server::CatalogServiceServer,
            session_service_server::SessionServiceServer,
        },
    },
    rpc::{Catalog, Sessions, ShortRoad},
    session::{BotPool, House, Registry},
    shutdown::Shutdown,
    store::{Store, StoreError},
    transport::{
        BindError, ConnectionLimits, Connections, DirectLayer, GateLayer, Http, Incoming,
        UnreadReplies, WebLayer, bind,
    },
};

/// Why a server cannot start: one sentence.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The address cannot be listened on.
    #[error(transparent)]
    Bind(#[from] BindError),
    /// A file cannot be used.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The store does not answer.
    #[error("cannot start: {0}")]
    Store(#[from] StoreError),
    /// The system gives no threads or event loops.
    #[error("cannot start: {0}")]
    Io(#[from] io::Error),
    /// An origin of `--web-origins` cannot be one.
    #[error(
        "invalid value '{0}' for '--web-origins <ORIGINS>': it is not an origin such as https://example.org"
    )]
    Origin(String),
}

/// A server that listens and does not serve yet.
#[derive(Debug)]
pub struct Server {
    config: Config,
    listeners: Vec<TcpListener>,
    metrics_listener: Option<TcpListener>,
    web: WebLayer,
    access: Arc<Access>,
    metrics: Arc<Metrics>,
}

impl Server {
    /// Listens as `config` says, and counts in `metrics`.
    ///
    /// # Errors
    /// If an address is taken, or a setting or a file cannot be used.
    pub fn bind(config: Config, metrics: Arc<Metrics>) -> Result<Self, StartError> {
        let access = Arc::new(Access::read(&config)?);
        let web = WebLayer::new(&config.web_origins).map_err(StartError::Origin)?;
        let loops = match config.io_threads {
            0 => thread::available_parallelism()?.get(),
            threads => threads.into(),
        };
        let listeners = bind(config.listen, loops)?;
        let metrics_listener = match config.metrics {
            Some(address) => bind(address, 1)?.pop(),
            None => None,
        };
        Ok(Self {
            config,
            listeners,
            metrics_listener,
            web,
            access,
            metrics,
        })
    }

    /// Who may connect and who may open sessions: what can be read again while it serves.
    #[must_use]
    pub fn access(&self) -> Arc<Access> {
        Arc::clone(&self.access)
    }

    /// What a client puts before the address.
    #[must_use]
    pub fn scheme(&self) -> &'static str {
        match self.access.tls() {
            Some(_) => "https",
            None => "http",
        }
    }

    /// Where it listens: with the port that the system picked, if it was to pick one.
    ///
    /// # Errors
    /// If the system does not know.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.listeners
            .first()
            .ok_or(io::ErrorKind::NotConnected)?
            .local_addr()
    }

    /// Serves sessions kept in `store` until the shutdown has begun and is through, or its time is up. Blocks.
    ///
    /// # Errors
    /// If the system gives no threads or event loops.
    pub fn serve(self, store: Arc<dyn Store>, shutdown: &Shutdown) -> Result<(), StartError> {
        let Self {
            config,
            listeners,
            metrics_listener,
            web,
            access,
            metrics,
        } = self;
        let limits = &config.limits;
        let workers = store.workers();
        // Keeps the clock, sweeps and loads anew, apart from the loops that serve and longer than they do.
        let house_loop = EventLoop::new(workers.clone())?;
        let bots = Arc::new(BotPool::default());
        bots.start(config.bot_threads)?;
        let house = House::new(
            limits.clone(),
            store,
            Arc::clone(&metrics),
            Arc::clone(&bots),
            house_loop.handle().clone(),
            shutdown.clone(),
        )?;
        let registry = Arc::new(Registry::new(Arc::new(house)));
        let connection_limits = ConnectionLimits {
            total_max: limits.connections_max,
            per_peer_max: limits.connections_per_peer_max,
            handshake_timeout: Duration::from_secs(limits.handshake_timeout_s.into()),
            control_frames_per_s_max: limits.control_frames_per_s_max,
        };
        let tls = access.tls().map(Arc::clone);
        let connections = Arc::new(Connections::new(connection_limits, tls));
        // Nobody reads what is counted of calls? Then it is not counted.
        let counted = metrics_listener.is_some().then(|| Arc::clone(&metrics));
        if let Some(listener) = metrics_listener {
            tracing::info!(address = %listener.local_addr()?, "serving metrics");
            let page = Page::new(metrics, Arc::clone(&connections), Arc::clone(&bots));
            house_loop.spawn(async move {
                let Err(error) = metrics::serve(listener, Arc::new(page)).await;
                tracing::error!(%error, "no metrics are served");
            });
        }
        let health = HealthReporter::new();
        let loops = u32::try_from(listeners.len()).unwrap_or(u32::MAX);
        let served = Served {
            registry: Arc::clone(&registry),
            access,
            metrics: counted,
            health: health.clone(),
            web,
            calls_max: limits.calls_max.div_ceil(loops),
            connections,
            limits: limits.clone(),
            shutdown: shutdown.clone(),
            deadline: Duration::from_secs(config.shutdown_timeout_s.into()),
        };

        house_loop.block_on(report(&health, ServingStatus::Serving));
        // Whoever serves holds a sender; when none is left, all are done.
        let (serving, mut all_served) = mpsc::channel::<Infallible>(1);
        for (number, listener) in listeners.into_iter().enumerate() {
            let (served, serving) = (served.clone(), serving.clone());
            let workers = workers.clone();
            let serve = move || {
                let served = EventLoop::new(workers).and_then(|it| it.run(served.on(listener)));
                if let Err(error) = served {
                    tracing::error!(%error, "an event loop ended");
                }
                drop(serving);
            };
            thread::Builder::new()
                .name(format!("io-{number}"))
                .spawn(serve)?;
        }
        drop(serving);
        house_loop.run(async move {
            tokio::join!(
                registry.keep_house(),
                registry.keep_clocks(),
                registry.wake(),
                keep_health(&health, registry.house(), shutdown),
                async { while all_served.recv().await.is_some() {} },
            );
            Ok(())
        })?;
        bots.close();
        Ok(())
    }
}

/// Everything that an event loop serves with.
#[derive(Clone)]
struct Served {
    registry: Arc<Registry>,
    access: Arc<Access>,
    /// Where calls are counted, if they are.
    metrics: Option<Arc<Metrics>>,
    health: HealthReporter,
    web: WebLayer,
    /// Calls in flight on one event loop.
    calls_max: u32,
    connections: Arc<Connections>,
    limits: Limits,
    shutdown: Shutdown,
    deadline: Duration,
}

impl Served {
    /// Serves what comes to one listener, until the shutdown is through or its time is up.
    async fn on(self, listener: TcpListener) -> io::Result<()> {
        // Whatever a call counts or clones belongs to its event loop alone: cores that share a counter wait for it.
        let sessions = DirectLayer::new(self.sessions());
        let routes = self.routes().map_err(io::Error::other)?;
        let gate = GateLayer::new(&self.limits, self.calls_max, self.metrics.clone());
        let web = self.web.unshared();
        let unread = UnreadReplies::new(&self.limits);
        let Self {
            connections,
            limits,
            shutdown,
            deadline,
            ..
        } = self;
        let incoming = Incoming::new(listener, connections)?;
        let services = web.layer(gate.layer(sessions.layer(routes)));
        let of_connection = |line| unread.watch_over(line, services.clone());
        let http = Http::new(&limits);
        let serving = http.serve(incoming, of_connection, &shutdown);
        // A peer that says nothing can hold up a graceful end for ever (hyper #4170), so it has a deadline.
        let time_is_up = async {
            shutdown.wait().await;
            tokio::time::sleep(deadline).await;
        };
        tokio::select! {
            () = serving => Ok(()),
            () = unread.watch() => Ok(()),
            () = time_is_up => {
                tracing::warn!("connections are still open at the deadline of the shutdown, cutting them");
                Ok(())
            }
        }
    }

    /// The service that nearly all calls are for.
    fn sessions(&self) -> ShortRoad {
        let sessions = Sessions::new(Arc::clone(&self.registry), Arc::clone(&self.access));
        ShortRoad::new(sessions, &self.limits)
    }

    /// All other services.
    fn routes(&self) -> Result<Routes, tonic_reflection::server::Error> {
        let (request_max, response_max) = self.limits.message_bytes();
        let catalog = Catalog::new(self.limits.clone(), self.access.api_key_required());
        let catalog = CatalogServiceServer::new(catalog)
            .max_decoding_message_size(request_max)
            .max_encoding_message_size(response_max);
        let health = HealthService::from_health_reporter(self.health.clone());
        let reflection = || {
            tonic_reflection::server::Builder::configure()
                .register_encoded_file_descriptor_set(DESCRIPTORS)
                .register_encoded_file_descriptor_set(tonic_health::pb::FILE_DESCRIPTOR_SET)
                // So that tools can read the details of an error.
                .register_encoded_file_descriptor_set(tonic_types::pb::FILE_DESCRIPTOR_SET)
        };
        let routes = Routes::new(catalog)
            .add_service(HealthServer::new(health))
            .add_service(reflection().build_v1()?)
            .add_service(reflection().build_v1alpha()?);
        Ok(routes.prepare())
    }
}

/// The services whose health is reported; the empty name is the server as a whole.
const REPORTED: [&str; 3] = [
    "",
    <CatalogServiceServer<Catalog> as NamedService>::NAME,
    <SessionServiceServer<Sessions> as NamedService>::NAME,
];

/// Reports how all services are.
async fn report(health: &HealthReporter, status: ServingStatus) {
    for service in REPORTED {
        health.set_service_status(service, status).await;
    }
}

/// How often a store that has failed is asked whether it works again.
const STORE_ASKED_EVERY: Duration = Duration::from_millis(250);

/// Tells load balancers to go elsewhere while the store does not answer, and for good as soon as the shutdown begins.
async fn keep_health(health: &HealthReporter, house: &House, shutdown: &Shutdown) {
    let sessions = async |status| {
        // The catalog needs no store.
        for service in ["", <SessionServiceServer<Sessions> as NamedService>::NAME] {
            health.set_service_status(service, status).await;
        }
    };
    let follow_store = async {
        loop {
            house.outage().await;
            sessions(ServingStatus::NotServing).await;
            while !house.store_answers().await {
                tokio::time::sleep(STORE_ASKED_EVERY).await;
            }
            sessions(ServingStatus::Serving).await;
        }
    };
    tokio::select! {
        biased;
        () = shutdown.wait() => {}
        () = follow_store => {}
    }
    report(health, ServingStatus::NotServing).await;
    // Whoever watches has been told, and the streams end: they would hold up the shutdown.
    for service in REPORTED {
        health.clone().clear_service_status(service).await;
    }
    report(health, ServingStatus::NotServing).await;
}
