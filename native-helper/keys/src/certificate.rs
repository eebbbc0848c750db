//! Certificates: what kind of key they have, and who issued whom.

use der::asn1::ObjectIdentifier;
use der::pem::LineEnding;
use der::{Decode, Encode};
use rustls_pki_types::CertificateDer;
use rustls_pki_types::pem::PemObject;
use x509_cert::certificate::{CertificateInner, Raw};

use crate::failure::{Code, Failure};
use crate::scheme::modulus;

/// RFC 8017 and RFC 5480.
const RSA: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.1.1.1");
const EC: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.10045.2.1");
const P256: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.10045.3.1.7");
const P384: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.3.132.0.34");
/// A chain is no longer.
const MOST_ISSUERS: usize = 8;
/// What checks signatures takes no shorter one, nor should a server.
const SHORTEST_RSA: u32 = 2048;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Rsa { bits: u32 },
    P256,
    P384,
}

impl Kind {
    pub fn name(self) -> &'static str {
        if matches!(self, Self::Rsa { .. }) { "rsa" } else { "ec" }
    }

    pub fn bits(self) -> u32 {
        match self {
            Self::Rsa { bits } => bits,
            Self::P256 => 256,
            Self::P384 => 384,
        }
    }

    pub fn curve(self) -> Option<&'static str> {
        match self {
            Self::Rsa { .. } => None,
            Self::P256 => Some("P-256"),
            Self::P384 => Some("P-384"),
        }
    }

    /// Fails where Lanyard has no signatures of such a key; none: it is of another kind.
    pub fn usable(kind: Option<Self>) -> Result<Self, Failure> {
        match kind {
            Some(Self::Rsa { bits }) if bits < SHORTEST_RSA => Err(Failure::new(
                Code::KeyKind,
                format!("the key is RSA with {bits} bits: at least {SHORTEST_RSA} are needed"),
            )),
            Some(kind) => Ok(kind),
            None => Err(Failure::new(
                Code::KeyKind,
                "the key is of a kind that isn’t supported: RSA, P-256 and P-384 are",
            )),
        }
    }

    /// By the curve’s DER, as CKA_EC_PARAMS has it.
    pub fn of_curve(parameters: &[u8]) -> Option<Self> {
        match ObjectIdentifier::from_der(parameters).ok()? {
            P256 => Some(Self::P256),
            P384 => Some(Self::P384),
            _ => None,
        }
    }
}

#[derive(Clone)]
pub struct Certificate {
    pub der: Vec<u8>,
    subject: Vec<u8>,
    issuer: Vec<u8>,
    /// None: a key of another kind.
    pub kind: Option<Kind>,
    /// RSA’s PKCS#1, or the curve’s point.
    pub public_key: Vec<u8>,
    /// Seconds since 1970.
    pub expires: u64,
}

impl Certificate {
    /// None: it can’t be read.
    pub fn read(der: &[u8]) -> Option<Self> {
        // Not by RFC 5280’s rules: cards have certificates with serial numbers that break them.
        let parsed = CertificateInner::<Raw>::from_der(der).ok()?.tbs_certificate;
        let key = &parsed.subject_public_key_info;
        let public_key = key.subject_public_key.as_bytes()?.to_vec();
        let kind = if key.algorithm.oid == RSA {
            let bits = u32::try_from(modulus(&public_key)?.len() * 8).ok()?;
            Some(Kind::Rsa { bits })
        } else if key.algorithm.oid == EC {
            let parameters = key.algorithm.parameters.as_ref().and_then(|any| any.to_der().ok());
            parameters.and_then(|parameters| Kind::of_curve(&parameters))
        } else {
            None
        };
        Some(Self {
            der: der.to_vec(),
            subject: parsed.subject.to_der().ok()?,
            issuer: parsed.issuer.to_der().ok()?,
            kind,
            public_key,
            expires: parsed.validity.not_after.to_unix_duration().as_secs(),
        })
    }

    /// The certificate of a file, and those behind it.
    pub fn read_file(pem: &str) -> Result<(Self, Vec<Self>), Failure> {
        let unreadable =
            || Failure::new(Code::CertificateMissing, "the certificate’s file has no PEM certificate");
        let mut found = CertificateDer::pem_slice_iter(pem.as_bytes())
            .map(|der| der.ok().and_then(|der| Self::read(&der)))
            .collect::<Option<Vec<_>>>()
            .ok_or_else(unreadable)?
            .into_iter();
        let first = found.next().ok_or_else(unreadable)?;
        Ok((first, found.collect()))
    }

    /// PEM: this one, and its issuers among the others, without the root, which the server has.
    pub fn chain(&self, others: &[Self]) -> String {
        let mut chain = vec![self];
        while let Some(last) = chain.last()
            && chain.len() < MOST_ISSUERS
            && last.issuer != last.subject
            && let Some(issuer) = others.iter().find(|each| each.subject == last.issuer)
            && issuer.issuer != issuer.subject
        {
            chain.push(issuer);
        }
        chain.into_iter().map(|each| pem(&each.der)).collect()
    }
}

pub fn pem(der: &[u8]) -> String {
    // It fails for more bytes than an address space has.
    der::pem::encode_string("CERTIFICATE", LineEnding::LF, der).unwrap_or_default()
}
