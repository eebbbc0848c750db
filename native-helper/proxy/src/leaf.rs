//! The certificate of the listeners, and their TLS.

use std::sync::{Arc, Mutex};

use rustls::ServerConfig;
use rustls::crypto::CryptoProvider;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::server::{ClientHello, ResolvesServerCert, WebPkiClientVerifier};
use rustls::sign::CertifiedKey;

use crate::bodies::BoxError;
use crate::shared::held;

/// Replaced in place: connections that are open keep what they began with.
#[derive(Debug)]
pub struct Leaf(Mutex<Arc<CertifiedKey>>);

impl Leaf {
    /// PEM, the leaf first.
    pub fn new(certificate: &str, key: &str) -> Result<Arc<Self>, BoxError> {
        Ok(Arc::new(Self(Mutex::new(certified(certificate, key)?))))
    }

    pub fn replace(&self, certificate: &str, key: &str) -> Result<(), BoxError> {
        *held(&self.0) = certified(certificate, key)?;
        Ok(())
    }
}

impl ResolvesServerCert for Leaf {
    fn resolve(&self, _: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        Some(held(&self.0).clone())
    }
}

/// `client`: PEM; a client has to have the key of this certificate, and no other.
pub fn server_config(leaf: &Arc<Leaf>, client: Option<&str>) -> Result<Arc<ServerConfig>, BoxError> {
    let provider = provider();
    let builder =
        ServerConfig::builder_with_provider(provider.clone()).with_safe_default_protocol_versions()?;
    let builder = match client {
        None => builder.with_no_client_auth(),
        Some(certificate) => {
            let mut roots = rustls::RootCertStore::empty();
            roots.add(CertificateDer::from_pem_slice(certificate.as_bytes())?)?;
            let verifier = WebPkiClientVerifier::builder_with_provider(Arc::new(roots), provider).build()?;
            builder.with_client_cert_verifier(verifier)
        }
    };
    let mut config = builder.with_cert_resolver(leaf.clone());
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    Ok(Arc::new(config))
}

fn certified(certificate: &str, key: &str) -> Result<Arc<CertifiedKey>, BoxError> {
    let chain = CertificateDer::pem_slice_iter(certificate.as_bytes()).collect::<Result<Vec<_>, _>>()?;
    let key = PrivateKeyDer::from_pem_slice(key.as_bytes())?;
    Ok(Arc::new(CertifiedKey::from_der(chain, key, &provider())?))
}

fn provider() -> Arc<CryptoProvider> {
    Arc::new(rustls::crypto::ring::default_provider())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What early data asks for may be asked again by whoever recorded it (RFC 8446, section 8).
    #[test]
    fn no_early_data_is_taken() -> Result<(), BoxError> {
        let key = rcgen::KeyPair::generate()?;
        let certificate = rcgen::CertificateParams::default().self_signed(&key)?;
        let leaf = Leaf::new(&certificate.pem(), &key.serialize_pem())?;
        assert_eq!(server_config(&leaf, None)?.max_early_data_size, 0);
        assert_eq!(server_config(&leaf, Some(&certificate.pem()))?.max_early_data_size, 0);
        Ok(())
    }
}
