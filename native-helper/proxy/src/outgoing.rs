//! What is sent to the cluster, but for its body. A chain is applied each time that it is sent. (rule: own-cluster)

use http::header::{AUTHORIZATION, CONNECTION, CONTENT_LENGTH, HOST, HeaderValue, UPGRADE};
use http::{HeaderMap, Method, Request, Uri};

use crate::bodies::Body;
use crate::chain::Chain;
use crate::failure::Failure;
use crate::request_rules;
use crate::upstream::Upstream;

pub struct Outgoing {
    pub method: Method,
    uri: Uri,
    headers: HeaderMap,
}

impl Outgoing {
    /// `target`: the path and query below the server’s own path.
    pub fn new<B>(request: &Request<B>, target: &str, upstream: &Upstream) -> Result<Self, Failure> {
        let mut headers = request.headers().clone();
        request_rules::remove_own(&mut headers);
        headers.remove(AUTHORIZATION);
        if let Some(host) = upstream.host() {
            headers.insert(HOST, host);
        }
        let uri = format!("{}{target}", upstream.base).parse().map_err(|_| Failure::bad("no path"))?;
        Ok(Self { method: request.method().clone(), uri, headers })
    }

    /// It asks for another protocol, and has no body.
    pub fn upgrading(mut self, protocol: HeaderValue) -> Self {
        self.headers.insert(CONNECTION, HeaderValue::from_static("Upgrade"));
        self.headers.insert(UPGRADE, protocol);
        self.headers.remove(CONTENT_LENGTH);
        self
    }

    pub fn request(&self, chain: &Chain, body: Body) -> Request<Body> {
        let mut request = Request::new(body);
        *request.method_mut() = self.method.clone();
        *request.uri_mut() = self.uri.clone();
        *request.headers_mut() = self.headers.clone();
        chain.apply(request.headers_mut());
        request
    }
}
