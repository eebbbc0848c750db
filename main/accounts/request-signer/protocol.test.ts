import { describe, expect, it } from 'vitest';
import { someRequest } from '../../../test/support/signer-bench.ts';
import { headersFault } from './answer-headers.ts';
import { AnswerLines } from './answer-lines.ts';
import { readAnswer, requestLine } from './protocol.ts';

describe('what a program is told', () => {
  it('is one line, whatever the request has', () => {
    const headers: [string, string][] = [
      ['x-note', 'one'],
      ['x-note', '\u2028\n'],
    ];
    const more = { path: '/ü?a=%0A&b="', headers, bodySha256: 'ab'.repeat(32) };
    const line = requestLine(7, { ...someRequest, ...more });
    expect(line).toMatch(/^[ -~]+\n$/);
    const said = { version: 1, id: 7, cluster: 'prod', method: 'GET', host: 'api.example' };
    expect(JSON.parse(line)).toEqual({ ...said, ...more });
  });
});

describe('an answer', () => {
  it.each([
    ['{"id":1,"headers":[["X-Signature","a"]]}', { id: 1, headers: [['X-Signature', 'a']] }],
    ['{"id":1,"headers":[]}', { id: 1, headers: [] }],
    ['{"id":1,"error":"no key"}', { id: 1, error: 'no key' }],
    [
      '{"later":{"a":[1]},"id":9,"headers":[["a","b"],["a","c"]]}',
      {
        id: 9,
        headers: [
          ['a', 'b'],
          ['a', 'c'],
        ],
      },
    ],
    ['  {"id":1,"headers":[]}\r', { id: 1, headers: [] }],
  ])('%s is read', (line, read) => {
    expect(readAnswer(line)).toEqual({ ok: true, ...read });
  });

  it.each([
    ['', 'it wrote a line that isn’t JSON'],
    ['signing…', 'it wrote a line that isn’t JSON'],
    ['{"id":1,"headers":[]}{"id":2,"headers":[]}', 'it wrote a line that isn’t JSON'],
    ['null', /no answer/],
    ['[1,[]]', /no answer/],
    ['{"headers":[]}', /no answer/],
    ['{"id":"1","headers":[]}', /no answer/],
    ['{"id":1.5,"headers":[]}', /no answer/],
    ['{"id":1,"headers":{"a":"b"}}', /no answer/],
    ['{"id":1,"headers":[["a"]]}', /no answer/],
    ['{"id":1,"headers":[["a","b","c"]]}', /no answer/],
    ['{"id":1,"headers":[["a",1]]}', /no answer/],
    ['{"id":1,"error":null}', /no answer/],
    ['{"id":1}', /exactly one of headers and error/],
    ['{"id":1,"headers":[],"error":"x"}', /exactly one of headers and error/],
  ])('%s is none', (line, fault) => {
    expect(readAnswer(line)).toEqual({
      ok: false,
      fault: typeof fault === 'string' ? fault : expect.stringMatching(fault),
    });
  });
});

describe('lines', () => {
  const readAll = (most: number, ...pieces: (string | Buffer)[]) => {
    const lines = new AnswerLines(most);
    return pieces.flatMap((piece) => [...lines.push(Buffer.from(piece))]);
  };
  const line = (text: string) => ({ ok: true, line: text });

  it('come in pieces of any size', () => {
    expect(readAll(1024, 'a', 'b\nc', '\n', '\nd')).toEqual([line('ab'), line('c'), line('')]);
    const umlaut = Buffer.from('ü\n');
    expect(readAll(1024, umlaut.subarray(0, 1), umlaut.subarray(1))).toEqual([line('ü')]);
  });

  it.each([
    ['with its end', [`${'x'.repeat(1025)}\n`]],
    ['without an end', ['x'.repeat(1025)]],
    ['in pieces', ['x'.repeat(1000), 'x'.repeat(25)]],
  ])('that are too long are a fault: %s', (_, pieces) => {
    expect(readAll(1024, ...pieces)).toEqual([{ ok: false, fault: 'it wrote a line of more than 1 KiB' }]);
  });

  it('of the most bytes are none', () => {
    expect(readAll(1024, `${'x'.repeat(1024)}\n`)).toEqual([line('x'.repeat(1024))]);
  });

  it('that aren’t UTF-8 are a fault', () => {
    expect(readAll(1024, Buffer.from([0xff, 0x0a]))).toEqual([
      { ok: false, fault: 'it wrote a line that isn’t UTF-8' },
    ]);
  });
});

// RFC 9110: section 5.6.2 for names, 5.5 for values, 7.6.1 for the connection’s.
describe('headers', () => {
  it.each([
    ['X-Signature', 'a1+/='],
    ['authorization', 'HMAC key="a", b\tc'],
    ['Proxy-Authorization', 'Basic x'],
    ['x-empty', ''],
    ["x!#$%&'*+.^_`|~", '~'],
    ['x-long', 'v'.repeat(16 * 1024)],
  ])('%s may be set', (name, value) => {
    expect(headersFault([[name, value]])).toBeNull();
  });

  it.each([
    'Host',
    'connection',
    'Keep-Alive',
    'transfer-encoding',
    'content-length',
    'TE',
    'trailer',
    'upgrade',
    'expect',
    'proxy-connection',
    'proxy-authenticate',
    'Proxy-Authorizations',
    'sec-websocket-key',
  ])('%s is HTTP’s own', (name) => {
    expect(headersFault([[name, 'x']])).toBe(`set the header ${name.toLowerCase()}, which HTTP sets itself`);
  });

  it.each([
    'X-Remote-User',
    'x-remote-extra-a',
    'Impersonate-User',
    'impersonate-extra-a',
    'X_Remote_User',
    'impersonate_user',
  ])('%s would change whose request it is', (name) => {
    expect(
      headersFault([
        ['a', 'b'],
        [name, 'x'],
      ]),
    ).toBe(`set the header ${name.toLowerCase()}, which would change whose request it is`);
  });

  it.each([
    ['', 'a'],
    ['a b', 'a'],
    ['a:', 'a'],
    ['ä', 'a'],
    ['a\n', 'a'],
    [':authority', 'a'],
    ['n'.repeat(129), 'a'],
  ])('the name %j can’t be carried', (name, value) => {
    expect(headersFault([[name, value]])).toBe('set a header whose name HTTP can’t carry');
  });

  it.each(['a\nb', 'a\r\nX-Remote-User: root', '\u0000', '\u007f', 'ü', ' a', 'a ', 'a\t'])(
    'the value %j can’t be carried',
    (value) => {
      expect(headersFault([['x-a', value]])).toMatch(/^set the header x-a to a value that HTTP can’t carry/);
    },
  );

  it('are limited in size and number', () => {
    expect(headersFault([['x-a', 'v'.repeat(16 * 1024 + 1)]])).toBe('set the header x-a to more than 16 KiB');
    const many = Array.from({ length: 64 }, () => ['x-a', 'b'] as const);
    expect(headersFault(many)).toBeNull();
    expect(headersFault([...many, ['x-a', 'b']])).toBe('set 65 headers; 64 is the most');
  });
});
