//! A request’s headers while a step of the chain changes them. For a try it is noted what changed; a value that is an
//! account’s, or a signature, is blanked here, where it comes from.

use std::time::Duration;

use http::HeaderMap;
use http::header::{AUTHORIZATION, HeaderName, HeaderValue};
use serde::Serialize;

use crate::chain::beginning_with;
use crate::trace::microseconds;

pub struct Edited<'a> {
    headers: &'a mut HeaderMap,
    notes: Option<Notes>,
}

#[derive(Default)]
struct Notes {
    changes: Vec<Change>,
    signed: Option<SignedText>,
}

#[derive(Serialize)]
pub struct Change {
    header: String,
    /// None: blanked, or removed.
    value: Option<String>,
    how: How,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
enum How {
    Set,
    Added,
    Removed,
}

/// What a signature is of, without secrets.
pub struct SignedText {
    pub canonical_request: String,
    pub string_to_sign: String,
}

/// A step of a chain as a try tells of it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct StepView {
    kind: &'static str,
    changes: Vec<Change>,
    canonical_request: Option<String>,
    string_to_sign: Option<String>,
    microseconds: u64,
}

impl<'a> Edited<'a> {
    pub fn new(headers: &'a mut HeaderMap, is_noted: bool) -> Self {
        Self { headers, notes: is_noted.then(Notes::default) }
    }

    pub fn headers(&self) -> &HeaderMap {
        self.headers
    }

    /// In place of all of that name.
    pub fn set(&mut self, name: HeaderName, value: HeaderValue) {
        self.note(&name, Some(&value), How::Set);
        self.headers.insert(name, value);
    }

    pub fn add(&mut self, name: HeaderName, value: HeaderValue) {
        self.note(&name, Some(&value), How::Added);
        self.headers.append(name, value);
    }

    pub fn remove(&mut self, name: &HeaderName) {
        if self.headers.remove(name).is_some() {
            self.note(name, None, How::Removed);
        }
    }

    /// All whose names begin so; in lower case.
    pub fn remove_prefix(&mut self, prefix: &str) {
        for name in beginning_with(self.headers, prefix) {
            self.remove(&name);
        }
    }

    /// Whether someone looks.
    pub fn is_noted(&self) -> bool {
        self.notes.is_some()
    }

    pub fn note_signed(&mut self, text: SignedText) {
        if let Some(notes) = &mut self.notes {
            notes.signed = Some(text);
        }
    }

    /// None: nobody looks.
    pub fn view(self, kind: &'static str, took: Duration) -> Option<StepView> {
        let Notes { changes, signed } = self.notes?;
        let (canonical_request, string_to_sign) =
            signed.map(|signed| (signed.canonical_request, signed.string_to_sign)).unzip();
        Some(StepView { kind, changes, canonical_request, string_to_sign, microseconds: microseconds(took) })
    }

    fn note(&mut self, name: &HeaderName, value: Option<&HeaderValue>, how: How) {
        if let Some(notes) = &mut self.notes {
            let value = value.and_then(|value| shown(name, value));
            notes.changes.push(Change { header: name.to_string(), value, how });
        }
    }
}

/// The value of a header of a request; none: it is blanked.
pub fn shown(name: &HeaderName, value: &HeaderValue) -> Option<String> {
    let is_secret = value.is_sensitive() || name == AUTHORIZATION;
    (!is_secret).then(|| String::from_utf8_lossy(value.as_bytes()).into_owned())
}
