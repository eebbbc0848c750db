//! A client certificate whose key stays where it is, such as on a token: whoever has the key is asked for each signature.

use std::fmt;
use std::sync::Arc;

use rustls::client::ResolvesClientCert;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use rustls::sign::{CertifiedKey, Signer, SigningKey};
use rustls::version::TLS12;
use rustls::{ALL_VERSIONS, Error, SignatureAlgorithm, SignatureScheme, SupportedProtocolVersion};

use crate::bodies::BoxError;

static TLS12_ALONE: [&SupportedProtocolVersion; 1] = [&TLS12];

/// The certificate, and how its key signs.
pub struct Held {
    chain: Vec<CertificateDer<'static>>,
    /// The preferred first.
    schemes: Vec<SignatureScheme>,
}

impl Held {
    /// `chain`: PEM. `schemes`: TLS’s numbers (RFC 8446, section 4.2.3), the preferred first.
    pub fn new(chain: &str, schemes: Vec<u16>) -> Result<Self, BoxError> {
        Ok(Self {
            chain: chain_of(chain)?,
            schemes: schemes.into_iter().map(SignatureScheme::from).collect(),
        })
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

    /// The versions of TLS that it can be shown in.
    pub fn versions(&self) -> &'static [&'static SupportedProtocolVersion] {
        if self.is_for_tls12() { &TLS12_ALONE } else { ALL_VERSIONS }
    }
}

pub fn chain_of(pem: &str) -> Result<Vec<CertificateDer<'static>>, BoxError> {
    Ok(CertificateDer::pem_slice_iter(pem.as_bytes()).collect::<Result<Vec<_>, _>>()?)
}

/// Whoever has the key, during one handshake.
pub trait Signatures: fmt::Debug + Send + Sync {
    /// It blocks its thread. ECDSA’s in DER.
    fn sign(&self, scheme: SignatureScheme, message: &[u8]) -> Result<Vec<u8>, Error>;

    /// The server takes none of the key’s schemes. Without a certificate it would answer as to someone it doesn’t know.
    fn none_fits(&self);
}

/// Shows the certificate where the server asks for one.
pub struct HeldCertificate {
    pub held: Arc<Held>,
    pub signatures: Arc<dyn Signatures>,
}

impl fmt::Debug for HeldCertificate {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("HeldCertificate").finish_non_exhaustive()
    }
}

impl ResolvesClientCert for HeldCertificate {
    fn resolve(&self, _: &[&[u8]], taken: &[SignatureScheme]) -> Option<Arc<CertifiedKey>> {
        let Held { chain, schemes } = &*self.held;
        let Some(scheme) = schemes.iter().find(|scheme| taken.contains(scheme)).copied() else {
            self.signatures.none_fits();
            return None;
        };
        let signing = Signing { signatures: self.signatures.clone(), scheme };
        Some(Arc::new(CertifiedKey::new(chain.clone(), Arc::new(signing))))
    }

    fn has_certs(&self) -> bool {
        true
    }
}

/// By the scheme that server and key have in common.
#[derive(Debug, Clone)]
struct Signing {
    signatures: Arc<dyn Signatures>,
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
        self.signatures.sign(self.scheme, message)
    }

    fn scheme(&self) -> SignatureScheme {
        self.scheme
    }
}
