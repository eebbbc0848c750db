//! Whose certificates count: as in Go’s crypto/x509, which kubectl uses (docs/adr/0041). Beside what webpki checks, a
//! certificate that is itself among the trusted ones counts as it stands, and what the trusted ones say of themselves holds:
//! their dates, purposes and path length, and that they are CAs.

use std::sync::Arc;

use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{WebPkiSupportedAlgorithms, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName, TrustAnchor, UnixTime};
use rustls::{CertificateError, DigitallySignedStruct, Error, OtherError, SignatureScheme};
use webpki::{EndEntityCert, KeyUsage, VerifiedPath, anchor_from_trusted_cert};
use x509_cert::certificate::{CertificateInner, Raw, Version};
use x509_cert::der::Decode;
use x509_cert::der::oid::ObjectIdentifier;
use x509_cert::ext::pkix::{self, BasicConstraints, ExtendedKeyUsage};

use crate::bodies::BoxError;

const SERVER_AUTH: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.3.6.1.5.5.7.3.1");
const ANY_PURPOSE: ObjectIdentifier = ObjectIdentifier::new_unwrap("2.5.29.37.0");

/// Certificates that the user, or the system, trusts.
#[derive(Default)]
pub struct Trusted {
    certificates: Vec<CertificateDer<'static>>,
    /// Those that may be an issuer’s, as webpki reads them.
    anchors: Vec<TrustAnchor<'static>>,
    /// By anchor: its certificate, as an index.
    certificate_of: Vec<usize>,
}

impl Trusted {
    pub fn of(pem: &str) -> Result<Self, BoxError> {
        let certificates = CertificateDer::pem_slice_iter(pem.as_bytes()).collect::<Result<Vec<_>, _>>()?;
        let (certificate_of, anchors) = certificates
            .iter()
            .enumerate()
            .filter_map(|(at, each)| Some((at, anchor_from_trusted_cert(each).ok()?.to_owned())))
            .unzip();
        Ok(Self { certificates, anchors, certificate_of })
    }

    fn verify(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        now: UnixTime,
        algorithms: &WebPkiSupportedAlgorithms,
    ) -> Result<(), webpki::Error> {
        let server = EndEntityCert::try_from(end_entity)?;
        server.verify_is_valid_for_subject_name(name)?;
        // Whatever it says of being a CA: nothing else vouches for it.
        if self.certificates.iter().any(|each| each == end_entity) {
            let itself = Stated::read(end_entity)?;
            itself.is_valid_at(now)?;
            return itself.is_for_servers();
        }
        let holds = |path: &VerifiedPath<'_>| self.holds(path, now);
        let usage = KeyUsage::server_auth();
        server
            .verify_for_usage(algorithms.all, &self.anchors, intermediates, now, usage, None, Some(&holds))
            .map(drop)
    }

    /// Whether the trusted certificate at a path’s end may vouch for it. webpki checks its name constraints alone.
    fn holds(&self, path: &VerifiedPath<'_>, now: UnixTime) -> Result<(), webpki::Error> {
        let found = self.anchors.iter().position(|each| std::ptr::eq(each, path.anchor()));
        let issuer = found
            .and_then(|at| self.certificate_of.get(at))
            .and_then(|&at| self.certificates.get(at))
            .ok_or(webpki::Error::UnknownIssuer)
            .and_then(Stated::read)?;
        issuer.is_valid_at(now)?;
        issuer.is_authority()?;
        issuer.is_for_servers()?;
        let below = path.intermediate_certificates().count();
        match issuer.constraints()?.and_then(|constraints| constraints.path_len_constraint) {
            Some(most) if below > usize::from(most) => Err(webpki::Error::PathLenConstraintViolated),
            _ => Ok(()),
        }
    }
}

/// What a certificate says of itself. A serial number of any length is read.
struct Stated(CertificateInner<Raw>);

impl Stated {
    fn read(certificate: &CertificateDer<'_>) -> Result<Self, webpki::Error> {
        CertificateInner::from_der(certificate).map(Self).map_err(unreadable)
    }

    fn is_valid_at(&self, time: UnixTime) -> Result<(), webpki::Error> {
        let validity = &self.0.tbs_certificate.validity;
        let not_before = UnixTime::since_unix_epoch(validity.not_before.to_unix_duration());
        let not_after = UnixTime::since_unix_epoch(validity.not_after.to_unix_duration());
        if time < not_before {
            return Err(webpki::Error::CertNotValidYet { time, not_before });
        }
        if time > not_after {
            return Err(webpki::Error::CertExpired { time, not_after });
        }
        Ok(())
    }

    fn constraints(&self) -> Result<Option<BasicConstraints>, webpki::Error> {
        let found = self.0.tbs_certificate.get::<BasicConstraints>().map_err(unreadable)?;
        Ok(found.map(|(_, constraints)| constraints))
    }

    /// X.509 version 1 had no way to say so.
    fn is_authority(&self) -> Result<(), webpki::Error> {
        let usage = self.0.tbs_certificate.get::<pkix::KeyUsage>().map_err(unreadable)?;
        let may_sign = usage.is_none_or(|(_, usage)| usage.key_cert_sign());
        let is_first = self.0.tbs_certificate.version == Version::V1;
        let is_authority = is_first || self.constraints()?.is_some_and(|constraints| constraints.ca);
        if is_authority && may_sign { Ok(()) } else { Err(webpki::Error::EndEntityUsedAsCa) }
    }

    fn is_for_servers(&self) -> Result<(), webpki::Error> {
        let stated = self.0.tbs_certificate.get::<ExtendedKeyUsage>().map_err(unreadable)?;
        let fits = stated.is_none_or(|(_, purposes)| {
            purposes.0.iter().any(|each| [SERVER_AUTH, ANY_PURPOSE].contains(each))
        });
        if fits { Ok(()) } else { Err(webpki::Error::EndEntityUsedAsCa) }
    }
}

fn unreadable(_: x509_cert::der::Error) -> webpki::Error {
    webpki::Error::BadDer
}

pub struct Verifier {
    /// None: any certificate whose key the server has, for `insecure-skip-tls-verify`, which the user approved.
    pub trusted: Option<Arc<Trusted>>,
    pub algorithms: WebPkiSupportedAlgorithms,
}

impl std::fmt::Debug for Verifier {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Verifier").finish_non_exhaustive()
    }
}

impl ServerCertVerifier for Verifier {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        _: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        if let Some(trusted) = &self.trusted {
            trusted
                .verify(end_entity, intermediates, name, now, &self.algorithms)
                .map_err(|error| Error::InvalidCertificate(why(error)))?;
        }
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls12_signature(message, certificate, signature, &self.algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls13_signature(message, certificate, signature, &self.algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.algorithms.supported_schemes()
    }
}

/// For the words of `Fault`, and the alert that the server gets.
fn why(error: webpki::Error) -> CertificateError {
    match error {
        webpki::Error::UnknownIssuer => CertificateError::UnknownIssuer,
        webpki::Error::InvalidSignatureForPublicKey => CertificateError::BadSignature,
        webpki::Error::CertNotValidForName(_) => CertificateError::NotValidForName,
        webpki::Error::CertExpired { .. } => CertificateError::Expired,
        webpki::Error::CertNotValidYet { .. } => CertificateError::NotValidYet,
        error => CertificateError::Other(OtherError(Arc::new(error))),
    }
}
