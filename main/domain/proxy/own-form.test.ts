import { expect, test } from 'vitest';
import { cluster } from '../../contract/config/cluster.ts';
import { clusterShape } from '../approval/cluster-shape.ts';
import { clientListenerOf, listenerWords } from './own-form.ts';

const loaded = (proxy?: object) => ({
  name: 'prod',
  config: cluster.parse({ server: 'https://prod', account: 'corp', ...(proxy && { proxy }) }),
  certificateAuthorityPem: null,
});

// KEP-2718/proxy-config
test.each<[string, object | undefined, string | null, boolean]>([
  ['has no proxy', undefined, '/a.lock', false],
  ['says nothing, to one with a lock file', {}, '/a.lock', true],
  ['says nothing, to one without', {}, null, false],
  ['answers always', { proxyConfig: { answer: 'always' } }, null, true],
  ['answers lock files, to one without', { proxyConfig: { listen: 'tls' } }, null, false],
])('a cluster that %s', (_, proxy, lockFile, has) => {
  expect(clientListenerOf(loaded(proxy), lockFile) !== null).toBe(has);
});

test('what goes without saying is what the schema says', () => {
  expect(clientListenerOf(loaded({}), '/a')).toEqual(clientListenerOf(loaded({ proxyConfig: {} }), '/a'));
});

// (rule: confirmed-binding)
test.each<[string, object, boolean]>([
  ['who gets a listener', { answer: 'always' }, true],
  ['where it listens', { listen: 'tls' }, true],
  ['what its connections show', { clientCertificate: true }, true],
  ['when it is idle', { idle: '1h' }, false],
  ['what goes without saying', { answer: 'lockFile', listen: 'unix', clientCertificate: false }, false],
])('%s is approved', (_, proxyConfig, isApproved) => {
  const [before, after] = [loaded({}), loaded({ proxyConfig })].map(clusterShape);
  expect(before !== after).toBe(isApproved);
});

test('it is said in words', () => {
  const words = (proxyConfig: object) => {
    const { proxy } = loaded({ proxyConfig }).config;
    return proxy?.proxyConfig && listenerWords(proxy.proxyConfig);
  };
  expect(words({})).toBe('for clients with a lock file, on a Unix socket, idle 5m');
  expect(words({ answer: 'always', listen: 'tls', clientCertificate: true, idle: '1h' })).toBe(
    'for each client, on a port of 127.0.0.1, with a client certificate, idle 1h',
  );
});
