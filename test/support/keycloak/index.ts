import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent } from 'undici';
import { type CertificateAuthority, createCa, issueServerCertificate } from '../certificates.ts';
import { createAdmin } from './admin.ts';
import { prepareKeycloak } from './distribution.ts';
import { launchKeycloak } from './launch.ts';
import { makeRealm, type Realm, type RealmOptions } from './realm.ts';

export type { Realm, RealmOptions };

/** A real Keycloak on a free port of 127.0.0.1, with TLS. */
export interface Keycloak {
  ok: true;
  readonly origin: string;
  /** The CA of its certificate. */
  readonly caPem: string;
  /** Signs client certificates that it takes (RFC 8705). */
  readonly clientCa: CertificateAuthority;
  makeRealm(name: string, options?: RealmOptions): Promise<Realm>;
  log(): string;
  dispose(): Promise<void>;
}

/** Starts one, which is fetched and built first where that was not done before. `why`: it can't be had here. */
export async function startKeycloak(): Promise<Keycloak | { ok: false; why: string }> {
  const distribution = await prepareKeycloak();
  if (!distribution.ok) {
    return distribution;
  }
  const { folder, database, adminPassword } = distribution;
  const ca = await createCa('Lanyard test Keycloak CA');
  const clientCa = await createCa('Lanyard test client CA');
  const certificate = await issueServerCertificate(ca);
  const work = mkdtempSync(join(tmpdir(), 'ly-keycloak-'));
  const write = (name: string, text: string) => {
    const file = join(work, name);
    writeFileSync(file, text, { mode: 0o600 });
    return file;
  };
  const dispose = () => rmSync(work, { recursive: true, force: true });
  try {
    copyFileSync(database, join(work, 'keycloak.mv.db'));
    const launched = await launchKeycloak({
      folder,
      database: join(work, 'keycloak'),
      options: [
        '--http-host=127.0.0.1',
        '--https-port=0',
        `--https-certificate-file=${write('server.pem', certificate.chainPem)}`,
        `--https-certificate-key-file=${write('server.key', certificate.keyPem)}`,
        `--truststore-paths=${write('client-ca.pem', clientCa.certificatePem)}`,
      ],
    });
    const origin = launched.origins.https ?? '';
    const agent = new Agent({ connect: { ca: ca.certificatePem } });
    const admin = createAdmin(origin, adminPassword, agent);
    return {
      ok: true,
      origin,
      caPem: ca.certificatePem,
      clientCa,
      makeRealm: (name, options = {}) => makeRealm(origin, name, admin, agent, options),
      log: launched.log,
      async dispose() {
        await agent.destroy();
        await launched.dispose();
        dispose();
      },
    };
  } catch (error) {
    dispose();
    throw error;
  }
}
