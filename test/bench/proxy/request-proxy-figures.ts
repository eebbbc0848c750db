import { residentBytes } from '../../support/agent.ts';
import { createCa, issueServerCertificate } from '../../support/certificates.ts';
import { RequestProxy } from '../../support/request-proxy.ts';
import type { Figure, Figures } from '../figure.ts';
import { median } from '../statistics.ts';
import { processMilliseconds } from '../ui/process-time.ts';
import { buildLoad, type Load, type Protocol, type Target } from './load.ts';
import { findNginx, type Nginx, startNginx } from './nginx.ts';

export interface RequestProxyOptions {
  /** Small GETs of each. */
  gets: number;
  /** Bodies in each direction. */
  rounds: number;
  /** Of a body. */
  bytes: number;
  watches: number;
}

const gib = 2 ** 30;
const protocols: readonly Protocol[] = ['http/1.1', 'h2'];

/** The request proxy’s data plane beside the straight way, and beside nginx, which encrypts again as it does. */
export async function* requestProxyFigures(options: RequestProxyOptions): Figures {
  const load = buildLoad();
  const program = findNginx();
  if (program === null) {
    console.error('request-proxy: skipped beside nginx, which isn’t here (Debian: apt-get install nginx)');
  }
  const ca = await createCa('bench');
  const { certificatePem: certificate, keyPem: key } = await issueServerCertificate(ca, ['127.0.0.1']);
  for (const protocol of protocols) {
    await using server = await load.serve({ certificate, key, protocol });
    const proxy = await RequestProxy.start();
    try {
      await proxy.setClusters({
        prod: { server: `https://127.0.0.1:${server.port}`, certificateAuthority: ca.certificatePem },
      });
      await proxy.open();
      const parts: Parts = {
        load,
        protocol,
        proxy,
        straight: { port: server.port, prefix: '', ca: ca.certificatePem, protocol, authorization: '' },
        proxied: {
          port: proxy.port,
          prefix: '/c/prod',
          ca: proxy.ca,
          protocol,
          authorization: `Bearer ${proxy.token('prod')}`,
        },
      };
      yield await watchFigure(parts, options.watches);
      yield await getFigure(parts, options.gets);
      if (program !== null) {
        // nginx speaks HTTP/1.1 to its servers.
        await using behind = await load.serve({ certificate, key, protocol: 'http/1.1' });
        await using nginx = await startNginx(program, { certificate, key, port: behind.port });
        yield* bodyFigures(parts, nginx, options);
      }
    } finally {
      await proxy.dispose();
    }
  }
}

interface Parts {
  load: Load;
  protocol: Protocol;
  proxy: RequestProxy;
  straight: Target;
  proxied: Target;
}

/** The first, for its memory is that of a proxy which did nothing else. */
async function watchFigure({ load, protocol, proxy, proxied }: Parts, watches: number): Promise<Figure> {
  const parallel = protocol === 'h2' ? { targets: 1, each: watches } : { targets: watches, each: 1 };
  const targets = Array.from({ length: parallel.targets }, () => proxied);
  await using _open = await load.watch(targets, parallel.each);
  return {
    what: `the data plane’s memory with ${watches} watches over ${protocol}`,
    value: residentBytes(proxy.pid) / 2 ** 20,
    unit: 'MiB',
    reference: null,
    limit: { kind: 'atMost', value: 40 },
  };
}

async function getFigure({ load, protocol, straight, proxied }: Parts, count: number): Promise<Figure> {
  const warmUp = Math.min(20, count);
  const [direct = [], through = []] = await load.time([straight, proxied], 'get', { count: count + warmUp });
  const added = through.map((milliseconds, at) => milliseconds - (direct[at] ?? 0)).slice(warmUp);
  return {
    what: `a small GET on a kept connection over ${protocol}: more than straight, median`,
    value: median(added),
    unit: 'ms',
    reference: null,
    limit: { kind: 'atMost', value: 0.2 },
  };
}

/** Bodies through the one and the other in turn: how long, and how much of the processor. */
async function* bodyFigures(
  { load, protocol, proxy, straight, proxied }: Parts,
  nginx: Nginx,
  { rounds, bytes }: RequestProxyOptions,
): Figures {
  const beside: Target = { ...straight, port: nginx.port };
  const sides = [
    { target: proxied, pid: proxy.pid },
    { target: beside, pid: nginx.pid },
  ];
  for (const kind of ['down', 'up'] as const) {
    const seconds: number[][] = [[], []];
    const processor: number[][] = [[], []];
    for (let round = 0; round < rounds; round++) {
      for (const [at, { target, pid }] of sides.entries()) {
        const before = processMilliseconds(pid);
        const [[milliseconds = 0] = []] = await load.time([target], kind, { count: 1, bytes });
        const perGib = gib / bytes / 1000;
        seconds[at]?.push(milliseconds * perGib);
        processor[at]?.push((processMilliseconds(pid) - before) * perGib);
      }
    }
    const way = `1 GiB ${kind} over ${protocol}${protocol === 'h2' ? ' (nginx: HTTP/1.1 to the server)' : ''}`;
    yield ratio(`${way}: how long, median`, seconds);
    yield ratio(`${way}: time on the processor, median`, processor);
  }
}

function ratio(what: string, [own = [], nginx = []]: readonly number[][]): Figure {
  return {
    what,
    value: median(own),
    unit: 's',
    reference: { what: 'nginx', value: median(nginx) },
    limit: { kind: 'ratioAtMost', value: 1 },
  };
}
