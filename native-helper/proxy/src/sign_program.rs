//! The step that a program of the user’s own takes: the broker keeps it running, and is asked what it says.

use std::collections::HashSet;

use http::StatusCode;
use http::header::{HOST, HeaderName, HeaderValue};
use serde::{Deserialize, Serialize};

use crate::chain::Target;
use crate::edited::Edited;
use crate::failure::Failure;
use crate::header_names::dashed;
use crate::shared::Shared;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SignProgram {
    /// The account’s name.
    signer: String,
    payload: ProgramPayload,
    /// It gets the values of secret headers, too.
    credentials: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
enum ProgramPayload {
    Hashed,
    None,
}

/// What a program is asked to sign.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SignRequest {
    method: String,
    /// With its query, as sent.
    path: String,
    host: String,
    headers: Vec<(String, String)>,
    /// In hex.
    body_sha256: Option<String>,
}

/// Names and values, as a program states them.
pub type StatedHeaders = Vec<(String, String)>;

impl SignProgram {
    pub fn needs_hash(&self) -> bool {
        matches!(self.payload, ProgramPayload::Hashed)
    }

    pub async fn sign(
        &self,
        headers: &mut Edited<'_>,
        target: &Target<'_>,
        shared: &Shared,
    ) -> Result<(), Failure> {
        let request = self.request(headers.headers(), target);
        let stated = shared.signed(target.cluster, &self.signer, request).await?;
        let mut seen = HashSet::new();
        for (name, value) in stated {
            let (name, value) = self.read(&name, value)?;
            if seen.insert(name.clone()) {
                headers.set(name, value);
            } else {
                headers.add(name, value);
            }
        }
        Ok(())
    }

    fn request(&self, headers: &http::HeaderMap, target: &Target<'_>) -> SignRequest {
        SignRequest {
            method: target.method.to_owned(),
            path: target.uri.path_and_query().map_or("/", |path| path.as_str()).to_owned(),
            host: target.host.to_owned(),
            headers: headers
                .iter()
                .filter(|(name, value)| *name != HOST && (self.credentials || !value.is_sensitive()))
                .map(|(name, value)| {
                    (name.to_string(), String::from_utf8_lossy(value.as_bytes()).into_owned())
                })
                .collect(),
            body_sha256: target.body_sha256.filter(|_| self.needs_hash()).map(str::to_owned),
        }
    }

    /// The broker has looked at it already: it is the broker’s pipe, but a program’s word.
    fn read(&self, name: &str, value: String) -> Result<(HeaderName, HeaderValue), Failure> {
        let fault = |what: String| {
            Failure::new(StatusCode::BAD_GATEWAY, format!("the signer {} {what}; correct it", self.signer))
        };
        let read = HeaderName::try_from(name)
            .map_err(|_| fault(format!("sets {name:?}, which is no header’s name")))?;
        if is_the_connections(&dashed(read.as_str())) {
            return Err(fault(format!("sets the header {read}, which HTTP sets itself")));
        }
        if says_who(read.as_str()) {
            return Err(fault(format!("sets the header {read}, which says whose request it is")));
        }
        let mut value = HeaderValue::try_from(value)
            .map_err(|_| fault(format!("sets the header {read} to what HTTP can’t carry")))?;
        value.set_sensitive(true);
        Ok((read, value))
    }
}

/// The connection’s own (RFC 9110, section 7.6.1), and what frames and addresses a request.
fn is_the_connections(name: &str) -> bool {
    matches!(
        name,
        "connection"
            | "content-length"
            | "expect"
            | "host"
            | "http2-settings"
            | "keep-alive"
            | "proxy-authenticate"
            | "proxy-connection"
            | "te"
            | "trailer"
            | "transfer-encoding"
            | "upgrade"
    ) || name.starts_with("sec-websocket-")
}

/// What only a proxy in front, or the chain itself, may say of whose request it is.
fn says_who(name: &str) -> bool {
    let name = dashed(name);
    name.starts_with("x-remote-") || name.starts_with("impersonate-")
}
