//! One request: who asks, for which cluster, and what is told of it.

use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicU16, Ordering};

use http::header::{AUTHORIZATION, CONNECTION, HeaderValue, UPGRADE};
use http::{HeaderMap, Request, Response, StatusCode};
use hyper::body::Incoming;

use crate::bodies::{Body, counted};
use crate::control::Tell;
use crate::ending::Ending;
use crate::failure::Failure;
use crate::outgoing::Outgoing;
use crate::shared::Shared;
use crate::streams::Stream;
use crate::unproved::Proof;
use crate::upstream::Answer;
use crate::{plain, process, request_rules, route, tunnel};

pub async fn forward(
    request: Request<Incoming>,
    shared: Arc<Shared>,
    proof: Arc<Proof>,
) -> Result<Response<Body>, Infallible> {
    Ok(pass(request, &shared, &proof).await.unwrap_or_else(Failure::response))
}

async fn pass(
    request: Request<Incoming>,
    shared: &Arc<Shared>,
    proof: &Proof,
) -> Result<Response<Body>, Failure> {
    request_rules::check(&request, &shared.own)?;
    let (way_in, cluster) = shared.enter(bearer(request.headers())?)?;
    if !process::is_alive(way_in.pid, &way_in.started) {
        return Err(Failure::new(
            StatusCode::UNAUTHORIZED,
            "the process that this credential was made for has ended",
        ));
    }
    proof.give();
    let path_and_query = request.uri().path_and_query().map_or("/", |path| path.as_str());
    let target = route::route(path_and_query, &cluster.name)?;
    let outgoing = Outgoing::new(&request, &target, &cluster.upstream)?;
    let path = target.split('?').next().unwrap_or("/").to_owned();
    let passing = Passing {
        stream: shared.streams.open(&way_in, request.method().to_string(), path)?,
        shared: shared.clone(),
        status: AtomicU16::new(0),
        fault: None,
    };
    if let Some(protocol) = upgrade_of(&request) {
        let asked = tunnel::Asked {
            outgoing: outgoing.upgrading(protocol),
            cluster: &cluster,
            pid: way_in.pid,
            stream: &passing.stream,
        };
        return match unless_ended(&passing.stream, asked.switch(request, shared)).await {
            Ok(tunnel::Switch::Done(switched)) => {
                passing.answers(StatusCode::SWITCHING_PROTOCOLS);
                Ok(switched.run(passing.stream.clone(), passing))
            }
            Ok(tunnel::Switch::Denied(response)) => {
                let answer = Answer { response, place: None };
                passing.returns(route::within(answer, &cluster, &shared.own))
            }
            Err(failure) => passing.returns(Err(failure)),
        };
    }
    let sending = plain::send(request, outgoing, &cluster, way_in.pid, shared, &passing.stream);
    let answer = unless_ended(&passing.stream, sending).await;
    passing.returns(answer.and_then(|answer| route::within(answer, &cluster, &shared.own)))
}

/// A body that is sent, an answer and a login are waited for: that ends with the stream, too.
async fn unless_ended<T>(
    stream: &Stream,
    work: impl Future<Output = Result<T, Failure>>,
) -> Result<T, Failure> {
    tokio::select! {
        done = work => done,
        () = stream.ended() => Err(Failure::new(
            StatusCode::SERVICE_UNAVAILABLE,
            "the request was ended here, before the cluster answered",
        )),
    }
}

/// A request under way: closed and told of when its answer has ended.
pub struct Passing {
    stream: Arc<Stream>,
    shared: Arc<Shared>,
    /// 0: there was no answer.
    status: AtomicU16,
    /// Why the proxy answered, and not the cluster.
    fault: Option<String>,
}

impl Passing {
    fn answers(&self, status: StatusCode) {
        self.status.store(status.as_u16(), Ordering::Relaxed);
        self.stream.note_answered();
    }

    fn returns(mut self, answer: Result<Answer, Failure>) -> Result<Response<Body>, Failure> {
        match answer {
            Err(failure) => {
                self.answers(failure.status);
                self.fault = Some(failure.text.clone());
                Err(failure)
            }
            Ok(Answer { response, place }) => {
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

fn bearer(headers: &HeaderMap) -> Result<Option<&str>, Failure> {
    let mut all = headers.get_all(AUTHORIZATION).iter();
    let first = all.next().and_then(|value| value.to_str().ok());
    if all.next().is_some() {
        return Err(Failure::bad("two credentials in one request"));
    }
    Ok(first.and_then(|value| value.strip_prefix("Bearer ")))
}

/// The protocol that an HTTP/1.1 request changes to.
fn upgrade_of<B>(request: &Request<B>) -> Option<HeaderValue> {
    let wants = request
        .headers()
        .get_all(CONNECTION)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .any(|each| each.trim().eq_ignore_ascii_case("upgrade"));
    let is_http11 = request.version() == http::Version::HTTP_11;
    if wants && is_http11 { request.headers().get(UPGRADE).cloned() } else { None }
}
