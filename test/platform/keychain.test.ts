import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { keychainService } from '../../main/vault/index.ts';
import { ofWindows } from './of-windows.ts';
import { PlatformHome } from './platform-home.ts';

// The vault’s key in Windows’ Credential Manager, from the first start to the uninstall. Linux’ keychain is tried in
// test/integration/keychain.test.ts; a Mac’s asks its user.

const server = 'https://127.0.0.1:6443';
const config = { accounts: { bot: { staticToken: {} } }, clusters: { dev: { server, account: 'bot' } } };

/** The vaults whose key is in the keychain. */
async function vaultsInKeychain(): Promise<string[]> {
  const { default: keytar } = await import('keytar');
  return (await keytar.findCredentials(keychainService)).map(({ account }) => account);
}

const isWindows = process.platform === 'win32';
describe.runIf(isWindows)(ofWindows('the keychain', 'it is about the Credential Manager'), () => {
  let home: PlatformHome;
  let others: string[] = [];
  beforeAll(async () => {
    home = new PlatformHome();
    others = await vaultsInKeychain();
    home.writeConfig(config);
    await home.startAgent({ words: [] });
  });
  afterAll(async () => {
    await home.dispose();
    // What a test that failed has left in this user’s own.
    const { default: keytar } = await import('keytar');
    for (const id of await own()) {
      await keytar.deletePassword(keychainService, id);
    }
  });

  const own = async () => (await vaultsInKeychain()).filter((id) => !others.includes(id));
  const vault = async () => JSON.parse((await home.lanyard(['status', '--json'])).stdout).vault;
  const must = async (args: readonly string[], given: Parameters<PlatformHome['lanyard']>[1] = {}) => {
    const { code, stdout, stderr } = await home.lanyard(args, given);
    expect([code, stderr]).toEqual([0, expect.any(String)]);
    return stdout;
  };
  const token = async () => {
    const info = { apiVersion: 'client.authentication.k8s.io/v1', kind: 'ExecCredential' };
    const told = JSON.stringify({ ...info, spec: { interactive: false, cluster: { server } } });
    const ask = ['kube-credential', '--account', 'bot', '--cluster', 'dev'];
    return JSON.parse(await must(ask, { env: { KUBERNETES_EXEC_INFO: told } })).status.token;
  };
  const restart = async () => {
    await home.killBroker();
    await home.startAgent({ words: [] });
  };

  test('the first start makes a vault whose key is there', async () => {
    expect(await vault()).toMatchObject({ kind: 'open', slots: ['keychain'] });
    expect(await own()).toHaveLength(1);
    await must(['secret', 'set', 'bot'], { input: 'kept-token' });
  });

  test('the next start needs no passphrase', async () => {
    await restart();
    expect(await token()).toBe('kept-token');
  });

  test('with a passphrase beside it, each of the two opens the vault', async () => {
    await must(['passphrase', 'set', '--passphrase-file', home.passphraseFile]);
    expect((await vault()).slots).toEqual(['keychain', 'passphrase']);
    await must(['lock']);
    expect(await vault()).toMatchObject({ kind: 'locked', ways: ['keychain', 'passphrase'] });
    await must(['unlock', '--passphrase-file', home.passphraseFile]);
    await restart();
    expect(await token()).toBe('kept-token');
  });

  test('where its key is lost the passphrase opens the vault, and puts a key there again', async () => {
    const { default: keytar } = await import('keytar');
    const [id = ''] = await own();
    expect(await keytar.deletePassword(keychainService, id)).toBe(true);
    await restart();
    expect(await vault()).toMatchObject({ kind: 'locked', how: 'keychain' });
    await must(['unlock', '--passphrase-file', home.passphraseFile]);
    expect(await own()).toEqual([id]);
    await restart();
    expect(await token()).toBe('kept-token');
  });

  test('taken away as a way in, its key is gone, and a start waits for the passphrase', async () => {
    const next = home.write('next passphrase', 'another good passphrase\n');
    const [old, without] = [['--old-passphrase-file', home.passphraseFile], '--without-keychain'];
    await must(['passphrase', 'change', ...old, '--passphrase-file', next, without]);
    expect(await own()).toEqual([]);
    await restart();
    expect(await vault()).toMatchObject({ kind: 'locked', how: 'passphrase', ways: ['passphrase'] });
    await must(['unlock', '--passphrase-file', next]);
    expect(await token()).toBe('kept-token');
  });

  test('a vault that is uninstalled leaves no key there', async () => {
    const another = new PlatformHome();
    onTestFinished(() => another.dispose());
    another.writeConfig(config);
    await another.startAgent({ words: [] });
    expect(await own()).toHaveLength(1);
    const all = ['uninstall', '--yes', '--with-vault', '--with-config'];
    const { code, stderr } = await another.lanyard(all);
    expect([code, stderr]).toEqual([0, expect.any(String)]);
    await another.ended();
    expect(await own()).toEqual([]);
  });
});
