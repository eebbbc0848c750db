//! What is sent to the cluster, but for its body. A chain is applied each time that it is sent. (rule: own-cluster)

use http::header::{AUTHORIZATION, CONNECTION, CONTENT_LENGTH, HOST, HeaderValue, UPGRADE};
use http::{HeaderMap, Method, Request, Uri};

use crate::bodies::Body;
use crate::chain::{Chain, Target};
use crate::failure::Failure;
use crate::payload::Payload;
use crate::shared::{Cluster, Shared};
use crate::trace::Trace;
use crate::{joined_path, request_rules};

pub struct Outgoing {
    pub method: Method,
    uri: Uri,
    headers: HeaderMap,
    /// It asks for another protocol.
    pub is_upgrade: bool,
}

impl Outgoing {
    /// `target`: the path and query below the server’s own path.
    pub fn new<B>(request: &Request<B>, target: &str, cluster: &Cluster) -> Result<Self, Failure> {
        if let Some(fault) = joined_path::fault(target.split('?').next().unwrap_or_default()) {
            return Err(Failure::bad(fault));
        }
        let upstream = &cluster.upstream;
        let mut headers = request.headers().clone();
        request_rules::remove_own(&mut headers);
        if !cluster.passes_cookies {
            request_rules::remove_cookies(&mut headers);
        }
        headers.remove(AUTHORIZATION);
        if let Some(host) = upstream.host() {
            headers.insert(HOST, host);
        }
        let uri = format!("{}{target}", upstream.base).parse().map_err(|_| Failure::bad("no path"))?;
        Ok(Self { method: request.method().clone(), uri, headers, is_upgrade: false })
    }

    /// It asks for another protocol, and has no body.
    pub fn upgrading(mut self, protocol: HeaderValue) -> Self {
        self.headers.insert(CONNECTION, HeaderValue::from_static("Upgrade"));
        self.headers.insert(UPGRADE, protocol);
        self.headers.remove(CONTENT_LENGTH);
        self.is_upgrade = true;
        self
    }

    /// Whether the cluster may get it twice although it may have done it: as Go’s client decides it. PUT and DELETE are
    /// left out: the second time they may be answered with a conflict, or with nothing found.
    pub fn is_safe(&self) -> bool {
        matches!(self.method, Method::GET | Method::HEAD | Method::OPTIONS)
            || ["idempotency-key", "x-idempotency-key"].iter().any(|name| self.headers.contains_key(*name))
    }

    /// As it is sent now; `signed_for`: the cluster’s time, in seconds since 1970. `trace`: of a try.
    pub async fn request(
        &self,
        chain: &Chain,
        payload: &Payload,
        cluster: &Cluster,
        signed_for: i64,
        shared: &Shared,
        mut trace: Option<&mut Trace>,
    ) -> Result<Request<Body>, Failure> {
        let uri = chain.uri(&self.uri)?;
        let mut headers = self.headers.clone();
        if let Some(trace) = trace.as_deref_mut() {
            trace.url = format!("https://{}{uri}", cluster.upstream.authority);
        }
        let target = Target {
            cluster: &cluster.name,
            method: self.method.as_str(),
            host: &cluster.upstream.authority,
            uri: &uri,
            body_sha256: if chain.needs_hash() { payload.sha256() } else { None },
            signed_for,
        };
        let attempt = trace.as_deref_mut().and_then(Trace::attempt);
        chain.apply(&mut headers, &target, shared, attempt).await?;
        if let Some(trace) = trace {
            trace.is_sent(&headers);
        }
        let mut request = Request::new(payload.body());
        *request.method_mut() = self.method.clone();
        *request.uri_mut() = uri;
        *request.headers_mut() = headers;
        Ok(request)
    }
}
