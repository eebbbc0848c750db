import { existsSync, readFileSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { loadAddon } from '../../main/platform/native/addon.ts';
import { isLong } from '../support/long.ts';
import { PlatformHome } from './platform-home.ts';

// The built helper and broker from one end to the other, on whatever system this is.

const server = 'https://127.0.0.1:6443';
const execInfo = JSON.stringify({
  apiVersion: 'client.authentication.k8s.io/v1',
  kind: 'ExecCredential',
  spec: { interactive: false, cluster: { server } },
});
const isWindows = process.platform === 'win32';
const addon = () => loadAddon(join(import.meta.dirname, '..', '..', 'dist', 'native', 'lanyard.node'));

const home = new PlatformHome();
afterAll(() => home.dispose());
const askFor = (cluster: string) =>
  home.lanyard(['kube-credential', '--account', 'dev', '--cluster', cluster], {
    env: { KUBERNETES_EXEC_INFO: execInfo },
  });
const must = async (...args: string[]) => {
  const done = await home.lanyard(args);
  expect([done.code, done.stderr]).toEqual([0, expect.any(String)]);
  return done.stdout;
};

test('without a broker the helper says that none runs', async () => {
  const { code, stderr } = await home.lanyard(['status']);
  expect([code, stderr]).toEqual([17, expect.stringContaining('no agent is running')]);
});

describe('with a broker', () => {
  beforeAll(async () => {
    home.writeConfig({
      accounts: { dev: { staticToken: {} } },
      clusters: { devc: { server, account: 'dev' } },
    });
    await home.startAgent();
    const set = await home.lanyard(['secret', 'set', 'dev'], { input: 'tok-1' });
    expect([set.code, set.stderr]).toEqual([0, expect.any(String)]);
  });

  test('the helper is answered', async () => {
    const { code, stdout, stderr } = await askFor('devc');
    expect([code, stderr]).toEqual([0, '']);
    expect(JSON.parse(stdout).status.token).toBe('tok-1');
  });

  test('forty helpers at once are all answered', async () => {
    const all = await Promise.all(Array.from({ length: 40 }, () => askFor('devc')));
    expect(all.map(({ code, stderr }) => [code, stderr])).toEqual(all.map(() => [0, '']));
  });

  test('clients that come and go at once leave it listening', async () => {
    const address = isWindows ? addon().pipeName(home.path) : join(home.path, 'lanyard.sock');
    const visit = () =>
      new Promise<void>((done) => {
        const socket = connect(address, () => socket.destroy());
        socket.once('close', () => done());
        // It is busy while another is let in.
        socket.once('error', () => undefined);
      });
    for (let round = 0; round < (isWindows || isLong ? 30 : 10); round += 1) {
      await Promise.all(Array.from({ length: 10 }, visit));
    }
    // It works through those first: on a busy machine for longer than a helper waits.
    await vi.waitUntil(async () => (await askFor('devc')).code === 0, { timeout: 60_000 });
  });

  test('who asks is known: the record names this program', async () => {
    expect(await must('audit', '--json')).toContain(basename(process.execPath));
  });

  test('a change from a program without a terminal is pending', async () => {
    const { code, stderr } = await home.lanyard(['account', 'add', 'other', '--static-token']);
    expect([code, stderr]).toEqual([20, expect.stringContaining('pending approval')]);
  });

  test('the kubeconfig names a program that Go starts', async () => {
    await must('kubeconfig', 'write');
    const text = readFileSync(join(home.path, 'kubeconfig'), 'utf8');
    expect(text).toMatch(isWindows ? /^ *command: .*\\lanyard\.exe"?$/m : /^ *command: "?\/.*\/lanyard"?$/m);
  });

  test('the home is closed to others', () => {
    const isOpen = isWindows ? addon().isOpenToOthers(home.path) : (statSync(home.path).mode & 0o077) !== 0;
    expect(isOpen).toBe(false);
  });

  test('killed, it finds its vault again', async () => {
    await home.killBroker();
    await home.startAgent();
    expect(JSON.parse((await askFor('devc')).stdout).status.token).toBe('tok-1');
  });

  test('uninstalled with vault and config, it ends and leaves nothing', async () => {
    const all = ['uninstall', '--yes', '--with-vault', '--with-config'];
    const { code, stderr } = await home.lanyard(all);
    expect([code, stderr]).toEqual([0, expect.stringContaining('Lanyard is uninstalled')]);
    await home.ended();
    expect(existsSync(home.path)).toBe(false);
  });
});

describe('a helper that finds no broker', () => {
  const own = new PlatformHome({ named: false });
  afterAll(() => own.dispose());

  test('starts the last one again, by start.json and the same passphrase file', async () => {
    await own.startAgent();
    const first = await own.brokerPid();
    await own.killBroker();
    const { code, stdout, stderr } = await own.lanyard(['status', '--json']);
    expect([code, stderr]).toEqual([0, '']);
    const { broker, vault } = JSON.parse(stdout);
    expect([broker.pid === first, vault.kind]).toEqual([false, 'open']);
    process.kill(broker.pid, 'SIGKILL');
  });
});
