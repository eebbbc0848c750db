import { join } from 'node:path';
import type { Running } from './processes.ts';
import type { Stage } from './stage.ts';

export interface ClientOptions {
  helper: string;
  server: string;
  caFile: string;
  /** KUBERNETES_EXEC_INFO; the clusters are told apart by --cluster, as in the kubeconfig that lanyard writes. */
  execInfo: string;
  clusters: readonly string[];
  /** Asks for each request, as a Python client does per config load; else it keeps a credential until its told end. */
  perLoad: boolean;
  /** Between a cluster's requests, on average. */
  pauseMilliseconds: number;
}

/** What such a client did. Times are milliseconds since 1970; tokens are fingerprints. */
export type ClientEvent =
  | {
      kind: 'asked';
      cluster: string;
      from: number;
      to: number;
      /** Of the helper; -1 where it was killed. */
      code: number;
      stderr: string;
      token: string | null;
      /** The token's own end. */
      ends: number | null;
    }
  /** `status` 0: no answer. */
  | { kind: 'request'; cluster: string; from: number; to: number; status: number; ends: number };

export interface LongLived {
  readonly running: Running;
  /** All so far. */
  events(): ClientEvent[];
  /** Lets it end by itself, and gives all that it did. */
  stop(): Promise<ClientEvent[]>;
}

/** A client that lives on and talks to many clusters, as k9s does, in one process. */
export function startLongLived(
  stage: Stage,
  options: Pick<ClientOptions, 'clusters' | 'perLoad' | 'pauseMilliseconds'>,
): LongLived {
  const all: ClientOptions = {
    ...options,
    helper: stage.home.file('helper'),
    server: stage.api.server,
    caFile: stage.home.write('client-ca.pem', stage.api.caPem),
    execInfo: JSON.stringify(stage.execInfo()),
  };
  const script = join(import.meta.dirname, 'client-process.ts');
  const running = stage.start(process.execPath, [script, JSON.stringify(all)], {
    timeoutMilliseconds: 3_600_000,
  });
  const events = () =>
    running
      .stdout()
      .split('\n')
      .slice(0, -1)
      .map((line): ClientEvent => JSON.parse(line));
  return {
    running,
    events,
    stop: async () => {
      running.closeInput();
      const { code, stderr } = await running.ended;
      if (code !== 0) {
        throw new Error(`the client ended with ${code}: ${stderr}`);
      }
      return events();
    },
  };
}

/** `count` clusters at the stage's API server, all of the account `corp`. */
export function clusterNames(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `c${index}`);
}
