import type { AddressInfo } from 'node:net';
import tls from 'node:tls';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type CertificateAuthority, createCa, issueServerCertificate } from '../support/certificates.ts';
import { RequestProxy } from '../support/request-proxy.ts';
import paths from '../wire/tables/joined-paths.json' with { type: 'json' };

/**
 * What a client sends byte by byte, and the bytes that the cluster gets of it: one well-formed request for each that the
 * proxy read, or none (rule: one-reading).
 */
let ca: CertificateAuthority;
let proxy: RequestProxy;
let upstream: tls.Server;
let origin: string;
/** What each of the cluster’s connections got. */
const got: Buffer[] = [];
/** What it answers a whole request. */
const plainly = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';
let answer = plainly;

beforeAll(async () => {
  ca = await createCa('upstream');
  const { certificatePem: cert, keyPem: key } = await issueServerCertificate(ca, ['127.0.0.1']);
  upstream = tls.createServer({ cert, key, ALPNProtocols: ['http/1.1'] }, (socket) => {
    const at = got.push(Buffer.alloc(0)) - 1;
    let answered = 0;
    socket.on('error', () => {});
    socket.on('data', (data) => {
      got[at] = Buffer.concat([got[at] as Buffer, data]);
      const { messages } = readPlainly(got[at]);
      for (; answered < messages.length; answered += 1) {
        socket.write(answer);
      }
    });
  });
  await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve));
  origin = `https://127.0.0.1:${(upstream.address() as AddressInfo).port}`;
  proxy = await RequestProxy.start();
});
afterAll(async () => {
  await proxy?.dispose();
  upstream?.close();
});

beforeEach(async () => {
  // Another cluster than before: no connection is kept.
  const epoch = String(Math.random());
  await proxy.setClusters({
    prod: { server: `${origin}/base`, certificateAuthority: ca.certificatePem, epoch },
  });
  await proxy.open();
  token = proxy.token('prod', { e: epoch });
  got.length = 0;
  answer = plainly;
});
let token = '';

interface Message {
  line: string;
  body: string;
}

/** By RFC 9112 and nothing else: the messages, and what is left behind them. Throws where they are in doubt. */
function readPlainly(bytes: Buffer): { messages: Message[]; rest: string } {
  let rest = bytes.toString('latin1');
  const messages: Message[] = [];
  for (;;) {
    const end = rest.indexOf('\r\n\r\n');
    if (end < 0) {
      return { messages, rest };
    }
    const [line = '', ...lines] = rest.slice(0, end).split('\r\n');
    const fields = lines.map((each) => {
      const [, name, value] =
        /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([\t\x20-\x7e\x80-\xff]*?)[ \t]*$/.exec(each) ?? [];
      if (name === undefined || value === undefined) {
        throw new Error(`no field: ${JSON.stringify(each)}`);
      }
      return [name.toLowerCase(), value] as const;
    });
    const only = (wanted: string) => {
      const all = fields.filter(([name]) => name === wanted);
      expect(all.length).toBeLessThan(2);
      return all[0]?.[1];
    };
    const [length, encoding] = [only('content-length'), only('transfer-encoding')];
    expect(length === undefined || encoding === undefined).toBe(true);
    expect(only('host')).toBe(new URL(origin).host);
    let after = rest.slice(end + 4);
    let body = '';
    if (encoding !== undefined) {
      expect(encoding).toBe('chunked');
      const chunks = /^((?:[0-9A-Fa-f]+\r\n[\s\S]*?\r\n)*?)0\r\n\r\n/.exec(after);
      if (!chunks) {
        return { messages, rest };
      }
      body = chunks[1] ?? '';
      after = after.slice(chunks[0].length);
    } else {
      expect(length ?? '0').toMatch(/^\d+$/);
      const count = Number(length ?? 0);
      if (after.length < count) {
        return { messages, rest };
      }
      [body, after] = [after.slice(0, count), after.slice(count)];
    }
    messages.push({ line, body });
    rest = after;
  }
}

/** All that the cluster got, whole. */
function arrived(): Message[] {
  return got.flatMap((bytes) => {
    const { messages, rest } = readPlainly(bytes);
    expect(rest).toBe('');
    return messages;
  });
}

const head = (line: string, ...more: string[]) =>
  [line, `Host: 127.0.0.1:${proxy.port}`, `Authorization: Bearer ${token}`, ...more, '', ''].join('\r\n');
/** Of each answer. */
const statuses = (answers: string) =>
  [...answers.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status));
const last = 'Connection: close';
const hidden = 'GET /hidden HTTP/1.1\r\nHost: evil\r\n\r\n';

const [get, post, chunked, end] = [
  'GET /a HTTP/1.1',
  'POST /a HTTP/1.1',
  'Transfer-Encoding: chunked',
  '0\r\n\r\n',
];

describe('one request, written anew', () => {
  test.each<[string, fields: string[], behind: string, body: string]>([
    ['a length that LF hides', ['X: a\nContent-Length: 3', last], 'abc', 'abc'],
    ['a length that is said twice', ['Content-Length: 3', 'Content-Length: 3', last], 'abc', 'abc'],
    ['an underscore’s length', ['Content_Length: 90', 'Content-Length: 3', last], 'abc', 'abc'],
    ['Connection names the length', ['Content-Length: 3', `${last}, Content-Length, Host`], 'abc', 'abc'],
    [
      'chunks with extensions and zeros',
      [chunked, last],
      '003;x="z"\r\nabc\r\n000;y\r\n\r\n',
      '3\r\nabc\r\n',
    ],
    ['a length before chunks, and one hidden behind', ['Content-Length: 90', chunked], `${end}${hidden}`, ''],
    ['chunks before a length, and one hidden behind', [chunked, 'Content-Length: 5'], `${end}${hidden}`, ''],
    ['one hidden in a body', [`Content-Length: ${hidden.length}`, last], hidden, hidden],
  ])('a POST, %s', async (_, fields, behind, body) => {
    expect(statuses(await proxy.raw(head(post, ...fields) + behind))).toEqual([200]);
    expect(arrived()).toEqual([{ line: 'POST /base/a HTTP/1.1', body }]);
  });

  const many = Array.from({ length: 900 }, (_, at) => `X-${at}: a`);
  const upgrade = ['Connection: Upgrade', 'Upgrade: websocket'];
  test.each<[string, () => string, paths: string[], body?: string]>([
    ['as any client sends it', () => head('GET /a?b HTTP/1.1', last), ['/a?b']],
    ['lines that end with LF alone', () => head(get, last).replaceAll('\r', ''), ['/a']],
    ['empty lines before it', () => `\r\n\r\n${head(get, last)}`, ['/a']],
    ['chunks', () => `${head(get, chunked, last)}3\r\nabc\r\n${end}`, ['/a'], '3\r\nabc\r\n'],
    ['a fragment', () => head('GET /a#/../b HTTP/1.1', last), ['/a']],
    ['more than 100 fields', () => head(get, ...many, last), ['/a']],
    ['two in one piece', () => head(get) + head('GET /b HTTP/1.1', last), ['/a', '/b']],
    [
      'behind an upgrade that isn’t answered with 101',
      () => head(get, ...upgrade) + head('GET /b HTTP/1.1', last),
      ['/a', '/b'],
    ],
  ])('a GET, %s', async (_, bytes, paths, body = '') => {
    expect(statuses(await proxy.raw(bytes()))).toEqual(paths.map(() => 200));
    const messages = arrived().toSorted((a, b) => (a.line < b.line ? -1 : 1));
    expect(messages).toEqual(paths.map((path) => ({ line: `GET /base${path} HTTP/1.1`, body })));
  });
});

describe('refused, with the reason as a text', () => {
  const isRefused = async (bytes: string, status: number) => {
    const answers = await proxy.raw(bytes);
    expect(statuses(answers)).toEqual([status]);
    expect(answers).toMatch(/\r\n\r\nlanyard: [^\n]+\n$/);
    expect(got).toEqual([]);
  };

  const pathIn = (prefix: string) => (path: string) =>
    [`the path ${prefix}${path}`, `GET ${prefix}${path} HTTP/1.1`, [last]] as [string, string, string[]];
  test.each<[string, line: string, fields: string[], behind?: string]>([
    ['two lengths', post, ['Content-Length: 3', 'Content-Length: 4', last], 'abcd'],
    ['a list of lengths', post, ['Content-Length: 3, 3', last], 'abc'],
    ['a signed length', post, ['Content-Length: +3', last], 'abc'],
    ['another encoding', post, ['Transfer-Encoding: xchunked', last], end],
    ['an encoding that would get lost', post, ['Transfer-Encoding: gzip, chunked', last], end],
    ['two encodings', post, [chunked, chunked, last], end],
    ['chunks in HTTP/1.0', 'POST /a HTTP/1.0', [chunked], end],
    ['a folded header', get, ['X: a', ' b', last]],
    ['a space before the colon', get, ['X : a', last]],
    ['a CR in a value', get, ['X: a\rY: b', last]],
    ['a NUL in a value', get, ['X: a\0b', last]],
    ['a space in the target', 'GET /a b HTTP/1.1', [last]],
    ['two hosts', get, ['Host: evil', last]],
    [
      'an upgrade to HTTP/2',
      get,
      ['Connection: Upgrade, HTTP2-Settings, close', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABk'],
    ],
    ['an upgrade to one of two', get, ['Connection: Upgrade, close', 'Upgrade: websocket, TLS/1.0']],
    [
      'an upgrade with a body',
      post,
      ['Connection: Upgrade, close', 'Upgrade: websocket', 'Content-Length: 3'],
      'abc',
    ],
    ...paths.refused
      .filter((path) => path !== '' && !path.includes('://') && !/[^/*]/.test(path[0] ?? ''))
      .map(pathIn('')),
    ...paths.refused.filter((path) => path.startsWith('/')).map(pathIn('/c/prod')),
  ])('%s', async (_, line, fields, behind = '') => isRefused(head(line, ...fields) + behind, 400));

  test.each<[string, number, () => string]>([
    ['no HTTP', 400, () => '\x16\x03\x01 hello\r\n\r\n'],
    ['a head without end', 431, () => head(get, `X: ${'a'.repeat(200_000)}`)],
    [
      'more than 1,000 fields',
      431,
      () => head(get, ...Array.from({ length: 1_001 }, (_, at) => `X-${at}: a`)),
    ],
    ['a URL that is too long', 414, () => head(`GET /${'a'.repeat(70_000)} HTTP/1.1`)],
  ])('%s: %i', async (_, status, bytes) => isRefused(bytes(), status));

  test('what follows an upgrade that isn’t answered with 101', async () => {
    answer = 'HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n';
    const upgrade = head('GET /a HTTP/1.1', 'Connection: Upgrade', 'Upgrade: websocket');
    const answers = await proxy.raw(
      `${upgrade}${head('POST /b HTTP/1.1', 'Content-Length: 3', 'Content-Length: 4')}abcd`,
    );
    expect(statuses(answers)).toEqual([403, 400]);
    expect(answers).toMatch(/\r\n\r\nlanyard: [^\n]+\n$/);
    expect(arrived().map(({ line }) => line)).toEqual(['GET /base/a HTTP/1.1']);
  });

  test('HTTP/2 without TLS’s word: there is no answer in either', async () => {
    expect(await proxy.raw('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')).toBe('');
    expect(got).toEqual([]);
  });

  test('a chunk that is none: the cluster gets no whole request', async () => {
    for (const chunk of [
      '3\nabc\r\n0\r\n\r\n',
      '-1\r\n\r\n',
      '0x3\r\nabc\r\n0\r\n\r\n',
      'fffffffffffffffff\r\n',
      '3\r\nabcx\r\n0\r\n\r\n',
      '3;a\nb\r\nabc\r\n0\r\n\r\n',
    ]) {
      await proxy.raw(`${head('POST /a HTTP/1.1', chunked)}${chunk}${hidden}`);
      expect(got.flatMap((bytes) => readPlainly(bytes).messages)).toEqual([]);
    }
  });
});

// (rule: own-cluster)
test('each path that names one thing reaches the cluster as it is', async () => {
  for (const path of paths.joined) {
    expect(statuses(await proxy.raw(head(`GET /c/prod${path} HTTP/1.1`, last)))).toEqual([200]);
  }
  expect(arrived().map(({ line }) => line)).toEqual(paths.joined.map((path) => `GET /base${path} HTTP/1.1`));
});

test('bytes that look like hyper’s own answer are not taken for it', async () => {
  const own = 'HTTP/1.1 400 Bad Request\r\nconnection: close\r\ncontent-length: 0\r\n\r\n';
  answer = `HTTP/1.1 200 OK\r\nContent-Length: ${own.length}\r\n\r\n${own}`;
  expect(await proxy.raw(head('GET /a HTTP/1.1', last))).toMatch(new RegExp(`\r\n\r\n${own}$`));
  answer = own;
  expect(await proxy.raw(head('GET /a HTTP/1.1', last))).not.toContain('lanyard');
});

test('an answer of more than 100 fields arrives', async () => {
  const fields = Array.from({ length: 300 }, (_, at) => `X-${at}: a\r\n`).join('');
  answer = `HTTP/1.1 200 OK\r\n${fields}Content-Length: 0\r\n\r\n`;
  const answers = await proxy.raw(head('GET /a HTTP/1.1', last));
  expect(statuses(answers)).toEqual([200]);
  expect(answers).toMatch(/x-299: a/i);
});
