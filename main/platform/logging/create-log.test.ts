import { openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { Secret } from '../../base/secret.ts';
import { BrokerError } from '../../contract/broker-error.ts';
import { createLog } from './create-log.ts';

const canary = 'c4n4ry-value';
const jwt = `eyJhbGciOiJSUzI1NiJ9.${Buffer.from(`{"sub":"${canary}"}`).toString('base64url')}.c2lnbmF0dXJl`;
const pem = `-----BEGIN PRIVATE KEY-----\n${canary}\n-----END PRIVATE KEY-----`;

function logged(fields: Record<string, unknown>): string {
  const file = join(tmpdir(), `ly-log-${process.pid}-${Math.random().toString(36).slice(2)}`);
  const descriptor = openSync(file, 'w', 0o600);
  const log = createLog({ write: (line) => void writeSync(descriptor, line), level: 'debug' });
  log.error('something', fields);
  const text = readFileSync(file, 'utf8');
  rmSync(file);
  return text;
}

describe('the log (rule: no-secret-in-text)', () => {
  it.each<[string, unknown]>([
    ['a Secret', new Secret(canary)],
    ['a Secret deep inside', { a: [{ b: new Secret(canary) }] }],
    ['a field named token', { token: canary }],
    ['a field named refresh_token', { tokens: { refresh_token: canary } }],
    ['a field named deviceCode', { deviceCode: canary }],
    ['bytes', Buffer.from(canary)],
    ['a JWT inside a text', `the provider answered ${jwt} to us`],
    ['a private key inside a text', `read ${pem}`],
    ['an error’s text with a JWT', new Error(`bad ${jwt}`)],
    ['an error’s cause', new BrokerError('a.b', 'x', { cause: new Error(`bad ${jwt}`) })],
    ['an error’s own fields', Object.assign(new Error('bad'), { response: { body: canary } })],
    ['an address’s query', `GET https://id.example.com/cb?code=${canary}&state=1 failed`],
  ])('does not show %s', (_, value) => {
    const text = logged({ value: 1, what: value });
    expect(text).toContain('something');
    expect(text).not.toContain(canary);
    expect(text).not.toContain(jwt.split('.')[1]);
  });

  it('keeps what helps: names, codes, messages, addresses without their query', () => {
    const text = logged({
      error: new BrokerError('oidc.timeout', 'the provider did not answer'),
      at: 'https://id.example.com/token?x=1',
    });
    expect(text).toContain('oidc.timeout');
    expect(text).toContain('the provider did not answer');
    expect(text).toContain('https://id.example.com/token');
  });

  // Quadratic, it would take minutes: the runner's own limit is what fails.
  it('ends for a text made of the beginnings of secrets', { timeout: 60_000 }, () => {
    expect(logged({ a: '-eyJaaaaaaaa'.repeat(60_000), b: 'http://'.repeat(120_000) })).toContain('something');
  });

  it('is written when the call returns', () => {
    expect(JSON.parse(logged({ account: 'corp' }))).toMatchObject({ msg: 'something', account: 'corp' });
  });
});

it('ends nothing where it can’t be written', () => {
  const log = createLog({
    write() {
      throw new Error('ENOSPC');
    },
  });
  expect(() => log.error('something', { a: 1 })).not.toThrow();
});

describe('Secret', () => {
  const secret = new Secret(canary);

  it.each([
    ['String()', String(secret)],
    ['a template', `${secret}`],
    ['JSON', JSON.stringify({ secret })],
    ['inspect', inspect({ secret }, { depth: null, showHidden: true })],
    ['spread', JSON.stringify({ ...secret })],
    ['an error', String(new Error(`${secret}`))],
  ])('shows nothing in %s', (_, text) => {
    expect(text).not.toContain(canary);
  });

  it('is given out by reveal alone', () => {
    expect(secret.reveal()).toBe(canary);
  });
});
