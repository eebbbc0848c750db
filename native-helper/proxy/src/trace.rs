//! What became of a request, for a try: each time that it was sent, and what the chain made of it.

use std::cmp::Reverse;
use std::time::Duration;

use http::{HeaderMap, HeaderValue, StatusCode};
use serde::Serialize;
use zeroize::Zeroizing;

use crate::edited::{StepView, shown};

/// A shorter part is no secret, and may be any word.
const SHORTEST_SECRET: usize = 8;

#[derive(Default)]
pub struct Trace {
    /// As sent.
    pub url: String,
    pub attempts: Vec<Attempt>,
    /// What it took to open a connection for it.
    pub connected: Option<Duration>,
    pub secrets: Secrets,
}

/// The values that were sent and are blanked.
#[derive(Default)]
pub struct Secrets(Vec<Zeroizing<String>>);

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Attempt {
    why: Why,
    pub steps: Vec<StepView>,
    /// As sent.
    headers: Vec<(String, Option<String>)>,
    status: Option<u16>,
    chain_microseconds: u64,
    answered_microseconds: Option<u64>,
}

/// Why a request is sent.
#[derive(Serialize, Clone, Copy)]
#[serde(rename_all = "camelCase")]
pub enum Why {
    First,
    /// Its credential was rejected.
    Rejected,
    /// It was signed for another time than the cluster’s.
    Clock,
}

impl Trace {
    pub fn begin(&mut self, why: Why, chain: Duration) {
        self.attempts.push(Attempt {
            why,
            steps: Vec::new(),
            headers: Vec::new(),
            status: None,
            chain_microseconds: microseconds(chain),
            answered_microseconds: None,
        });
    }

    pub fn is_answered(&mut self, status: StatusCode, took: Duration, connected: Option<Duration>) {
        self.connected = self.connected.or(connected);
        if let Some(attempt) = self.attempt() {
            attempt.status = Some(status.as_u16());
            attempt.answered_microseconds = Some(microseconds(took));
        }
    }

    pub fn is_sent(&mut self, headers: &HeaderMap) {
        for (name, value) in headers {
            if shown(name, value).is_none() {
                self.secrets.add(value);
            }
        }
        let headers = headers.iter().map(|(name, value)| (name.to_string(), shown(name, value))).collect();
        if let Some(attempt) = self.attempt() {
            attempt.headers = headers;
        }
    }

    pub fn attempt(&mut self) -> Option<&mut Attempt> {
        self.attempts.last_mut()
    }
}

impl Secrets {
    /// With its parts, such as the token after a scheme. Of AWS's signatures their values alone, without the names of
    /// headers: "Signature expired" is what a service says, and the names are in the canonical request that it repeats.
    fn add(&mut self, value: &HeaderValue) {
        let text = String::from_utf8_lossy(value.as_bytes());
        match text.strip_prefix("AWS4-HMAC-SHA256 ") {
            Some(fields) => self.add_all(
                fields
                    .split(',')
                    .filter_map(|field| field.trim().split_once('='))
                    .filter(|(name, _)| *name != "SignedHeaders")
                    .map(|(_, value)| value),
            ),
            None => self.add_all(text.split([' ', ',', ';', '=', '"'])),
        }
    }

    fn add_all<'a>(&mut self, parts: impl Iterator<Item = &'a str>) {
        let parts = parts.filter(|part| part.len() >= SHORTEST_SECRET);
        self.0.extend(parts.map(|part| Zeroizing::new(part.to_owned())));
    }

    /// A service may repeat what it was sent: AWS’s do, of a signature that is wrong.
    pub fn blanked(&self, mut text: String) -> String {
        let mut secrets: Vec<&str> = self.0.iter().map(|secret| secret.as_str()).collect();
        // One that is within another would leave the rest of that.
        secrets.sort_by_key(|secret| Reverse(secret.len()));
        for secret in secrets {
            // Some write a slash in JSON so.
            let in_json = Zeroizing::new(secret.replace('/', "\\/"));
            for form in [secret, in_json.as_str()] {
                if text.contains(form) {
                    text = text.replace(form, "[blanked]");
                }
            }
        }
        text
    }
}

pub fn microseconds(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}
