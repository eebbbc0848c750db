//! Names of headers as a server may read them: behind CGI, WSGI and some fronts `_` and `-` are one.

use std::borrow::Cow;

use http::HeaderMap;
use http::header::HeaderName;

/// With `-` for each `_`; `name` in lower case.
pub fn dashed(name: &str) -> Cow<'_, str> {
    if name.contains('_') { name.replace('_', "-").into() } else { name.into() }
}

/// The names that match once they are dashed.
pub fn matching(headers: &HeaderMap, matches: impl Fn(&str) -> bool) -> Vec<HeaderName> {
    headers.keys().filter(|name| matches(&dashed(name.as_str()))).cloned().collect()
}

/// Removes all whose names match once they are dashed.
pub fn remove_matching(headers: &mut HeaderMap, matches: impl Fn(&str) -> bool) {
    for name in matching(headers, matches) {
        headers.remove(name);
    }
}
