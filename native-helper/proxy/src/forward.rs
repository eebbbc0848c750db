//! One request of a client: who asks, and for which cluster.

use std::convert::Infallible;
use std::sync::Arc;

use http::header::AUTHORIZATION;
use http::{HeaderMap, Request, Response, StatusCode};
use hyper::body::Incoming;

use crate::bodies::Body;
use crate::client_body::ClientBody;
use crate::client_listener::ClientListener;
use crate::delivery::Delivery;
use crate::failure::Failure;
use crate::outgoing::Outgoing;
use crate::passing::Passing;
use crate::request_rules::Names;
use crate::shared::Shared;
use crate::unproved::Proof;
use crate::{request_rules, route, tunnel};

/// `own`: it came in at a listener of its client’s own.
pub async fn forward(
    request: Request<Incoming>,
    shared: Arc<Shared>,
    proof: Arc<Proof>,
    own: Option<Arc<ClientListener>>,
) -> Result<Response<Body>, Infallible> {
    Ok(pass(ClientBody::of(request), &shared, &proof, own.as_ref()).await.unwrap_or_else(Failure::response))
}

async fn pass(
    request: Request<ClientBody>,
    shared: &Arc<Shared>,
    proof: &Proof,
    own: Option<&Arc<ClientListener>>,
) -> Result<Response<Body>, Failure> {
    let names = match own {
        None => Names::of_proxy(&shared.own),
        Some(own) => Names::of_cluster(&shared.own, &shared.served(&own.cluster)?.upstream.authority),
    };
    let place = request_rules::check(&request, &names)?;
    let (way_in, cluster) = shared.enter(bearer(request.headers())?)?;
    if let Some(own) = own {
        own.admits(&way_in)?;
    }
    if !way_in.is_good() {
        return Err(Failure::new(
            StatusCode::UNAUTHORIZED,
            "this credential has expired, or the process that it was made for has ended",
        ));
    }
    proof.give();
    let path_and_query = request.uri().path_and_query().map_or("/", |path| path.as_str());
    let target = route::target(path_and_query, &cluster, &place)?;
    let outgoing = Outgoing::new(&request, &target, &cluster)?;
    let outgoing = match request_rules::upgrade_of(&request)? {
        Some(protocol) => outgoing.upgrading(protocol),
        None => outgoing,
    };
    let passing = Passing::open(shared, &way_in, request.method(), &target)?.at(own);
    let within = |answer| route::within(answer, &cluster, &place, &shared.own);
    let delivery = Delivery { shared, cluster: &cluster, pid: way_in.pid, stream: &passing.stream, outgoing };
    if !delivery.outgoing.is_upgrade {
        let answer = passing.unless_ended(delivery.send(Some(request.into_body()), None)).await;
        return passing.returns(answer.and_then(within));
    }
    let answer = passing.unless_ended(delivery.send(None, None)).await;
    match answer {
        Ok(answer) if answer.response.status() == StatusCode::SWITCHING_PROTOCOLS => {
            match tunnel::switch(request, answer.response, &cluster) {
                Ok(switched) => {
                    passing.answers(StatusCode::SWITCHING_PROTOCOLS);
                    Ok(switched.run(passing.stream.clone(), passing))
                }
                Err(failure) => passing.returns(Err(failure)),
            }
        }
        answer => passing.returns(answer.and_then(within)),
    }
}

fn bearer(headers: &HeaderMap) -> Result<Option<&str>, Failure> {
    let mut all = headers.get_all(AUTHORIZATION).iter();
    let first = all.next().and_then(|value| value.to_str().ok());
    if all.next().is_some() {
        return Err(Failure::bad("two credentials in one request"));
    }
    // RFC 9110, section 11.1: the scheme is in any case.
    let parts = first.and_then(|value| value.split_once(' '));
    Ok(parts.filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer")).map(|(_, token)| token.trim()))
}
