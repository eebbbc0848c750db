//! A request’s headers while a step of the chain changes them. For a try it is noted what changed; a value that is an
//! account’s, or a signature, is blanked here, where it comes from.

use std::time::Duration;

use http::HeaderMap;
use http::header::{AUTHORIZATION, HeaderName, HeaderValue};
use serde::Serialize;

use crate::header_names::{dashed, matching};
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

    /// In place of all of that name, however a server reads it.
    pub fn set(&mut self, name: HeaderName, value: HeaderValue) {
        for other in self.readings(&name) {
            if other != name {
                self.remove_one(&other);
            }
        }
        self.note(&name, Some(&value), How::Set);
        self.headers.insert(name, value);
    }

    pub fn add(&mut self, name: HeaderName, value: HeaderValue) {
        self.note(&name, Some(&value), How::Added);
        self.headers.append(name, value);
    }

    /// All of that name, however a server reads it.
    pub fn remove(&mut self, name: &HeaderName) {
        for each in self.readings(name) {
            self.remove_one(&each);
        }
    }

    /// The names that a server may read as this one.
    fn readings(&self, name: &HeaderName) -> Vec<HeaderName> {
        let name = dashed(name.as_str());
        matching(self.headers, |each| each == name)
    }

    fn remove_one(&mut self, name: &HeaderName) {
        if self.headers.remove(name).is_some() {
            self.note(name, None, How::Removed);
        }
    }

    /// All whose names begin so; in lower case.
    pub fn remove_prefix(&mut self, prefix: &str) {
        for name in matching(self.headers, |name| name.starts_with(prefix)) {
            self.remove_one(&name);
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
