import type { Secret } from '../base/secret.ts';
import type { ClientListenerConfig } from '../contract/config/proxy.ts';
import type { Refusal } from '../contract/refusal.ts';
import type { TriedRequest } from '../contract/tried-request.ts';
import type { LoadedCluster } from '../domain/loaded-config.ts';
import type { ProxyPlace } from '../domain/proxy/client-view.ts';
import type { Credential } from './account.ts';
import type { Caller } from './caller.ts';

/** A request that goes through the request proxy now (docs/adr/0030): from its arrival to the end of its answer. */
export interface ProxiedRequest {
  id: number;
  cluster: string;
  /** The process that its way in was minted for. */
  pid: number;
  /** That process’s program, by its file’s name, as it was then; null: unknown. */
  program: string | null;
  method: string;
  /** Below the cluster’s own path, without the query. */
  path: string;
  /** Milliseconds since 1970. */
  startedAt: number;
  bytesUp: number;
  bytesDown: number;
}

/** A listener of one client’s own that is open (docs/adr/0032). */
export interface ClientListenerView {
  id: number;
  cluster: string;
  pid: number;
  /** That process’s program, by its file’s name; null: unknown. */
  program: string | null;
  /** `unix:///path` or `https://127.0.0.1:PORT` */
  url: string;
  /** Null: the client has none. */
  lockFile: string | null;
  /** Milliseconds since 1970. */
  openedAt: number;
}

/** What a client gets of a listener of its own. */
export interface ClientListener {
  url: string;
  /** PEM. */
  certificateAuthority: string;
  /** What its connections have to show, PEM; null: nothing. */
  clientCertificate: { certificate: string; key: Secret } | null;
}

/** A request through the request proxy that has ended. */
export interface PassedRequest {
  cluster: string;
  pid: number;
  program: string | null;
  method: string;
  /** Below the cluster’s own path, without the query. */
  path: string;
  /** Of HTTP; 0: there was no answer. */
  status: number;
  /** Why the proxy answered, and not the cluster, for the user; null: it didn’t. */
  fault: string | null;
  milliseconds: number;
  /** From its arrival until it was sent on; null: it wasn’t. */
  sentMicroseconds: number | null;
  /** From its arrival to the head of its answer; null: there was none. */
  answeredMicroseconds: number | null;
  bytesUp: number;
  bytesDown: number;
}

/** Is told what the data plane does, for the record and the metrics. It must be quick. */
export interface ProxyObserver {
  passed(request: PassedRequest): void;
  /** So many requests ended that the broker was too slow to be told of. */
  lost(count: number): void;
  /** A client of the cluster got a listener of its own. */
  listenerOpened(cluster: string): void;
  /** The data plane ended unasked. */
  crashed(): void;
}

/** Whom a way in is for. */
export type ProxyCaller = Pick<Caller, 'pid' | 'startTime' | 'executable' | 'kinship'>;

/** The request proxy as the doors and kubeconfigs need it. */
export interface ProxyEntrance {
  /** Where clients find it; null: no kubeconfig has it, or Lanyard is locked. */
  knownPlace(): ProxyPlace | null;
  /** The same, made where there was none. Throws BrokerError `vault.locked`, `proxy.start`. */
  place(): Promise<ProxyPlace>;
  /**
   * The way in of a process for a cluster that is approved for it; the proxy listens when it resolves. `expiresAt`:
   * milliseconds since 1970; null: with the process. Throws BrokerError `proxy.start`, `proxy.listen`, and for a process
   * that it can’t be for `proxy.adopted`, `proxy.otherUser`.
   */
  wayIn(cluster: LoadedCluster, client: ProxyCaller): Promise<{ token: Secret; expiresAt: number | null }>;
  /**
   * A listener of the process’s own, for one that has a way in; the same while it lives. `lockFile`: whose lock the client
   * holds. Throws BrokerError `proxy.listener…`.
   */
  clientListener(
    cluster: LoadedCluster,
    client: Pick<Caller, 'pid' | 'startTime'>,
    wanted: { lockFile: string | null; config: ClientListenerConfig },
  ): Promise<ClientListener>;
  /**
   * How Lanyard itself reaches a proxied cluster: as clients do, with a way in for this process. Throws as `wayIn` does,
   * and where Lanyard is locked or the cluster isn’t approved.
   */
  ownWay(cluster: LoadedCluster): Promise<{ cluster: LoadedCluster; credential: Credential }>;
  /** What was obtained for the cluster: a certificate is for the proxy’s connections. */
  obtained(cluster: LoadedCluster, credential: Credential): void;
}

/** The request proxy as commands and pages see it. */
export interface RequestProxy {
  /** The data plane’s process runs, and its port; null: it doesn’t run. It is started on first use. */
  running(): { port: number; pid: number } | null;
  /** Why it could not be started, or serve a cluster (null: any); none: all is well. */
  faults(): readonly { cluster: string | null; text: string }[];
  /** The listeners of one client’s own that are open. */
  listeners(): readonly ClientListenerView[];
  /** Under way now, oldest first; `cluster` null: of all. */
  requests(cluster: string | null): Promise<readonly ProxiedRequest[]>;
  /** Ends one, as if the connection had broken. Refused where it is over. */
  endRequest(id: number): Promise<{ ok: true } | Refusal>;
  /**
   * Makes a GET request of Lanyard’s own to a proxied cluster, as a client’s would go, and says what each step made of
   * it. `path`: below the server’s own path, with its query. Refused where the cluster isn’t proxied, approved or known,
   * or Lanyard is locked. Never asks the user.
   */
  try(
    cluster: string,
    path: string,
    signal: AbortSignal,
  ): Promise<{ ok: true; tried: TriedRequest } | Refusal>;
}
