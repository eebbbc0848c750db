//! A request under way, from its arrival to the end of its answer.

use std::sync::Arc;
use std::sync::atomic::{AtomicU16, Ordering};

use http::{Method, Response, StatusCode};

use crate::bodies::{Body, counted};
use crate::client_listener::{ClientListener, Use};
use crate::control::Tell;
use crate::ending::Ending;
use crate::failure::Failure;
use crate::request_rules;
use crate::shared::Shared;
use crate::streams::Stream;
use crate::upstream::Answer;
use crate::way_in::WayIn;

/// Closed and told of when it is dropped: when the answer has ended.
pub struct Passing {
    pub stream: Arc<Stream>,
    shared: Arc<Shared>,
    /// 0: there was no answer.
    status: AtomicU16,
    /// Why the proxy answered, and not the cluster.
    fault: Option<String>,
    /// The listener of its client’s own that it came in at.
    at: Option<Use>,
}

impl Passing {
    /// `target`: the path and query below the server’s own path.
    pub fn open(
        shared: &Arc<Shared>,
        way_in: &WayIn,
        method: &Method,
        target: &str,
    ) -> Result<Self, Failure> {
        let path = target.split('?').next().unwrap_or("/").to_owned();
        Ok(Self {
            stream: shared.streams.open(way_in, method.to_string(), path)?,
            shared: shared.clone(),
            status: AtomicU16::new(0),
            fault: None,
            at: None,
        })
    }

    /// It came in at a listener of the client’s own.
    pub fn at(mut self, listener: Option<&Arc<ClientListener>>) -> Self {
        self.at = listener.map(|listener| listener.uses(&self.stream));
        self
    }

    /// What is sent, an answer and a login are waited for: that ends with the stream, too.
    pub async fn unless_ended<T>(
        &self,
        work: impl Future<Output = Result<T, Failure>>,
    ) -> Result<T, Failure> {
        tokio::select! {
            done = work => done,
            () = self.stream.ended() => Err(Failure::new(
                StatusCode::SERVICE_UNAVAILABLE,
                "the request was ended here, before the cluster answered",
            )),
        }
    }

    pub fn answers(&self, status: StatusCode) {
        self.status.store(status.as_u16(), Ordering::Relaxed);
        self.stream.note_answered();
    }

    pub fn returns(mut self, answer: Result<Answer, Failure>) -> Result<Response<Body>, Failure> {
        match answer {
            Err(failure) => {
                self.answers(failure.status);
                self.fault = Some(failure.text.clone());
                Err(failure)
            }
            Ok(Answer { response, place, .. }) => {
                self.answers(response.status());
                let (mut parts, body) = response.into_parts();
                request_rules::clean_answer(&mut parts.headers);
                parts.version = http::Version::default();
                let down = self.stream.down.clone();
                let body = Ending::new(body, self.stream.clone());
                Ok(Response::from_parts(
                    parts,
                    counted(body, down, request_rules::clean_trailers, (place, self)),
                ))
            }
        }
    }
}

impl Drop for Passing {
    fn drop(&mut self) {
        self.shared.streams.close(self.stream.id);
        let status = self.status.load(Ordering::Relaxed);
        let fault = self.fault.take();
        self.shared.tell(Tell::Passed { status, fault, stream: self.stream.view() });
    }
}
