//! Finds one TCP socket by its two ends in the kernel's table (sock_diag(7)). Takes some microseconds, whatever the
//! number of sockets. Needs no privilege.

use crate::failed;
use napi_derive::napi;
use rustix::io::Errno;
use rustix::net::netlink::{SOCK_DIAG, SocketAddrNetlink};
use rustix::net::{
    AddressFamily, RecvFlags, SendFlags, SocketFlags, SocketType, recvfrom, sendto, socket_with,
};
use std::io::{self, ErrorKind};
use std::net::{IpAddr, Ipv6Addr};
use std::os::fd::OwnedFd;

/// `struct nlmsghdr` and `struct inet_diag_req_v2` of linux/netlink.h and linux/inet_diag.h.
const HEADER_BYTES: usize = 16;
const REQUEST_BYTES: usize = HEADER_BYTES + 56;
const SOCK_DIAG_BY_FAMILY: u16 = 20;
const NLM_F_REQUEST: u16 = 1;
const NLMSG_ERROR: u16 = 2;
const AF_INET: u8 = 2;
const AF_INET6: u8 = 10;
const IPPROTO_TCP: u8 = 6;

/// Number of `lo` in each network namespace. The kernel finds a socket bound to this device only by the number. It
/// finds all others with it, too.
const LOOPBACK_INTERFACE: u32 = 1;

/// The fields are those in main/platform/native/addon.ts.
#[napi(object)]
pub struct TcpSocket {
    pub state: u8,
    pub uid: u32,
    /// 0: no process has the socket any more.
    pub inode: u32,
}

/// The TCP sockets of this network namespace.
#[napi]
pub struct TcpTable {
    // Kept open, so that a process without free descriptors can ask, too.
    kernel: OwnedFd,
    asked: u32,
}

/// Null if the system has no such table.
#[napi]
pub fn open_tcp_table() -> Option<TcpTable> {
    let kernel =
        socket_with(AddressFamily::NETLINK, SocketType::RAW, SocketFlags::CLOEXEC, Some(SOCK_DIAG)).ok()?;
    Some(TcpTable { kernel, asked: 0 })
}

#[napi]
impl TcpTable {
    /// The socket over loopback at `address` and `port` that is connected to the peer; else the one that listens there;
    /// else null. Throws if the system doesn't tell.
    #[napi]
    pub fn find(
        &mut self,
        address: String,
        port: u16,
        peer_address: String,
        peer_port: u16,
    ) -> napi::Result<Option<TcpSocket>> {
        self.look((&address, port), (&peer_address, peer_port)).map_err(|error| failed("tcp table", &error))
    }

    fn look(&mut self, own: (&str, u16), peer: (&str, u16)) -> io::Result<Option<TcpSocket>> {
        self.asked = self.asked.wrapping_add(1);
        let request = request(self.asked, (parse(own.0)?, own.1), (parse(peer.0)?, peer.1));
        sendto(&self.kernel, &request, SendFlags::empty(), &SocketAddrNetlink::new(0, 0))?;
        // The kernel answers before `sendto` returns.
        let mut bytes = [0; 4096];
        for _ in 0..8 {
            let (_, length, from) = recvfrom(&self.kernel, bytes.as_mut_slice(), RecvFlags::DONTWAIT)?;
            let is_kernel = from
                .and_then(|from| SocketAddrNetlink::try_from(from).ok())
                .is_some_and(|from| from.pid() == 0);
            let answer = bytes.get(..length).unwrap_or_default();
            if is_kernel && u32_at(answer, 8) == Some(self.asked) {
                return read(answer);
            }
        }
        Err(unexpected())
    }
}

fn parse(address: &str) -> io::Result<IpAddr> {
    let parsed: IpAddr = address.parse().map_err(|_| io::Error::from(ErrorKind::InvalidInput))?;
    Ok(parsed.to_canonical())
}

fn request(sequence: u32, own: (IpAddr, u16), peer: (IpAddr, u16)) -> Vec<u8> {
    let family = if own.0.is_ipv4() && peer.0.is_ipv4() { AF_INET } else { AF_INET6 };
    let mut bytes = Vec::with_capacity(REQUEST_BYTES);
    let mut put = |part: &[u8]| bytes.extend_from_slice(part);
    put(&(REQUEST_BYTES as u32).to_ne_bytes());
    put(&SOCK_DIAG_BY_FAMILY.to_ne_bytes());
    put(&NLM_F_REQUEST.to_ne_bytes());
    put(&sequence.to_ne_bytes());
    put(&[0; 4]);
    put(&[family, IPPROTO_TCP, 0, 0]);
    put(&u32::MAX.to_ne_bytes()); // any state
    put(&own.1.to_be_bytes());
    put(&peer.1.to_be_bytes());
    put(&in_family(own.0, family));
    put(&in_family(peer.0, family));
    put(&LOOPBACK_INTERFACE.to_ne_bytes());
    put(&[0xff; 8]); // any cookie
    bytes
}

fn in_family(address: IpAddr, family: u8) -> [u8; 16] {
    let mut bytes = [0; 16];
    match address {
        IpAddr::V4(address) if family == AF_INET => {
            for (to, from) in bytes.iter_mut().zip(address.octets()) {
                *to = from;
            }
        }
        IpAddr::V4(address) => bytes = address.to_ipv6_mapped().octets(),
        IpAddr::V6(address) => bytes = Ipv6Addr::octets(&address),
    }
    bytes
}

/// Reads `struct inet_diag_msg` or `struct nlmsgerr`. ENOENT means both "no such socket" and "no such table".
fn read(answer: &[u8]) -> io::Result<Option<TcpSocket>> {
    let kind = answer.get(4..6).and_then(|two| two.try_into().ok()).map(u16::from_ne_bytes);
    match kind {
        Some(SOCK_DIAG_BY_FAMILY) => {
            let state = answer.get(HEADER_BYTES + 1).copied();
            let (uid, inode) = (u32_at(answer, HEADER_BYTES + 64), u32_at(answer, HEADER_BYTES + 68));
            match (state, uid, inode) {
                (Some(state), Some(uid), Some(inode)) => Ok(Some(TcpSocket { state, uid, inode })),
                _ => Err(unexpected()),
            }
        }
        Some(NLMSG_ERROR) => {
            let code = u32_at(answer, HEADER_BYTES).ok_or_else(unexpected)?.cast_signed().wrapping_neg();
            if code == Errno::NOENT.raw_os_error() {
                Ok(None)
            } else {
                Err(io::Error::from_raw_os_error(code))
            }
        }
        _ => Err(unexpected()),
    }
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..at + 4)?.try_into().ok().map(u32::from_ne_bytes)
}

fn unexpected() -> io::Error {
    io::Error::new(ErrorKind::InvalidData, "an unexpected answer of the kernel")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::{TcpListener, TcpStream};

    const ESTABLISHED: u8 = 1;
    const LISTEN: u8 = 10;

    #[test]
    fn both_ends_and_the_listener_are_found_and_nothing_else() {
        for host in ["127.0.0.1", "::1"] {
            let Ok(listener) = TcpListener::bind((host, 0)) else { continue };
            let port = listener.local_addr().unwrap().port();
            let stream = TcpStream::connect((host, port)).unwrap();
            let _accepted = listener.accept().unwrap();
            let theirs = stream.local_addr().unwrap().port();
            let mut table = open_tcp_table().unwrap();
            let mut state = |own, peer| {
                table.look((host, own), (host, peer)).unwrap().map(|found| (found.state, found.inode != 0))
            };
            assert_eq!(state(theirs, port), Some((ESTABLISHED, true)));
            assert_eq!(state(port, theirs), Some((ESTABLISHED, true)));
            assert_eq!(state(port, 0), Some((LISTEN, true)));
            assert_eq!(state(theirs, 9), None);
        }
    }

    #[test]
    fn an_answer_that_was_cut_is_an_error() {
        assert!(read(&[]).is_err());
        let mut whole = vec![0; 88];
        whole[4..6].copy_from_slice(&SOCK_DIAG_BY_FAMILY.to_ne_bytes());
        assert!(read(&whole).unwrap().is_some());
        assert!(read(&whole[..87]).is_err());
        let mut refused = vec![0; 36];
        refused[4..6].copy_from_slice(&NLMSG_ERROR.to_ne_bytes());
        refused[16..20].copy_from_slice(&(-Errno::NOENT.raw_os_error()).to_ne_bytes());
        assert!(read(&refused).unwrap().is_none());
        refused[16..20].copy_from_slice(&(-Errno::ACCESS.raw_os_error()).to_ne_bytes());
        assert!(read(&refused).is_err());
    }
}
