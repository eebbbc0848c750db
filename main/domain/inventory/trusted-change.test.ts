import { expect, test } from 'vitest';
import { isTrustedChange } from './trusted-change.ts';

const shape = (over: object = {}) =>
  JSON.stringify({
    account: 'corp',
    server: 'https://eu.example.com',
    certificateAuthority: 'one',
    profile: ['fleet', 'team/eu', 'uid'],
    ...over,
  });

test.each([
  ['the server', { server: 'https://eu2.example.com' }],
  ['the CA', { certificateAuthority: 'two' }],
  ['both', { server: 'https://eu2.example.com', certificateAuthority: undefined }],
])('%s may change in a trusted inventory', (_, over) => {
  expect(isTrustedChange(shape(), shape(over))).toBe(true);
});

test.each([
  ['account', { account: 'other' }],
  ['audience', { audience: 'other' }],
  ['execConfig', { execConfig: '{}' }],
  ['arguments', { additionalArgs: ['--x'] }],
  ['variables', { additionalEnv: ['A=b'] }],
  ['TLS name', { tlsServerName: 'other' }],
  ['TLS unchecked', { insecureSkipTlsVerify: true }],
  ['proxy', { proxyUrl: 'http://proxy.example.com' }],
  ['the profile', { profile: ['fleet', 'team/eu', 'another'] }],
  ['another server and arguments', { server: 'https://eu2.example.com', additionalArgs: ['--x'] }],
])('%s needs approval', (_, over) => {
  expect(isTrustedChange(shape(), shape(over))).toBe(false);
});

test('a server behind a proxy, or unchecked, needs approval also where that was approved', () => {
  const proxied = { proxyUrl: 'http://proxy.example.com' };
  expect(isTrustedChange(shape(proxied), shape({ ...proxied, server: 'https://b.example.com' }))).toBe(false);
  const unchecked = { insecureSkipTlsVerify: true };
  expect(isTrustedChange(shape(unchecked), shape({ ...unchecked, server: 'https://b.example.com' }))).toBe(
    false,
  );
});

test('a new profile needs approval', () => {
  expect(isTrustedChange(null, shape())).toBe(false);
});
