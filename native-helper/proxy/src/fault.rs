//! Why there is no connection to a cluster, or no TLS on it: in the broker's words, so that kubectl, `lanyard doctor` and the
//! window say the same (main/contract/connection-faults.json, main/platform/network/http-failure.ts).

use std::collections::HashMap;
use std::error::Error as StdError;
use std::io;
use std::sync::LazyLock;

use http::StatusCode;
use rustls::{AlertDescription, CertificateError, Error};
use serde::{Deserialize, Serialize};

use crate::failure::Failure;

/// The broker's `HttpFailureKind`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Fault {
    UnknownHost,
    Unreachable,
    ConnectionRefused,
    Timeout,
    Broken,
    UnknownAuthority,
    WrongHostName,
    CertificateDates,
    /// It breaks another rule: its purpose, its name constraints, its key, its signature.
    Certificate,
    /// The server wants a client's certificate, or doesn't accept the one that it was shown.
    ClientCertificate,
    Tls,
    ProxyUnreachable,
    ProxyTimeout,
    /// 407.
    ProxyLogin,
    ProxyRefused,
}

/// In words that follow a host's name: `*` is the proxy, `#` what it answered.
static TEXTS: LazyLock<HashMap<Fault, String>> = LazyLock::new(|| {
    serde_json::from_str(include_str!("../../../main/contract/connection-faults.json")).unwrap_or_default()
});

impl Fault {
    /// As the broker calls it.
    pub fn name(self) -> String {
        serde_json::to_value(self).ok().and_then(|name| name.as_str().map(str::to_owned)).unwrap_or_default()
    }

    pub fn of(error: &Error) -> Self {
        match error {
            Error::InvalidCertificate(error) => Self::of_certificate(error),
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
            _ => Self::Certificate,
        }
    }

    /// What an error is about TLS, however deep in it; none: it isn't.
    fn of_tls_in(error: &(dyn StdError + 'static)) -> Option<Self> {
        let mut next = Some(error);
        while let Some(error) = next {
            let inner = error.downcast_ref::<io::Error>().and_then(io::Error::get_ref);
            let tls = inner.and_then(|inner| inner.downcast_ref::<Error>()).or(error.downcast_ref::<Error>());
            if let Some(tls) = tls {
                return Some(Self::of(tls));
            }
            next = error.source();
        }
        None
    }

    pub fn of_io(error: &io::Error) -> Self {
        Self::of_tls_in(error).unwrap_or(match error.kind() {
            io::ErrorKind::ConnectionRefused => Self::ConnectionRefused,
            io::ErrorKind::TimedOut => Self::Timeout,
            _ => Self::Unreachable,
        })
    }

    /// A connection that was made, and broke.
    pub fn of_broken(error: &(dyn StdError + 'static)) -> Self {
        Self::of_tls_in(error).unwrap_or(Self::Broken)
    }
}

/// A connection that wasn't made.
#[derive(Debug, Clone)]
pub struct Unreached {
    pub fault: Fault,
    /// `host:port` of the server.
    pub server: String,
    /// `host:port` of the proxy that is to lead there.
    pub proxy: Option<String>,
    /// What the proxy answered.
    pub proxy_status: Option<StatusCode>,
}

impl Unreached {
    pub fn new(fault: Fault, server: &str) -> Self {
        Self { fault, server: server.to_owned(), proxy: None, proxy_status: None }
    }

    /// For the client of this cluster, and marked for the broker.
    pub fn failure(&self, cluster: &str) -> Failure {
        let mark = [
            self.fault.name(),
            self.proxy_status.map_or("-".to_owned(), |status| status.as_u16().to_string()),
            self.proxy.clone().unwrap_or("-".to_owned()),
        ];
        let text = format!("{cluster} ({}) {self}", self.server);
        Failure::new(StatusCode::BAD_GATEWAY, text).marked(mark.join(" "))
    }
}

impl std::fmt::Display for Unreached {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let answered =
            self.proxy_status.map_or("a refusal".to_owned(), |code| format!("HTTP status {}", code.as_u16()));
        let text = TEXTS.get(&self.fault).map_or("can’t be reached", String::as_str);
        let proxy = self.proxy.as_deref().unwrap_or("unknown");
        formatter.write_str(&text.replace('*', proxy).replace('#', &answered))
    }
}

impl StdError for Unreached {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_fault_has_words_and_the_brokers_name() {
        for fault in [
            Fault::UnknownHost,
            Fault::Unreachable,
            Fault::ConnectionRefused,
            Fault::Timeout,
            Fault::Broken,
            Fault::UnknownAuthority,
            Fault::WrongHostName,
            Fault::CertificateDates,
            Fault::Certificate,
            Fault::ClientCertificate,
            Fault::Tls,
            Fault::ProxyUnreachable,
            Fault::ProxyTimeout,
            Fault::ProxyLogin,
            Fault::ProxyRefused,
        ] {
            assert!(TEXTS.contains_key(&fault), "{}", fault.name());
        }
        assert_eq!(TEXTS.len(), 15);
    }
}
