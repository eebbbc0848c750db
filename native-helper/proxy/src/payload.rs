//! A request’s body: kept whole, so that it can be hashed, or passed on as it comes.

use std::sync::atomic::Ordering;
use std::sync::{Arc, OnceLock};

use bytes::{Bytes, BytesMut};
use http::{HeaderMap, Method, StatusCode};
use http_body_util::BodyExt;
use hyper::body::Body as HttpBody;
use ring::digest;

use crate::bodies::{Body, counted, full};
use crate::chain::Chain;
use crate::client_body::ClientBody;
use crate::failure::Failure;
use crate::replay::Replay;
use crate::request_rules;
use crate::room::{MOST_TOGETHER, Place, Room};
use crate::sigv4::{hex, sha256};
use crate::streams::Stream;

/// The longest that is kept to be hashed.
const MOST_HASHED: usize = 16 * 1024 * 1024;
/// What is taken for one whose length is only stated.
const FIRST: usize = 64 * 1024;

pub enum Payload {
    Kept {
        bytes: Bytes,
        sha256: OnceLock<String>,
        /// None: it is empty.
        _place: Option<Place>,
    },
    Passing(Replay),
}

impl Payload {
    pub fn none() -> Self {
        kept(Bytes::new())
    }

    /// Kept where the chain needs its hash.
    pub async fn of(
        body: ClientBody,
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
        let chain = chain.clone();
        let clean = move |trailers: &mut HeaderMap| {
            request_rules::clean_trailers(trailers);
            chain.clean(trailers);
        };
        Ok(Self::Passing(Replay::new(counted(body, stream.up.clone(), clean, ()), room)))
    }

    pub fn is_kept(&self) -> bool {
        matches!(self, Self::Kept { .. })
    }

    /// Whether it can be sent once more.
    pub fn can_begin_again(&self) -> bool {
        match self {
            Self::Kept { .. } => true,
            Self::Passing(replay) => replay.can_begin(),
        }
    }

    /// Whether the client didn’t send it whole, or not as HTTP has it.
    pub fn is_broken(&self) -> bool {
        matches!(self, Self::Passing(replay) if replay.is_broken())
    }

    /// Whether the cluster may get it twice: what was sent may have been done (RFC 9110, section 9.2.2).
    pub fn may_be_repeated(&self, method: &Method) -> bool {
        let is_empty = matches!(self, Self::Kept { bytes, .. } if bytes.is_empty());
        is_empty || (is_idempotent(method) && self.can_begin_again())
    }

    /// In hex; none: it isn’t kept.
    pub fn sha256(&self) -> Option<&str> {
        match self {
            Self::Kept { bytes, sha256: known, .. } => Some(known.get_or_init(|| sha256(bytes))),
            Self::Passing(_) => None,
        }
    }

    /// For sending: from its beginning.
    pub fn body(&self) -> Body {
        match self {
            Self::Kept { bytes, .. } => full(bytes.clone()),
            Self::Passing(replay) => replay.begin(),
        }
    }
}

fn kept(bytes: Bytes) -> Payload {
    Payload::Kept { bytes, sha256: OnceLock::new(), _place: None }
}

/// Hashed as it comes, so that a long one doesn’t hold others up. Its trailers are dropped: no signature has them.
async fn hashed(mut body: ClientBody, stream: &Stream, room: &Room) -> Result<Payload, Failure> {
    let stated = usize::try_from(body.size_hint().lower()).unwrap_or(usize::MAX);
    if stated > MOST_HASHED {
        return Err(too_long());
    }
    // What is only stated takes no memory.
    let mut bytes = BytesMut::with_capacity(stated.min(FIRST));
    let mut hash = digest::Context::new(&digest::SHA256);
    let mut place = room.place();
    while let Some(frame) = body.frame().await {
        let Ok(data) = frame.map_err(|_| cut_off())?.into_data() else {
            continue;
        };
        if bytes.len() + data.len() > MOST_HASHED {
            return Err(too_long());
        }
        stream.up.fetch_add(data.len() as u64, Ordering::Relaxed);
        hash.update(&data);
        bytes.extend_from_slice(&data);
        if !place.grow(bytes.capacity()) {
            return Err(full_room());
        }
    }
    let known = OnceLock::from(hex(hash.finish().as_ref()));
    Ok(Payload::Kept { bytes: bytes.freeze(), sha256: known, _place: Some(place) })
}

/// RFC 9110, section 9.2.2.
pub fn is_idempotent(method: &Method) -> bool {
    matches!(*method, Method::GET | Method::HEAD | Method::OPTIONS | Method::PUT | Method::DELETE)
}

pub fn cut_off() -> Failure {
    Failure::bad("the request’s body ends in the middle, or isn’t as HTTP has it")
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
