import { X509Certificate } from 'node:crypto';
import { expect, test } from 'vitest';
import { createCa, largeCaBundle } from './certificates.ts';

const certificates = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----\n/g;

test('a bundle is filled up to its size with different CAs, the given one among them', async () => {
  const ca = await createCa('root');
  const bundle = await largeCaBundle(ca, 90 * 1024);
  expect(bundle.length).toBeLessThanOrEqual(90 * 1024);
  expect(bundle.length).toBeGreaterThan(86 * 1024);
  const all = bundle.match(certificates) ?? [];
  expect(all.join('')).toBe(bundle);
  expect(all).toContain(ca.certificatePem);
  expect(new Set(all.map((pem) => new X509Certificate(pem).subject)).size).toBe(all.length);
  expect(all.every((pem) => new X509Certificate(pem).ca)).toBe(true);
});
