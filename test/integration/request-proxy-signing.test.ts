import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import http2 from 'node:http2';
import https from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  type ReceivedRequest,
  receivedRequest,
  type SigningKeys,
  valuesOf,
} from '../support/aws/signed-request.ts';
import { signingKeys } from '../support/aws/signing-keys.ts';
import {
  type SignatureRules,
  type Verify,
  verifyAsApiGateway,
  verifyAsLattice,
} from '../support/aws/verdicts.ts';
import { type CertificateAuthority, createCa, issueServerCertificate } from '../support/certificates.ts';
import { RequestProxy, type Signed, type Step } from '../support/request-proxy.ts';
import { until } from '../support/stage.ts';

/** The data plane signs, with the test in the broker’s place, for servers that verify each signature by another signer. */
const region = 'eu-west-1';
const keys = {
  accessKeyId: 'AKIAEXAMPLE',
  secretAccessKey: 'not-a-real-key/of+AWS',
  sessionToken: 'session-token-of-a-role==',
};
const renewed = { ...keys, accessKeyId: 'AKIARENEWED', secretAccessKey: 'another-key' };
const day = 86_400_000;
const minutes = 60_000;

let ca: CertificateAuthority;
let proxy: RequestProxy;
const servers: http2.Http2SecureServer[] = [];
const origins = { 'HTTP/2': '', 'HTTP/1.1': '' };
const seen: { request: ReceivedRequest; body: Buffer; length: string | undefined }[] = [];
let rules: SignatureRules;
let verify: Verify;
let epoch = 0;
/** In place of the verdict. */
let answer: ((response: ServerResponse) => void) | null;

beforeAll(async () => {
  ca = await createCa('upstream');
  const { certificatePem: cert, keyPem: key } = await issueServerCertificate(ca, ['127.0.0.1']);
  for (const protocol of ['HTTP/2', 'HTTP/1.1'] as const) {
    const protocols = protocol === 'HTTP/2' ? ['h2', 'http/1.1'] : ['http/1.1'];
    const server = http2.createSecureServer({ cert, key, allowHTTP1: true, ALPNProtocols: protocols });
    server.on('request', async (request, response) => {
      const body = Buffer.concat(await request.toArray());
      const received = receivedRequest(request as unknown as IncomingMessage);
      seen.push({ request: received, body, length: request.headers['content-length'] });
      if (answer !== null) {
        answer(response as unknown as ServerResponse);
        return;
      }
      const refusal = await verify(received, body, rules);
      if (refusal !== null) {
        response.writeHead(refusal.status, refusal.headers);
      }
      response.end(refusal?.text ?? 'passed');
    });
    server.on('upgrade', async (request: IncomingMessage, socket: Socket) => {
      socket.on('error', () => undefined);
      const received = receivedRequest(request);
      seen.push({ request: received, body: Buffer.alloc(0), length: undefined });
      const refusal = await verify(received, Buffer.alloc(0), rules);
      socket.end(
        refusal === null
          ? `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: ${request.headers.upgrade}\r\n\r\n`
          : `HTTP/1.1 403 Forbidden\r\nDate: ${refusal.headers['date']}\r\nContent-Length: 0\r\n\r\n`,
      );
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    servers.push(server);
    origins[protocol] = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }
  proxy = await RequestProxy.start();
});
afterAll(async () => {
  await proxy?.dispose();
  for (const server of servers) {
    server.close();
  }
});

const signAws = (
  payload: 'hashed' | 'unsigned' = 'hashed',
  of: SigningKeys = keys,
  now = Date.now(),
): Step => {
  const service = payload === 'hashed' ? 'execute-api' : 'vpc-lattice-svcs';
  const { accessKeyId, secretAccessKey, sessionToken = null } = of;
  const derived = signingKeys(secretAccessKey, { region, service }, now);
  return { step: 'signAws', service, region, payload, accessKeyId, sessionToken, keys: derived };
};

const setHeader = (name: string, value: string, secret: boolean): Step => ({
  ...{ step: 'set', name, value, secret },
});

/** A cluster that knows no chain and no other clock yet. */
const begin = async (protocol: keyof typeof origins = 'HTTP/2') => {
  epoch += 1;
  await proxy.setClusters({
    prod: { server: origins[protocol], certificateAuthority: ca.certificatePem, epoch: String(epoch) },
  });
};
const ask = (path: string, options: Parameters<RequestProxy['ask']>[1] = {}) =>
  proxy.ask(`/c/prod${path}`, { token: proxy.token('prod', { e: String(epoch) }), ...options });

const only = () => {
  expect(seen).toHaveLength(1);
  return seen[0] as (typeof seen)[number];
};

beforeEach(async () => {
  rules = { region, keys: [keys, renewed], now: () => new Date() };
  verify = verifyAsApiGateway;
  answer = null;
  seen.length = 0;
  proxy.signs.length = 0;
  proxy.needs.length = 0;
  proxy.told.length = 0;
  proxy.give = () => ({ steps: [signAws()] });
  proxy.sign = () => ({ set: [] });
  await begin();
  await proxy.open();
});

// KEP-2718/signing
describe.each(['HTTP/2', 'HTTP/1.1'] as const)('for AWS, over %s,', (protocol) => {
  beforeEach(() => begin(protocol));

  test.each<[string, string]>([
    ['/api/v1/pods', '/api/v1/pods'],
    ['/', '/'],
    ['/api?', '/api'],
    ['/api?watch', '/api?watch='],
    ['/api?&&a=1&', '/api?a=1'],
    ['/api?limit=500&labelSelector=a%3Db%2cc', '/api?limit=500&labelSelector=a%3Db%2Cc'],
    ['/api?labelSelector=a in (b,c)'.replaceAll(' ', '+'), '/api?labelSelector=a%20in%20%28b%2Cc%29'],
    ['/exec?command=sh&command=-c&command=a=b', '/exec?command=sh&command=-c&command=a%3Db'],
    ['/api?z=1&a=2&Z=3&a=1', '/api?z=1&a=2&Z=3&a=1'],
    ['/api?name=%C3%A9%20%2B;x', '/api?name=%C3%A9%20%2B%3Bx'],
    ['/namespaces/a:b/pods/x%3Ay', '/namespaces/a:b/pods/x%3Ay'],
    ['/proxy/a%20b/%c3%a9/%25', '/proxy/a%20b/%c3%a9/%25'],
    ['//double//slashes/', '//double//slashes/'],
    [`/all-._~!$&'()*+,;=:@/x`, `/all-._~!$&'()*+,;=:@/x`],
  ])('a GET of %s passes', async (path, sent) => {
    expect(await ask(path)).toMatchObject({ status: 200, body: 'passed' });
    expect(only().request.target).toBe(sent);
  });

  test.each(['POST', 'PUT', 'PATCH', 'DELETE'])('a %s passes with its body’s hash', async (method) => {
    const headers = { 'content-type': 'application/json', 'transfer-encoding': 'chunked' };
    expect(await ask('/api', { method, body: '{"a":"é"}', headers })).toMatchObject({ status: 200 });
    const { request, body, length } = only();
    expect([body.toString(), length]).toEqual(['{"a":"é"}', '10']);
    expect(valuesOf(request, 'authorization')[0]).toContain(
      'SignedHeaders=content-type;host;x-amz-content-sha256;x-amz-date;x-amz-security-token,',
    );
  });

  test('headers that come twice, or with spaces, pass; a client’s own signature doesn’t', async () => {
    const headers = {
      'x-amz-b': ['2', ' 1   and\tmore '],
      'x-amz-a': '',
      'x-amz-date': '20150830T123600Z',
      'x-amz-security-token': 'of the client',
      'x-amz-content-sha256': 'UNSIGNED-PAYLOAD',
      'user-agent': 'kubectl',
    };
    expect(await ask('/api', { headers })).toMatchObject({ status: 200 });
    const { request } = only();
    expect(valuesOf(request, 'x-amz-b')).toHaveLength(2);
    expect(valuesOf(request, 'x-amz-security-token')).toEqual([keys.sessionToken]);
    expect(valuesOf(request, 'authorization')[0]).toContain('host;x-amz-a;x-amz-b;x-amz-content-sha256');
    expect(valuesOf(request, 'user-agent')).toEqual(['kubectl']);
  });

  test('a client’s own session token doesn’t pass where the keys have none', async () => {
    const { sessionToken: _, ...lasting } = keys;
    rules.keys = [lasting];
    proxy.give = () => ({ steps: [signAws('hashed', lasting)] });
    const headers = { 'x-amz-security-token': 'of the client' };
    expect(await ask('/api', { headers })).toMatchObject({ status: 200 });
    expect(valuesOf(only().request, 'x-amz-security-token')).toEqual([]);
  });

  test('a body that nobody hashes passes', async () => {
    verify = verifyAsLattice;
    proxy.give = () => ({ steps: [signAws('unsigned')] });
    const body = randomBytes(3_000_000);
    expect(await ask('/api', { method: 'POST', body })).toMatchObject({ status: 200 });
    expect(only().body.equals(body)).toBe(true);
  });

  test.each(['websocket', 'SPDY/3.1'])('an upgrade to %s passes', async (upgrade) => {
    expect(await upgraded(upgrade)).toBe(101);
    expect(only().request.target).toBe('/exec?command=a%20b');
  });

  test('a clock 6 minutes off is corrected once, and known then', async () => {
    for (const off of [6 * minutes, -6 * minutes]) {
      seen.length = 0;
      await begin(protocol);
      rules.now = () => new Date(Date.now() + off);
      expect(await ask('/api', { method: 'POST', body: 'text' })).toMatchObject({ status: 200 });
      expect(seen.map(({ body }) => body.toString())).toEqual(['text', 'text']);
      expect(await ask('/api')).toMatchObject({ status: 200 });
      expect(await upgraded('websocket')).toBe(101);
      expect(seen).toHaveLength(4);
    }
  });

  const upgraded = (upgrade: string) =>
    new Promise<number>((resolve, reject) => {
      const request = https.request({
        host: '127.0.0.1',
        port: proxy.port,
        path: '/c/prod/exec?command=a+b',
        ca: proxy.ca,
        headers: {
          authorization: `Bearer ${proxy.token('prod', { e: String(epoch) })}`,
          connection: 'Upgrade',
          upgrade,
        },
      });
      request.on('upgrade', (response, socket) => {
        socket.on('error', () => undefined).destroy();
        resolve(response.statusCode ?? 0);
      });
      request.on('response', (response) => resolve(response.statusCode ?? 0));
      request.on('error', reject);
      request.end();
    });
});

describe('for AWS,', () => {
  test('the host is signed without the port that https has by itself', async () => {
    // Nobody listens there: what was signed is told by a try.
    await proxy.setClusters({
      prod: { server: 'https://127.0.0.1:443', certificateAuthority: ca.certificatePem },
    });
    const tried = await proxy.try({ path: '/api' });
    expect(tried).toMatchObject({
      url: 'https://127.0.0.1/api',
      attempts: [{ steps: [{ canonicalRequest: expect.stringContaining('\nhost:127.0.0.1\n') }] }],
    });
  });

  test('a body is kept up to 16 MiB, and a longer one is refused with what to do', async () => {
    const most = 16 * 1024 * 1024;
    expect(await ask('/api', { method: 'POST', body: Buffer.alloc(most) })).toMatchObject({ status: 200 });
    expect(only().body).toHaveLength(most);
    // As much as it takes, so that the connection isn’t reset before the answer is read.
    for (const rest of [
      `Content-Length: ${most + 1}\r\n\r\n`,
      `Transfer-Encoding: chunked\r\n\r\n${(most + 1).toString(16)}\r\n${'x'.repeat(most + 1)}`,
    ]) {
      const head = [
        'POST /c/prod/api HTTP/1.1',
        `Host: 127.0.0.1:${proxy.port}`,
        `Authorization: Bearer ${proxy.token('prod', { e: String(epoch) })}`,
        'Connection: close',
      ];
      expect(await proxy.raw(`${head.join('\r\n')}\r\n${rest}`)).toMatch(
        /^HTTP\/1\.1 413 [\s\S]*lanyard: the body is longer than the 16 MiB .* payload: unsigned /,
      );
    }
    expect(seen).toHaveLength(1);
  });

  test('a request that was passed on as it came is not sent again, and the next one is right', async () => {
    verify = verifyAsLattice;
    proxy.give = () => ({ steps: [signAws('unsigned')] });
    rules.now = () => new Date(Date.now() + 6 * minutes);
    expect(await ask('/api', { method: 'POST', body: 'text' })).toMatchObject({ status: 403 });
    expect(seen).toHaveLength(1);
    expect(await ask('/api', { method: 'POST', body: 'text' })).toMatchObject({ status: 200 });
  });

  test.each([
    ['a clock more than a day off', () => new Date(Date.now() + day + 10 * minutes)],
    ['a service of another region', () => new Date()],
  ])('%s is sent once', async (_, now) => {
    rules = { region: 'us-east-1', keys: [keys], now };
    expect(await ask('/api')).toMatchObject({ status: 403 });
    expect(seen).toHaveLength(1);
  });

  test('a 403 of what is behind the service, whatever its time, has no POST sent again', async () => {
    answer = (response) => {
      response.writeHead(403, { date: new Date(Date.now() + 6 * minutes).toUTCString() });
      response.end();
    };
    expect(await ask('/api', { method: 'POST', body: 'text' })).toMatchObject({ status: 403 });
    expect(seen).toHaveLength(1);
    await begin();
    expect(await ask('/api')).toMatchObject({ status: 403 });
    expect(seen).toHaveLength(3);
  });

  test('a body that ends after the approval was taken back is not sent, not even an empty one', async () => {
    const status = new Promise<number>((resolve, reject) => {
      const request = https.request({
        host: '127.0.0.1',
        port: proxy.port,
        path: '/c/prod/api',
        method: 'POST',
        ca: proxy.ca,
        headers: {
          authorization: `Bearer ${proxy.token('prod', { e: String(epoch) })}`,
          'transfer-encoding': 'chunked',
        },
      });
      request.on('response', (response) => resolve(response.resume().statusCode ?? 0)).on('error', reject);
      request.flushHeaders();
      void until(() => proxy.needs[0], 'the chain is asked for')
        .then(() => begin())
        .then(() => request.end(), reject);
    });
    expect(await status).toBe(401);
    expect(seen).toHaveLength(0);
  });

  test('a request that a program signed while Lanyard was locked is not sent', async () => {
    proxy.give = () => ({
      steps: [{ step: 'signProgram', signer: 'house', payload: 'none', credentials: false }],
    });
    proxy.sign = () => {
      void proxy.order({ do: 'close', text: 'Lanyard is locked', graceMilliseconds: 60_000 });
      return { set: [['x-signature', 'of the program']] };
    };
    expect(await ask('/api')).toMatchObject({
      status: 403,
      body: expect.stringContaining('Lanyard is locked'),
    });
    expect(seen).toHaveLength(0);
  });

  test('keys that AWS refuses are renewed once, for a body that is kept, too', async () => {
    proxy.give = ({ rejected }) => ({ steps: [signAws('hashed', rejected === null ? keys : renewed)] });
    rules.keys = [{ ...keys, expires: new Date(0) }, renewed];
    expect(await ask('/api', { method: 'POST', body: 'text' })).toMatchObject({ status: 200 });
    expect(seen.map(({ body }) => body.toString())).toEqual(['text', 'text']);
    rules.keys = [];
    seen.length = 0;
    await begin();
    expect(await ask('/api')).toMatchObject({ status: 403 });
    expect(seen).toHaveLength(2);
  });

  test('a 401 is signed anew with other keys; with a clock that is off that makes three times', async () => {
    proxy.give = ({ rejected }) => ({ steps: [signAws('hashed', rejected === null ? keys : renewed)] });
    rules = { region, keys: [renewed], now: () => new Date(Date.now() - 6 * minutes) };
    verify = async (...of) => {
      const refusal = await verifyAsApiGateway(...of);
      return refusal && { ...refusal, status: 401 };
    };
    expect(await ask('/api', { method: 'PUT', body: 'text' })).toMatchObject({ status: 200 });
    expect(seen).toHaveLength(3);
    rules.keys = [];
    seen.length = 0;
    await begin();
    expect(await ask('/api')).toMatchObject({ status: 401 });
    expect(seen).toHaveLength(3);
    // What was sent may have been done.
    seen.length = 0;
    expect(await ask('/api', { method: 'POST', body: 'text' })).toMatchObject({ status: 401 });
    expect(seen).toHaveLength(1);
  });

  test('a day without a key is said', async () => {
    proxy.give = () => ({ steps: [signAws('hashed', keys, Date.now() + 3 * day)] });
    expect(await ask('/api')).toMatchObject({
      status: 502,
      body: expect.stringMatching(
        /^lanyard: prod says that it is \d{8}T\d{6}Z \(UTC\), and there is no AWS key /,
      ),
    });
    expect(seen).toEqual([]);
  });

  test('a broken escape in the query is refused, and passes where nothing is signed', async () => {
    expect(await ask('/api?a=100%')).toMatchObject({
      status: 400,
      body: expect.stringContaining('two hex digits'),
    });
    expect(seen).toEqual([]);
    proxy.give = () => ({ steps: [] });
    await begin();
    answer = (response) => response.end();
    await ask('/api?a=100%+b&c');
    expect(only().request.target).toBe('/api?a=100%+b&c');
  });
});

describe('a program of one’s own', () => {
  const program = (more: Partial<Extract<Step, { step: 'signProgram' }>> = {}): Step => ({
    ...{ step: 'signProgram', signer: 'house', payload: 'none', credentials: false, ...more },
  });
  beforeEach(() => {
    answer = (response) => response.end('passed');
  });

  test('is asked with what is sent, but for secrets, and adds headers', async () => {
    proxy.give = () => ({
      steps: [
        setHeader('Authorization', 'Bearer secret-of-an-account', true),
        setHeader('X-Team', 'blue', false),
        program({ payload: 'hashed' }),
      ],
    });
    proxy.sign = () => ({
      set: [
        ['X-Signature', 'first'],
        ['x-team', 'red'],
        ['x-signature', 'second'],
      ],
    });
    const headers = { 'X-Own': ['a', 'b'] };
    await ask('/api?b=2+&a', { method: 'POST', body: 'text', headers });
    expect(proxy.signs).toMatchObject([{ cluster: 'prod', signer: 'house' }]);
    const { request } = proxy.signs[0] as { request: { headers: string[][] } };
    expect(request).toMatchObject({
      method: 'POST',
      path: '/api?b=2+&a',
      host: new URL(origins['HTTP/2']).host,
      // SHA-256 of `text`, as sha256sum has it.
      bodySha256: '982d9e3eb996f559e633f4d194def3761d909f5a3b647d1a851fead67c32c9d1',
    });
    expect(request.headers.filter(([name]) => name !== 'content-length').sort()).toEqual([
      ['x-own', 'a'],
      ['x-own', 'b'],
      ['x-team', 'blue'],
    ]);
    const { request: sent } = only();
    expect(valuesOf(sent, 'x-signature')).toEqual(['first', 'second']);
    expect(valuesOf(sent, 'x-team')).toEqual(['red']);
    expect(valuesOf(sent, 'authorization')).toEqual(['Bearer secret-of-an-account']);
  });

  test('gets the secrets where it may, and no hash that it didn’t ask for', async () => {
    proxy.give = () => ({
      steps: [setHeader('Authorization', 'Bearer secret', true), program({ credentials: true })],
    });
    await ask('/api', { method: 'POST', body: 'text' });
    const { request } = proxy.signs[0] as { request: { headers: string[][]; bodySha256: string | null } };
    expect(request.headers).toContainEqual(['authorization', 'Bearer secret']);
    expect(request.bodySha256).toBeNull();
  });

  test('comes before AWS’s signature where the chain says so', async () => {
    answer = null;
    proxy.give = () => ({ steps: [program(), signAws()] });
    proxy.sign = () => ({ set: [['x-amz-meta', 'of the program']] });
    expect(await ask('/api?a=b+c')).toMatchObject({ status: 200 });
    expect(valuesOf(only().request, 'authorization')[0]).toContain(';x-amz-meta;');
    expect(proxy.signs[0]).toMatchObject({ request: { path: '/api?a=b%20c' } });
  });

  test.each<[string, Signed, number, RegExp]>([
    ['refuses', { status: 502, text: 'house: no key' }, 502, /^lanyard: house: no key\n$/],
    ...(['Connection', 'Host', 'content-length', 'TE', 'Upgrade', 'sec-websocket-key'] as const).map(
      (name): [string, Signed, number, RegExp] => [
        `sets ${name}`,
        { set: [[name, 'close']] },
        502,
        /^lanyard: the signer house sets the header .*, which HTTP sets itself/,
      ],
    ),
    ['sets no name', { set: [['x y', 'z']] }, 502, /which is no header’s name/],
    ['sets no value', { set: [['x', 'a\r\nb: c']] }, 502, /the header x to what HTTP can’t carry/],
  ])('that %s: nothing is sent, and the client is told', async (_, signed, status, text) => {
    proxy.give = () => ({ steps: [program()] });
    proxy.sign = () => signed;
    expect(await ask('/api')).toMatchObject({ status, body: expect.stringMatching(text) });
    expect(seen).toEqual([]);
  });

  test('that hangs holds up its own requests alone, and they can be ended', async () => {
    proxy.give = () => ({ steps: [program()] });
    proxy.sign = () => null;
    const hanging = ask('/hangs');
    await until(() => (proxy.signs.length > 0 ? true : null), 'the program');
    proxy.sign = () => ({ set: [] });
    expect(await ask('/api')).toMatchObject({ status: 200 });
    const [stream] = await proxy.streams();
    expect(stream).toMatchObject({ path: '/hangs', sentMicroseconds: null });
    await proxy.order({ do: 'end', stream: stream?.['id'] });
    expect(await hanging).toMatchObject({ status: 503 });
  });
});

describe('a try', () => {
  const text = (value: unknown) => JSON.stringify(value);

  test('tells each step, what was sent and what came, without secrets', async () => {
    proxy.give = () => ({
      steps: [
        setHeader('Proxy-Authorization', 'Bearer secret-of-an-account', true),
        setHeader('X-Team', 'blue', false),
        { step: 'remove', name: 'X-Gone' },
        { step: 'signProgram', signer: 'house', payload: 'none', credentials: false },
        signAws(),
      ],
    });
    proxy.sign = () => ({ set: [['x-signature', 'secret-of-the-program']] });
    rules.now = () => new Date(Date.now() + 6 * minutes);
    const tried = await proxy.try({
      path: '/api?a=b+c',
      headers: [
        ['X-Gone', 'x'],
        ['X-Own', 'y'],
      ],
    });
    const step = (kind: string, changes: object[], more = {}) => ({
      ...{ kind, changes, canonicalRequest: null, stringToSign: null, ...more },
      microseconds: expect.any(Number),
    });
    const steps = [
      step('set', [{ header: 'proxy-authorization', value: null, how: 'set' }]),
      step('set', [{ header: 'x-team', value: 'blue', how: 'set' }]),
      step('remove', [{ header: 'x-gone', value: null, how: 'removed' }]),
      step('signProgram', [{ header: 'x-signature', value: null, how: 'set' }]),
      step(
        'signAws',
        [
          { header: 'x-amz-date', value: expect.stringMatching(/^\d{8}T\d{6}Z$/), how: 'set' },
          { header: 'x-amz-security-token', value: null, how: 'set' },
          { header: 'x-amz-content-sha256', value: expect.stringMatching(/^e3b0c442/), how: 'set' },
          { header: 'authorization', value: null, how: 'set' },
        ],
        {
          canonicalRequest: expect.stringMatching(
            /^GET\n\/api\na=b%20c\nhost:.*\nx-amz-content-sha256:.*\nx-amz-date:.*\nx-amz-security-token:\[blanked\]\n\nhost;/,
          ),
          stringToSign: expect.stringMatching(
            /^AWS4-HMAC-SHA256\n\d{8}T\d{6}Z\n\d{8}\/eu-west-1\/execute-api\/aws4_request\n[0-9a-f]{64}$/,
          ),
        },
      ),
    ];
    const attempt = (why: string, status: number) => ({
      ...{ why, status, steps },
      headers: expect.arrayContaining([
        ['authorization', null],
        ['proxy-authorization', null],
        ['x-signature', null],
        ['x-amz-security-token', null],
        ['x-team', 'blue'],
        ['x-own', 'y'],
      ]),
      chainMicroseconds: expect.any(Number),
      answeredMicroseconds: expect.any(Number),
    });
    expect(tried).toEqual({
      url: `${origins['HTTP/2']}/api?a=b%20c`,
      attempts: [attempt('first', 403), attempt('clock', 200)],
      answer: { status: 200, headers: expect.any(Array), bytes: 6, body: null },
      fault: null,
      faultStatus: null,
      connectedMicroseconds: expect.any(Number),
      totalMicroseconds: expect.any(Number),
    });
    for (const secret of ['secret-of', keys.sessionToken, 'Signature=', keys.accessKeyId]) {
      expect(text(tried)).not.toContain(secret);
    }
    expect(proxy.told).toContainEqual(
      expect.objectContaining({
        ...{ tell: 'passed', status: 200 },
        stream: expect.objectContaining({ path: '/api', pid: process.pid }),
      }),
    );
    expect(await proxy.try({ path: '/again' })).toMatchObject({
      attempts: [{ why: 'first' }],
      connectedMicroseconds: null,
    });
  });

  test('shows the start of a refusal, without what it repeats of secrets', async () => {
    rules.keys = [{ ...keys, secretAccessKey: 'other' }];
    const tried = await proxy.try({ path: '/api' });
    expect(tried).toMatchObject({
      attempts: [{ status: 403 }],
      answer: {
        status: 403,
        body: expect.stringMatching(
          /signature we calculated does not match[\s\S]*x-amz-security-token:\[blanked\]/,
        ),
      },
      fault: null,
    });
    expect(text(tried)).not.toContain(keys.sessionToken.slice(0, -2));
    answer = (response) => {
      response.writeHead(500, { 'x-session-cookie': 'a', 'x-auth-token': 'abc', 'x-shown': 'yes' });
      response.end('é'.repeat(5000));
    };
    const { answer: long } = (await proxy.try({ path: '/api' })) as {
      answer: { headers: unknown[]; body: string };
    };
    expect(long).toMatchObject({ bytes: 10_000, body: 'é'.repeat(2048) });
    expect(long.headers).toEqual(
      expect.arrayContaining([
        ['x-session-cookie', null],
        ['x-auth-token', null],
        ['x-shown', 'yes'],
      ]),
    );
    answer = (response) => {
      response.statusCode = 500;
      response.end(Buffer.from([0xff, 0xfe, 0]));
    };
    expect(await proxy.try({ path: '/api' })).toMatchObject({ answer: { bytes: 3, body: null } });
  });

  test('of a rejected credential is sent again, and says so', async () => {
    proxy.give = ({ rejected }) => ({
      steps: [setHeader('Authorization', rejected === null ? 'Bearer old' : 'Bearer good', true)],
    });
    answer = (response) => {
      response.statusCode = seen.length === 1 ? 401 : 200;
      response.end();
    };
    expect(await proxy.try({ path: '/api' })).toMatchObject({
      attempts: [
        { why: 'first', status: 401 },
        { why: 'rejected', status: 200 },
      ],
      answer: { status: 200 },
    });
  });

  test.each<[string, object, RegExp]>([
    ['a cluster that isn’t proxied', { cluster: 'other' }, /^other is no proxied cluster/],
    ['a way out of the server’s path', { path: '/a/../b' }, /^dot segments/],
    ['no path', { path: 'api' }, /./],
    ['no method', { method: 'GE T' }, /^this is no request/],
    ['no header', { headers: [['a b', 'c']] }, /^this is no request/],
    ['CONNECT', { method: 'CONNECT' }, /^this method is not passed on/],
  ])('of %s is a fault', async (_, more, fault) => {
    const tried = await proxy.try({ path: '/api', ...more });
    expect(tried).toMatchObject({
      attempts: [],
      answer: null,
      fault: expect.stringMatching(fault),
      faultStatus: expect.any(Number),
    });
    expect(seen).toEqual([]);
  });

  test('while Lanyard is locked is a fault', async () => {
    await proxy.order({ do: 'close', text: 'Lanyard is locked', graceMilliseconds: 60_000 });
    expect(await proxy.try({ path: '/api' })).toMatchObject({ fault: 'Lanyard is locked' });
  });
});
