import { beforeAll, describe, expect, test } from 'vitest';
import { createCa } from '../../../test/support/certificates.ts';
import { createCertificateReader } from '../credential/certificate-set.ts';
import type { LoadedCluster } from '../loaded-config.ts';
import { createDestinationMatcher } from './destination.ts';
import type { ExecCluster } from './exec-cluster.ts';

let ca: string;
let otherCa: string;

beforeAll(async () => {
  const made = await Promise.all([createCa('cluster'), createCa('other')]);
  [ca, otherCa] = [made[0].certificatePem, made[1].certificatePem];
});

const server = 'https://10.0.0.1:6443';

function known(config: Partial<LoadedCluster['config']> = {}, pem: string | null = ca, name = 'prod') {
  const defaults = { server, account: 'corp', insecureSkipTlsVerify: false } as const;
  return {
    name,
    config: { ...defaults, withoutInfo: 'refuse', approval: 'never', execCredential: 'ask', ...config },
    certificateAuthorityPem: pem,
  } satisfies LoadedCluster;
}

function requested(fields: Partial<ExecCluster> = {}): ExecCluster {
  return {
    server,
    tlsServerName: null,
    insecureSkipTlsVerify: false,
    certificateAuthorityPem: ca,
    proxyUrl: null,
    ...fields,
  };
}

const { match, findCluster } = createDestinationMatcher();

describe('the same place', () => {
  test.each<[string, () => [ExecCluster, LoadedCluster]]>([
    ['as it is written', () => [requested(), known()]],
    ['another spelling of the server', () => [requested({ server: 'HTTPS://10.0.0.1:6443/' }), known()]],
    [
      'the default port',
      () => [requested({ server: 'https://api.example:443' }), known({ server: 'https://API.example' })],
    ],
    ['the CA with comments', () => [requested({ certificateAuthorityPem: `# x\n${ca}\n` }), known()]],
    [
      'the CAs in another order',
      () => [requested({ certificateAuthorityPem: otherCa + ca }), known({}, ca + otherCa)],
    ],
    ['no CA on both sides', () => [requested({ certificateAuthorityPem: null }), known({}, null)]],
    ['an empty CA is none', () => [requested({ certificateAuthorityPem: '' }), known({}, null)]],
    [
      'the same name',
      () => [requested({ tlsServerName: 'API.example' }), known({ tlsServerName: 'api.example' })],
    ],
    ['an empty name is none', () => [requested({ tlsServerName: '', proxyUrl: '' }), known()]],
    [
      'insecure on both sides',
      () => [
        requested({ insecureSkipTlsVerify: true, certificateAuthorityPem: null }),
        known({ insecureSkipTlsVerify: true }, null),
      ],
    ],
    [
      'the same proxy',
      () => [requested({ proxyUrl: 'http://Proxy:3128/' }), known({ proxyUrl: 'http://proxy:3128' })],
    ],
  ])('%s', (_name, make) => {
    expect(match(...make())).toEqual({ ok: true });
  });
});

describe('another place, told by what differs', () => {
  test.each<[string, () => [ExecCluster, LoadedCluster], RegExp]>([
    [
      'host',
      () => [requested({ server: 'https://10.0.0.2:6443' }), known()],
      /^server is https:\/\/10.0.0.2:6443, known is https:\/\/10.0.0.1:6443$/,
    ],
    ['port', () => [requested({ server: 'https://10.0.0.1' }), known()], /^server is/],
    ['scheme', () => [requested({ server: 'http://10.0.0.1:6443' }), known()], /^server is/],
    ['path', () => [requested({ server: `${server}/other` }), known()], /^server is/],
    [
      'user name',
      () => [requested({ server: 'https://x@10.0.0.1:6443' }), known()],
      /^server .* not a plain/,
    ],
    ['query', () => [requested({ server: `${server}/?a` }), known()], /^server .* query/],
    [
      'CA',
      () => [requested({ certificateAuthorityPem: otherCa }), known()],
      /^the certificate authority is sha256:/,
    ],
    [
      'one CA more',
      () => [requested({ certificateAuthorityPem: ca + otherCa }), known()],
      /^the certificate authority is sha256:/,
    ],
    ['one CA less', () => [requested(), known({}, ca + otherCa)], /^the certificate authority is sha256:/],
    [
      'no CA',
      () => [requested({ certificateAuthorityPem: null }), known()],
      /^no certificate authority is told/,
    ],
    ['a CA for the system’s', () => [requested(), known({}, null)], /the system’s are known$/],
    [
      'a CA that can’t be read',
      () => [requested({ certificateAuthorityPem: `${ca}-----BEGIN` }), known()],
      /can’t be read/,
    ],
    [
      'name',
      () => [requested({ tlsServerName: 'evil' }), known()],
      /^tls-server-name is evil, known is none$/,
    ],
    [
      'no name',
      () => [requested(), known({ tlsServerName: 'api' })],
      /^tls-server-name is none, known is api$/,
    ],
    [
      'insecure',
      () => [requested({ insecureSkipTlsVerify: true }), known()],
      /^insecure-skip-tls-verify is true, known is false$/,
    ],
    [
      'proxy',
      () => [requested({ proxyUrl: 'http://evil:1' }), known()],
      /^proxy-url is http:\/\/evil:1, known is none$/,
    ],
    [
      'a proxy with a login',
      () => [requested({ proxyUrl: 'http://u:hunter2#12@evil:1' }), known()],
      /^proxy-url is http:\/\/…@evil:1, known is none$/,
    ],
    ['no proxy', () => [requested(), known({ proxyUrl: 'http://p:1' })], /^proxy-url is none/],
  ])('%s', (_name, make, difference) => {
    expect(match(...make())).toEqual({
      ok: false,
      differences: [expect.stringMatching(difference)],
      fields: [expect.any(String)],
    });
  });
});

test('all differences are told, without control characters and not at length', () => {
  const result = match(
    requested({ server: `https://evil\u001b[2J\u202e${'x'.repeat(5000)}`, tlsServerName: 'a\nb' }),
    known(),
  );
  const differences = result.ok ? [] : result.differences;
  expect(differences).toHaveLength(2);
  expect(differences.join('')).not.toMatch(/\p{C}/u);
  expect(differences.join('').length).toBeLessThan(1000);
});

test('the same text needs no reading, and a text is read once', () => {
  let reads = 0;
  const reader = createCertificateReader();
  const matcher = createDestinationMatcher((pem) => {
    reads += 1;
    return reader(pem);
  });
  expect(matcher.match(requested(), known()).ok).toBe(true);
  expect(reads).toBe(0);
  expect(matcher.match(requested({ certificateAuthorityPem: `${ca}\n` }), known()).ok).toBe(true);
  expect(reads).toBe(2);
});

describe('the cluster among candidates', () => {
  test('is the one that matches', () => {
    const candidates = [known({ server: 'https://10.0.0.2' }, ca, 'dev'), known()];
    expect(findCluster(requested(), candidates)).toMatchObject({ ok: true, cluster: { name: 'prod' } });
  });

  test('is found by each spelling of its server, among thousands that are read no more than once', () => {
    let reads = 0;
    const reader = createCertificateReader();
    const matcher = createDestinationMatcher((pem) => {
      reads += 1;
      return reader(pem);
    });
    const others = Array.from({ length: 3000 }, (_, index) =>
      known({ server: `https://10.1.${index >> 8}.${index & 255}:6443` }, otherCa, `other-${index}`),
    );
    const candidates = [...others, known()];
    for (const asked of [server, `${server}/`, 'HTTPS://10.0.0.1:6443']) {
      expect(matcher.findCluster(requested({ server: asked }), candidates)).toMatchObject({
        cluster: { name: 'prod' },
      });
    }
    expect(matcher.findCluster(requested({ server: 'https://10.2.0.1' }), candidates)).toMatchObject({
      ok: false,
    });
    expect(reads).toBe(0);
  });

  test('is unknown where none matches, with the one at the same server', () => {
    expect(findCluster(requested({ tlsServerName: 'evil' }), [known()])).toMatchObject({
      reason: 'unknown',
      nearest: { cluster: { name: 'prod' }, differences: [expect.stringContaining('evil')] },
    });
    expect(findCluster(requested({ server: 'https://elsewhere' }), [known()])).toEqual({
      ok: false,
      reason: 'unknown',
      nearest: null,
    });
  });

  const api = () => known({ server: 'https://api.example' });

  test.each<[string, () => Partial<ExecCluster>]>([
    ['a dot after its name', () => ({ server: 'https://api.example.', certificateAuthorityPem: otherCa })],
    ['a path', () => ({ server: 'https://api.example/x', certificateAuthorityPem: otherCa })],
    ['no TLS', () => ({ server: 'http://api.example:443', certificateAuthorityPem: null })],
    ['a proxy of its own', () => ({ server: 'https://api.example./', proxyUrl: 'http://evil.example' })],
    ['nobody to check it', () => ({ server: 'https://api.example/x', insecureSkipTlsVerify: true })],
  ])('a known host and port with %s is no new server, where more than the path differs', (_, fields) => {
    expect(findCluster(requested(fields()), [api()])).toMatchObject({
      reason: 'unknown',
      nearest: { cluster: { name: 'prod' } },
    });
  });

  test.each<[string, string]>([
    ['many clusters behind one host', 'https://api.example/k8s/clusters/c-2'],
    ['another port', 'https://api.example:6443'],
  ])('%s are servers of their own', (_, server) => {
    expect(findCluster(requested({ server }), [api()])).toMatchObject({ reason: 'unknown', nearest: null });
  });

  test('two names for one cluster are one; two policies for one server are a doubt', () => {
    const twins = [known(), known({}, ca, 'production')];
    expect(findCluster(requested(), twins)).toMatchObject({ ok: true, cluster: { name: 'prod' } });
    const doubt = [known(), known({ account: 'ops' }, ca, 'as-ops')];
    expect(findCluster(requested(), doubt)).toEqual({
      ok: false,
      reason: 'several',
      names: ['prod', 'as-ops'],
    });
  });
});
