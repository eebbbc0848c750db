//! A query that every reader reads the same.

use crate::percent;

/// An escape in a query isn’t two hex digits.
#[derive(Debug, PartialEq, Eq)]
pub struct BrokenEscape;

/// The query as it is sent and signed: each name and value is decoded, with `+` as a space (WHATWG URL, section 5.1; Go’s
/// net/url), and encoded again, with a `=` between them. Order and repeats stay, empty parts go. Else the signature would
/// say `%2B`, or a missing value, of what a service reads as a space, or as an empty one.
pub fn rewritten(query: &str) -> Result<String, BrokenEscape> {
    let mut written = String::with_capacity(query.len() + 16);
    for part in query.split('&').filter(|part| !part.is_empty()) {
        let (name, value) = part.split_once('=').unwrap_or((part, ""));
        if !written.is_empty() {
            written.push('&');
        }
        push(&mut written, name)?;
        written.push('=');
        push(&mut written, value)?;
    }
    Ok(written)
}

fn push(into: &mut String, stated: &str) -> Result<(), BrokenEscape> {
    let decoded = percent::decode(&stated.replace('+', " ")).ok_or(BrokenEscape)?;
    percent::encode(into, &decoded, b"");
    Ok(())
}

/// By name, then by value, as both are encoded.
pub fn sorted(rewritten: &str) -> String {
    let mut parts: Vec<(&str, &str)> = rewritten.split('&').filter_map(|part| part.split_once('=')).collect();
    parts.sort_unstable();
    let mut query = String::with_capacity(rewritten.len());
    for (name, value) in parts {
        if !query.is_empty() {
            query.push('&');
        }
        query.extend([name, "=", value]);
    }
    query
}
