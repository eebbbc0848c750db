//! A request’s body: kept whole, so that it can be hashed or sent again, or passed on as it comes.

use std::sync::atomic::Ordering;
use std::sync::{Arc, OnceLock};

use bytes::{Bytes, BytesMut};
use http::{HeaderMap, Method, StatusCode};
use http_body_util::BodyExt;
use hyper::body::{Body as HttpBody, Incoming};
use ring::digest;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::bodies::{Body, counted, empty, full};
use crate::chain::Chain;
use crate::failure::Failure;
use crate::request_rules;
use crate::sigv4::{hex, sha256};
use crate::streams::Stream;

/// A body of so many bytes is kept, to be sent again.
const KEPT: u64 = 64 * 1024;
/// The longest that is kept to be hashed.
const MOST_HASHED: usize = 16 * 1024 * 1024;
/// Of all that are kept to be hashed at a time.
const MOST_TOGETHER: usize = 256 * 1024 * 1024;
/// What a permit is for, in bytes.
const UNIT: usize = 1024;

pub enum Payload {
    Kept {
        bytes: Bytes,
        sha256: OnceLock<String>,
        /// Of its place among all, where it is large.
        _place: Option<OwnedSemaphorePermit>,
    },
    /// None: it was sent.
    Passing(Option<Body>),
}

/// The room for bodies that are kept to be hashed.
pub struct Room(Arc<Semaphore>);

impl Default for Room {
    fn default() -> Self {
        Self(Arc::new(Semaphore::new(MOST_TOGETHER / UNIT)))
    }
}

impl Payload {
    pub fn none() -> Self {
        kept(Bytes::new())
    }

    /// Kept where the chain needs its hash, and where it is short and may be sent twice.
    pub async fn of(
        body: Incoming,
        method: &Method,
        stream: &Arc<Stream>,
        chain: &Arc<Chain>,
        room: &Room,
    ) -> Result<Self, Failure> {
        if body.is_end_stream() {
            return Ok(Self::none());
        }
        if chain.needs_hash() {
            return hashed(body, stream, room).await;
        }
        if is_idempotent(method) && body.size_hint().upper().is_some_and(|bytes| bytes <= KEPT) {
            let bytes = body.collect().await.map_err(|_| cut_off())?.to_bytes();
            stream.up.fetch_add(bytes.len() as u64, Ordering::Relaxed);
            return Ok(kept(bytes));
        }
        let chain = chain.clone();
        let clean = move |trailers: &mut HeaderMap| {
            request_rules::clean_trailers(trailers);
            chain.clean(trailers);
        };
        Ok(Self::Passing(Some(counted(body, stream.up.clone(), clean, ()))))
    }

    pub fn is_kept(&self) -> bool {
        matches!(self, Self::Kept { .. })
    }

    /// Whether the cluster may get it twice: what was sent may have been done (RFC 9110, section 9.2.2).
    pub fn may_be_repeated(&self, method: &Method) -> bool {
        match self {
            Self::Kept { bytes, .. } => bytes.is_empty() || is_idempotent(method),
            Self::Passing(_) => false,
        }
    }

    /// In hex; none: it isn’t kept.
    pub fn sha256(&self) -> Option<&str> {
        match self {
            Self::Kept { bytes, sha256: known, .. } => Some(known.get_or_init(|| sha256(bytes))),
            Self::Passing(_) => None,
        }
    }

    /// For sending; of one that isn’t kept there is nothing the second time.
    pub fn body(&mut self) -> Body {
        match self {
            Self::Kept { bytes, .. } => full(bytes.clone()),
            Self::Passing(body) => body.take().unwrap_or_else(empty),
        }
    }
}

fn kept(bytes: Bytes) -> Payload {
    Payload::Kept { bytes, sha256: OnceLock::new(), _place: None }
}

/// Hashed as it comes, so that a long one doesn’t hold others up. Its trailers are dropped: no signature has them.
async fn hashed(mut body: Incoming, stream: &Stream, room: &Room) -> Result<Payload, Failure> {
    let stated = usize::try_from(body.size_hint().lower()).unwrap_or(usize::MAX);
    if stated > MOST_HASHED {
        return Err(too_long());
    }
    // What is only stated takes no memory.
    let mut bytes = BytesMut::with_capacity(stated.min(KEPT as usize));
    let mut hash = digest::Context::new(&digest::SHA256);
    let mut place: Option<OwnedSemaphorePermit> = None;
    while let Some(frame) = body.frame().await {
        let Ok(data) = frame.map_err(|_| cut_off())?.into_data() else {
            continue;
        };
        if bytes.len() + data.len() > MOST_HASHED {
            return Err(too_long());
        }
        let is_large = (bytes.len() + data.len()) as u64 > KEPT;
        stream.up.fetch_add(data.len() as u64, Ordering::Relaxed);
        hash.update(&data);
        bytes.extend_from_slice(&data);
        if !is_large {
            continue;
        }
        let wanted =
            bytes.capacity().div_ceil(UNIT) - place.as_ref().map_or(0, OwnedSemaphorePermit::num_permits);
        let more = room.0.clone().try_acquire_many_owned(u32::try_from(wanted).unwrap_or(u32::MAX));
        let more = more.map_err(|_| full_room())?;
        match &mut place {
            Some(place) => place.merge(more),
            None => place = Some(more),
        }
    }
    let known = OnceLock::from(hex(hash.finish().as_ref()));
    Ok(Payload::Kept { bytes: bytes.freeze(), sha256: known, _place: place })
}

/// RFC 9110, section 9.2.2.
pub fn is_idempotent(method: &Method) -> bool {
    matches!(*method, Method::GET | Method::HEAD | Method::OPTIONS | Method::PUT | Method::DELETE)
}

fn cut_off() -> Failure {
    Failure::bad("the body ends in the middle")
}

fn too_long() -> Failure {
    Failure::new(
        StatusCode::PAYLOAD_TOO_LARGE,
        format!(
            "the body is longer than the {} MiB that can be signed; set payload: unsigned in the cluster’s chain, where its service takes that",
            MOST_HASHED / 1024 / 1024
        ),
    )
}

fn full_room() -> Failure {
    Failure::new(
        StatusCode::SERVICE_UNAVAILABLE,
        format!(
            "bodies of {} MiB are being signed, and no more are taken; try again",
            MOST_TOGETHER / 1024 / 1024
        ),
    )
}
