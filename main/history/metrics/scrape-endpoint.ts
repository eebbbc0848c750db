import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Disposable } from '../../base/disposables.ts';
import type { Log } from '../../ports/log.ts';
import type { Metrics } from './create-metrics.ts';

const requestMilliseconds = 5_000;
const connectionLimit = 16;

export interface ScrapeEndpointDeps {
  metrics: Pick<Metrics, 'text' | 'contentType'>;
  /** `127.0.0.1:9464` or `[::1]:9464`; undefined: not served. */
  listen(): string | undefined;
  log: Log;
}

/** The optional HTTP endpoint for a scraper, on loopback. */
export interface ScrapeEndpoint extends Disposable {
  /** Reads `listen` again, and resolves when it is applied, or can't be. */
  update(): Promise<void>;
  /** Why it isn't served though it should be; null where all is well. */
  problem(): string | null;
}

/**
 * Serves nothing until `update`. Never throws: a port that is taken is said in the log and in status
 * (rule: guarded-loopback).
 */
export function createScrapeEndpoint(deps: ScrapeEndpointDeps): ScrapeEndpoint {
  let server: Server | null = null;
  let address: string | undefined;
  let problem: string | null = null;
  let ended = false;
  let last: Promise<void> = Promise.resolve();

  async function apply(): Promise<void> {
    const wanted = ended ? undefined : deps.listen();
    if (wanted === address && (wanted === undefined || server)) {
      return;
    }
    await close();
    address = wanted;
    if (wanted === undefined) {
      return;
    }
    try {
      server = await open(wanted, deps);
      deps.log.info('metrics.served', { address: wanted });
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
      problem = `metrics are not served at ${wanted}: ${reasons[code] ?? code}`;
      deps.log.warn('metrics.notServed', { address: wanted, code });
    }
  }

  async function close(): Promise<void> {
    problem = null;
    const closing = server;
    server = null;
    if (closing) {
      await new Promise<void>((resolve) => {
        closing.close(() => resolve());
        closing.closeAllConnections();
      });
    }
  }

  const update = () => {
    last = last.then(apply);
    return last;
  };
  return {
    update,
    problem: () => problem,
    dispose() {
      ended = true;
      return update();
    },
  };
}

const reasons: Readonly<Record<string, string>> = {
  EADDRINUSE: 'the port is taken',
  EACCES: 'the system doesn’t permit that port',
  ERR_SOCKET_BAD_PORT: 'there is no such port',
  EADDRNOTAVAIL: 'this machine has no such address',
};

function open(address: string, { metrics, log }: ScrapeEndpointDeps): Promise<Server> {
  const [, host = '', port = ''] = /^\[?([^\]]*?)\]?:(\d+)$/.exec(address) ?? [];
  const server = createServer(
    {
      requestTimeout: requestMilliseconds,
      headersTimeout: requestMilliseconds,
      // Node checks only every 30 s: silent connections would fill the limit for that long.
      connectionsCheckingInterval: 1_000,
      maxHeaderSize: 8_192,
    },
    (request, response) => {
      answer(request, response, { metrics, hosts: hostsOf(address, port) }).catch((error: unknown) => {
        log.error('metrics.failed', { error });
        response.destroy();
      });
    },
  );
  server.maxConnections = connectionLimit;
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port: Number(port), exclusive: true }, () => {
      server.off('error', reject);
      server.on('error', (error) => log.warn('metrics.server', { error }));
      server.unref();
      resolve(server);
    });
  });
}

/** What a scraper on this machine calls us by. A web page that made its own name point here calls us by that. */
function hostsOf(address: string, port: string): ReadonlySet<string> {
  return new Set([address, `localhost:${port}`]);
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { metrics, hosts }: { metrics: Pick<Metrics, 'text' | 'contentType'>; hosts: ReadonlySet<string> },
): Promise<void> {
  const { host, origin, 'sec-fetch-site': site } = request.headers;
  const end = (status: number, text: string) => {
    response.writeHead(status, {
      'content-type': 'text/plain; charset=utf-8',
      'x-content-type-options': 'nosniff',
      connection: 'close',
    });
    response.end(`${text}\n`);
  };
  if (host === undefined || !hosts.has(host.toLowerCase())) {
    end(421, 'not the host that is served here');
  } else if (origin !== undefined || (site !== undefined && site !== 'none')) {
    end(403, 'not for web pages');
  } else if (request.url !== '/metrics') {
    end(404, 'only /metrics is here');
  } else if (request.method !== 'GET') {
    end(405, 'only GET');
  } else {
    const text = await metrics.text();
    response.writeHead(200, {
      'content-type': metrics.contentType,
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'no-store',
    });
    response.end(text);
  }
}
