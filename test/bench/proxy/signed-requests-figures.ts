import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { createCargo } from '../../../scripts/cargo.ts';
import { residentBytes } from '../../support/agent.ts';
import { signingKeys } from '../../support/aws/signing-keys.ts';
import { createCa, issueServerCertificate } from '../../support/certificates.ts';
import { findGo } from '../../support/go.ts';
import { RequestProxy } from '../../support/request-proxy.ts';
import type { Figure, Figures } from '../figure.ts';
import { median } from '../statistics.ts';
import { processMilliseconds } from '../ui/process-time.ts';
import { buildLoad, type Load, type Protocol, type Target } from './load.ts';
import { startSigningProxy } from './signing-proxy.ts';

export interface SignedRequestsOptions {
  /** Small GETs beside the straight way. */
  gets: number;
  /** Of each proxy, many clients at a time. */
  rounds: number;
  /** Of each client in a round. */
  requests: number;
}

const protocols: readonly Protocol[] = ['http/1.1', 'h2'];
/** At a time, each with a connection. */
const clients = 8;
/** Of a body that is signed. */
const bodyBytes = 1024;

const scope = { region: 'eu-west-1', service: 'execute-api' };
/** A session token’s usual length is a KiB. */
const keys = {
  accessKeyId: 'ASIAEXAMPLE',
  secretAccessKey: 'for the bench alone, and no secret',
  sessionToken: 't'.repeat(1024),
};

/** Signed requests beside the straight way, and beside Go’s reverse proxy with the signer of AWS’s SDK. */
export async function* signedRequestsFigures(options: SignedRequestsOptions): Figures {
  yield signatureFigure();
  const load = buildLoad();
  const go = findGo();
  if (!go.ok) {
    console.error(`signed-requests: skipped beside Go’s reverse proxy: ${go.why}`);
  }
  const ca = await createCa('bench');
  const { certificatePem: certificate, keyPem: key } = await issueServerCertificate(ca, ['127.0.0.1']);
  for (const protocol of protocols) {
    await using server = await load.serve({ certificate, key, protocol });
    const straight = { port: server.port, prefix: '', ca: ca.certificatePem, protocol, authorization: '' };
    const address = `https://127.0.0.1:${server.port}`;
    const proxy = await RequestProxy.start();
    try {
      await proxy.setClusters({ prod: { server: address, certificateAuthority: ca.certificatePem } });
      const { secretAccessKey, ...shown } = keys;
      const days = signingKeys(secretAccessKey, scope);
      proxy.give = () => ({
        steps: [{ step: 'signAws', ...scope, payload: 'hashed', ...shown, keys: days }],
      });
      await proxy.open();
      const authorization = `Bearer ${proxy.token('prod')}`;
      const signed = { port: proxy.port, prefix: '/c/prod', ca: proxy.ca, protocol, authorization };
      yield await getFigure(load, straight, signed, options.gets);
      if (go.ok) {
        const http2 = protocol === 'h2';
        const behind = { certificate, key, server: address, ca: ca.certificatePem, http2 };
        await using other = await startSigningProxy(go.path, { ...behind, ...scope, ...keys });
        const sides = [
          { target: signed, pid: proxy.pid },
          { target: { ...straight, port: other.port }, pid: other.pid },
        ];
        yield* besideFigures(load, sides, options);
      }
    } finally {
      await proxy.dispose();
    }
  }
}

function signatureFigure(): Figure {
  const cargo = createCargo(join(import.meta.dirname, '..', '..', '..'));
  const program = cargo.buildDataPlaneExample(cargo.hostTarget(), 'lanyard-proxy', 'sign');
  return {
    what: 'signing a request with a body of 1 KiB, median',
    value: Number(execFileSync(program, ['bench'], { encoding: 'utf8' })),
    unit: 'µs',
    reference: null,
    limit: { kind: 'atMost', value: 50 },
  };
}

async function getFigure(load: Load, straight: Target, signed: Target, count: number): Promise<Figure> {
  const warmUp = Math.min(20, count);
  const [direct = [], through = []] = await load.time([straight, signed], 'get', { count: count + warmUp });
  const added = through.map((milliseconds, at) => milliseconds - (direct[at] ?? 0)).slice(warmUp);
  return {
    what: `a signed GET on a kept connection over ${signed.protocol}: more than straight, median`,
    value: median(added),
    unit: 'ms',
    reference: null,
    limit: { kind: 'atMost', value: 0.25 },
  };
}

/** The one and the other in turn; its memory after all that. */
async function* besideFigures(
  load: Load,
  sides: readonly { target: Target; pid: number }[],
  { rounds, requests }: SignedRequestsOptions,
): Figures {
  const over = `over ${sides[0]?.target.protocol}`;
  for (const [kind, what] of [
    ['get', 'signed GETs'],
    ['up', 'signed POSTs of 1 KiB'],
  ] as const) {
    const taken: number[][] = [[], []];
    const processor: number[][] = [[], []];
    for (let round = 0; round < rounds; round++) {
      for (const [at, { target, pid }] of sides.entries()) {
        const before = processMilliseconds(pid);
        taken[at]?.push(await closedLoop(load, target, kind, requests));
        processor[at]?.push((1000 * (processMilliseconds(pid) - before)) / (clients * requests));
      }
    }
    const each = `${what} ${over}, ${clients} clients`;
    yield besideGo(`${each}: from one of a client to its next, median`, taken.map(median), {
      unit: 'ms',
      atMost: 1,
    });
    yield besideGo(`${each}: time on the processor for one, median`, processor.map(median), {
      unit: 'µs',
      atMost: 1,
    });
  }
  const mebibytes = sides.map(({ pid }) => residentBytes(pid) / 2 ** 20);
  yield besideGo(`memory after signed requests ${over}`, mebibytes, { unit: 'MiB', atMost: 0.5 });
}

/**
 * Milliseconds from one request of a client to its next, where each asks as soon as it is answered: the number of clients
 * divided by this is the throughput.
 */
async function closedLoop(load: Load, target: Target, kind: 'get' | 'up', requests: number): Promise<number> {
  const each = { count: requests, bytes: bodyBytes };
  const all = await Promise.all(Array.from({ length: clients }, () => load.time([target], kind, each)));
  const times = all.flat(2);
  return times.reduce((sum, time) => sum + time, 0) / times.length;
}

function besideGo(
  what: string,
  [own = 0, go = 0]: readonly number[],
  { unit, atMost }: { unit: string; atMost: number },
): Figure {
  return {
    what,
    value: own,
    unit,
    reference: { what: 'Go’s reverse proxy with AWS’s signer', value: go },
    limit: { kind: 'ratioAtMost', value: atMost },
  };
}
