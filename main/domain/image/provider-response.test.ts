import { describe, expect, it } from 'vitest';
import { Secret } from '../../base/secret.ts';
import { encodeProviderResponse, type ProviderResponse } from './provider-response.ts';
import { readProviderResponse } from './read-provider-response.ts';

const v1 = 'credentialprovider.kubelet.k8s.io/v1';
const response: ProviderResponse = {
  cacheKeyType: 'Registry',
  cacheMilliseconds: 90_000,
  auth: new Map([['a.io:5000/team', { userName: 'alice', password: new Secret('pass "word"') }]]),
};

describe('encodeProviderResponse', () => {
  it('writes one line', () => {
    expect(encodeProviderResponse(v1, response).reveal()).toBe(
      `{"kind":"CredentialProviderResponse","apiVersion":"${v1}","cacheKeyType":"Registry",` +
        '"cacheDuration":"1m30s","auth":{"a.io:5000/team":{"username":"alice","password":"pass \\"word\\""}}}\n',
    );
  });

  it('has null for no credential', () => {
    const text = encodeProviderResponse(v1, { cacheKeyType: 'Image', cacheMilliseconds: 0, auth: new Map() });
    expect(text.reveal()).toBe(
      `{"kind":"CredentialProviderResponse","apiVersion":"${v1}","cacheKeyType":"Image","cacheDuration":"0s","auth":null}\n`,
    );
  });

  it.each([
    [1.0000009, '1ms'],
    [0.0000001, '0s'],
    [3_600_000, '1h0m0s'],
  ])('rounds %d ms down to %s', (cacheMilliseconds, expected) => {
    const text = encodeProviderResponse(v1, { ...response, cacheMilliseconds }).reveal();
    expect(JSON.parse(text)['cacheDuration']).toBe(expected);
  });

  it('leaves out a duration that is the kubelet’s to choose', () => {
    const text = encodeProviderResponse(v1, { ...response, cacheMilliseconds: null }).reveal();
    expect(text).not.toContain('cacheDuration');
  });
});

describe('readProviderResponse', () => {
  it('reads what Lanyard writes', () => {
    const read = readProviderResponse(encodeProviderResponse(v1, response), {
      apiVersion: v1,
      serviceAccount: null,
    });
    expect(read).toEqual({ ok: true, response });
    expect(read.ok && read.response.auth.get('a.io:5000/team')?.password.reveal()).toBe('pass "word"');
  });

  it.each([
    `{"apiVersion":"${v1}","kind":"CredentialProviderResponse","auth":{"a.io":{"password":"hunter2"}},"x":1}`,
    `{"apiVersion":"${v1}","kind":"CredentialProviderResponse","auth":{"a.io":{"password":"hunter2"`,
    `{"apiVersion":"${v1}","kind":"CredentialProviderResponse","auth":"hunter2"}`,
    `{"apiVersion":"${v1}","kind":"CredentialProviderResponse","cacheDuration":"hunter2"}`,
    'hunter2',
    '"hunter2"',
  ])('tells nothing of what was printed: %j', (stdout) => {
    const read = readProviderResponse(new Secret(stdout), { apiVersion: v1, serviceAccount: null });
    expect(read.ok ? '' : read.message).toMatch(/./);
    expect(read.ok ? '' : read.message).not.toContain('hunter2');
  });

  const print = (fields: object) =>
    JSON.stringify({ apiVersion: v1, kind: 'CredentialProviderResponse', auth: null, ...fields });
  it.each([
    ['no JSON', 'no JSON', /error reading GVK/],
    ['another kind', print({ kind: 'Pod' }), /error decoding credential provider plugin response/],
    [
      'another version',
      print({ apiVersion: v1.replace('v1', 'v1beta1') }),
      /did not match expected apiVersion/,
    ],
    ['no duration', print({ cacheKeyType: 'Image', cacheDuration: 'long' }), /error decoding/],
    ['another field', print({ cacheKeyType: 'Image', extra: 1 }), /error decoding/],
    ['another cacheKeyType', print({ cacheKeyType: 'Node' }), /valid cacheKeyType: Node/],
  ])('refuses %s in the kubelet’s words', (_, stdout, message) => {
    const read = readProviderResponse(new Secret(stdout), { apiVersion: v1, serviceAccount: null });
    expect(read).toEqual({ ok: false, message: expect.stringMatching(message) });
  });
});
