import { afterAll, beforeAll, expect, test } from 'vitest';
import { issueClientCertificate } from '../support/certificates.ts';
import { type CertificateServer, startNode } from '../support/keys/certificate-servers.ts';
import { noSoftHsm, SoftHsm } from '../support/keys/softhsm.ts';
import { findKubectls, type Kubectl } from '../support/kubectl.ts';
import { mustBeGood, Stage } from '../support/stage.ts';

/** Each kind of key, by each version of TLS, from kubectl through the whole broker to a server that demands a certificate. */
let stage: Stage;
let tokens: SoftHsm;
let kubectl: Kubectl;
let kubeconfig: string;
const servers: CertificateServer[] = [];

const keys = { rsa: 'RSA-2048', p256: 'P-256', p384: 'P-384' } as const;
const names = Object.keys(keys) as (keyof typeof keys)[];
const versions = ['1.2', '1.3'] as const;
const clusterOf = (key: keyof typeof keys, version: string) => `${key}-${version.replace('.', '')}`;

beforeAll(async () => {
  if (noSoftHsm !== null) return;
  kubectl = findKubectls().newest;
  tokens = new SoftHsm();
  stage = await Stage.open({
    extend: async (config, { home, clientCa }) => {
      const issued = await Promise.all(
        names.map((key) => issueClientCertificate(clientCa, { commonName: `of ${key}`, key: keys[key] })),
      );
      tokens.addToken(
        'card',
        issued.map((each, at) => ({ label: names[at] ?? '', id: at + 1, ...each })),
      );
      const certificateAuthority = home.write('servers-ca.pem', clientCa.certificatePem);
      const env = Object.entries(tokens.env).map(([name, value]) => ({ name, value }));
      for (const [at, version] of versions.entries()) {
        const server = await startNode(clientCa, version);
        servers.push(server);
        for (const [number, key] of names.entries()) {
          // Each account by another way to name its key.
          const select = [
            { token: 'card', label: key },
            { token: 'card', id: `0${number + 1}` },
            { uri: `pkcs11:token=card;object=${key};type=private` },
          ][(at + number) % 3];
          const account = clusterOf(key, version);
          config.accounts[account] = { pkcs11: { module: tokens.module, ...select, env } };
          const at127 = `https://127.0.0.1:${server.port}`;
          config.clusters[account] = { server: at127, certificateAuthority, account, proxy: {} };
        }
      }
    },
  });
  kubeconfig = await stage.writeKubeconfig();
});
afterAll(async () => {
  await stage?.dispose();
  await Promise.all(servers.map((server) => server.close()));
  tokens?.dispose();
});

// KEP-2718/tls-offload (rule: key-on-token)
test
  .skipIf(noSoftHsm !== null)
  .each(versions.flatMap((version) => names.map((key) => [key, version] as const)))(
  'a key %s signs a handshake of TLS %s',
  async (key, version) => {
    const name = clusterOf(key, version);
    const terminal = stage.onTerminal(['login', name]);
    await terminal.waitForText('(not shown): ');
    terminal.send('1234\r');
    const { code } = await terminal.ended;
    expect(code, terminal.shown()).toBe(0);
    const done = await stage.kubectl(kubectl, kubeconfig, ['--context', name, 'get', '--raw', '/whoami']);
    mustBeGood(done);
    expect(done.stdout).toBe(`TLSv${version} of ${key}`);
  },
);
