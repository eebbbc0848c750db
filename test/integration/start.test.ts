import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findElectron } from '../../scripts/find-electron.ts';
import { makeHome, type TestHome } from '../support/home.ts';
import { ordinaryUser, whyNoOrdinaryUser } from '../support/ordinary-user.ts';
import { run, start } from '../support/processes.ts';
import { unless } from '../support/unless.ts';

const root = join(import.meta.dirname, '..', '..');
const script = join(root, 'scripts', 'start.ts');
const isRoot = process.getuid?.() === 0;
let home: TestHome;

beforeEach(() => {
  home = makeHome();
});
afterEach(() => home.dispose());

const withoutElectron = () => {
  const folder = join(home.outside, 'none');
  mkdirSync(folder);
  return { ...home.env, ELECTRON_OVERRIDE_DIST_PATH: folder };
};

/** npm start, once all is built. */
describe('scripts/start.ts', unless(whyNoOrdinaryUser), () => {
  const [program = '', ...words] = [...ordinaryUser, process.execPath, script];
  const npmStart = (more: readonly string[], env: Record<string, string>) =>
    run(program, [...words, ...more], { env });

  test('opens the app with the words, and without what bends its runtime; ends with its code', async () => {
    const folder = join(home.outside, 'electron');
    mkdirSync(folder);
    const electron = join(folder, 'electron');
    writeFileSync(electron, '#!/bin/sh\necho "$@"\nenv\nexit 7\n');
    chmodSync(electron, 0o755);
    const env = {
      ...home.env,
      ELECTRON_OVERRIDE_DIST_PATH: folder,
      ELECTRON_RUN_AS_NODE: '1',
      DISPLAY: ':7',
    };
    const done = await npmStart(['--show=#/accounts'], env);
    expect(done.code, done.stderr).toBe(7);
    expect(done.stdout.split('\n')[0]).toBe(`${root} --show=#/accounts`);
    expect(done.stdout).toContain('DISPLAY=:7');
    expect(done.stdout).not.toContain('ELECTRON_');
  });

  test('says in one line where there is no Electron, and what does the same', async () => {
    const done = await npmStart([], withoutElectron());
    expect([done.code, done.stdout]).toEqual([1, '']);
    expect(done.stderr).toMatch(/^Electron’s binary can’t be had \(.+\)\. .*lanyard agent.*lanyard ui.*\n$/);
  });

  test.skipIf(findElectron(root, {}) !== null)('says why it could not be fetched', async () => {
    // Nobody listens there.
    const env = { ...home.env, ELECTRON_MIRROR: 'http://127.0.0.1:9/', electron_config_cache: home.outside };
    const done = await npmStart([], env);
    expect([done.code, done.stdout]).toEqual([1, expect.stringMatching(/^Fetching Electron’s binary, once/)]);
    expect(done.stderr).toMatch(/^Electron’s binary can’t be had \(.+\)\. .*\n$/);
  });

  // As root on Linux without being told: Chromium has no sandbox there.
  test.each([
    {
      as: 'an ordinary user with --agent',
      command: [...ordinaryUser, process.execPath, script, '--agent'],
      said: '',
    },
    ...(isRoot && process.platform === 'linux'
      ? [{ as: 'root', command: [process.execPath, script], said: 'The desktop app doesn’t run as root' }]
      : []),
  ])('starts the broker, and then its page, as $as', async ({ command, said }) => {
    const [first = '', ...more] = command;
    const running = start(first, more, { env: withoutElectron() });
    try {
      running.closeInput();
      await running.waitForLine(/http:\/\/127\.0\.0\.1:\d+\//);
      const { pid } = JSON.parse((await home.lanyard(['status', '--json'])).stdout).broker as { pid: number };
      process.kill(pid, 'SIGTERM');
      expect((await running.ended).code).toBe(0);
      expect(running.stdout().startsWith(said)).toBe(true);
    } finally {
      await running.dispose();
    }
  });
});
