import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { issueClientCertificate } from '../support/certificates.ts';
import { noSoftHsm, SoftHsm } from '../support/keys/softhsm.ts';
import { holdLock, type LockHolder } from '../support/lock-holder.ts';
import { askOwn, type OwnForm } from '../support/own-listener.ts';
import { credentialIn, Stage } from '../support/stage.ts';

/** KEP-2718’s own form for a cluster whose certificate is on a token: the client’s listener connects with it. */
let stage: Stage;
let tokens: SoftHsm;
let lock: LockHolder;
let lockFilePath: string;
const kinds = ['RSA-2048', 'P-256', 'P-384'] as const;

beforeAll(async () => {
  if (noSoftHsm !== null) return;
  tokens = new SoftHsm();
  stage = await Stage.open({
    extend: async (config, { api, home, clientCa }) => {
      const certificateAuthority = home.write('api-ca.pem', api.caPem);
      const env = Object.entries(tokens.env).map(([name, value]) => ({ name, value }));
      const keys = [];
      for (const [at, key] of kinds.entries()) {
        const issued = await issueClientCertificate(clientCa, { commonName: `carol-${key}`, key });
        keys.push({ label: key, id: at + 1, ...issued });
        config.accounts[key] = { pkcs11: { module: tokens.module, token: 'card', label: key, env } };
        config.clusters[key] = { server: api.server, certificateAuthority, account: key, proxy: {} };
      }
      tokens.addToken('card', keys);
    },
  });
  lockFilePath = join(stage.home.outside, 'client.lock');
  lock = await holdLock(lockFilePath);
});
afterAll(async () => {
  await lock?.release();
  await stage?.dispose();
  tokens?.dispose();
});

/** What the helper answers a client that knows KEP-2718; this process is the client. */
function ask(name: string) {
  const { spec, ...info } = stage.execInfo();
  return stage.ask(name, { ...info, spec: { ...spec, lockFilePath } }, { args: ['--cluster', name] });
}

async function logIn(name: string): Promise<void> {
  const terminal = stage.onTerminal(['login', name]);
  await terminal.waitForText('PIN of the token card (not shown): ');
  terminal.send('1234\r');
  expect(await terminal.ended).toMatchObject({ code: 0 });
}

// KEP-2718/proxy-config
describe.skipIf(noSoftHsm !== null)('a client with a lock file', () => {
  test.each(kinds)('gets through its own socket with the certificate on the token: %s', async (name) => {
    const refused = await ask(name);
    expect(refused).toMatchObject({ code: 15, stderr: expect.stringContaining(`lanyard login ${name}`) });
    await logIn(name);
    const form = credentialIn(await ask(name)) as OwnForm;
    expect(form.proxyConfig.url).toMatch(/^unix:/);
    // What is on the token is no credential of the client’s.
    expect(form.clientCertificateData).toBeUndefined();
    const { host } = new URL(stage.api.server);
    expect(await askOwn(form, host, '/api/v1/namespaces/default/pods?limit=5')).toMatchObject({
      status: 200,
    });
    expect(stage.api.requests.at(-1)).toMatchObject({ user: `carol-${name}`, via: 'certificate' });
  });
});
