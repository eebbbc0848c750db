import { expect, it } from 'vitest';
import { createCa, issueClientCertificate } from '../../../test/support/certificates.ts';
import { Secret } from '../../base/secret.ts';
import { clusterName } from '../../domain/target/target.ts';
import type { LoadedConfig } from '../../ports/config-store.ts';
import { type CachedCredential, pluginCertificateEnds } from './certificates.ts';

const hour = 3_600_000;
const now = Math.floor(Date.now() / 1000) * 1000;

it('KEP-541/metrics: the ends that count are of certificates that plugins gave, whatever end was promised, and a day after', async () => {
  const ca = await createCa('clients');
  const certificate = async (notAfter: number): Promise<CachedCredential> => {
    const { chainPem, keyPem } = await issueClientCertificate(ca, {
      commonName: 'carol',
      notBefore: new Date(now - 100 * hour),
      notAfter: new Date(notAfter),
    });
    const pair = { chainPem, keyPem: new Secret(keyPem) };
    return {
      target: null,
      credential: { token: null, certificate: pair, issuedAt: null, expiresAt: now + 1 },
    };
  };
  const token = { token: new Secret('t'), certificate: null, issuedAt: null, expiresAt: now + hour };
  const held: Record<string, CachedCredential[]> = {
    eks: [await certificate(now + hour), { target: clusterName('prod'), credential: token }],
    gke: [await certificate(now - 23 * hour), await certificate(now - 25 * hour)],
    ops: [await certificate(now + 5 * hour)],
  };
  const accounts = new Map(
    Object.keys(held).map((name) => [
      name,
      { name, config: name === 'ops' ? { clientCertificate: {} } : { execPlugin: {} } },
    ]),
  );
  const config = { current: () => ({ accounts }) as unknown as LoadedConfig };
  expect(pluginCertificateEnds(config, (name) => held[name] ?? [], now)).toEqual([
    now + hour,
    now - 23 * hour,
  ]);
});
