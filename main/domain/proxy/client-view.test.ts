import { expect, test } from 'vitest';
import { cluster as clusterSchema } from '../../contract/config/cluster.ts';
import type { LoadedCluster } from '../loaded-config.ts';
import { asClientsSee } from './client-view.ts';

const place = { port: 24_000, certificate: 'PROXY CA' };

function aCluster(fields: object, name = 'prod'): LoadedCluster {
  const config = clusterSchema.parse({ server: 'https://up', account: 'corp', ...fields });
  return { name, config, certificateAuthorityPem: 'UP CA' };
}

test('clients of a proxied cluster see the proxy, and nothing of the way behind it', () => {
  const cluster = aCluster({
    proxy: {},
    proxyUrl: 'http://p:1',
    tlsServerName: 'up',
    disableCompression: true,
  });
  const view = asClientsSee(cluster, place);
  expect(view).toMatchObject({
    name: 'prod',
    certificateAuthorityPem: 'PROXY CA',
    config: {
      server: 'https://127.0.0.1:24000/c/prod',
      insecureSkipTlsVerify: false,
      disableCompression: true,
    },
  });
  expect(view.config.proxyUrl).toBeUndefined();
  expect(view.config.tlsServerName).toBeUndefined();
  expect(asClientsSee(aCluster({ proxy: {}, insecureSkipTlsVerify: true }), place).config).toMatchObject({
    insecureSkipTlsVerify: false,
  });
  // The same object, so that what is known of it is.
  expect(asClientsSee(cluster, { ...place })).toBe(view);
  expect(asClientsSee(cluster, { ...place, port: 24_001 })).not.toBe(view);
});

test('another cluster is as it is, and any name makes one part of the path', () => {
  const plain = aCluster({});
  expect(asClientsSee(plain, place)).toBe(plain);
  const { config } = asClientsSee(aCluster({ proxy: {} }, 'arn:aws:eks/a@b'), place);
  expect(config.server).toBe('https://127.0.0.1:24000/c/arn%3Aaws%3Aeks%2Fa%40b');
});
