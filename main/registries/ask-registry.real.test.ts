import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { Secret } from '../base/secret.ts';
import { createFetch, type Fetch, type HttpOptions } from '../platform/network/bounded-fetch.ts';
import { HttpFailure } from '../platform/network/http-failure.ts';
import { askRegistry } from './ask-registry.ts';
import type { RegistryQuestion } from './registry-question.ts';

const host = 'registry.example.com';
const credential = { userName: 'robot', password: new Secret('canary-password') };
const image = { path: 'team/app', reference: 'v1' };
const basic = `Basic ${Buffer.from('robot:canary-password').toString('base64')}`;

interface Sent {
  url: string;
  method: string;
  authorization: string | null;
  body: string | null;
  checksAddress: boolean;
}

type Answer = { status: number; headers?: Record<string, string>; body?: string } | HttpFailure;

/** What the servers answer, by the beginning of the request’s address. */
type Script = Readonly<Record<string, Answer | ((sent: Sent) => Answer)>>;

/** A network in which only scripted servers answer. */
async function ask(script: Script, question: Partial<RegistryQuestion> = {}) {
  const sent: Sent[] = [];
  let fetches = 0;
  const make = (options: HttpOptions): Fetch => {
    fetches += 1;
    return async (url, { method, headers, body }) => {
      const one: Sent = {
        url,
        method,
        authorization: new Headers(headers).get('authorization'),
        body: body === undefined ? null : String(body),
        checksAddress: options.allowsAddress?.('127.0.0.1') === false,
      };
      sent.push(one);
      const found = Object.entries(script).findLast(([start]) => url.startsWith(start))?.[1];
      const answer = typeof found === 'function' ? found(one) : found;
      if (!answer || answer instanceof HttpFailure) {
        throw answer ?? new HttpFailure('unknownHost', false);
      }
      return new Response(method === 'HEAD' ? null : (answer.body ?? ''), answer);
    };
  };
  const asked = { host, image: null, credential, tokenServers: [], ...question };
  const verdict = await askRegistry(
    asked,
    { environment: {}, createFetch: make },
    new AbortController().signal,
  );
  return { verdict, sent, fetches };
}

const challenge = (value: string): Answer => ({ status: 401, headers: { 'www-authenticate': value } });
const v2 = `https://${host}/v2/`;
const realm = `https://${host}/token`;
const bearer = challenge(`Bearer realm="${realm}",service="a registry",scope="registry:catalog:*"`);
const token = { status: 200, body: JSON.stringify({ token: 'a-token', expires_in: 60 }) };
/** Once it has seen a credential, it answers with `status`. */
const then = (first: Answer, status: number) => (sent: Sent) =>
  sent.authorization === null ? first : { status };

describe('a registry with Basic', () => {
  test('gets no credential before it asks for one', async () => {
    const { verdict, sent } = await ask({ [v2]: then(challenge('Basic realm=x'), 200) });
    expect(verdict).toEqual({ kind: 'accepted', tokenServer: null, image: null });
    expect(sent.map(({ url, authorization }) => [url, authorization])).toEqual([
      [v2, null],
      [v2, basic],
    ]);
  });

  test.each([401, 403])('rejects with %i', async (status) => {
    const { verdict } = await ask({ [v2]: then(challenge('Basic realm=x'), status) });
    expect(verdict).toEqual({ kind: 'rejected', by: { host, isTokenServer: false }, status });
  });

  test.each<[number, object]>([
    [200, { kind: 'accepted', image: 'found' }],
    [404, { kind: 'accepted', image: 'missing' }],
    [403, { kind: 'noAccess', status: 403 }],
    [401, { kind: 'noAccess', status: 401 }],
    [302, { kind: 'redirected' }],
    [500, { kind: 'unclear', status: 500 }],
  ])('answers %i for an image', async (status, expected) => {
    const manifest = `${v2}team/app/manifests/v1`;
    const { verdict, sent } = await ask(
      { [v2]: then(challenge('Basic realm=x'), 200), [manifest]: { status } },
      { image },
    );
    expect(verdict).toMatchObject(expected);
    expect(sent.at(-1)).toMatchObject({ url: manifest, method: 'HEAD', authorization: basic });
  });

  test('gets no identity token', async () => {
    const identity = { userName: '<token>', password: new Secret('canary-identity') };
    const { verdict, sent } = await ask({ [v2]: challenge('Basic realm=x') }, { credential: identity });
    expect(verdict).toMatchObject({ kind: 'identityToken' });
    expect(JSON.stringify(sent)).not.toContain('canary');
  });
});

describe('a registry with a token server', () => {
  test('is asked as docker asks it', async () => {
    const manifest = `${v2}team/app/manifests/v1`;
    const { verdict, sent } = await ask(
      { [v2]: then(bearer, 200), [manifest]: { status: 200 }, [realm]: token },
      { image },
    );
    expect(verdict).toEqual({ kind: 'accepted', tokenServer: host, image: 'found' });
    const service = 'service=a+registry';
    expect(sent.map(({ url, authorization }) => [url, authorization])).toEqual([
      [v2, null],
      [`${realm}?${service}&account=robot`, basic],
      [v2, 'Bearer a-token'],
      [`${realm}?${service}&scope=repository%3Ateam%2Fapp%3Apull&account=robot`, basic],
      [manifest, 'Bearer a-token'],
    ]);
  });

  test('gets an identity token by POST alone', async () => {
    const identity = { userName: '<token>', password: new Secret('canary-identity') };
    const answer = { status: 200, body: '{"access_token":"a-token"}' };
    const { verdict, sent } = await ask(
      { [v2]: then(bearer, 200), [realm]: answer },
      { credential: identity },
    );
    expect(verdict).toMatchObject({ kind: 'accepted' });
    expect(sent[1]).toMatchObject({ url: realm, method: 'POST', authorization: null });
    expect(Object.fromEntries(new URLSearchParams(sent[1]?.body ?? ''))).toEqual({
      grant_type: 'refresh_token',
      client_id: 'lanyard',
      service: 'a registry',
      refresh_token: 'canary-identity',
    });
    expect(sent[2]?.authorization).toBe('Bearer a-token');
  });

  test.each<[what: string, answer: Answer, expected: object]>([
    ['401', { status: 401 }, { kind: 'rejected', status: 401, by: { isTokenServer: true } }],
    ['403', { status: 403 }, { kind: 'rejected', status: 403 }],
    ['429', { status: 429 }, { kind: 'unclear', status: 429 }],
    ['a redirect', { status: 307, headers: { location: 'https://evil.example/' } }, { kind: 'redirected' }],
    ['no JSON', { status: 200, body: '<html>' }, { kind: 'noToken' }],
    ['no token', { status: 200, body: '{}' }, { kind: 'noToken' }],
    ['a list', { status: 200, body: '[]' }, { kind: 'noToken' }],
    [
      'a token that would end the header',
      { status: 200, body: '{"token":"a\\r\\nX: b"}' },
      { kind: 'noToken' },
    ],
    ['a token of 1 MiB', { status: 200, body: `{"token":"${'a'.repeat(1 << 20)}"}` }, { kind: 'noToken' }],
    ['too much', new HttpFailure('tooLarge', true), { kind: 'unreachable', by: { isTokenServer: true } }],
    ['nothing', new HttpFailure('timeout', true), { kind: 'unreachable' }],
    ['a closed address', new HttpFailure('closedAddress', false), { kind: 'unreachable' }],
  ])('that answers with %s', async (_what, answer, expected) => {
    const { verdict, sent } = await ask({ [v2]: bearer, [realm]: answer });
    expect(verdict).toMatchObject(expected);
    expect(sent).toHaveLength(2);
    expect(JSON.stringify(verdict)).not.toMatch(/canary|evil|html/);
  });

  test('denies the image’s scope after it accepted the login', async () => {
    const scoped = (sent: Sent) => (sent.url.includes('scope=') ? { status: 403 } : token);
    const { verdict } = await ask({ [v2]: then(bearer, 200), [realm]: scoped }, { image });
    expect(verdict).toEqual({ kind: 'noAccess', by: { host, isTokenServer: true }, status: 403 });
  });

  test('rejects its own token server’s token', async () => {
    const { verdict } = await ask({ [v2]: then(bearer, 401), [realm]: token });
    expect(verdict).toEqual({ kind: 'rejected', by: { host, isTokenServer: false }, status: 401 });
  });
});

/** (rule: realm-trust) */
describe('a hostile registry gets no credential sent elsewhere', () => {
  test.each<[realm: string, fault: string]>([
    ['https://evil.example/token', 'unapproved'],
    ['http://registry.example.com/token', 'http'],
    ['https://127.0.0.1/token', 'closedAddress'],
    ['https://169.254.169.254/latest/api/token', 'closedAddress'],
    ['https://[::ffff:127.0.0.1]/', 'closedAddress'],
    ['https://registry.example.com@evil.example/', 'userInfo'],
    ['javascript:alert(1)', 'notUrl'],
    ['', 'notUrl'],
  ])('at %s', async (elsewhere, fault) => {
    const { verdict, sent } = await ask({
      'https://': token,
      [v2]: challenge(`Bearer realm="${elsewhere}"`),
    });
    expect(verdict).toMatchObject({ kind: 'untrusted', fault });
    expect(sent.map(({ url, authorization }) => [url, authorization])).toEqual([[v2, null]]);
  });

  test('without a realm', async () => {
    expect((await ask({ [v2]: challenge('Bearer service=x') })).verdict).toMatchObject({ fault: 'notUrl' });
  });

  test('by a redirect of its own', async () => {
    const moved = { status: 302, headers: { location: 'https://evil.example/v2/' } };
    for (const answer of [moved, then(challenge('Basic realm=x'), 302)]) {
      const { verdict, sent } = await ask({ [v2]: answer });
      expect(verdict).toEqual({ kind: 'redirected', by: { host, isTokenServer: false } });
      expect(sent.every(({ url }) => url === v2)).toBe(true);
    }
  });

  test('by a header that can’t be read, or has 100 challenges', async () => {
    const many = Array.from({ length: 100 }, (_, index) => `Bearer realm="https://evil${index}.example/"`);
    for (const header of [many.join(', '), 'Bearer realm="https://evil.example', 'Digest a=b', '']) {
      const { verdict, sent } = await ask({ [v2]: challenge(header) });
      expect(verdict).toEqual({ kind: 'noChallenge' });
      expect(sent).toHaveLength(1);
    }
  });

  test('an approved token server may not resolve to this machine', async () => {
    const elsewhere = 'https://auth.example.com/token';
    const { verdict, sent, fetches } = await ask(
      { [v2]: then(challenge(`Bearer realm="${elsewhere}"`), 200), [elsewhere]: token },
      { tokenServers: ['auth.example.com'] },
    );
    expect(verdict).toMatchObject({ kind: 'accepted', tokenServer: 'auth.example.com' });
    expect(sent.map(({ checksAddress }) => checksAddress)).toEqual([false, true, false]);
    // Each reads all trusted CAs.
    expect(fetches).toBe(2);
  });
});

test('Docker Hub is asked at the hosts of its API and its tokens', async () => {
  const { sent } = await ask(
    {
      'https://registry-1.docker.io/v2/': then(challenge('Bearer realm="https://auth.docker.io/token"'), 200),
      'https://auth.docker.io/token': token,
    },
    { host: 'docker.io' },
  );
  expect(sent.map(({ url }) => new URL(url).host)).toEqual([
    'registry-1.docker.io',
    'auth.docker.io',
    'registry-1.docker.io',
  ]);
});

test('a registry that answers without a credential says nothing of one', async () => {
  const manifest = `${v2}team/app/manifests/v1`;
  expect((await ask({ [v2]: { status: 200 } })).verdict).toEqual({ kind: 'open' });
  expect((await ask({ [v2]: { status: 200 } }, { image })).verdict).toEqual({ kind: 'open' });
  const { verdict, sent } = await ask(
    { [v2]: { status: 200 }, [manifest]: then(bearer, 200), [realm]: token },
    { image },
  );
  expect(verdict).toMatchObject({ kind: 'accepted', image: 'found' });
  expect(sent.filter(({ url }) => url === v2)).toHaveLength(1);
});

test.each<[status: number, expected: object]>([
  [200, { kind: 'open' }],
  [404, { kind: 'open' }],
  [307, { kind: 'redirected' }],
  [403, { kind: 'unclear', status: 403 }],
  [429, { kind: 'unclear', status: 429 }],
  [500, { kind: 'unclear', status: 500 }],
])('an open registry that answers %i for an image', async (status, expected) => {
  const manifest = `${v2}team/app/manifests/v1`;
  const { verdict } = await ask({ [v2]: { status: 200 }, [manifest]: { status } }, { image });
  expect(verdict).toMatchObject(expected);
});

test('servers that take the time of all requests together did not answer in time', async () => {
  vi.spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.abort(new Error('the limit')));
  const { verdict } = await ask({ [v2]: new HttpFailure('cancelled', true) });
  expect(verdict).toMatchObject({ kind: 'unreachable', failure: { kind: 'timeout', sent: true } });
});

test.each<[what: string, answer: Answer, expected: object]>([
  ['404', { status: 404 }, { kind: 'noRegistry' }],
  ['502', { status: 502 }, { kind: 'unclear', status: 502 }],
  ['no such host', new HttpFailure('unknownHost', false), { kind: 'unreachable' }],
])('a host with %s gets no credential', async (_what, answer, expected) => {
  const { verdict, sent } = await ask({ [v2]: answer });
  expect(verdict).toMatchObject(expected);
  expect(sent).toHaveLength(1);
});

test('a remote registry is never asked over http', async () => {
  const { verdict, sent } = await ask({ [v2]: new HttpFailure('tls', false) });
  expect(verdict).toMatchObject({ kind: 'unreachable' });
  expect(sent).toHaveLength(1);
});

test('a loopback registry whose certificate is not trusted is not asked over http', async () => {
  const { verdict, sent } = await ask(
    { 'https://localhost:5000/v2/': new HttpFailure('unknownAuthority', false) },
    { host: 'localhost:5000' },
  );
  expect(verdict).toMatchObject({ kind: 'unreachable' });
  expect(sent).toHaveLength(1);
});

describe('on loopback, over real connections', () => {
  const open: Server[] = [];
  afterEach(() => {
    for (const one of open.splice(0)) {
      one.close();
      one.closeAllConnections();
    }
  });

  async function serve(listener: RequestListener): Promise<{ at: string; seen: IncomingMessage[] }> {
    const seen: IncomingMessage[] = [];
    const server = createServer((request, response) => {
      seen.push(request);
      listener(request, response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    open.push(server);
    return { at: `127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
  }

  const askAt = (at: string, signal = new AbortController().signal) =>
    askRegistry(
      { host: at, image: null, credential, tokenServers: [] },
      { environment: {}, createFetch },
      signal,
    );

  test('http follows where no TLS is spoken', async () => {
    const { at, seen } = await serve((request, response) => {
      response.writeHead(request.headers.authorization === basic ? 200 : 401, {
        'www-authenticate': ['Digest a=b', 'Basic realm="x"'],
      });
      response.end('{}');
    });
    expect(await askAt(at)).toEqual({ kind: 'accepted', tokenServer: null, image: null });
    expect(seen).toHaveLength(2);
  });

  test.each<[what: string, listener: RequestListener, expected: object]>([
    [
      'a page of 10 MiB, as a host that is no registry',
      (_, response) => response.writeHead(404).end('a'.repeat(10 << 20)),
      { kind: 'noRegistry', status: 404 },
    ],
    [
      '100 challenges in lines',
      (_, response) =>
        response.writeHead(401, { 'www-authenticate': Array(100).fill('Basic realm=x') }).end(),
      { kind: 'noChallenge' },
    ],
    [
      'headers of 64 KiB',
      (_, response) =>
        response.writeHead(401, { 'www-authenticate': `Basic a="${'b'.repeat(1 << 16)}"` }).end(),
      { kind: 'unreachable' },
    ],
    ['a status of its own', (_, response) => response.writeHead(799).end(), { kind: 'unreachable' }],
    ['a broken answer', (_, response) => response.socket?.end('HTTP/1.1 200\r\nX'), { kind: 'unreachable' }],
  ])('a registry that sends %s', async (_what, listener, expected) => {
    const { at, seen } = await serve(listener);
    expect(await askAt(at)).toMatchObject(expected);
    expect(seen.some(({ headers }) => headers.authorization)).toBe(false);
  });

  test.each<[what: string, listener: RequestListener, expected: object]>([
    [
      '10 MiB with its challenge',
      (_, response) => response.writeHead(401, { 'www-authenticate': 'Basic' }).end('a'.repeat(10 << 20)),
      { kind: 'rejected', status: 401 },
    ],
    [
      '10 MiB as its token server',
      (request, response) =>
        request.url === '/v2/'
          ? response
              .writeHead(401, { 'www-authenticate': `Bearer realm="http://${request.headers.host}/t"` })
              .end()
          : response.end('a'.repeat(10 << 20)),
      { kind: 'unreachable', failure: { kind: 'tooLarge' }, by: { isTokenServer: true } },
    ],
  ])('%s, with a credential', async (_what, listener, expected) => {
    const { at } = await serve(listener);
    expect(await askAt(at)).toMatchObject(expected);
  });

  test('a registry that hangs is waited for no longer than the caller is there', async () => {
    const gone = new AbortController();
    const { at } = await serve(() => gone.abort());
    expect(await askAt(at, gone.signal)).toMatchObject({
      kind: 'unreachable',
      failure: { kind: 'cancelled' },
    });
  });
});
