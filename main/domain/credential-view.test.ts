import { beforeAll, describe, expect, it } from 'vitest';
import { createCa, issueClientCertificate } from '../../test/support/certificates.ts';
import { Secret } from '../base/secret.ts';
import { viewCredential } from './credential-view.ts';

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const jwt = (payload: object) => new Secret(`${part({ alg: 'ES256' })}.${part(payload)}.c2lnbmF0dXJl-canary`);
const bare = { token: null, certificate: null, issuedAt: null, expiresAt: null };

describe('a token', () => {
  it('is seen by its payload, never by itself or its signature', () => {
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
    expect(claims?.[1]).toEqual({ name: 'raw', value: '(not shown: it holds a token)' });
  });

  it('whose claims could steer what shows them is escaped', () => {
    const { claims, subject } = viewCredential({ ...bare, token: jwt({ sub: 'a\u202eb' }) });
    expect([subject, claims?.[0]?.value]).toEqual(['a\\u{202e}b', 'a\\u{202e}b']);
  });

  it('of a plugin that promised no end has the end that it tells of itself', () => {
    const view = viewCredential({ ...bare, token: new Secret('x'), unpromised: { readEnd: 9 } });
    expect(view).toMatchObject({ until: 9, endIsRead: true });
  });
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
});
