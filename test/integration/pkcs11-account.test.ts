import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { issueClientCertificate } from '../support/certificates.ts';
import { noSoftHsm, SoftHsm } from '../support/keys/softhsm.ts';
import { findKubectls, type Kubectl } from '../support/kubectl.ts';
import { Stage } from '../support/stage.ts';

/** A key on a token, from the login at a terminal to kubectl’s pods, with the whole broker and SoftHSM. */
let stage: Stage;
let tokens: SoftHsm;
let kubectl: Kubectl;
let kubeconfig: string;

beforeAll(async () => {
  if (noSoftHsm !== null) return;
  kubectl = findKubectls().newest;
  tokens = new SoftHsm();
  stage = await Stage.open({
    extend: async (config, { api, home, clientCa }) => {
      const carol = await issueClientCertificate(clientCa, { commonName: 'carol', key: 'P-256' });
      tokens.addToken('card', [{ label: 'me', id: 1, ...carol }]);
      const certificateAuthority = home.write('api-ca.pem', api.caPem);
      const env = Object.entries(tokens.env).map(([name, value]) => ({ name, value }));
      config.accounts['card'] = { pkcs11: { module: tokens.misbehaving, token: 'card', label: 'me', env } };
      config.clusters['carded'] = { server: api.server, certificateAuthority, account: 'card', proxy: {} };
    },
  });
  kubeconfig = await stage.writeKubeconfig();
});
afterEach(async () => {
  await stage?.lanyard(['logout', 'card']);
  tokens?.reset();
});
afterAll(async () => {
  await stage?.dispose();
  tokens?.dispose();
});

const pods = () => stage.kubectl(kubectl, kubeconfig, ['--context', 'carded', 'get', 'pods']);

/** The person types a PIN. */
async function logIn(pin = '1234') {
  const terminal = stage.onTerminal(['login', 'card']);
  await terminal.waitForText('PIN of the token card (not shown): ');
  terminal.send(`${pin}\r`);
  const { code } = await terminal.ended;
  return { code, shown: terminal.shown() };
}

async function account() {
  const { accounts } = await stage.status();
  return accounts.find(({ name }: { name: string }) => name === 'card');
}

// KEP-2718/tls-offload (rule: key-on-token)
describe.skipIf(noSoftHsm !== null)('a key on a token', () => {
  test('signs kubectl’s handshake once its PIN was given', async () => {
    const before = await pods();
    expect(before.code).not.toBe(0);
    expect(before.stderr).toContain('lanyard login card');
    expect(tokens.noted('logins')).toEqual([]);

    const { code, shown } = await logIn();
    expect(code).toBe(0);
    expect(shown).toContain('Logged in to card as carol.');
    expect(shown).not.toContain('1234');
    expect(await account()).toMatchObject({ state: 'ready', subject: 'carol' });

    expect(await pods()).toMatchObject({ code: 0, stdout: expect.stringContaining('web-0') });
    expect(stage.api.requests.at(-1)).toMatchObject({ user: 'carol', via: 'certificate' });
    expect(tokens.noted('logins')).toEqual(['pin']);
    expect(stage.agentLogs()).not.toContain('1234');
  });

  test('a wrong PIN is tried once, and says what the token says', async () => {
    tokens.misbehave('three');
    const first = await logIn('9999');
    expect(first.code).toBe(15);
    expect(first.shown).toContain(
      'the PIN is wrong (CKR_PIN_INCORRECT); a few more wrong ones lock the token',
    );
    expect(await account()).toMatchObject({ state: 'loginNeeded' });
    await pods();
    expect(tokens.noted('logins')).toEqual(['pin']);
  });
});
