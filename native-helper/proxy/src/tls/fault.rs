//! Why a connection has no TLS, or no more of it.

use rustls::{AlertDescription, CertificateError, Error};
use serde::Serialize;

/// For the broker’s own words (main/platform/network/held-tls.ts).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Fault {
    UnknownAuthority,
    WrongHostName,
    CertificateDates,
    /// The server wants a client’s certificate, or doesn’t take the one that it was shown.
    ClientCertificate,
    /// It asks for one by another handshake on the same connection.
    Renegotiates,
    /// It takes TLS 1.3 alone, for which the key has no signature.
    Tls13Alone,
    /// It takes none of the signatures that the key makes.
    NoneFits,
    /// The broker had none.
    NoSignature,
    Tls,
}

impl Fault {
    /// `is_for_tls12`: the key signs for nothing newer.
    pub fn of(error: &Error, is_for_tls12: bool) -> Self {
        match error {
            Error::InvalidCertificate(error) => Self::of_certificate(error),
            Error::AlertReceived(AlertDescription::ProtocolVersion) if is_for_tls12 => Self::Tls13Alone,
            // RFC 8446, section 6.2.
            Error::AlertReceived(
                AlertDescription::BadCertificate
                | AlertDescription::UnsupportedCertificate
                | AlertDescription::CertificateRevoked
                | AlertDescription::CertificateExpired
                | AlertDescription::CertificateUnknown
                | AlertDescription::CertificateRequired
                | AlertDescription::UnknownCA,
            ) => Self::ClientCertificate,
            _ => Self::Tls,
        }
    }

    fn of_certificate(error: &CertificateError) -> Self {
        match error {
            CertificateError::UnknownIssuer | CertificateError::BadSignature => Self::UnknownAuthority,
            CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => {
                Self::WrongHostName
            }
            CertificateError::Expired
            | CertificateError::ExpiredContext { .. }
            | CertificateError::NotValidYet
            | CertificateError::NotValidYetContext { .. } => Self::CertificateDates,
            _ => Self::Tls,
        }
    }
}
