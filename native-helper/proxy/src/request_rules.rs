//! What is refused before anything else is looked at (THREATS: the request proxy). A web page, and a request that two
//! parsers would read in two ways, get nowhere. (rule: one-reading, guarded-loopback)

use http::header::{CONTENT_LENGTH, HOST, HeaderMap, HeaderName, ORIGIN, TRANSFER_ENCODING};
use http::uri::Scheme;
use http::{Method, Request, StatusCode, Version};

use crate::chain::remove_prefix;
use crate::failure::Failure;
use crate::route::Place;

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
    only(headers, &CONTENT_LENGTH)?;
    if has_dot_segments(request.uri().path()) {
        return Err(Failure::bad("dot segments in the path"));
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

/// An upstream would resolve them after the path was checked.
fn has_dot_segments(path: &str) -> bool {
    path.split('/').any(|segment| {
        let plain = segment.to_ascii_lowercase().replace("%2e", ".");
        plain == "." || plain == ".."
    }) || path.contains('\\')
}

/// The connection’s own headers (RFC 9110, section 7.6.1), and those that only a proxy in front may set.
pub fn remove_own(headers: &mut HeaderMap) {
    let named: Vec<HeaderName> = headers
        .get_all(http::header::CONNECTION)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .filter_map(|name| HeaderName::try_from(name.trim()).ok())
        .collect();
    let wants_trailers = headers
        .get_all(http::header::TE)
        .iter()
        .any(|value| value.to_str().is_ok_and(|te| te.split(',').any(|each| each.trim() == "trailers")));
    for name in named {
        headers.remove(name);
    }
    for name in [
        "connection",
        "keep-alive",
        "proxy-connection",
        "proxy-authenticate",
        "proxy-authorization",
        "te",
        "transfer-encoding",
        "upgrade",
        "http2-settings",
        "expect",
        "host",
    ] {
        headers.remove(name);
    }
    remove_prefix(headers, "x-remote-");
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
    remove_prefix(headers, "access-control-");
    remove_prefix(headers, OWN);
    headers.remove(http::header::ALT_SVC);
}

/// What no trailer may say, for a server may take trailers as headers (RFC 9110, section 6.5.1).
pub fn clean_trailers(trailers: &mut HeaderMap) {
    remove_own(trailers);
    remove_prefix(trailers, "access-control-");
    remove_prefix(trailers, OWN);
    for name in ["authorization", "content-encoding", "content-length", "content-type", "location", "te"] {
        trailers.remove(name);
    }
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
            (400, "GET", "/c/prod/../other", vec![host]),
            (400, "GET", "/c/prod/%2E%2e/other", vec![host]),
            (400, "GET", "/c/prod/./a", vec![host]),
            (400, "GET", "/c/prod/..", vec![host]),
            (200, "GET", "/c/prod/a..b/...", vec![host]),
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
        assert_eq!(left, ["impersonate-user=ann", "te=trailers", "x-kept=c"]);
    }
}
