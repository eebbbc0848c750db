//! Connects with a certificate whose key is elsewhere: the broker is asked for each signature. rustls asks for one in the
//! middle of a handshake, and waits. So such a handshake runs on a thread of its own.

use std::fmt;
use std::sync::{Arc, Mutex, Weak};
use std::time::{Duration, Instant};

use http::StatusCode;
use rustls::client::Resumption;
use rustls::pki_types::ServerName;
use rustls::{AlertDescription, ClientConfig, Error, SignatureScheme};
use tokio::runtime::Handle;
use tokio_rustls::TlsConnector;

use super::connect::{CONNECT_TIME, UpstreamIo, silent};
use super::held_certificate::{Held, HeldCertificate, Signatures};
use super::renegotiation::Watched;
use crate::bodies::BoxError;
use crate::failure::Failure;
use crate::shared::{Shared, held};

pub struct HeldKey {
    pub cluster: String,
    /// The account’s name.
    pub signer: String,
    pub held: Arc<Held>,
    pub shared: Weak<Shared>,
}

impl HeldKey {
    /// A handshake as `config` says, with this certificate where the server asks for one.
    pub async fn connect(
        self: &Arc<Self>,
        config: &ClientConfig,
        server: ServerName<'static>,
        io: Watched,
    ) -> Result<UpstreamIo, BoxError> {
        let course =
            Arc::new(Course { key: self.clone(), failure: Mutex::default(), waited: Mutex::default() });
        let mut config = config.clone();
        config.client_auth_cert_resolver =
            Arc::new(HeldCertificate { held: self.held.clone(), signatures: course.clone() });
        // A token that was taken out, and a lock, end the use of its key.
        config.resumption = Resumption::disabled();
        let runtime = Handle::current();
        let (key, during) = (self.clone(), course.clone());
        let shaking = tokio::task::spawn_blocking(move || {
            let connecting = TlsConnector::from(Arc::new(config)).connect(server.clone(), io);
            runtime.block_on(during.in_time(connecting, &server.to_str()))
        });
        let shaken = shaking.await?;
        if let Some(failure) = held(&course.failure).take() {
            return Err(failure.into());
        }
        shaken.map_err(|error| key.explained(error))
    }

    fn explained(&self, error: BoxError) -> BoxError {
        let rustls = error
            .downcast_ref::<std::io::Error>()
            .and_then(std::io::Error::get_ref)
            .and_then(|error| error.downcast_ref::<Error>());
        if self.held.is_for_tls12()
            && matches!(rustls, Some(Error::AlertReceived(AlertDescription::ProtocolVersion)))
        {
            return Failure::new(
                StatusCode::BAD_GATEWAY,
                format!(
                    "{} takes TLS 1.3 alone, which needs RSA-PSS: the token of the account {} has none; have the server take TLS 1.2, or use another key",
                    self.cluster, self.signer
                ),
            )
            .into();
        }
        error
    }
}

impl fmt::Debug for HeldKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("HeldKey").field("signer", &self.signer).finish_non_exhaustive()
    }
}

/// What happens in one handshake.
#[derive(Debug)]
struct Course {
    key: Arc<HeldKey>,
    /// Why there is no signature.
    failure: Mutex<Option<Failure>>,
    /// For the signature: someone may have typed a PIN.
    waited: Mutex<Duration>,
}

impl Course {
    /// The server has its time; what is waited for here doesn’t count.
    async fn in_time<Io>(
        &self,
        connecting: impl Future<Output = std::io::Result<Io>>,
        server: &str,
    ) -> Result<Io, BoxError> {
        let began = tokio::time::Instant::now();
        let mut connecting = std::pin::pin!(connecting);
        loop {
            let limit = began + CONNECT_TIME + *held(&self.waited);
            match tokio::time::timeout_at(limit, &mut connecting).await {
                Ok(connected) => return connected.map_err(BoxError::from),
                Err(_) if *held(&self.waited) + CONNECT_TIME > began.elapsed() => (),
                Err(_) => return Err(silent(server)),
            }
        }
    }
}

impl Signatures for Course {
    fn sign(&self, scheme: SignatureScheme, message: &[u8]) -> Result<Vec<u8>, Error> {
        let began = Instant::now();
        let HeldKey { cluster, signer, shared, .. } = &*self.key;
        let signed = shared
            .upgrade()
            .ok_or_else(|| Failure::new(StatusCode::SERVICE_UNAVAILABLE, "the proxy ends"))
            .and_then(|shared| shared.signature(cluster, signer, scheme.into(), message));
        *held(&self.waited) += began.elapsed();
        signed.map_err(|failure| {
            *held(&self.failure) = Some(failure);
            Error::General("there is no signature".to_owned())
        })
    }

    fn none_fits(&self) {
        let HeldKey { cluster, signer, .. } = &*self.key;
        let text =
            format!("{cluster} takes none of the signatures that the key of the account {signer} makes");
        *held(&self.failure) = Some(Failure::new(StatusCode::BAD_GATEWAY, text));
    }
}
