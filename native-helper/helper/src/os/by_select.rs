//! select(2) for descriptors of which one may be /dev/tty: on macOS poll(2) refuses that. poll is kqueue there, and
//! /dev/tty's driver isn't among those that kqueue takes, so it reports POLLNVAL at once, each time (poll_nocancel of
//! bsd/kern/sys_generic.c, spec_kqfilter of bsd/miscfs/specfs/spec_vnops.c). cttyselect of bsd/kern/tty_tty.c serves
//! select.

use rustix::event::{FdSetElement, FdSetIter, Timespec, fd_set_insert, fd_set_num_elements, select};
use rustix::io::Errno;
use std::io;
use std::os::fd::{AsRawFd, BorrowedFd};
use std::time::Duration;

/// Waits until one can be read or has ended, at most for `limit`. Returns which, in their order: none if a signal came.
pub fn wait_for_any(all: &[BorrowedFd<'_>], limit: Duration) -> io::Result<Vec<bool>> {
    let above = all.iter().map(|each| each.as_raw_fd() + 1).max().unwrap_or(0);
    let mut set = vec![FdSetElement::default(); fd_set_num_elements(all.len(), above)];
    for each in all {
        fd_set_insert(&mut set, each.as_raw_fd());
    }
    let timeout = Timespec::try_from(limit).ok();
    // SAFETY: all descriptors are open while they are borrowed, and the set has room for the highest.
    match unsafe { select(above, Some(&mut set), None, None, timeout.as_ref()) } {
        Ok(_) => {}
        Err(Errno::INTR) => return Ok(vec![false; all.len()]),
        Err(error) => return Err(error.into()),
    }
    let ready: Vec<i32> = FdSetIter::new(&set).collect();
    Ok(all.iter().map(|each| ready.contains(&each.as_raw_fd())).collect())
}

#[cfg(test)]
mod tests {
    use super::wait_for_any;
    use std::io::Write;
    use std::os::fd::AsFd;
    use std::os::unix::net::UnixStream;
    use std::time::Duration;

    #[test]
    fn the_ones_that_can_be_read_or_have_ended_are_told() {
        let pairs: Vec<_> = (0..3).map(|_| UnixStream::pair().unwrap()).collect();
        let all: Vec<_> = pairs.iter().map(|(near, _)| near.as_fd()).collect();
        assert_eq!(wait_for_any(&all, Duration::ZERO).unwrap(), [false, false, false]);
        (&pairs[0].1).write_all(b"x").unwrap();
        pairs[2].1.shutdown(std::net::Shutdown::Both).unwrap();
        assert_eq!(wait_for_any(&all, Duration::from_secs(60)).unwrap(), [true, false, true]);
    }
}
