//! A client certificate whose key stays where it is, such as on a token: the broker is asked for each signature. rustls asks
//! for one in the middle of a handshake, and waits. So such a handshake runs on a thread of its own.

use std::fmt;
use std::sync::{Arc, Mutex, Weak};
use std::time::{Duration, Instant};

use http::StatusCode;
use rustls::client::{ResolvesClientCert, Resumption};
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::sign::{CertifiedKey, Signer, SigningKey};
use rustls::{AlertDescription, ClientConfig, Error, SignatureAlgorithm, SignatureScheme};
use tokio::runtime::Handle;
use tokio_rustls::TlsConnector;

use super::connect::{CONNECT_TIME, UpstreamIo, silent};
use super::renegotiation::Watched;
use crate::bodies::BoxError;
use crate::failure::Failure;
use crate::shared::{Shared, held};

pub struct HeldKey {
    pub cluster: String,
    /// The account’s name.
    pub signer: String,
    pub chain: Vec<CertificateDer<'static>>,
    /// The preferred first.
    pub schemes: Vec<SignatureScheme>,
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
        let course = Arc::new(Course::default());
        let mut config = config.clone();
        config.client_auth_cert_resolver =
            Arc::new(OneHandshake { key: self.clone(), course: course.clone() });
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

    /// Whether it signs by PKCS#1 v1.5 alone, which TLS 1.3 doesn’t take (RFC 8446, section 4.2.3).
    pub fn is_for_tls12(&self) -> bool {
        self.schemes.iter().all(|scheme| {
            matches!(
                scheme,
                SignatureScheme::RSA_PKCS1_SHA256
                    | SignatureScheme::RSA_PKCS1_SHA384
                    | SignatureScheme::RSA_PKCS1_SHA512
            )
        })
    }

    fn explained(&self, error: BoxError) -> BoxError {
        let rustls = error
            .downcast_ref::<std::io::Error>()
            .and_then(std::io::Error::get_ref)
            .and_then(|error| error.downcast_ref::<Error>());
        if self.is_for_tls12()
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
#[derive(Debug, Default)]
struct Course {
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

#[derive(Debug)]
struct OneHandshake {
    key: Arc<HeldKey>,
    course: Arc<Course>,
}

impl ResolvesClientCert for OneHandshake {
    fn resolve(&self, _: &[&[u8]], taken: &[SignatureScheme]) -> Option<Arc<CertifiedKey>> {
        let HeldKey { cluster, signer, chain, schemes, .. } = &*self.key;
        let Some(scheme) = schemes.iter().find(|scheme| taken.contains(scheme)).copied() else {
            // Without a certificate the server would answer as to someone it doesn’t know.
            let text =
                format!("{cluster} takes none of the signatures that the key of the account {signer} makes");
            *held(&self.course.failure) = Some(Failure::new(StatusCode::BAD_GATEWAY, text));
            return None;
        };
        let signing = Signing { key: self.key.clone(), course: self.course.clone(), scheme };
        Some(Arc::new(CertifiedKey::new(chain.clone(), Arc::new(signing))))
    }

    fn has_certs(&self) -> bool {
        true
    }
}

/// By the scheme that server and key have in common.
#[derive(Debug, Clone)]
struct Signing {
    key: Arc<HeldKey>,
    course: Arc<Course>,
    scheme: SignatureScheme,
}

impl SigningKey for Signing {
    fn choose_scheme(&self, offered: &[SignatureScheme]) -> Option<Box<dyn Signer>> {
        offered.contains(&self.scheme).then(|| Box::new(self.clone()) as Box<dyn Signer>)
    }

    fn algorithm(&self) -> SignatureAlgorithm {
        match self.scheme {
            SignatureScheme::ECDSA_NISTP256_SHA256 | SignatureScheme::ECDSA_NISTP384_SHA384 => {
                SignatureAlgorithm::ECDSA
            }
            _ => SignatureAlgorithm::RSA,
        }
    }
}

impl Signer for Signing {
    fn sign(&self, message: &[u8]) -> Result<Vec<u8>, Error> {
        let began = Instant::now();
        let HeldKey { cluster, signer, shared, .. } = &*self.key;
        let signed = shared
            .upgrade()
            .ok_or_else(|| Failure::new(StatusCode::SERVICE_UNAVAILABLE, "the proxy ends"))
            .and_then(|shared| shared.signature(cluster, signer, self.scheme.into(), message));
        *held(&self.course.waited) += began.elapsed();
        signed.map_err(|failure| {
            *held(&self.course.failure) = Some(failure);
            Error::General("there is no signature".to_owned())
        })
    }

    fn scheme(&self) -> SignatureScheme {
        self.scheme
    }
}
