import { describe, expect, test } from 'vitest';
import { Secret } from '../base/secret.ts';
import { cluster as clusterSchema } from '../contract/config/cluster.ts';
import { statedCluster } from './stated-cluster.ts';

function stated(fields: object = {}, environment: Record<string, string> = {}, pem: string | null = 'CA') {
  const config = clusterSchema.parse({
    server: 'https://up:6443/k8s',
    account: 'corp',
    proxy: {},
    ...fields,
  });
  const certificate = { chainPem: 'CHAIN', keyPem: new Secret('KEY') };
  const cluster = { name: 'prod', config, certificateAuthorityPem: pem };
  const done = statedCluster(cluster, 'epoch', certificate, environment);
  return done.ok ? done.cluster : done.message;
}
const upstream = (...args: Parameters<typeof stated>) => {
  const done = stated(...args);
  return typeof done === 'string' ? done : done.upstream;
};

test('a cluster is stated as config.yaml has it', () => {
  expect(stated({ tlsServerName: 'name' })).toMatchObject({
    name: 'prod',
    epoch: 'epoch',
    passesCookies: false,
    upstream: {
      server: 'https://up:6443/k8s',
      certificateAuthority: 'CA',
      tlsServerName: 'name',
      insecureSkipTlsVerify: false,
      proxy: null,
      clientCertificate: { certificate: 'CHAIN', key: 'KEY' },
    },
  });
});

test('its version is another one with each part of the way to it', () => {
  const versions = [
    {},
    { tlsServerName: 'x' },
    { insecureSkipTlsVerify: true },
    { proxyUrl: 'http://p:1' },
    { proxy: { cookies: 'pass' } },
  ].map((fields) => {
    const done = stated(fields);
    return typeof done === 'string' ? done : done.version;
  });
  expect(new Set(versions).size).toBe(5);
});

describe('the proxy before it', () => {
  test.each<[string, object, Record<string, string>, unknown]>([
    ['config.yaml’s', { proxyUrl: 'http://p:8080' }, { HTTPS_PROXY: 'http://e:1' }, ['http://p:8080', null]],
    ['socks5', { proxyUrl: 'socks5://p:1080' }, {}, ['socks5://p:1080', null]],
    [
      'the environment’s, with a login',
      {},
      { HTTPS_PROXY: 'https://u:p%40w@e' },
      ['https://e:443', ['u', 'p@w']],
    ],
    ['an IPv6 address', {}, { HTTPS_PROXY: 'http://[::1]:9' }, ['http://[::1]:9', null]],
    ['none by NO_PROXY', {}, { HTTPS_PROXY: 'http://e:1', NO_PROXY: 'up' }, null],
  ])('is %s', (_, fields, environment, expected) => {
    const found = upstream(fields, environment);
    const proxy = typeof found === 'string' ? found : found.proxy;
    expect(proxy && typeof proxy !== 'string' ? [proxy.url, proxy.user] : proxy).toEqual(expected);
  });

  test('that can’t be used is named without its password', () => {
    expect(upstream({}, { HTTPS_PROXY: 'ftp://u:secret@e' })).toBe('the proxy e can’t be used');
  });
});
