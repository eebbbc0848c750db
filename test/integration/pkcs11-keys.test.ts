import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { issueClientCertificate } from '../support/certificates.ts';
import { type CertificateServer, startNode } from '../support/keys/certificate-servers.ts';
import { noSoftHsm, SoftHsm } from '../support/keys/softhsm.ts';
import { findKubectls } from '../support/kubectl.ts';
import { holdLock, type LockHolder } from '../support/lock-holder.ts';
import { askOwn, type OwnForm } from '../support/own-listener.ts';
import { credentialIn, mustBeGood, Stage } from '../support/stage.ts';
import { unless } from '../support/unless.ts';

/**
 * Each kind of key on a token, in both forms: kubectl’s request proxy connects with it to servers that demand a certificate
 * by each version of TLS, and the listener of a client that knows KEP-2718 to the API server.
 */
let stage: Stage;
let tokens: SoftHsm;
let kubeconfig: string;
let lock: LockHolder;
let lockFilePath: string;
const servers: CertificateServer[] = [];

const kinds = { rsa: 'RSA-2048', p256: 'P-256', p384: 'P-384' } as const;
const names = Object.keys(kinds) as (keyof typeof kinds)[];
const versions = ['1.2', '1.3'] as const;

/** Each account names its key in another way. */
const selects = {
  rsa: { token: 'card', label: 'rsa' },
  p256: { token: 'card', id: '02' },
  p384: { uri: 'pkcs11:token=card;object=p384;type=private' },
};

beforeAll(async () => {
  if (noSoftHsm !== null) return;
  tokens = new SoftHsm();
  stage = await Stage.open({
    extend: async (config, { api, home, clientCa }) => {
      const issued = await Promise.all(
        names.map((name) => issueClientCertificate(clientCa, { commonName: `of ${name}`, key: kinds[name] })),
      );
      tokens.addToken(
        'card',
        issued.map((each, at) => ({ label: names[at] ?? '', id: at + 1, ...each })),
      );
      for (const version of versions) {
        servers.push(await startNode(clientCa, version));
      }
      const env = Object.entries(tokens.env).map(([name, value]) => ({ name, value }));
      const ofServers = home.write('servers-ca.pem', clientCa.certificatePem);
      const ofApi = home.write('api-ca.pem', api.caPem);
      for (const account of names) {
        config.accounts[account] = { pkcs11: { module: tokens.module, ...selects[account], env } };
        const at = (server: string, certificateAuthority: string) => {
          return { server, certificateAuthority, account, proxy: {} };
        };
        config.clusters[account] = at(api.server, ofApi);
        for (const [index, version] of versions.entries()) {
          const server = `https://127.0.0.1:${servers[index]?.port}`;
          config.clusters[`${account}-${version}`] = at(server, ofServers);
        }
      }
    },
  });
  kubeconfig = await stage.writeKubeconfig();
  lockFilePath = join(stage.home.outside, 'client.lock');
  lock = await holdLock(lockFilePath);
});
afterAll(async () => {
  await lock?.release();
  await stage?.dispose();
  await Promise.all(servers.map((server) => server.close()));
  tokens?.dispose();
});

/** What the helper answers a client that knows KEP-2718; this process is the client. */
function ask(name: string) {
  const { spec, ...info } = stage.execInfo();
  return stage.ask(name, { ...info, spec: { ...spec, lockFilePath } }, { args: ['--cluster', name] });
}

// KEP-2718/tls-offload, KEP-2718/proxy-config (rule: key-on-token)
test.each(names)('a key %s signs the handshakes of both forms', unless(noSoftHsm), async (name) => {
  const refused = await ask(name);
  expect(refused).toMatchObject({ code: 15, stderr: expect.stringContaining(`lanyard login ${name}`) });
  const terminal = stage.onTerminal(['login', name]);
  await terminal.waitForText('PIN of the token card (not shown): ');
  terminal.send('1234\r');
  const { code } = await terminal.ended;
  expect(code, terminal.shown()).toBe(0);

  for (const version of versions) {
    const args = ['--context', `${name}-${version}`, 'get', '--raw', '/whoami'];
    const done = await stage.kubectl(findKubectls().newest, kubeconfig, args);
    mustBeGood(done);
    expect(done.stdout).toBe(`TLSv${version} of ${name}`);
  }

  const form = credentialIn(await ask(name)) as OwnForm;
  expect(form.proxyConfig.url).toMatch(/^unix:/);
  // What is on the token is no credential of the client’s.
  expect(form.clientCertificateData).toBeUndefined();
  const { host } = new URL(stage.api.server);
  const listed = await askOwn(form, host, '/api/v1/namespaces/default/pods?limit=5');
  expect(listed).toMatchObject({ status: 200 });
  expect(stage.api.requests.at(-1)).toMatchObject({ user: `of ${name}`, via: 'certificate' });
});
