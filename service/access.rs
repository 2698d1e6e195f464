//! Who may connect and who may open sessions: files that the operator can change while the server runs.

use std::{path::PathBuf, sync::Arc};

use parking_lot::RwLock;
use tonic::metadata::MetadataMap;

use crate::{
    api_keys::{ApiKeys, KeyHash},
    config::{Config, ConfigError},
    error::Error,
    transport::Tls,
};

/// The metadata that an API key comes in.
const API_KEY: &str = "x-api-key";

/// Who may connect and who may open sessions.
#[derive(Debug)]
pub struct Access {
    tls: Option<Arc<Tls>>,
    keys: Option<(PathBuf, RwLock<ApiKeys>)>,
}

impl Access {
    /// Reads the files that `config` names.
    ///
    /// # Errors
    /// One sentence that names the file and what is wrong with it.
    pub fn read(config: &Config) -> Result<Self, ConfigError> {
        let tls = config.tls_files()?.map(Tls::read).transpose()?;
        let keys = match &config.api_keys_file {
            Some(file) => Some((file.clone(), RwLock::new(ApiKeys::read(file)?))),
            None => None,
        };
        Ok(Self {
            tls: tls.map(Arc::new),
            keys,
        })
    }

    /// Reads all files again. Those that cannot be read stay as they were, and the log says so.
    pub fn reload(&self) {
        if let Some(tls) = &self.tls {
            match tls.reload() {
                Ok(()) => tracing::info!("certificates read again"),
                Err(error) => tracing::warn!(%error, "the certificates stay as they are"),
            }
        }
        if let Some((file, keys)) = &self.keys {
            match ApiKeys::read(file) {
                Ok(read) => {
                    *keys.write() = read;
                    tracing::info!("API keys read again");
                }
                Err(error) => tracing::warn!(%error, "the API keys stay as they are"),
            }
        }
    }

    /// TLS, if connections have to be.
    #[must_use]
    pub fn tls(&self) -> Option<&Arc<Tls>> {
        self.tls.as_ref()
    }

    /// Whether creating and listing sessions needs an API key.
    #[must_use]
    pub fn api_key_required(&self) -> bool {
        self.keys.is_some()
    }

    /// The API key of a call; none if none is needed.
    ///
    /// # Errors
    /// If one is needed, and there is none or a wrong one.
    pub fn api_key(&self, metadata: &MetadataMap) -> Result<Option<KeyHash>, Error> {
        let Some((_, keys)) = &self.keys else {
            return Ok(None);
        };
        let given = metadata.get(API_KEY).map(|key| key.as_bytes().trim_ascii());
        let key = given.and_then(|given| keys.read().find(given));
        key.map(Some).ok_or(Error::ApiKeyRequired)
    }
}
