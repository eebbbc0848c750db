//! Connections that have not shown a way in yet. Few may be open, and not for long: a program without one can’t take the
//! places of those that have one.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::task::AbortHandle;
use tokio::time::Instant;

use crate::shared::held;

/// A client asks as soon as it is connected. While Lanyard is locked, its connection is closed after that.
const TIME: Duration = Duration::from_secs(30);
/// Beyond these the older ones have a shorter time.
const MANY: usize = 256;
const TIME_AMONG_MANY: Duration = Duration::from_secs(2);
/// Beyond these the oldest is closed at once.
const MOST: usize = 2_000;

#[derive(Default)]
pub struct Unproved {
    waiting: Mutex<VecDeque<(u64, AbortHandle)>>,
    last: AtomicU64,
}

/// Of one connection.
pub struct Proof {
    id: u64,
    is_given: AtomicBool,
    all: Arc<Unproved>,
}

impl Unproved {
    pub fn begin(self: &Arc<Self>) -> Arc<Proof> {
        let id = self.last.fetch_add(1, Ordering::Relaxed);
        Arc::new(Proof { id, is_given: AtomicBool::new(false), all: self.clone() })
    }

    /// The task of a connection that has begun.
    pub fn add(&self, proof: &Proof, task: AbortHandle) {
        let mut waiting = held(&self.waiting);
        if !proof.is_given.load(Ordering::Relaxed) && !task.is_finished() {
            waiting.push_back((proof.id, task));
        }
        if waiting.len() > MOST
            && let Some((_, oldest)) = waiting.pop_front()
        {
            oldest.abort();
        }
    }

    /// Whether so many have begun since.
    fn are_many_since(&self, id: u64) -> bool {
        held(&self.waiting).iter().rev().take(MANY).all(|(each, _)| *each > id)
    }

    fn remove(&self, id: u64) {
        held(&self.waiting).retain(|(each, _)| *each != id);
    }
}

impl Proof {
    /// A request with a way in has come.
    pub fn give(&self) {
        if !self.is_given.swap(true, Ordering::Relaxed) {
            self.all.remove(self.id);
        }
    }

    /// Resolves where none came in time.
    pub async fn is_late(&self) {
        let limit = Instant::now() + TIME;
        loop {
            tokio::time::sleep(TIME_AMONG_MANY).await;
            if self.is_given.load(Ordering::Relaxed) {
                std::future::pending::<()>().await;
            }
            if Instant::now() >= limit || self.all.are_many_since(self.id) {
                return;
            }
        }
    }
}

impl Drop for Proof {
    fn drop(&mut self) {
        if !self.is_given.load(Ordering::Relaxed) {
            self.all.remove(self.id);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn the_oldest_go_for_new_ones_and_who_has_shown_a_way_in_stays() {
        let all = Arc::new(Unproved::default());
        let mut tasks = Vec::new();
        for number in 0..MOST + 2 {
            let proof = all.begin();
            let own = proof.clone();
            let task = tokio::spawn(async move { own.is_late().await });
            all.add(&proof, task.abort_handle());
            if number == 0 {
                proof.give();
            }
            tasks.push(task);
        }
        let open = |tasks: &[tokio::task::JoinHandle<()>]| -> Vec<usize> {
            tasks.iter().enumerate().filter(|(_, task)| !task.is_finished()).map(|(at, _)| at).collect()
        };
        tokio::task::yield_now().await;
        assert_eq!(open(&tasks), [&[0][..], &(2..MOST + 2).collect::<Vec<_>>()].concat());
        tokio::time::sleep(TIME_AMONG_MANY * 2).await;
        assert_eq!(open(&tasks), [&[0][..], &(MOST + 2 - MANY..MOST + 2).collect::<Vec<_>>()].concat());
        tokio::time::sleep(TIME).await;
        assert_eq!(open(&tasks), [0]);
        assert!(held(&all.waiting).is_empty());
    }
}
