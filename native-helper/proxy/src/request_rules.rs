//! What is refused before anything else is looked at (THREATS: the request proxy), and the headers that end here. hyper
//! reads a client’s request and writes another one to the cluster, so that it has one length, one host and lines that end
//! with CRLF; what hyper would pass on of what the writer can’t keep is refused here.
//! (rule: one-reading, guarded-loopback)

use http::header::{
    CONNECTION, CONTENT_LENGTH, HOST, HeaderMap, HeaderName, HeaderValue, ORIGIN, TRANSFER_ENCODING, UPGRADE,
};
use http::uri::Scheme;
use http::{Method, Request, StatusCode, Version};

use crate::failure::Failure;
use crate::header_names::{dashed, remove_matching};
use crate::route::Place;

/// What a request’s headers may have, in bytes, each with 32 more (RFC 9113, section 6.5.2): that of HTTP/1.1, too, which
/// has the same limit before it is parsed.
pub const HEADER_BYTES: usize = 128 * 1024;
/// Fields of HTTP/1.1; each client’s are fewer, and memory is asked for as many.
pub const MOST_FIELDS: usize = 1_000;

/// As what a listener is reached.
pub struct Names {
    /// `127.0.0.1:PORT`, the proxy’s.
    proxy: String,
    /// `host[:port]` of the cluster’s own server, at a listener of one client’s own.
    cluster: Option<String>,
}

impl Names {
    pub fn of_proxy(proxy: &str) -> Self {
        Self { proxy: proxy.to_owned(), cluster: None }
    }

    /// `cluster`: without the port where it is 443.
    pub fn of_cluster(proxy: &str, cluster: &str) -> Self {
        Self { proxy: proxy.to_owned(), cluster: Some(cluster.to_owned()) }
    }

    fn place(&self, host: &str) -> Option<Place> {
        if host == self.proxy {
            return Some(Place::Proxy);
        }
        // A client may say the port that goes without saying.
        let plain = host.strip_suffix(":443").unwrap_or(host);
        let is_cluster = self.cluster.as_ref().is_some_and(|name| name.eq_ignore_ascii_case(plain));
        is_cluster.then_some(Place::Cluster)
    }
}

/// Whom the request is for.
pub fn check<B>(request: &Request<B>, names: &Names) -> Result<Place, Failure> {
    let headers = request.headers();
    if *request.method() == Method::CONNECT && names.cluster.is_some() {
        return Err(Failure::new(
            StatusCode::METHOD_NOT_ALLOWED,
            "this proxy takes the requests themselves, and no CONNECT: it changes them; send them to it over TLS",
        ));
    }
    if matches!(*request.method(), Method::CONNECT | Method::TRACE) {
        return Err(Failure::new(StatusCode::METHOD_NOT_ALLOWED, "this method is not passed on"));
    }
    let is_http1 = request.version() <= Version::HTTP_11;
    let stated = request.uri().authority().map(|authority| authority.as_str());
    if is_http1 && stated.is_some() {
        if names.cluster.is_none() {
            return Err(Failure::bad("a URL as request target is not passed on"));
        }
        if request.uri().scheme() != Some(&Scheme::HTTPS) {
            return Err(Failure::bad("a URL as request target has to begin with https://"));
        }
    }
    let header = only(headers, &HOST)?;
    // HTTP/1.1 has a Host always (RFC 9112, section 3.2).
    let host = if is_http1 { header } else { stated.or(header) };
    let place = host.and_then(|host| names.place(host)).ok_or_else(|| {
        let Names { proxy, cluster } = names;
        Failure::refused(match cluster {
            None => format!("this proxy is reached as {proxy} alone"),
            Some(cluster) => format!("this listener passes on requests to {cluster} alone"),
        })
    })?;
    if [stated, header].into_iter().flatten().any(|each| names.place(each) != Some(place)) {
        return Err(Failure::bad("two hosts in one request"));
    }
    let is_own =
        |origin: &str| origin.strip_prefix("https://").and_then(|host| names.place(host)) == Some(place);
    if only(headers, &ORIGIN)?.is_some_and(|origin| !is_own(origin)) {
        return Err(Failure::refused("web pages can’t use this proxy"));
    }
    // Node’s own fetch sends Sec-Fetch-Mode, and no other; a browser sends Sec-Fetch-Site always.
    if headers.keys().any(|name| name.as_str().starts_with("sec-fetch-") && name != "sec-fetch-mode") {
        return Err(Failure::refused("web pages can’t use this proxy"));
    }
    if headers.contains_key(TRANSFER_ENCODING) && headers.contains_key(CONTENT_LENGTH) {
        return Err(Failure::bad("both a length and an encoding in one request"));
    }
    // Chunks are written anew. What else the body is encoded with would get lost on the way.
    if only(headers, &TRANSFER_ENCODING)?.is_some_and(|encoding| !encoding.eq_ignore_ascii_case("chunked")) {
        return Err(Failure::bad("a transfer encoding other than chunked is not passed on"));
    }
    only(headers, &CONTENT_LENGTH)?;
    if headers.iter().map(|(name, value)| name.as_str().len() + value.len() + 32).sum::<usize>()
        > HEADER_BYTES
    {
        return Err(too_large());
    }
    Ok(place)
}

fn only<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Result<Option<&'a str>, Failure> {
    let mut values = headers.get_all(name).iter();
    let first = values.next();
    if values.next().is_some() {
        return Err(Failure::bad(format!("{name} twice in one request")));
    }
    first.map(|value| value.to_str().map_err(|_| Failure::bad(format!("{name} is no text")))).transpose()
}

pub fn too_large() -> Failure {
    Failure::new(
        StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE,
        format!(
            "the request’s headers are too large: the proxy takes {} KiB, and {MOST_FIELDS} of them over HTTP/1.1",
            HEADER_BYTES / 1024
        ),
    )
}

/// The protocols that a request of HTTP/1.1 changes to. Only those whose bytes no server takes for another request: one
/// for HTTP/2 would get past the chain.
pub fn upgrade_of<B>(request: &Request<B>) -> Result<Option<HeaderValue>, Failure> {
    let headers = request.headers();
    // RFC 9110, section 7.8: without the option, and in HTTP/1.0, it doesn’t count.
    let wants = listed(headers, &CONNECTION).any(|each| each.eq_ignore_ascii_case("upgrade"));
    if !wants || request.version() != Version::HTTP_11 || !headers.contains_key(UPGRADE) {
        return Ok(None);
    }
    let protocols: Vec<&str> = listed(headers, &UPGRADE).collect();
    let is_passed = |each: &&str| ["websocket", "spdy/3.1"].contains(&each.to_ascii_lowercase().as_str());
    let is_text = headers.get_all(UPGRADE).iter().all(|value| value.to_str().is_ok());
    if !is_text || protocols.is_empty() || !protocols.iter().all(is_passed) {
        return Err(Failure::bad(
            "an upgrade to another protocol than websocket and SPDY/3.1 is not passed on",
        ));
    }
    let has_length = headers.get(CONTENT_LENGTH).is_some_and(|length| length != "0");
    if has_length || headers.contains_key(TRANSFER_ENCODING) {
        return Err(Failure::bad("an upgrade with a body is not passed on"));
    }
    HeaderValue::try_from(protocols.join(", ")).map(Some).map_err(|_| Failure::bad("no protocol"))
}

/// The members of a list (RFC 9110, section 5.6.1), of all fields of that name that are text.
fn listed<'a>(headers: &'a HeaderMap, name: &HeaderName) -> impl Iterator<Item = &'a str> {
    headers
        .get_all(name)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .map(str::trim)
        .filter(|each| !each.is_empty())
}

/// A front’s session is this proxy’s own, or nobody’s: with it a client would get in without the chain.
pub fn remove_cookies(headers: &mut HeaderMap) {
    remove_matching(headers, |name| matches!(name, "cookie" | "cookie2" | "set-cookie" | "set-cookie2"));
}

/// The connection’s own headers (RFC 9110, section 7.6.1), and those that only a proxy in front may set. So are names
/// that a server may read as those.
pub fn remove_own(headers: &mut HeaderMap) {
    let named: Vec<String> = listed(headers, &CONNECTION).map(str::to_ascii_lowercase).collect();
    let wants_trailers = listed(headers, &http::header::TE).any(|each| each == "trailers");
    for name in named {
        headers.remove(name);
    }
    remove_matching(headers, |name| {
        name.starts_with("x-remote-")
            || matches!(
                name,
                "connection"
                    | "keep-alive"
                    | "proxy-connection"
                    | "proxy-authenticate"
                    | "proxy-authorization"
                    | "te"
                    | "transfer-encoding"
                    | "upgrade"
                    | "http2-settings"
                    | "expect"
                    | "host"
            )
    });
    // With `-` they have a meaning of their own here; with `_` no API server knows them.
    for name in headers.keys().filter(|name| name.as_str().contains('_')).cloned().collect::<Vec<_>>() {
        let dashed = dashed(name.as_str());
        if dashed.starts_with("impersonate-") || matches!(&*dashed, "content-length" | "trailer") {
            headers.remove(name);
        }
    }
    if wants_trailers {
        headers.insert(http::header::TE, http::HeaderValue::from_static("trailers"));
    }
}

/// What only this proxy says (failure.rs).
const OWN: &str = "lanyard-";

/// What an answer may not say: what this proxy alone says; the connection’s own headers; who else may read it, or where else to go (no CORS, RFC
/// 7838).
pub fn clean_answer(headers: &mut HeaderMap) {
    // RFC 9112, section 6.3: the length is of no use then, and may be meant to mislead.
    if headers.contains_key(TRANSFER_ENCODING) {
        headers.remove(CONTENT_LENGTH);
    }
    remove_own(headers);
    remove_matching(headers, |name| name.starts_with("access-control-") || name.starts_with(OWN));
    headers.remove(http::header::ALT_SVC);
}

/// What no trailer may say, for a server may take trailers as headers (RFC 9110, section 6.5.1).
pub fn clean_trailers(trailers: &mut HeaderMap) {
    remove_own(trailers);
    remove_cookies(trailers);
    remove_matching(trailers, |name| {
        name.starts_with("access-control-")
            || name.starts_with(OWN)
            || matches!(
                name,
                "authorization" | "content-encoding" | "content-length" | "content-type" | "location" | "te"
            )
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    const OWN: &str = "127.0.0.1:7443";

    fn status(method: &str, uri: &str, version: Version, headers: &[(&str, &str)]) -> Option<u16> {
        status_at(&Names::of_proxy(OWN), method, uri, version, headers)
    }

    fn status_at(
        names: &Names,
        method: &str,
        uri: &str,
        version: Version,
        headers: &[(&str, &str)],
    ) -> Option<u16> {
        let mut request = Request::builder().method(method).uri(uri).version(version);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        request
            .body(())
            .ok()
            .map(|request| check(&request, names).map_or_else(|fault| fault.status.as_u16(), |_| 200))
    }

    #[test]
    fn what_a_client_sends_passes_and_what_a_page_or_a_trick_sends_does_not() {
        let host = ("host", OWN);
        for (expected, method, uri, headers) in [
            (200, "GET", "/c/prod/api", vec![host]),
            (200, "GET", "/c/prod/api/v1/namespaces/a/pods?labelSelector=a%2eb", vec![host]),
            (200, "GET", "/exec", vec![host, ("origin", "https://127.0.0.1:7443")]),
            (403, "GET", "/api", vec![]),
            (403, "GET", "/api", vec![("host", "localhost:7443")]),
            (403, "GET", "/api", vec![("host", "127.0.0.1")]),
            (400, "GET", "/api", vec![host, host]),
            (400, "GET", "https://127.0.0.1:7443/api", vec![host]),
            (405, "CONNECT", "127.0.0.1:7443", vec![host]),
            (405, "TRACE", "/api", vec![host]),
            (403, "GET", "/api", vec![host, ("origin", "https://evil.example.com")]),
            (403, "GET", "/api", vec![host, ("origin", "null")]),
            (403, "GET", "/api", vec![host, ("origin", "http://127.0.0.1:7443")]),
            (403, "GET", "/api", vec![host, ("sec-fetch-site", "same-origin")]),
            (403, "GET", "/api", vec![host, ("sec-fetch-mode", "cors"), ("sec-fetch-dest", "empty")]),
            (200, "GET", "/api", vec![host, ("sec-fetch-mode", "cors")]),
            (400, "POST", "/api", vec![host, ("content-length", "1"), ("transfer-encoding", "chunked")]),
            (400, "POST", "/api", vec![host, ("content-length", "1"), ("content-length", "1")]),
            (400, "POST", "/api", vec![host, ("transfer-encoding", "gzip, chunked")]),
            (
                400,
                "POST",
                "/api",
                vec![host, ("transfer-encoding", "gzip"), ("transfer-encoding", "chunked")],
            ),
            (200, "POST", "/api", vec![host, ("transfer-encoding", "Chunked")]),
        ] {
            assert_eq!(
                status(method, uri, Version::HTTP_11, &headers),
                Some(expected),
                "{method} {uri} {headers:?}"
            );
        }
        let http2 = "https://127.0.0.1:7443/c/prod/api";
        assert_eq!(status("GET", http2, Version::HTTP_2, &[]), Some(200));
        assert_eq!(status("GET", http2, Version::HTTP_2, &[("host", "evil")]), Some(400));
        assert_eq!(status("GET", "https://evil:7443/api", Version::HTTP_2, &[]), Some(403));
    }

    // KEP-2718/proxy-config
    #[test]
    fn a_listener_of_ones_own_is_asked_as_the_cluster_is_or_as_the_proxy() {
        let names = Names::of_cluster(OWN, "api.example.com:6443");
        let host = ("host", "api.example.com:6443");
        for (expected, method, uri, headers) in [
            (200, "GET", "/api", vec![host]),
            (200, "GET", "/api", vec![("host", "API.Example.com:6443")]),
            (200, "GET", "/c/prod/api", vec![("host", OWN)]),
            (200, "GET", "https://api.example.com:6443/api", vec![host]),
            (200, "GET", "https://127.0.0.1:7443/c/prod/api", vec![("host", OWN)]),
            (200, "GET", "/exec", vec![host, ("origin", "https://api.example.com:6443")]),
            (403, "GET", "/exec", vec![host, ("origin", "https://127.0.0.1:7443")]),
            (403, "GET", "/api", vec![]),
            (403, "GET", "/api", vec![("host", "api.example.com")]),
            (403, "GET", "/api", vec![("host", "evil.example.com:6443")]),
            (403, "GET", "/api", vec![("host", "user@api.example.com:6443")]),
            (403, "GET", "https://api.example.com:6443/api", vec![]),
            (403, "GET", "https://api.example.com:6443/api", vec![("host", "evil")]),
            (400, "GET", "https://evil:6443/api", vec![host]),
            (400, "GET", "https://127.0.0.1:7443/api", vec![host]),
            (400, "GET", "http://api.example.com:6443/api", vec![host]),
            (405, "CONNECT", "api.example.com:6443", vec![host]),
            (405, "TRACE", "/api", vec![host]),
        ] {
            assert_eq!(
                status_at(&names, method, uri, Version::HTTP_11, &headers),
                Some(expected),
                "{method} {uri} {headers:?}"
            );
        }
        let http2 = |uri, headers: &[(&str, &str)]| status_at(&names, "GET", uri, Version::HTTP_2, headers);
        assert_eq!(http2("https://api.example.com:6443/api", &[]), Some(200));
        assert_eq!(http2("https://api.example.com:6443/api", &[("host", OWN)]), Some(400));
        assert_eq!(http2("https://evil/api", &[]), Some(403));
        let usual = Names::of_cluster(OWN, "api.example.com");
        for name in ["api.example.com", "api.example.com:443"] {
            assert_eq!(status_at(&usual, "GET", "/api", Version::HTTP_11, &[("host", name)]), Some(200));
        }
    }

    #[test]
    fn an_upgrade_is_to_websocket_or_spdy_alone() {
        let upgrade = |version, headers: &[(&str, &str)]| {
            let mut request = Request::builder().version(version);
            for (name, value) in headers {
                request = request.header(*name, *value);
            }
            let upgrade = request.body(()).ok().map(|request| upgrade_of(&request));
            upgrade.map(|upgrade| {
                upgrade
                    .map(|value| value.and_then(|value| value.to_str().ok().map(str::to_owned)))
                    .map_err(|failure| failure.status.as_u16())
            })
        };
        let asks = ("connection", "keep-alive, Upgrade");
        for (expected, headers) in [
            (Ok(Some("websocket")), vec![asks, ("upgrade", "websocket")]),
            (Ok(Some("SPDY/3.1")), vec![asks, ("upgrade", "SPDY/3.1"), ("content-length", "0")]),
            (Ok(Some("WebSocket, spdy/3.1")), vec![asks, ("upgrade", "WebSocket"), ("upgrade", " spdy/3.1")]),
            (Ok(None), vec![("upgrade", "h2c")]),
            (Ok(None), vec![asks]),
            (Err(400), vec![asks, ("upgrade", "h2c")]),
            (Err(400), vec![asks, ("upgrade", "H2C"), ("http2-settings", "AAMAAABkAAQAAP__")]),
            (Err(400), vec![asks, ("upgrade", "websocket, h2c")]),
            (Err(400), vec![asks, ("upgrade", "websocket"), ("upgrade", "TLS/1.0")]),
            (Err(400), vec![asks, ("upgrade", "websocket\u{e9}")]),
            (Err(400), vec![asks, ("upgrade", "")]),
            (Err(400), vec![asks, ("upgrade", "websocket"), ("content-length", "3")]),
            (Err(400), vec![asks, ("upgrade", "websocket"), ("transfer-encoding", "chunked")]),
        ] {
            let expected = expected.map(|value: Option<&str>| value.map(str::to_owned));
            assert_eq!(upgrade(Version::HTTP_11, &headers), Some(expected), "{headers:?}");
        }
        assert_eq!(upgrade(Version::HTTP_10, &[asks, ("upgrade", "h2c")]), Some(Ok(None)));
    }

    #[test]
    fn a_front_s_session_stays_here_however_it_is_written() {
        let mut headers = HeaderMap::new();
        for name in ["cookie", "Cookie2", "set-cookie", "SET_COOKIE", "x-cookie"] {
            if let Ok(name) = HeaderName::try_from(name) {
                headers.append(name, HeaderValue::from_static("a=b"));
            }
        }
        remove_cookies(&mut headers);
        assert_eq!(headers.keys().map(HeaderName::as_str).collect::<Vec<_>>(), ["x-cookie"]);
    }

    #[test]
    fn the_connections_own_headers_stay_here() {
        let mut headers = HeaderMap::new();
        for (name, value) in [
            ("connection", "keep-alive, X-Named"),
            ("x-named", "a"),
            ("keep-alive", "timeout=5"),
            ("te", "trailers, deflate"),
            ("proxy-authorization", "Basic YTpi"),
            ("x-remote-user", "root"),
            ("x-remote-extra-a", "b"),
            ("x_remote_user", "root"),
            ("X_Remote-Group", "system:masters"),
            ("Impersonate_User", "root"),
            ("impersonate-extra_a", "root"),
            ("transfer_encoding", "chunked"),
            ("content_length", "3"),
            ("proxy_authorization", "Basic YTpi"),
            ("x_kept", "d"),
            ("expect", "100-continue"),
            ("impersonate-user", "ann"),
            ("x-kept", "c"),
        ] {
            if let (Ok(name), Ok(value)) = (HeaderName::try_from(name), http::HeaderValue::try_from(value)) {
                headers.append(name, value);
            }
        }
        remove_own(&mut headers);
        let mut left: Vec<String> =
            headers.iter().map(|(name, value)| format!("{name}={}", value.to_str().unwrap_or("?"))).collect();
        left.sort();
        assert_eq!(left, ["impersonate-user=ann", "te=trailers", "x-kept=c", "x_kept=d"]);
    }
}
