//! A request on its way to its cluster. One that the cluster rejects is sent once more with a new credential, and once
//! more where it was signed for another time than the cluster’s; where that does nothing twice. One that its connection
//! fails is sent again by the rules of repeats.rs, and signed anew.

use std::sync::Arc;
use std::time::Instant;

use http::{Request, StatusCode};
use hyper::body::Body as _;

use crate::bodies::Body;
use crate::client_body::ClientBody;
use crate::failure::Failure;
use crate::outgoing::Outgoing;
use crate::payload::{Payload, cut_off, is_idempotent};
use crate::repeats::Repeats;
use crate::shared::{Cluster, Shared};
use crate::sigv4;
use crate::streams::Stream;
use crate::trace::{Trace, Why};
use crate::upstream::{Answer, SendFault, Wish};

pub struct Delivery<'a> {
    pub shared: &'a Shared,
    pub cluster: &'a Cluster,
    pub pid: u32,
    pub stream: &'a Arc<Stream>,
    pub outgoing: Outgoing,
}

impl Delivery<'_> {
    /// `trace`: of a try.
    pub async fn send(
        &self,
        body: Option<ClientBody>,
        mut trace: Option<&mut Trace>,
    ) -> Result<Answer, Failure> {
        let method = &self.outgoing.method;
        let asked_at = Instant::now();
        let (mut cluster, mut chain) = self.shared.chain(self.cluster, self.pid, None).await?;
        let mut chain_took = asked_at.elapsed();
        let waits = body.as_ref().is_some_and(|body| !body.is_end_stream());
        let payload = match body {
            Some(body) => Payload::of(body, self.stream, &chain, &self.shared.room).await?,
            None => Payload::none(),
        };
        if waits && payload.is_kept() {
            // While the body came, even an empty one, the chain may have changed.
            (cluster, chain) = self.shared.chain(&cluster, self.pid, None).await?;
        }
        let mut why = Why::First;
        let (mut is_renewed, mut is_corrected) = (false, false);
        let (mut repeats, mut failed_at) = (Repeats::default(), None);
        let is_safe = self.outgoing.is_safe();
        loop {
            if let Some(trace) = trace.as_deref_mut() {
                trace.begin(why, chain_took);
            }
            let signed_for = cluster.clock.now();
            let trace_of_chain = trace.as_deref_mut();
            let request = self
                .outgoing
                .request(&chain, &payload, &cluster, signed_for, self.shared, trace_of_chain)
                .await?;
            // A program may have taken its time to sign.
            self.shared.still_may(&cluster)?;
            self.stream.note_sent();
            let sent_at = Instant::now();
            let answer = match self.send_once(&cluster, request, Wish { failed_at, is_safe }).await {
                Ok(answer) => answer,
                Err(_) if payload.is_broken() => return Err(cut_off()),
                Err(fault) => {
                    let pause = repeats.after(&fault, is_safe);
                    let failure = fault.failure(&cluster.name, &cluster.upstream.authority);
                    let Some(pause) = pause.filter(|_| payload.can_begin_again()) else {
                        return Err(failure);
                    };
                    if let Some(trace) = trace.as_deref_mut() {
                        trace.attempts.pop();
                    }
                    failed_at = Some(Instant::now());
                    tokio::time::sleep(pause).await;
                    // Where it may not be sent again, it has failed as it did.
                    let again = self.shared.chain(&cluster, self.pid, None).await;
                    (cluster, chain) = again.map_err(|_| failure)?;
                    continue;
                }
            };
            let status = answer.response.status();
            if let Some(trace) = trace.as_deref_mut() {
                trace.is_answered(status, sent_at.elapsed(), answer.connected);
            }
            let is_skewed =
                chain.signs_a_time() && cluster.clock.learns(signed_for, status, answer.response.headers());
            // What it refuses for its signature it hasn’t done. Any other 403 may be of what is behind it.
            let may_be_again = is_idempotent(method) || sigv4::refuses_signature(&answer.response);
            if is_skewed && !is_corrected && may_be_again && payload.can_begin_again() {
                is_corrected = true;
                drop(answer);
                let asked_at = Instant::now();
                // The answer may have taken its time, too.
                (cluster, chain) = self.shared.chain(&cluster, self.pid, None).await?;
                (why, chain_took) = (Why::Clock, asked_at.elapsed());
                continue;
            }
            let may_be_renewed = if chain.signs_a_time() && sigv4::refuses_keys(&answer.response) {
                payload.can_begin_again()
            } else {
                status == StatusCode::UNAUTHORIZED && payload.may_be_repeated(method)
            };
            if is_renewed || !may_be_renewed {
                return Ok(answer);
            }
            drop(answer);
            is_renewed = true;
            let asked_at = Instant::now();
            (cluster, chain) = self.shared.chain(&cluster, self.pid, Some(chain.generation)).await?;
            (why, chain_took) = (Why::Rejected, asked_at.elapsed());
        }
    }

    async fn send_once(
        &self,
        cluster: &Cluster,
        request: Request<Body>,
        wish: Wish,
    ) -> Result<Answer, SendFault> {
        if self.outgoing.is_upgrade {
            cluster.upstream.upgrade(request).await
        } else {
            cluster.upstream.send(request, wish).await
        }
    }
}
