//! What is open now, so that the user sees it and can end it.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use http::StatusCode;
use serde::Serialize;
use tokio::sync::watch;

use crate::failure::Failure;
use crate::process;
use crate::shared::held;
use crate::way_in::WayIn;

/// At a time: each takes memory for what is under way, up to the windows of HTTP/2.
const MOST: usize = 4_000;
/// Of a path, in bytes, as it is told of: thousands may wait for the broker.
const LONGEST_PATH: usize = 1024;

#[derive(Default)]
pub struct Streams {
    open: Mutex<HashMap<u64, Arc<Stream>>>,
    last: AtomicU64,
}

/// A request that is under way: from its arrival to the end of its answer.
pub struct Stream {
    pub id: u64,
    pub cluster: String,
    pub pid: u32,
    /// When the process started, as its way in has it.
    started: String,
    pub method: String,
    /// Without its query; cut.
    pub path: String,
    pub began: Instant,
    pub up: Arc<AtomicU64>,
    pub down: Arc<AtomicU64>,
    /// Microseconds after it began; 0: not yet.
    sent: AtomicU64,
    answered: AtomicU64,
    end: watch::Sender<bool>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct StreamView {
    id: u64,
    cluster: String,
    pid: u32,
    method: String,
    path: String,
    milliseconds: u64,
    /// From its arrival until it was sent on; none: it wasn’t.
    sent_microseconds: Option<u64>,
    /// From its arrival to the head of its answer; none: there was none.
    answered_microseconds: Option<u64>,
    bytes_up: u64,
    bytes_down: u64,
}

impl Streams {
    pub fn open(&self, way_in: &WayIn, method: String, mut path: String) -> Result<Arc<Stream>, Failure> {
        path.truncate((0..=LONGEST_PATH).rev().find(|&at| path.is_char_boundary(at)).unwrap_or(0));
        let mut open = held(&self.open);
        if open.len() >= MOST {
            let text = format!("{MOST} requests are under way; end some of them, and try again");
            return Err(Failure::new(StatusCode::SERVICE_UNAVAILABLE, text));
        }
        let stream = Arc::new(Stream {
            id: self.last.fetch_add(1, Ordering::Relaxed),
            cluster: way_in.cluster.clone(),
            pid: way_in.pid,
            started: way_in.started.clone(),
            method,
            path,
            began: Instant::now(),
            up: Arc::default(),
            down: Arc::default(),
            sent: AtomicU64::new(0),
            answered: AtomicU64::new(0),
            end: watch::Sender::new(false),
        });
        open.insert(stream.id, stream.clone());
        Ok(stream)
    }

    pub fn close(&self, id: u64) {
        held(&self.open).remove(&id);
    }

    /// Ends one, or all.
    pub fn end(&self, id: Option<u64>) {
        for stream in held(&self.open).values().filter(|stream| id.is_none_or(|id| stream.id == id)) {
            stream.end();
        }
    }

    /// Ends those whose process has ended: a way in is good as long as it lives, and a connection may outlive it unseen.
    pub fn end_of_ended_processes(&self) {
        let open: Vec<Arc<Stream>> = held(&self.open).values().cloned().collect();
        let processes: HashSet<(u32, &str)> =
            open.iter().map(|stream| (stream.pid, stream.started.as_str())).collect();
        let ended: HashSet<(u32, &str)> =
            processes.into_iter().filter(|(pid, started)| !process::is_alive(*pid, started)).collect();
        for stream in open.iter().filter(|stream| ended.contains(&(stream.pid, stream.started.as_str()))) {
            stream.end();
        }
    }

    /// Another one whenever a request has begun or ended.
    pub fn movement(&self) -> (u64, usize) {
        (self.last.load(Ordering::Relaxed), held(&self.open).len())
    }

    pub fn views(&self) -> Vec<StreamView> {
        held(&self.open).values().map(|stream| stream.view()).collect()
    }
}

impl Stream {
    pub fn view(&self) -> StreamView {
        StreamView {
            id: self.id,
            cluster: self.cluster.clone(),
            pid: self.pid,
            method: self.method.clone(),
            path: self.path.clone(),
            milliseconds: self.milliseconds(),
            sent_microseconds: noted(&self.sent),
            answered_microseconds: noted(&self.answered),
            bytes_up: self.up.load(Ordering::Relaxed),
            bytes_down: self.down.load(Ordering::Relaxed),
        }
    }

    pub fn milliseconds(&self) -> u64 {
        u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    /// It is sent on now. The first time counts: it is sent again where the cluster rejects a credential.
    pub fn note_sent(&self) {
        self.note(&self.sent);
    }

    /// The head of its answer is there.
    pub fn note_answered(&self) {
        self.note(&self.answered);
    }

    fn note(&self, time: &AtomicU64) {
        let now = u64::try_from(self.began.elapsed().as_micros()).unwrap_or(u64::MAX).max(1);
        let _ = time.compare_exchange(0, now, Ordering::Relaxed, Ordering::Relaxed);
    }

    pub fn end(&self) {
        self.end.send_replace(true);
    }

    /// Resolves once it has to end.
    pub async fn ended(&self) {
        let mut end = self.end.subscribe();
        // It fails where the sender is gone, which this holds.
        let _ = end.wait_for(|ended| *ended).await;
    }
}

fn noted(time: &AtomicU64) -> Option<u64> {
    Some(time.load(Ordering::Relaxed)).filter(|microseconds| *microseconds > 0)
}
