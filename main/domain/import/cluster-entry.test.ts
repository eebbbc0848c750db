import { beforeAll, describe, expect, test } from 'vitest';
import { createCa } from '../../../test/support/certificates.ts';
import { createClusterMaker } from './cluster-entry.ts';
import type { KubeCluster } from './kubeconfig.ts';
import { kubeCluster } from './testing/kube.ts';

let pem: string;
beforeAll(async () => {
  pem = (await createCa('Cluster CA')).certificatePem;
});

const make = (fields: Partial<KubeCluster>, tellsPlugin = false) =>
  createClusterMaker()(kubeCluster('one', fields), tellsPlugin);
const server = 'https://one.example.com:6443';

describe('a cluster as config.yaml takes it', () => {
  test('all that is said is kept, nothing else is written', () => {
    expect(make({})).toMatchObject({ ok: true, value: { server }, authorityPem: null, notes: [] });
    const proxyUrl = 'socks5://127.0.0.1:1080';
    const said = { tlsServerName: 'api.internal', proxyUrl, insecureSkipTlsVerify: true };
    expect(make(said)).toMatchObject({ value: { server, ...said } });
  });

  test('a CA as data stays data, its certificates alone; a path stays a path', () => {
    const made = make({ certificateAuthority: { path: null, ok: true, pem: `# canary\n${pem}` } });
    expect(made.ok && Object.keys(made.value)).toEqual(['server', 'certificateAuthorityData']);
    const data = made.ok ? (made.value.certificateAuthorityData ?? '') : '';
    expect(Buffer.from(data, 'base64').toString()).toBe(made.ok && made.authorityPem);
    expect(Buffer.from(data, 'base64').toString()).not.toContain('canary');
    expect(make({ certificateAuthority: { path: '/ca.pem', ok: true, pem } })).toMatchObject({
      value: { server, certificateAuthority: '/ca.pem' },
    });
  });

  test('whether answers are compressed stays as it is', () => {
    expect(make({ disableCompression: true })).toMatchObject({ value: { disableCompression: true } });
    expect(make({})).not.toHaveProperty('value.disableCompression');
  });

  test('a server that gets no credential is named', () => {
    expect(make({ server: 'http://127.0.0.1:8080' })).toMatchObject({
      notes: ['kubectl shows no credential to a server without TLS'],
    });
  });
});

describe('what can’t stand in config.yaml', () => {
  const authority = (pem: string, path: string | null = null) => ({
    certificateAuthority: { path, ok: true as const, pem },
  });
  const broken = '-----BEGIN CERTIFICATE-----\nY2FuYXJ5\n-----END CERTIFICATE-----\n';
  test.each<[string, Partial<KubeCluster> | (() => Partial<KubeCluster>)]>([
    ['its cluster names no server', { server: '' }],
    [
      'its server’s address holds a user name or password, which has no place in config.yaml',
      { server: 'https://u:canary@one.example.com' },
    ],
    ['its server’s address is not a plain scheme://host:port address', { server: 'one.example.com' }],
    ['its server’s address has a query, a fragment or a backslash', { server: 'https://h/?canary' }],
    [
      'its server’s address: must be https: over plain http anyone on the way reads the credential (http is for loopback only)',
      { server: 'http://one.example.com' },
    ],
    ['its server’s address: expected an https:// URL', { server: 'ftp://one.example.com' }],
    [
      'its proxy-url has a query or a fragment, which may be a secret and no proxy takes',
      { proxyUrl: 'http://proxy:3128/?key=canary' },
    ],
    [
      'its proxy-url holds a user name or password, which has no place in config.yaml: take proxy-url out of the file, and set HTTPS_PROXY to it where kubectl and your other programs run, then import again',
      { proxyUrl: 'http://u:canary@proxy:3128' },
    ],
    ['its proxy-url: expected an http://, https:// or socks5:// URL', { proxyUrl: 'ftp://proxy:3128' }],
    [
      'kubectl refuses its proxy-url, which is socks5h: write socks5, for which the proxy resolves the names, too',
      { proxyUrl: 'socks5h://127.0.0.1:1080' },
    ],
    ['its tls-server-name is not a host’s name', { tlsServerName: 'a b' }],
    [
      'its cluster has a CA beside insecure-skip-tls-verify, which kubectl refuses',
      () => ({ insecureSkipTlsVerify: true, ...authority(pem) }),
    ],
    [
      'its CA can’t be read: /ca.pem does not exist',
      { certificateAuthority: { path: '/ca.pem', ok: false, fault: '/ca.pem does not exist' } },
    ],
    ['its CA can’t be read: there is no certificate in it', authority('canary')],
    [
      'its CA /ca.pem can’t be read: certificate 2 can’t be read',
      () => authority(`${pem}${broken}`, '/ca.pem'),
    ],
  ])('%s', (reason, fields) => {
    const made = make(typeof fields === 'function' ? fields() : fields);
    expect(made).toEqual({ ok: false, left: reason });
    expect(JSON.stringify(made)).not.toContain('canary');
  });
});
