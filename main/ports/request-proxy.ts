import type { Refusal } from '../contract/refusal.ts';

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

/** The request proxy as commands and pages see it. */
export interface RequestProxy {
  /** The data plane’s process runs, and its port; null: it doesn’t run. It is started on first use. */
  running(): { port: number; pid: number } | null;
  /** Why it could not be started, or serve a cluster (null: any); none: all is well. */
  faults(): readonly { cluster: string | null; text: string }[];
  /** Under way now, oldest first; `cluster` null: of all. */
  requests(cluster: string | null): Promise<readonly ProxiedRequest[]>;
  /** Ends one, as if the connection had broken. Refused where it is over. */
  endRequest(id: number): Promise<{ ok: true } | Refusal>;
}
