//! Why a connection has no TLS, or no more of it.

use rustls::{AlertDescription, Error};
use serde::Serialize;

use crate::fault;

/// For the broker’s own words (main/platform/network/held-tls.ts).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Fault {
    /// Any connection may have it.
    Connection(fault::Fault),
    /// It is about the key that stays where it is.
    Key(KeyFault),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum KeyFault {
    /// The server asks for a certificate by another handshake on the same connection.
    Renegotiates,
    /// It takes TLS 1.3 alone, for which the key has no signature.
    Tls13Alone,
    /// It takes none of the signatures that the key makes.
    NoneFits,
    /// The broker had none.
    NoSignature,
}

impl Fault {
    /// `is_for_tls12`: the key signs for nothing newer.
    pub fn of(error: &Error, is_for_tls12: bool) -> Self {
        match error {
            Error::AlertReceived(AlertDescription::ProtocolVersion) if is_for_tls12 => {
                Self::Key(KeyFault::Tls13Alone)
            }
            _ => Self::Connection(fault::Fault::of(error)),
        }
    }
}
