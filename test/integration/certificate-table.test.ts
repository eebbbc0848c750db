import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { createFetch, defaultHttpLimits } from '../../main/platform/network/bounded-fetch.ts';
import { HeldTls } from '../../main/platform/network/held-tls.ts';
import { HttpFailure } from '../../main/platform/network/http-failure.ts';
import { assertBuilt } from '../support/built.ts';
import { type CertificateRow, certificateRows } from '../support/certificate-table.ts';
import { buildGo, goPath, whyNoGo } from '../support/go.ts';
import { unless } from '../support/unless.ts';

/** Which servers' certificates are accepted: by Go, which kubectl uses; by the request proxy; by the broker itself. */
interface GoAnswer {
  go: string;
  rows: Record<string, string>;
}

const program = join(import.meta.dirname, '..', '..', 'dist', 'bin', 'lanyard-proxy');
const golden: GoAnswer = JSON.parse(
  readFileSync(
    join(import.meta.dirname, '..', 'support', 'go', 'verify-certificates', 'golden.json'),
    'utf8',
  ),
);

/** Rows that Go accepts and this verifier doesn't, and why that is as it should be. */
const stricter: { proxy: Record<string, string>; broker: Record<string, string> } = {
  proxy: {
    'a CA by its own words, signed by the root':
      'webpki takes no CA’s certificate as a server’s; where it is trusted itself, it works',
  },
  broker: {},
};

const why = whyNoGo();

let rows: CertificateRow[];

beforeAll(async () => {
  assertBuilt();
  rows = await certificateRows();
});

test('Go says what the golden file says', { ...unless(why), timeout: 600_000 }, async () => {
  const path = await buildGo(goPath(), 'verify-certificates');
  const input = JSON.stringify(
    rows.map(({ name, roots, chain, host }) => ({ Name: name, Roots: roots, Chain: chain, Host: host })),
  );
  const { stdout } = spawnSync(path, { input, encoding: 'utf8' });
  expect(JSON.parse(stdout).rows).toEqual(golden.rows);
});

describe.each(['proxy', 'broker'] as const)('the %s', (verifier) => {
  test('accepts no certificate that Go refuses, and refuses another only for a reason', async () => {
    const found: Record<string, string> = {};
    for (const row of rows) {
      found[row.name] = await verdict(row, verifier);
    }
    const isAccepted = (name: string) => golden.rows[name] === 'accepted' && !(name in stricter[verifier]);
    expect(found).toEqual(
      Object.fromEntries(
        rows.map(({ name }) => [name, isAccepted(name) ? 'accepted' : expect.stringMatching(refusals)]),
      ),
    );
  });
});

/** A certificate's fault, and no other. */
const refusals = /^(unknownAuthority|wrongHostName|certificateDates|certificate)$/;

async function verdict(row: CertificateRow, verifier: 'proxy' | 'broker'): Promise<string> {
  // So that a server may have a weak one.
  const server = createServer(
    { cert: row.chain, key: row.key, ciphers: 'DEFAULT@SECLEVEL=0' },
    (_, response) => response.end('{}'),
  );
  server.on('tlsClientError', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  try {
    await (verifier === 'proxy' ? byProxy(row, port) : byBroker(row, port));
    return 'accepted';
  } catch (error) {
    return error instanceof HttpFailure ? error.kind : String(error);
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

/** lanyard-proxy's own TLS: its verifier is the one of each cluster's connection. */
async function byProxy({ roots, host }: CertificateRow, port: number): Promise<void> {
  const key = {
    chainPem: roots,
    keyPem: null,
    account: 'none',
    schemes: [0x0403],
    program,
    sign: () => Promise.reject(new Error('the server asks for no certificate')),
  };
  const tls = new HeldTls(connect({ host: '127.0.0.1', port }), host, {
    key,
    certificateAuthorityPem: roots,
    signal: new AbortController().signal,
    onSign: () => () => undefined,
  });
  try {
    await once(tls, 'secureConnect');
  } finally {
    tls.destroy();
  }
}

async function byBroker({ roots, host }: CertificateRow, port: number): Promise<void> {
  const fetch = createFetch({
    certificateAuthorityPem: roots,
    loopbackHttp: false,
    limits: defaultHttpLimits,
  });
  await fetch(`https://${host}:${port}/`, { method: 'GET', headers: {} });
}
