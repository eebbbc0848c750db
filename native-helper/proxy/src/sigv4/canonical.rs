//! The canonical request: what is hashed and signed.

use std::collections::BTreeMap;

use super::query;
use crate::percent;

/// What of a request is signed.
pub struct Signable<'a> {
    pub method: &'a str,
    /// As it is sent, without its query.
    pub path: &'a str,
    /// As `rewritten` gives it; empty: none.
    pub query: &'a str,
    /// The headers to sign, names in lower case, `host` among them; those of one name in their order.
    pub headers: &'a [(&'a str, &'a [u8])],
    /// The body’s SHA-256 in hex, or `UNSIGNED_PAYLOAD`.
    pub payload: &'a str,
}

/// With the names of its headers, as `SignedHeaders` has them. Bytes: a header’s value may be no text.
pub fn canonical_request(request: &Signable<'_>) -> (Vec<u8>, String) {
    let mut headers: BTreeMap<&str, Vec<u8>> = BTreeMap::new();
    for (name, value) in request.headers {
        let joined = headers.entry(name).and_modify(|joined| joined.push(b',')).or_default();
        push_trimmed(joined, value);
    }
    let names = headers.keys().copied().collect::<Vec<_>>().join(";");
    let mut lines = Vec::with_capacity(1024);
    for part in [request.method, &path(request.path), &query::sorted(request.query)] {
        lines.extend_from_slice(part.as_bytes());
        lines.push(b'\n');
    }
    for (name, value) in headers {
        lines.extend_from_slice(name.as_bytes());
        lines.push(b':');
        lines.extend_from_slice(&value);
        lines.push(b'\n');
    }
    lines.extend_from_slice(format!("\n{names}\n{}", request.payload).as_bytes());
    (lines, names)
}

/// Without space at its ends, and with one space for each run of it.
fn push_trimmed(into: &mut Vec<u8>, value: &[u8]) {
    let mut words = value.split(|byte| matches!(byte, b' ' | b'\t')).filter(|word| !word.is_empty());
    into.extend_from_slice(words.next().unwrap_or_default());
    for word in words {
        into.push(b' ');
        into.extend_from_slice(word);
    }
}

/// Dot segments are resolved (RFC 3986, section 5.2.4) and empty ones go; then it is encoded, which it may be already.
fn path(sent: &str) -> String {
    let mut segments: Vec<&str> = Vec::new();
    for segment in sent.split('/') {
        match segment {
            "" | "." => (),
            ".." => {
                segments.pop();
            }
            named => segments.push(named),
        }
    }
    let mut path = String::with_capacity(sent.len() + 16);
    for segment in &segments {
        path.push('/');
        percent::encode(&mut path, segment.as_bytes(), b"");
    }
    if segments.is_empty() || sent.ends_with('/') {
        path.push('/');
    }
    path
}
