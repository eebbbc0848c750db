//! The room for bodies that are kept: to be hashed, or to be sent again.

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Of all at a time, in bytes.
pub const MOST_TOGETHER: usize = 256 * 1024 * 1024;
/// Of one, that takes no place.
const FREE: usize = 64 * 1024;
/// What a permit is for, in bytes.
const UNIT: usize = 1024;

pub struct Room(Arc<Semaphore>);

impl Default for Room {
    fn default() -> Self {
        Self(Arc::new(Semaphore::new(MOST_TOGETHER / UNIT)))
    }
}

impl Room {
    pub fn place(&self) -> Place {
        Place { all: self.0.clone(), taken: None }
    }
}

/// One body’s, given back when it is dropped.
pub struct Place {
    all: Arc<Semaphore>,
    taken: Option<OwnedSemaphorePermit>,
}

impl Place {
    /// For so many bytes altogether; whether there is room.
    pub fn grow(&mut self, bytes: usize) -> bool {
        let taken = self.taken.as_ref().map_or(0, OwnedSemaphorePermit::num_permits);
        let wanted = bytes.div_ceil(UNIT).saturating_sub(taken);
        if bytes <= FREE || wanted == 0 {
            return true;
        }
        let more = self.all.clone().try_acquire_many_owned(u32::try_from(wanted).unwrap_or(u32::MAX));
        match (more, &mut self.taken) {
            (Ok(more), Some(taken)) => taken.merge(more),
            (Ok(more), taken) => *taken = Some(more),
            (Err(_), _) => return false,
        }
        true
    }
}
