//! The step that signs a request for AWS (Signature Version 4). The broker derives the keys: the secret access key isn’t
//! known here.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use http::StatusCode;
use http::header::{AUTHORIZATION, CONTENT_TYPE, HeaderName, HeaderValue};
use ring::hmac;
use serde::Deserialize;
use zeroize::Zeroizing;

use crate::chain::Target;
use crate::edited::{Edited, SignedText};
use crate::failure::Failure;
use crate::sigv4::{self, AmzTime, Scope, Signable, UNSIGNED_PAYLOAD};

const DATE: HeaderName = HeaderName::from_static("x-amz-date");
const TOKEN: HeaderName = HeaderName::from_static("x-amz-security-token");
const CONTENT_SHA256: HeaderName = HeaderName::from_static("x-amz-content-sha256");
const BLANKED: &[u8] = b"[blanked]";

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct StatedSignAws {
    service: String,
    region: String,
    payload: HashedPayload,
    access_key_id: String,
    session_token: Option<String>,
    keys: Vec<StatedKey>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
enum HashedPayload {
    Hashed,
    /// Some services take nothing else, and a long body needn’t be kept.
    Unsigned,
}

/// The derived key of a day.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct StatedKey {
    /// UTC: `20261123`
    date: String,
    /// base64
    key: String,
}

pub struct SignAws {
    service: String,
    region: String,
    payload: HashedPayload,
    access_key_id: String,
    session_token: Option<HeaderValue>,
    keys: Vec<(String, hmac::Key)>,
}

impl SignAws {
    /// None: the token is none that HTTP can carry, or a key isn’t base64.
    pub fn new(stated: StatedSignAws) -> Option<Self> {
        let StatedSignAws { service, region, payload, access_key_id, session_token, keys } = stated;
        let session_token = match session_token {
            Some(token) => Some(secret(token)?),
            None => None,
        };
        let read = |StatedKey { date, key }: StatedKey| {
            let key = Zeroizing::new(key);
            let key = Zeroizing::new(STANDARD.decode(key.as_bytes()).ok()?);
            Some((date, hmac::Key::new(hmac::HMAC_SHA256, &key)))
        };
        let keys = keys.into_iter().map(read).collect::<Option<Vec<_>>>()?;
        Some(Self { service, region, payload, access_key_id, session_token, keys })
    }

    pub fn needs_hash(&self) -> bool {
        matches!(self.payload, HashedPayload::Hashed)
    }

    pub fn sign(&self, headers: &mut Edited<'_>, target: &Target<'_>) -> Result<(), Failure> {
        let (time, key) = self.key_at(target)?;
        let payload = match self.payload {
            // What isn’t kept has none: such a request isn’t sent with a chain that needs it.
            HashedPayload::Hashed => target.body_sha256.unwrap_or(UNSIGNED_PAYLOAD),
            HashedPayload::Unsigned => UNSIGNED_PAYLOAD,
        };
        for name in [DATE, TOKEN, CONTENT_SHA256, AUTHORIZATION] {
            headers.remove(&name);
        }
        headers.set(DATE, plain(time.text())?);
        if let Some(token) = &self.session_token {
            headers.set(TOKEN, token.clone());
        }
        headers.set(CONTENT_SHA256, plain(payload)?);
        let mut signed_headers = vec![("host", target.host.as_bytes(), false)];
        for (name, value) in headers.headers() {
            // The fewest that have to be: others are changed on their way, and break the signature at some services.
            if *name == CONTENT_TYPE || name.as_str().starts_with("x-amz-") {
                signed_headers.push((name.as_str(), value.as_bytes(), value.is_sensitive()));
            }
        }
        let scope = Scope { time: &time, region: &self.region, service: &self.service };
        let sign = |is_blanked: bool| {
            let headers: Vec<(&str, &[u8])> = signed_headers
                .iter()
                .map(|&(name, value, is_secret)| {
                    (name, if is_blanked && is_secret { BLANKED } else { value })
                })
                .collect();
            let signable = Signable {
                method: target.method,
                path: target.uri.path(),
                query: target.uri.query().unwrap_or_default(),
                headers: &headers,
                payload,
            };
            sigv4::sign(&signable, &scope, &self.access_key_id, key)
        };
        let signed = sign(false);
        let text = headers.is_noted().then(|| SignedText {
            canonical_request: String::from_utf8_lossy(&sign(true).canonical_request).into_owned(),
            string_to_sign: signed.string_to_sign,
        });
        let authorization = secret(signed.authorization).ok_or_else(no_header)?;
        headers.set(AUTHORIZATION, authorization);
        if let Some(text) = text {
            headers.note_signed(text);
        }
        Ok(())
    }

    fn key_at(&self, target: &Target<'_>) -> Result<(AmzTime, &hmac::Key), Failure> {
        let no_key = |at: &str| {
            Failure::new(
                StatusCode::BAD_GATEWAY,
                format!(
                    "{} says that it is {at} (UTC), and there is no AWS key for that day; check this computer’s clock",
                    target.cluster
                ),
            )
        };
        let time = AmzTime::new(target.signed_for).ok_or_else(|| no_key("no date"))?;
        let key = self.keys.iter().find(|(date, _)| date == time.date()).map(|(_, key)| key);
        let key = key.ok_or_else(|| no_key(time.text()))?;
        Ok((time, key))
    }
}

fn plain(text: &str) -> Result<HeaderValue, Failure> {
    HeaderValue::try_from(text).map_err(|_| no_header())
}

fn secret(text: String) -> Option<HeaderValue> {
    let mut value = HeaderValue::try_from(text).ok()?;
    value.set_sensitive(true);
    Some(value)
}

fn no_header() -> Failure {
    Failure::new(
        StatusCode::BAD_GATEWAY,
        "its AWS signature is none that HTTP can carry; run: lanyard doctor",
    )
}
