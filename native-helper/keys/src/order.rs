//! What the broker orders, and what it is told: a line of JSON each. Orders are obeyed one after the other.

use cryptoki::types::AuthPin;
use serde::{Deserialize, Serialize};

use crate::failure::Failure;
use crate::token::SlotView;

#[derive(Deserialize)]
#[serde(tag = "do", rename_all = "camelCase", deny_unknown_fields)]
pub enum Order {
    /// Loads the module, whose file has to have this digest.
    Load { id: u64, module: String, sha256: String },
    /// All slots, with what is to be seen there without a login.
    List { id: u64 },
    /// Logs in, where the token needs it, and finds key and certificate.
    Open(Open),
    /// Signs by the opened key.
    Sign {
        id: u64,
        /// TLS’s number of the signature scheme (RFC 8446, section 4.2.3).
        scheme: u16,
        /// What is signed, not its digest; base64.
        message: String,
    },
}

impl Order {
    pub fn id(&self) -> u64 {
        match self {
            Self::Load { id, .. }
            | Self::List { id }
            | Self::Open(Open { id, .. })
            | Self::Sign { id, .. } => *id,
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Open {
    pub id: u64,
    pub select: Select,
    /// PEM, where it isn’t on the token. Others behind it are its issuers.
    pub certificate: Option<String>,
    pub pin: Option<AuthPin>,
    /// The PIN is typed at the token’s own pad.
    #[serde(default)]
    pub pad: bool,
    /// The PIN wasn’t typed now.
    #[serde(default)]
    pub kept: bool,
}

/// Which token, key and certificate (RFC 7512). None: any.
#[derive(Deserialize, Default, Clone)]
#[serde(default, deny_unknown_fields)]
pub struct Select {
    /// The token’s label.
    pub token: Option<String>,
    pub serial: Option<String>,
    pub manufacturer: Option<String>,
    pub model: Option<String>,
    /// The slot’s number.
    pub slot: Option<u64>,
    /// The key’s.
    pub label: Option<String>,
    /// The key’s, in hex.
    pub id: Option<String>,
}

#[derive(Serialize)]
#[serde(tag = "tell", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Tell {
    Loaded {
        id: u64,
        library: LibraryView,
    },
    Tokens {
        id: u64,
        slots: Vec<SlotView>,
    },
    Opened {
        id: u64,
        #[serde(flatten)]
        opened: OpenedView,
    },
    Signed {
        id: u64,
        /// Base64; ECDSA’s in DER.
        signature: String,
    },
    Failed {
        id: u64,
        #[serde(flatten)]
        failure: Failure,
    },
    /// The token with the opened key was taken out. Told once, unasked.
    Removed,
}

#[derive(Serialize)]
pub struct LibraryView {
    pub manufacturer: String,
    pub description: String,
    pub version: String,
    /// The version of PKCS#11.
    pub cryptoki: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct OpenedView {
    pub serial: String,
    pub token_label: String,
    /// PEM: the certificate first, then its issuers.
    pub chain: String,
    /// `rsa` or `ec`.
    pub kind: &'static str,
    pub bits: u32,
    /// `P-256`, `P-384`; RSA has none.
    pub curve: Option<&'static str>,
    /// TLS’s numbers, the preferred first.
    pub schemes: Vec<u16>,
}
