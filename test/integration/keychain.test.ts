import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startAgent, type TestAgent } from '../support/agent.ts';
import { type Dialog, talk } from '../support/dialog.ts';
import { builtHelper, makeHome, type TestHome } from '../support/home.ts';
import { run } from '../support/processes.ts';
import { startOnTerminal } from '../support/pty.ts';
import { type SecretService, startSecretService } from '../support/secret-service.ts';
import { endStartedBrokers } from '../support/started-brokers.ts';

const server = 'https://127.0.0.1:6443';
const info = JSON.stringify({
  apiVersion: 'client.authentication.k8s.io/v1',
  kind: 'ExecCredential',
  spec: { interactive: false, cluster: { server } },
});

/** The bus and nothing else: HOME and XDG stay the test's own. */
const busOf = ({ env }: SecretService) => ({
  DBUS_SESSION_BUS_ADDRESS: env['DBUS_SESSION_BUS_ADDRESS'] ?? '',
  XDG_RUNTIME_DIR: env['XDG_RUNTIME_DIR'] ?? '',
});

let service: SecretService;
let home: TestHome;
let agents: TestAgent[];
beforeAll(async () => {
  service = await startSecretService();
});
afterAll(() => service?.[Symbol.asyncDispose]());

/** For the tests of one `describe`. */
async function openHome(): Promise<() => Promise<void>> {
  await service.unlock();
  home = makeHome();
  agents = [];
  home.writeConfig({
    version: 1,
    accounts: { bot: { staticToken: {} } },
    clusters: { prod: { server, account: 'bot' } },
  });
  return async () => {
    await Promise.all(agents.map((agent) => agent.dispose()));
    home.dispose();
  };
}

async function agentWith(env: Record<string, string>): Promise<TestAgent> {
  const agent = await startAgent({ home, env });
  agents.push(agent);
  return agent;
}

const ask = () =>
  home.lanyard(['kube-credential', '--account', 'bot'], { env: { KUBERNETES_EXEC_INFO: info } });
const setToken = () => home.lanyard(['secret', 'set', 'bot'], { input: 'kept' });
const vaultBytes = () => readFileSync(home.file('vault'));
const status = async () => JSON.parse((await home.lanyard(['status', '--json'])).stdout);

const person = (args: readonly string[], ...dialog: Dialog) =>
  talk(startOnTerminal(builtHelper, args, { env: { ...home.env, TERM: 'xterm' } }), ...dialog);

describe('with a real Secret Service that is locked', () => {
  beforeAll(openHome);

  test('no vault is there yet: none is made; unlock makes it with the keyring once that is unlocked', async () => {
    await service.lock();
    await agentWith(busOf(service));
    expect((await status()).vault.kind).toBe('none');
    expect(await ask()).toMatchObject({ code: 11, stdout: '' });
    expect(readdirSync(home.path).filter((name) => name.startsWith('vault'))).toEqual([]);
    expect((await home.lanyard(['unlock', '--new'])).code).toBe(11);
    await service.unlock();
    expect((await home.lanyard(['unlock', '--new'])).code).toBe(0);
    expect(await status()).toMatchObject({ vault: { kind: 'open', slots: ['keychain'] }, held: [] });
    expect((await setToken()).code).toBe(0);
    expect((await ask()).stdout).toContain('"token":"kept"');
  });
});

describe('with a real Secret Service', () => {
  beforeAll(openHome);

  test('the broker makes its vault automatically, and opens it after a restart', async () => {
    const first = await agentWith(busOf(service));
    expect((await status()).vault).toMatchObject({ kind: 'open', slots: ['keychain'] });
    expect((await setToken()).code).toBe(0);
    expect((await ask()).stdout).toContain('"token":"kept"');
    await first.kill();
    await agentWith(busOf(service));
    expect((await ask()).stdout).toContain('"token":"kept"');
  });

  test('the lock is a gate: the user at a terminal opens it, and no program does', async () => {
    expect((await home.lanyard(['lock'])).code).toBe(0);
    expect(await ask()).toMatchObject({ code: 11, stdout: '' });
    expect((await status()).vault).toMatchObject({ kind: 'locked', how: 'gate' });
    expect((await home.lanyard(['unlock'], { input: 'y\n' })).code).toBe(13);
    expect((await person(['unlock'], ['Unlock lanyard? [y/N]', ''])).code).toBe(10);
    expect((await ask()).code).toBe(11);
    expect((await person(['unlock'], ['Unlock lanyard? [y/N]', 'y'])).code).toBe(0);
    expect((await ask()).stdout).toContain('"token":"kept"');
  });

  test.each([
    ['was locked', () => service.lock()],
    ['was started without its password', () => service.restartLocked()],
  ])(
    'while the keyring %s: locked, exit code 11, the vault unchanged; unlock opens it later',
    async (_, lock) => {
      await agents.at(-1)?.stop();
      const before = vaultBytes();
      await lock();
      await agentWith(busOf(service));
      const refused = await ask();
      expect([refused.code, refused.stdout]).toEqual([11, '']);
      expect((await status()).vault).toMatchObject({ kind: 'locked', how: 'keychain' });
      expect((await setToken()).code).toBe(11);
      expect((await home.lanyard(['unlock'])).code).toBe(11);
      expect(vaultBytes()).toEqual(before);
      await service.unlock();
      expect(await home.lanyard(['unlock'])).toMatchObject({ code: 0, stderr: 'Unlocked.\n' });
      expect((await ask()).stdout).toContain('"token":"kept"');
    },
  );
});

describe('without D-Bus and without a passphrase', () => {
  beforeAll(async () => {
    const dispose = await openHome();
    await agentWith({});
    return dispose;
  });

  test('status says that there is no vault, why, and what to do', async () => {
    const text = await home.lanyard(['status']);
    expect(text.code).toBe(0);
    expect(text.stdout).toMatch(/^vault +none yet: .*D-Bus/m);
    expect(text.stdout).toMatch(/Needs attention:\n(.*\n)* +lanyard unlock/);
    for (const done of [await ask(), await setToken(), await home.lanyard(['unlock'])]) {
      expect([done.code, done.stdout]).toEqual([11, '']);
      expect(done.stderr).toMatch(/^lanyard: .*\nhint: /);
    }
    expect(existsSync(home.file('vault'))).toBe(false);
  });

  test('lanyard unlock at a terminal makes one with a passphrase, which is asked twice and not shown', async () => {
    const [first, again] = ['A passphrase for the new vault (not shown): ', 'Once more: '];
    const wanted: [string, string] = ['Make a new vault? [y/N]', 'y'];
    const differ = await person(['unlock'], wanted, [first, 'one passphrase'], [again, 'another one']);
    expect([differ.code, differ.shown]).toEqual([2, expect.stringContaining('the two were not the same')]);
    expect(existsSync(home.file('vault'))).toBe(false);
    const made = await person(['unlock'], wanted, [first, 'one passphrase'], [again, 'one passphrase']);
    expect([made.code, made.shown]).toEqual([0, expect.stringContaining('Made a new vault.')]);
    expect(made.shown).not.toContain('one passphrase');
    expect((await status()).vault).toMatchObject({ kind: 'open', slots: ['passphrase'] });
    // What was shown of the config when the vault was made is approved.
    expect((await status()).held).toEqual([]);
    expect((await setToken()).code).toBe(0);
    expect((await ask()).stdout).toContain('"token":"kept"');

    await agents.at(-1)?.stop();
    await agentWith({});
    expect(await ask()).toMatchObject({ code: 11, stdout: '' });
    expect((await person(['unlock'], ['Passphrase (not shown): ', 'one passphrase'])).code).toBe(0);
    expect((await ask()).stdout).toContain('"token":"kept"');
  });
});

describe('where no broker runs and LANYARD_HOME is not set', () => {
  beforeAll(openHome);

  test('the helper starts the one that start.json names, once for many callers', async () => {
    const data = join(home.env['XDG_DATA_HOME'] ?? '', 'lanyard');
    const env = { ...home.env, ...busOf(service), LANYARD_HOME: undefined };
    const lanyard = (...args: string[]) => run(builtHelper, args, { env });
    try {
      // Nothing was ever started here: it says how.
      expect(await lanyard('status')).toMatchObject({
        code: 17,
        stderr: expect.stringContaining('lanyard agent'),
      });
      const agent = await startAgent({ home, env: { ...busOf(service), LANYARD_HOME: '' } });
      await agent.stop();
      expect(existsSync(join(data, 'start.json'))).toBe(true);
      expect(await run(builtHelper, ['status'], { env: { ...env, LANYARD_NO_START: '1' } })).toMatchObject({
        code: 17,
      });
      const all = await Promise.all(Array.from({ length: 8 }, () => lanyard('status', '--json')));
      expect(all.map(({ code }) => code)).toEqual(all.map(() => 0));
      const pids = new Set(all.map(({ stdout }) => JSON.parse(stdout).broker.pid));
      expect(pids.size).toBe(1);
      expect(JSON.parse(all[0]?.stdout ?? '').broker.home).toBe(data);
    } finally {
      await endStartedBrokers(data);
    }
  });
});
