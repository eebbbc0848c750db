//! A request that keeps its protocol. One that the cluster rejects is sent once more with a new credential, where that
//! does nothing twice.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use bytes::Bytes;
use http::{HeaderMap, Method, Request, StatusCode};
use http_body_util::BodyExt;
use hyper::body::{Body as HttpBody, Incoming};

use crate::bodies::{Body, counted, empty, full};
use crate::chain::Chain;
use crate::failure::Failure;
use crate::outgoing::Outgoing;
use crate::request_rules;
use crate::shared::{Cluster, Shared};
use crate::streams::Stream;
use crate::upstream::Answer;

/// A body of so many bytes is kept, to be sent again.
const KEPT_BODY: u64 = 64 * 1024;

pub async fn send(
    request: Request<Incoming>,
    outgoing: Outgoing,
    cluster: &Cluster,
    pid: u32,
    shared: &Shared,
    stream: &Arc<Stream>,
) -> Result<Answer, Failure> {
    let (cluster, chain) = shared.chain(cluster, pid, None).await?;
    let (body, again) = kept_body(request.into_body(), &outgoing.method, stream, &chain).await?;
    stream.note_sent();
    let answer = send_once(&cluster, outgoing.request(&chain, body)).await?;
    match again {
        Some(again) if answer.response.status() == StatusCode::UNAUTHORIZED => {
            drop(answer);
            let (cluster, chain) = shared.chain(&cluster, pid, Some(chain.generation)).await?;
            send_once(&cluster, outgoing.request(&chain, again)).await
        }
        _ => Ok(answer),
    }
}

async fn send_once(cluster: &Cluster, request: Request<Body>) -> Result<Answer, Failure> {
    cluster.upstream.send(request).await.map_err(|fault| fault.failure(&cluster.name))
}

/// The body, and the same once more where it can be sent again.
async fn kept_body(
    body: Incoming,
    method: &Method,
    stream: &Arc<Stream>,
    chain: &Arc<Chain>,
) -> Result<(Body, Option<Body>), Failure> {
    if body.is_end_stream() {
        return Ok((empty(), Some(empty())));
    }
    // RFC 9110, section 9.2.2.
    let is_idempotent =
        matches!(*method, Method::GET | Method::HEAD | Method::OPTIONS | Method::PUT | Method::DELETE);
    if is_idempotent && body.size_hint().upper().is_some_and(|bytes| bytes <= KEPT_BODY) {
        let kept: Bytes =
            body.collect().await.map_err(|_| Failure::bad("the body ends in the middle"))?.to_bytes();
        stream.up.fetch_add(kept.len() as u64, Ordering::Relaxed);
        return Ok((full(kept.clone()), Some(full(kept))));
    }
    let chain = chain.clone();
    let clean = move |trailers: &mut HeaderMap| {
        request_rules::clean_trailers(trailers);
        chain.clean(trailers);
    };
    Ok((counted(body, stream.up.clone(), clean, ()), None))
}
