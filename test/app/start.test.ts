import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runApp } from '../../app/run-app.ts';
import { exitCodes } from '../../main/contract/exit-codes.ts';
import { createStandIn, type StandIn } from '../support/electron/index.ts';
import { type AppProgram, startApp } from '../support/electron/program.ts';
import { makeHome, type TestHome } from '../support/home.ts';

/** How the app begins and ends: where Chromium’s own files go, what is set of V8, and what a person hears when it can’t. */
const dist = join(import.meta.dirname, '..', '..', 'dist');
let home: TestHome;
let program: AppProgram | null = null;
beforeEach(() => {
  home = makeHome();
});
afterEach(async () => {
  await program?.dispose();
  program = null;
  home.dispose();
});

/** Runs it, and hands back what `userData` was whenever Electron was used. */
async function begin(
  standIn: StandIn,
  {
    env = home.env,
    platform = 'linux',
    hidden = true,
  }: { env?: NodeJS.ProcessEnv; platform?: NodeJS.Platform; hidden?: boolean } = {},
) {
  const { app, electron } = standIn;
  const seen = new Set<string>();
  const look = () => void seen.add(app.paths.get('userData') ?? 'the usual one');
  const { requestSingleInstanceLock, whenReady } = app;
  app.requestSingleInstanceLock = (data) => {
    look();
    return requestSingleInstanceLock.call(app, data);
  };
  app.whenReady = () => {
    look();
    return whenReady.call(app);
  };
  app.events.on('session-created', look);
  const start = { kind: 'desktop', hidden, route: null, lock: false } as const;
  await runApp({ electron, places: { dist, resources: null }, start, env: { ...env }, platform });
  return [...seen];
}

describe('Chromium’s own files', () => {
  it.each(['linux', 'darwin'] as const)(
    'are in a folder of the home before anything is used on %s',
    async (platform) => {
      const standIn = createStandIn();
      // Here it ends: what comes after is the same everywhere.
      standIn.app.isFirst = false;
      expect(await begin(standIn, { platform })).toEqual([home.file('desktop')]);
      expect(standIn.app.exitCode).toBe(exitCodes.good);
    },
  );

  it('aren’t in the home itself, which has the app’s name on macOS', async () => {
    const standIn = createStandIn();
    standIn.app.isFirst = false;
    const { LANYARD_HOME: _, ...env } = home.env;
    const [folder = ''] = await begin(standIn, { env, platform: 'darwin' });
    expect(folder).toBe(join(env['HOME'] ?? '', 'Library/Application Support/Lanyard/desktop'));
  });

  it('stay there through the whole start; when the user quits, nothing listens or is visible any more', async () => {
    const standIn = createStandIn();
    expect(await begin(standIn, { hidden: false })).toEqual([home.file('desktop')]);
    expect(standIn.schemes).toMatchObject([{ scheme: 'app' }, { scheme: 'lanyard-dialog' }]);
    const [window] = standIn.windows;
    await expect.poll(() => window?.loaded).toEqual(['app://lanyard/']);
    const { power, theme, ipc } = standIn;
    // The system's end is heard until the process has ended.
    const listening = () =>
      [power, theme, ipc].flatMap(({ events }) => events.eventNames()).filter((name) => name !== 'shutdown');
    expect(listening()).not.toEqual([]);
    standIn.app.quit();
    expect(await standIn.app.ended.promise).toBe(0);
    expect(listening()).toEqual([]);
    expect(window?.isDestroyed()).toBe(true);
  });
});

describe('a start that fails', () => {
  it.each<[string, () => NodeJS.ProcessEnv, RegExp, number]>([
    ['no home', () => ({}), /No home: none of /, exitCodes.usage],
    [
      'a home that is no full path',
      () => ({ LANYARD_HOME: 'h' }),
      /must be an absolute path/,
      exitCodes.usage,
    ],
    [
      'a file in the home’s place',
      () => ({ ...home.env, LANYARD_HOME: home.write('file', '') }),
      /(ENOTDIR|EEXIST), .*file/,
      exitCodes.internal,
    ],
    [
      'a folder in the lock’s place',
      () => {
        mkdirSync(home.file('lock'));
        return home.env;
      },
      /Something went wrong inside lanyard/,
      exitCodes.internal,
    ],
  ])(
    'by %s is one dialog and an exit code, and leaves nothing in Chromium’s usual folder',
    async (_, env, text, code) => {
      const standIn = createStandIn();
      const [folder = ''] = await begin(standIn, { env: env() });
      expect(await standIn.app.ended.promise).toBe(code);
      expect([standIn.boxes.length, standIn.windows.length]).toEqual([1, 0]);
      expect(standIn.boxes[0]).toMatchObject({
        type: 'error',
        message: 'Lanyard can’t start',
        buttons: ['Quit'],
      });
      expect(standIn.boxes[0]?.detail).toMatch(text);
      expect(folder).not.toBe('the usual one');
      if (folder !== home.file('desktop')) {
        expect(folder.startsWith(join(tmpdir(), 'lanyard-'))).toBe(true);
        rmSync(folder, { recursive: true });
      }
    },
  );

  it('by a missing addon is one line of the log as well, and no broker is left', async () => {
    const resources = join(home.outside, 'resources');
    mkdirSync(resources);
    program = await startApp({ home, resources, ready: false });
    const { code, stderr } = await program.ended;
    expect(code).toBe(exitCodes.internal);
    expect(stderr.match(/"app\.failed"/g)).toHaveLength(1);
    expect((await home.lanyard(['status'])).code).toBe(exitCodes.unreachable);
  });

  it('isn’t one where the vault can’t be read: the window says so', async () => {
    writeFileSync(home.file('vault'), 'not a vault', { mode: 0o600 });
    program = await startApp({ home });
    expect(await program.evaluate(({ boxes, errors }) => [boxes.length, errors.length])).toEqual([0, 0]);
    expect(program.running.stderr()).toContain('broken');
  });
});

describe('a start from a place that passes', () => {
  /** As macOS runs it from its image: translocated, or where the image is mounted. */
  const places = [
    '/private/var/folders/zz/zyx/T/AppTranslocation/613DF902/d/Lanyard.app/Contents/MacOS/Lanyard',
    '/Volumes/Lanyard/Lanyard.app/Contents/MacOS/Lanyard',
  ];

  it.each(places)('offers the move before anything is in the home: %s', async (execPath) => {
    const standIn = createStandIn();
    standIn.app.isPackaged = true;
    rmSync(home.path, { recursive: true });
    const start = { kind: 'desktop', hidden: false, route: null, lock: false } as const;
    const options = { places: { dist, resources: null }, start, env: { ...home.env }, execPath } as const;
    await runApp({ ...options, electron: standIn.electron, platform: 'darwin' });
    expect(standIn.app.exitCode).toBe(exitCodes.usage);
    expect(standIn.boxes.map(({ buttons }) => buttons?.[0])).toEqual(['Move to Applications']);
    // Seen by the user, though macOS may have another app in front.
    expect(standIn.app.steals).toBe(1);
    expect([existsSync(home.path), standIn.windows, standIn.app.handedOver]).toEqual([false, [], undefined]);
    const folder = standIn.app.paths.get('userData') ?? '';
    expect(folder.startsWith(join(tmpdir(), 'lanyard-'))).toBe(true);
    rmSync(folder, { recursive: true });
  });
});

it('the app’s V8 keeps a small nursery, and can be told to look through its heap', async () => {
  program = await startApp({ home });
  const seen = await program.evaluate(async () => {
    const { getHeapSpaceStatistics } = process.getBuiltinModule('node:v8');
    let kept: unknown[] = [];
    for (let at = 0; at < 2_000_000; at += 1) {
      kept = kept.length > 40_000 ? [] : kept;
      kept.push({ at, list: [at] });
    }
    const nursery = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
    return { gc: typeof globalThis.gc, mebibytes: (nursery?.space_size ?? 0) / 1024 / 1024 };
  });
  expect(seen.gc).toBe('function');
  // 16, as large as it was when the bundle had been read; without the flag it grows to 64.
  expect(seen.mebibytes).toBeLessThan(40);
});
