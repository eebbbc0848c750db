/** One end of a TCP connection. */
export interface Endpoint {
  address: string;
  port: number;
}

/** A connected socket, as the system lists it. */
export interface TcpRow {
  uid: number;
  /** No process has it any more: the system then lists it as root's. */
  isLetGo: boolean;
  isOpen: boolean;
}

/** The TCP sockets of this machine's own network. */
export interface TcpTable {
  /** The socket at `own` that is connected to `peer`; null where there is none. */
  connected(own: Endpoint, peer: Endpoint): TcpRow | null;
  /** Something listens at `own`: a table without even our own listener belongs to another network. */
  listens(own: Endpoint): boolean;
}
