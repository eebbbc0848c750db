import { X509Certificate } from 'node:crypto';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { largeKubeconfig } from './large-kubeconfig.ts';

const kinds = ['token', 'clientCertificate', 'execPlugin', 'kubelogin'] as const;

test('each context has a cluster with its own certificate, and a user of the wanted kind', async () => {
  const { text, contexts } = await largeKubeconfig({ contexts: 8, kinds, bytes: 30_000 });
  const value = parse(text);
  expect(value.contexts.map((each: { name: string }) => each.name)).toEqual(contexts.map(({ name }) => name));
  const authorities = value.clusters.map((each: { cluster: Record<string, string> }) => {
    const pem = Buffer.from(each.cluster['certificate-authority-data'] ?? '', 'base64');
    const certificate = new X509Certificate(pem);
    return `${certificate.ca} ${certificate.fingerprint256}`;
  });
  expect(new Set(authorities).size).toBe(8);
  expect(authorities.every((each: string) => each.startsWith('true '))).toBe(true);
  expect(value.users.map(({ user }: { user: object }) => Object.keys(user)[0])).toEqual(
    [...kinds, ...kinds].map((kind) =>
      kind === 'token' ? 'token' : kind === 'clientCertificate' ? 'client-certificate-data' : 'exec',
    ),
  );
  expect(Math.abs(text.length - 30_000)).toBeLessThan(100);
});

test('the same seed makes the same text, another seed another', async () => {
  const texts = await Promise.all(
    [1, 1, 2].map(async (seed) => (await largeKubeconfig({ contexts: 3, bytes: 9000, seed })).text),
  );
  expect(texts[1]).toBe(texts[0]);
  expect(texts[2]).not.toBe(texts[0]);
});
