import { beforeAll, describe, expect, it } from 'vitest';
import { createCa, issueClientCertificate } from '../../../../test/support/certificates.ts';
import { Secret } from '../../../base/secret.ts';
import { credentialView } from '../../../contract/ui/credential.ts';
import { viewCredential } from './credential-view.ts';

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const jwt = (payload: object) => new Secret(`${part({ alg: 'ES256' })}.${part(payload)}.c2lnbmF0dXJl-canary`);
const jwtOf = (text: string) => Buffer.from(text).toString('base64url');
const bare = { token: null, certificate: null, issuedAt: null, expiresAt: null };

describe('a token', () => {
  it('is shown by its payload, never as a whole or by its signature (rule: page-without-secrets)', () => {
    const token = jwt({
      iss: 'https://id',
      sub: 'u1',
      email: 'dev@corp',
      groups: ['sre'],
      aud: ['a', 'b'],
      n: 7,
    });
    const view = viewCredential({ ...bare, token, issuedAt: 1, expiresAt: 2 });
    expect(view).toEqual({
      kind: 'token',
      subject: 'dev@corp',
      groups: ['sre'],
      audiences: ['a', 'b'],
      issuer: 'https://id',
      from: 1,
      until: 2,
      endIsRead: false,
      claims: [
        { name: 'iss', value: 'https://id' },
        { name: 'sub', value: 'u1' },
        { name: 'email', value: 'dev@corp' },
        { name: 'groups', value: '["sre"]' },
        { name: 'aud', value: '["a","b"]' },
        { name: 'n', value: '7' },
      ],
      certificates: [],
    });
    const shown = JSON.stringify(view);
    for (const piece of token.reveal().split('.')) {
      expect(shown).not.toContain(piece);
    }
  });

  it('that is opaque shows nothing at all', () => {
    const view = viewCredential({ ...bare, token: new Secret('canary-k8s-aws-v1.aHR0cHM') });
    expect(view).toMatchObject({ kind: 'token', subject: null, claims: null });
    expect(JSON.stringify(view)).not.toContain('canary');
  });

  it('in a claim of another one is not shown', () => {
    const inner = jwt({ sub: 'other' }).reveal();
    const { claims } = viewCredential({ ...bare, token: jwt({ act: { token: inner }, raw: inner }) });
    expect(JSON.stringify(claims)).not.toContain(inner.slice(0, 20));
    expect(claims?.[1]).toEqual({ name: 'raw', value: '(not shown: it may be a secret)' });
  });

  it('whose claims could steer what shows them is escaped', () => {
    const { claims, subject } = viewCredential({ ...bare, token: jwt({ sub: 'a\u202eb' }) });
    expect([subject, claims?.[0]?.value]).toEqual(['a\\u{202e}b', 'a\\u{202e}b']);
  });

  it('of a plugin that promised no end has the end that it tells of itself', () => {
    const view = viewCredential({ ...bare, token: new Secret('x'), noExpiry: { ownExpiry: 9 } });
    expect(view).toMatchObject({ until: 9, endIsRead: true });
  });
});

describe('a claim that may be a secret is not shown', () => {
  const canary = 'Zx9canaryCANARY0123456789abcdefABCDEF';
  it.each<[string, object]>([
    ['by its name', { refresh_token: 'canary' }],
    ['by a name inside it', { _claim_sources: { src1: { endpoint: 'https://x', access_token: 'canary' } } }],
    ['in a list', { sources: [{ password: 'canary' }] }],
    ['by looking like nothing else', { aio: canary }],
    ['a private key', { note: '-----BEGIN EC PRIVATE KEY-----\ncanary' }],
    ['a token by how it begins', { note: 'use ghp_canarycanarycanary' }],
    ['a token whose header has a blank first', { note: `${jwtOf('{ "alg":"none"}')}.canary` }],
    ['a token as its subject', { sub: `${jwtOf('{"alg":"none"}')}.canary` }],
    ['a token as a group', { groups: [`${jwtOf('{"alg":"none"}')}.canary`] }],
    ['a token as a claim’s name', { [`${jwtOf('{"alg":"none"}')}.canary`]: 1 }],
  ])('%s', (_, payload) => {
    const shown = JSON.stringify(viewCredential({ ...bare, token: jwt(payload) }));
    expect(shown).toContain('not shown');
    expect(shown).not.toMatch(/canary/i);
  });

  it('and what only looks random, but is public, is', () => {
    const sub = 'AAAAAAAAAAAAAAAAAAAAAIkzqFVrSaSaFHy782bbtaQ1';
    const payload = { sub, at_hash: sub, tenantId: 'a3f1c2d4-0000-4000-8000-1234567890ab', groups: ['sre'] };
    const { claims } = viewCredential({ ...bare, token: jwt(payload) });
    expect(JSON.stringify(claims)).not.toContain('not shown');
  });
});

it('a token of any shape and size is told of in bounded text', () => {
  const deep = `{"deep":${'['.repeat(50_000)}${']'.repeat(50_000)}}`;
  const wide = JSON.stringify({ sub: 'x'.repeat(100_000), groups: Array(5_000).fill('y'.repeat(1_000)) });
  const many = JSON.stringify(Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`c${n}`, n])));
  for (const payload of [
    deep,
    wide,
    many,
    '{"__proto__":{"sub":"x"},"constructor":1}',
    '[]',
    '"x"',
    'null',
  ]) {
    const token = new Secret(`${jwtOf('{"alg":"none"}')}.${Buffer.from(payload).toString('base64url')}.`);
    const view = credentialView.parse(viewCredential({ ...bare, token }));
    expect(JSON.stringify(view).length).toBeLessThan(200_000);
    expect(view.claims?.length ?? 0).toBeLessThanOrEqual(100);
  }
});

describe('a certificate', () => {
  let ca: Awaited<ReturnType<typeof createCa>>;
  let client: Awaited<ReturnType<typeof issueClientCertificate>>;
  beforeAll(async () => {
    ca = await createCa('the authority');
    client = await issueClientCertificate(ca, {
      commonName: 'alice',
      organizations: ['developers', 'sre'],
    });
  });

  it('is seen with its chain, and without its key', () => {
    const view = viewCredential({
      ...bare,
      certificate: { chainPem: client.certificatePem + ca.certificatePem },
      issuedAt: client.notBefore.getTime(),
      expiresAt: client.notAfter.getTime(),
    });
    expect(view).toMatchObject({
      kind: 'certificate',
      subject: 'alice',
      claims: null,
      certificates: [{ key: 'EC P-256', notAfter: client.notAfter.getTime() }, { key: 'EC P-256' }],
    });
    expect(view.groups.toSorted()).toEqual(['developers', 'sre']);
    expect(view.certificates[0]?.subject).toContain('CN=alice');
    expect(view.certificates[0]?.issuer).toBe(view.certificates[1]?.subject);
    expect(view.certificates[0]?.fingerprint.replaceAll(':', '').toLowerCase()).toBe(client.sha256);
    expect(JSON.stringify(view)).not.toMatch(/PRIVATE|BEGIN/);
  });

  const ofChain = (chainPem: string) => viewCredential({ ...bare, certificate: { chainPem } });

  it('whose name holds what looks like a group is in no such group', async () => {
    const sly = await issueClientCertificate(ca, {
      commonName: 'eve, O=system:masters',
      organizations: ['dev'],
    });
    expect(ofChain(sly.certificatePem)).toMatchObject({ subject: 'eve, O=system:masters', groups: ['dev'] });
  });

  it('that can’t be read has no subject, least of all its issuer’s', () => {
    const broken = client.certificatePem.replace(/\n[^-]{8}/, '\nAAAAAAAA');
    const view = ofChain(broken + ca.certificatePem);
    expect(view).toMatchObject({ subject: null, groups: [], issuer: null });
    expect(view.certificates).toHaveLength(1);
  });

  it('of any bytes at all is told of without a failure', () => {
    const der = Buffer.from(client.certificatePem.replace(/-----.*-----|\s/g, ''), 'base64');
    for (let at = 0; at < der.length; at++) {
      const bytes = Buffer.from(der);
      bytes[at] = (bytes[at] ?? 0) ^ 0x5a;
      const pem = `-----BEGIN CERTIFICATE-----\n${bytes.toString('base64')}\n-----END CERTIFICATE-----\n`;
      credentialView.parse(ofChain(pem));
    }
  });
});
