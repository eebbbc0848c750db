import { beforeAll, describe, expect, it } from 'vitest';
import { createCa } from '../../../test/support/certificates.ts';
import type { ExecCluster } from './exec-cluster.ts';
import { nameForServer, newCluster } from './new-cluster.ts';

const told: ExecCluster = {
  server: 'https://api.example.com:6443',
  tlsServerName: null,
  insecureSkipTlsVerify: false,
  certificateAuthorityPem: null,
  proxyUrl: null,
};
let ca: string;
beforeAll(async () => {
  ca = (await createCa('lab')).certificatePem;
});

describe('what a client tells of an unknown server', () => {
  it('becomes an entry that says no more than was told', () => {
    expect(newCluster(told, 'corp')).toEqual({
      ok: true,
      value: { server: told.server, account: 'corp' },
      authority: [],
    });
  });

  it('brings the certificates of its CA along, and nothing else of that text', () => {
    const text = `# a comment\n${ca}-----BEGIN PRIVATE KEY-----\nMTIz\n-----END PRIVATE KEY-----\n`;
    const made = newCluster({ ...told, certificateAuthorityPem: text }, 'corp');
    const data = made.ok ? String(made.value['certificateAuthorityData']) : '';
    expect(Buffer.from(data, 'base64').toString()).toMatch(
      /^-----BEGIN CERTIFICATE-----\n[^-]+-----END CERTIFICATE-----\n$/,
    );
    expect(made).toMatchObject({
      authority: [
        { fingerprint: expect.stringMatching(/^([0-9A-F]{2}:){31}[0-9A-F]{2}$/), subject: 'CN=lab' },
      ],
    });
  });

  it.each<[string, Partial<ExecCluster>]>([
    ['a password', { server: 'https://me:secret@api.example.com' }],
    ['a query', { server: 'https://api.example.com/?token=secret' }],
    ['plain http', { server: 'http://api.example.com' }],
    ['another scheme', { server: 'ftp://api.example.com' }],
    ['letters that look like others', { server: 'https://аpi.example.com' }],
    ['a line break', { server: 'https://api.example.com/\nclusters:' }],
    ['a server longer than any', { server: `https://api.example.com/${'x'.repeat(3000)}` }],
    ['a proxy with a password', { proxyUrl: 'http://me:secret@proxy' }],
    ['a proxy of another kind', { proxyUrl: 'file:///etc/passwd' }],
    ['a TLS name that is none', { tlsServerName: 'a\n"b' }],
    ['a CA that is none', { certificateAuthorityPem: 'no' }],
    ['a CA of a megabyte', { certificateAuthorityPem: 'x'.repeat(1024 * 1024) }],
  ])('can’t be added with %s', (_, change) => {
    const made = newCluster({ ...told, ...change }, 'corp');
    expect(made).toMatchObject({ ok: false });
    expect(JSON.stringify(made)).not.toContain('secret');
  });

  it('can’t be added with a CA that is not checked', () => {
    const change = { insecureSkipTlsVerify: true, certificateAuthorityPem: ca };
    expect(newCluster({ ...told, ...change }, 'corp')).toMatchObject({ ok: false });
  });
});

it.each([
  ['https://api.example.com:6443', [], 'api.example.com'],
  ['https://api.example.com', ['api.example.com', 'api.example.com-2'], 'api.example.com-3'],
  ['https://[::1]:6443', [], 'ip6-::1'],
  ['https://10.0.0.1', [], '10.0.0.1'],
  ['nonsense', [], 'cluster'],
])('names %s after its host, and not as %s', (server, taken, name) => {
  expect(nameForServer(server, (each) => (taken as string[]).includes(each))).toBe(name);
});
