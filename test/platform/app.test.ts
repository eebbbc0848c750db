import { existsSync, readdirSync } from 'node:fs';
import { _electron, type ElectronApplication } from 'playwright';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { electronForTests } from '../support/electron-for-tests.ts';
import { run } from '../support/processes.ts';
import { unless } from '../support/unless.ts';
import { PlatformHome } from './platform-home.ts';

// The desktop app on Windows: its shell on a real Electron, with pipe and window. Linux’ is tried in test/electron.

const timeout = 100_000;
const server = 'https://127.0.0.1:6443';
const found = electronForTests(process.env);
const isWindows = process.platform === 'win32';
const why = isWindows ? (found === null ? 'no Electron is here' : null) : 'it is about Windows';

describe('the desktop app', unless(why), () => {
  const { program, app: folder } = found ?? { program: '', app: '' };
  let home: PlatformHome;
  let app: ElectronApplication;
  const must = async (args: readonly string[], given: Parameters<PlatformHome['lanyard']>[1] = {}) => {
    const { code, stdout, stderr } = await home.lanyard(args, given);
    expect([code, stderr]).toEqual([0, expect.any(String)]);
    return stdout;
  };
  const uninstall = ['uninstall', '--yes', '--with-vault', '--with-config'];

  beforeAll(async () => {
    home = new PlatformHome();
    home.writeConfig({
      accounts: { dev: { staticToken: {} } },
      clusters: { devc: { server, account: 'dev' } },
    });
    app = await _electron.launch({
      executablePath: program,
      // wine’s Direct3D is not enough for Chromium’s.
      args: [folder, '--hidden', '--disable-gpu'],
      env: { ...home.env },
      timeout,
    });
    await vi.waitUntil(async () => (await home.lanyard(['status'])).code === 0, { timeout });
  });
  afterAll(async () => {
    // After a test that failed: its key in this user’s Credential Manager.
    await home.lanyard(uninstall);
    await app?.close();
    await home.dispose();
  });

  test('serves its pipe, and its vault has its key in the Credential Manager', async () => {
    const { broker, vault } = JSON.parse(await must(['status', '--json']));
    expect(broker.pid).toBe(await app.evaluate(() => process.pid));
    expect(vault).toMatchObject({ kind: 'open', slots: ['keychain'] });
  });

  test('the helper is answered', async () => {
    await must(['secret', 'set', 'dev'], { input: 'tok-1' });
    const info = { apiVersion: 'client.authentication.k8s.io/v1', kind: 'ExecCredential' };
    const told = JSON.stringify({ ...info, spec: { interactive: false, cluster: { server } } });
    const ask = ['kube-credential', '--account', 'dev', '--cluster', 'devc'];
    const answer = await must(ask, { env: { KUBERNETES_EXEC_INFO: told } });
    expect(JSON.parse(answer).status.token).toBe('tok-1');
  });

  test('a second start shows its window, which draws what the broker knows', async () => {
    expect(app.windows()).toEqual([]);
    const [page, { code }] = await Promise.all([
      app.waitForEvent('window', { timeout }),
      run(program, [folder, '--show=#/accounts'], { env: home.env }),
    ]);
    expect(code).toBe(0);
    await page.getByRole('rowheader', { name: 'dev' }).waitFor({ timeout });
    expect(page.url()).toBe('app://lanyard/#/accounts');
    const shown = await app.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows().map((each) => [each.getTitle(), each.isVisible()]),
    );
    expect(shown).toEqual([[expect.stringMatching(/^Accounts/), true]]);
  });

  test('uninstalled with vault and config, it ends, and they are gone', async () => {
    const ended = app.waitForEvent('close', { timeout });
    await must(uninstall);
    await ended;
    expect((await home.lanyard(['status'])).code).toBe(17);
    // The program that it starts as it ends removes what Chromium had open. The history may be open until the end, too,
    // where libsql stands for Node’s SQLite.
    const left = () =>
      (existsSync(home.path) ? readdirSync(home.path) : []).filter((name) => name !== 'history.db');
    await vi.waitUntil(() => left().length === 0, { timeout });
  });
});
