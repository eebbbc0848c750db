import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { signWithBotocore } from '../support/aws/botocore.ts';
import { type SignedFront, serviceName, startSignedFront } from '../support/aws/signed-front.ts';
import { authorizationOf } from '../support/aws/signed-request.ts';
import { signingKeys } from '../support/aws/signing-keys.ts';
import { signWithSmithy } from '../support/aws/smithy.ts';
import { createCa, issueServerCertificate } from '../support/certificates.ts';
import { isLong } from '../support/long.ts';
import { RequestProxy } from '../support/request-proxy.ts';
import { seededRandom } from '../support/storm-random.ts';

/**
 * Requests by chance, always the same for the same LANYARD_SEED, signed by the data plane and again by
 * @smithy/signature-v4 and botocore.
 */
const count = isLong ? 1_000 : 100;
const seed = Number(process.env['LANYARD_SEED'] ?? 19);
const region = 'eu-west-1';
const keys = { accessKeyId: 'AKIAEXAMPLE', secretAccessKey: 'not/a+real=key', sessionToken: 'a/b+c==' };

describe.each([
  ['apiGateway', 'hashed'],
  ['lattice', 'unsigned'],
] as const)('before %s', (service, payload) => {
  let server: Server;
  let front: SignedFront;
  let proxy: RequestProxy;

  beforeAll(async () => {
    const ca = await createCa('behind');
    const { certificatePem: cert, keyPem: key } = await issueServerCertificate(ca, ['127.0.0.1']);
    server = createServer({ cert, key }, (request, response) => {
      request.resume().on('end', () => response.end('passed'));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const rules = { region, keys: [keys], now: () => new Date() };
    const behind = { server: address, caPem: ca.certificatePem, token: 'own' };
    front = await startSignedFront(service, behind, rules);
    proxy = await RequestProxy.start();
    await proxy.setClusters({ prod: { server: front.server, certificateAuthority: front.caPem } });
    const { secretAccessKey, ...shown } = keys;
    const scope = { region, service: serviceName(service) };
    const steps = [
      { step: 'signAws', ...scope, payload, ...shown, keys: signingKeys(secretAccessKey, scope) },
    ] as const;
    proxy.give = () => ({ steps });
    await proxy.open();
  });
  afterAll(async () => {
    await proxy?.dispose();
    await front?.dispose();
    server?.close();
    server?.closeAllConnections();
  });

  test(`${count} requests pass, and are signed as others sign them`, async () => {
    const random = seededRandom(seed);
    for (let at = 0; at < count; at++) {
      const { path, ...options } = randomRequest(random);
      const { status, body } = await proxy.ask(`/c/prod${path}`, options);
      expect([path, options, status, body]).toEqual([path, options, 200, 'passed']);
    }
    const statements = front.passed.map((received) => {
      const stated = authorizationOf(received);
      if (stated === null) {
        throw new Error('it passed without a signature');
      }
      return [received, stated, keys] as const;
    });
    expect(statements).toHaveLength(count);
    const smithy = await Promise.all(statements.map((each) => signWithSmithy(...each)));
    expect(smithy.map(({ authorization }) => authorization)).toEqual(
      front.passed.map(({ headers }) => headers.find(([name]) => name === 'authorization')?.[1]),
    );
    if (isLong) {
      expect(await signWithBotocore(statements)).toEqual(smithy);
    }
  }, 600_000);
});

/** Octets that a client may send in a path or a query as they are, or escaped in one case or the other. */
const pieces = [
  'a',
  'B',
  '0',
  '-',
  '.x',
  '_',
  '~',
  ':',
  '@',
  '!',
  '$',
  "'",
  '(',
  ')',
  '*',
  ',',
  ';',
  '%20',
  '%25',
  '%2F',
  '%2f',
  '%3A',
  '%C3%A9',
  '%e4%bd%a0',
  '%7e',
  '%41',
];
const queryPieces = [...pieces, '+', '/', '?', '%26', '%3D', '%2B', '%00'];
const methods = ['GET', 'GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

function randomRequest(random: () => number) {
  const below = (most: number) => Math.floor(random() * most);
  const oneOf = (list: readonly string[]) => list[below(list.length)] ?? '';
  const text = (from: readonly string[], most: number) =>
    Array.from({ length: below(most + 1) }, () => oneOf(from)).join('');
  const segments = Array.from({ length: 1 + below(5) }, () => text(pieces, 5));
  const pairs = Array.from({ length: below(6) }, () =>
    random() < 0.2 ? text(queryPieces, 3) : `${text(queryPieces, 2)}=${text(queryPieces, 4)}`,
  );
  const method = oneOf(methods);
  const values = Array.from({ length: below(3) }, () => ` ${text(['a', 'b', '  ', ',', '"'], 4)}c`);
  const headers: Record<string, string> = {
    ...(values.length > 0 && { 'x-amz-meta': values.join(random() < 0.5 ? ',' : ' , ') }),
    ...(random() < 0.3 && { 'content-type': oneOf(['application/json', 'text/plain;  charset=utf-8']) }),
    // What a client says of a signature goes.
    ...(random() < 0.2 && { 'x-amz-date': '20150830T123600Z', 'x-amz-security-token': 'of another' }),
  };
  const path = `/${segments.join('/')}${pairs.length > 0 ? `?${pairs.join('&')}` : ''}`;
  return { method, path, headers, ...(method[0] === 'P' && { body: 'x'.repeat(below(3_000)) }) };
}
