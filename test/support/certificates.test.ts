import { createPrivateKey, X509Certificate } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  createCa,
  createIntermediateCa,
  issueClientCertificate,
  issueServerCertificate,
  largeCaBundle,
} from './certificates.ts';

const certificates = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----\n/g;

describe('certificates of the tests', () => {
  it('chain up to their CA, each with its own key', async () => {
    const ca = await createCa('root');
    const intermediate = await createIntermediateCa(ca, 'between');
    const organizations = ['b', 'a'];
    const issued = await issueClientCertificate(ca, { commonName: 'carol', organizations, intermediate });
    const [leaf, between] = (issued.chainPem.match(certificates) ?? []).map(
      (pem) => new X509Certificate(pem),
    );
    const root = new X509Certificate(ca.certificatePem);
    expect(leaf?.subject).toBe('O=b\nO=a\nCN=carol');
    expect(leaf?.verify(between?.publicKey ?? root.publicKey)).toBe(true);
    expect(between?.verify(root.publicKey)).toBe(true);
    expect(leaf?.checkPrivateKey(createPrivateKey(issued.keyPem))).toBe(true);
    expect(leaf?.fingerprint256.replaceAll(':', '').toLowerCase()).toBe(issued.sha256);
  });

  it('have the names, addresses and times that the test wants', async () => {
    const validity = {
      notBefore: new Date('2030-01-01T00:00:00Z'),
      notAfter: new Date('2030-01-02T00:00:00Z'),
    };
    const issued = await issueServerCertificate(
      await createCa('root'),
      ['10.0.0.1', '::1', 'a.example'],
      validity,
    );
    const read = new X509Certificate(issued.certificatePem);
    expect(read.checkIP('10.0.0.1')).toBe('10.0.0.1');
    expect(read.checkIP('::1')).toBe('::1');
    expect(read.checkHost('a.example')).toBe('a.example');
    expect([read.validFromDate, read.validToDate]).toEqual([validity.notBefore, validity.notAfter]);
  });

  it('fill a bundle up to its size with different CAs, the given one among them', async () => {
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
});
