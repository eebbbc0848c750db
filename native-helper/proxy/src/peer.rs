//! Whose a loopback connection is. Another user’s is closed unread. (rule: way-in)

use std::net::SocketAddrV4;

/// Whether the other end of the connection is a socket of this process’s user. `client` and `server`: its ends.
#[cfg(target_os = "linux")]
pub fn is_own_user(client: SocketAddrV4, server: SocketAddrV4) -> bool {
    linux::uid_of(client, server).is_some_and(|uid| uid == rustix::process::geteuid().as_raw())
}

/// Not known here yet, so every connection is refused: a way in alone is a secret that another user may have read.
/// On macOS the owner is in the kernel’s list of sockets (`sysctl net.inet.tcp.pcblist_n`, `so_uid`), on Windows it is
/// that of the process in `GetExtendedTcpTable`.
#[cfg(not(target_os = "linux"))]
pub fn is_own_user(_client: SocketAddrV4, _server: SocketAddrV4) -> bool {
    false
}

#[cfg(target_os = "linux")]
mod linux {
    use std::net::SocketAddrV4;

    use rustix::net::{
        AddressFamily, RecvFlags, SendFlags, SocketFlags, SocketType, netlink, recv, send, socket_with,
    };

    const SOCK_DIAG_BY_FAMILY: u16 = 20;
    const NLM_F_REQUEST: u16 = 1;
    const AF_INET: u8 = 2;
    const IPPROTO_TCP: u8 = 6;
    const REQUEST_BYTES: usize = 72;
    /// In the answer: after its header (16), at the end of `inet_diag_msg` before the inode.
    const UID_AT: usize = 16 + 64;

    /// The owner of the socket that was bound to `client` (sock_diag(7)). None: there is none.
    pub fn uid_of(client: SocketAddrV4, server: SocketAddrV4) -> Option<u32> {
        let kernel = socket_with(
            AddressFamily::NETLINK,
            SocketType::DGRAM,
            SocketFlags::CLOEXEC,
            Some(netlink::SOCK_DIAG),
        )
        .ok()?;
        send(&kernel, &request(client, server), SendFlags::empty()).ok()?;
        let mut answer = [0_u8; 1024];
        let (length, _) = recv(&kernel, &mut answer[..], RecvFlags::empty()).ok()?;
        let answer = answer.get(..length)?;
        let kind = u16::from_ne_bytes(answer.get(4..6)?.try_into().ok()?);
        if kind != SOCK_DIAG_BY_FAMILY {
            return None;
        }
        Some(u32::from_ne_bytes(answer.get(UID_AT..UID_AT + 4)?.try_into().ok()?))
    }

    fn request(client: SocketAddrV4, server: SocketAddrV4) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(REQUEST_BYTES);
        // nlmsghdr
        bytes.extend_from_slice(&(REQUEST_BYTES as u32).to_ne_bytes());
        bytes.extend_from_slice(&SOCK_DIAG_BY_FAMILY.to_ne_bytes());
        bytes.extend_from_slice(&NLM_F_REQUEST.to_ne_bytes());
        bytes.extend_from_slice(&[0; 8]);
        // inet_diag_req_v2, any state
        bytes.extend_from_slice(&[AF_INET, IPPROTO_TCP, 0, 0]);
        bytes.extend_from_slice(&u32::MAX.to_ne_bytes());
        // inet_diag_sockid: ports and addresses in network order
        bytes.extend_from_slice(&client.port().to_be_bytes());
        bytes.extend_from_slice(&server.port().to_be_bytes());
        for address in [client.ip(), server.ip()] {
            bytes.extend_from_slice(&address.octets());
            bytes.extend_from_slice(&[0; 12]);
        }
        bytes.extend_from_slice(&[0; 4]);
        // No cookie.
        bytes.extend_from_slice(&[0xff; 8]);
        bytes
    }

    #[cfg(test)]
    mod tests {
        use std::net::{SocketAddr, TcpListener, TcpStream};

        use super::*;

        fn v4(address: std::io::Result<SocketAddr>) -> Option<SocketAddrV4> {
            match address {
                Ok(SocketAddr::V4(address)) => Some(address),
                _ => None,
            }
        }

        // KEP-2718/shared-machine
        #[test]
        fn a_connection_has_its_owner() -> Result<(), Box<dyn std::error::Error>> {
            let listener = TcpListener::bind("127.0.0.1:0")?;
            let client = TcpStream::connect(listener.local_addr()?)?;
            let (Some(client), Some(server)) = (v4(client.local_addr()), v4(client.peer_addr())) else {
                return Err("no IPv4".into());
            };
            assert_eq!(request(client, server).len(), REQUEST_BYTES);
            assert_eq!(uid_of(client, server), Some(rustix::process::geteuid().as_raw()));
            assert_eq!(uid_of(client, SocketAddrV4::new(*server.ip(), 1)), None);
            Ok(())
        }
    }
}
