import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { readStored } from '../../main/inventory/stored-profiles.ts';
import { bundled } from '../support/bundled.ts';
import { type InventoryHub, profileObject, startInventoryHub } from '../support/inventory-hub.ts';
import { chosenPoints, isLong, seedInTitle } from '../support/long.ts';
import { run, start } from '../support/processes.ts';

/** Of the long form, which kills at each of them. */
vi.setConfig({ testTimeout: 900_000 });

let program: string;
beforeAll(async () => {
  const made = await bundled('inventory-process');
  program = made.path;
  return () => made.dispose();
});

let folder: string;
let hub: InventoryHub;
let server: string;
let endHub: () => Promise<void>;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ly-kill-'));
  ({ hub, server, dispose: endHub } = await startInventoryHub());
});
afterEach(async () => {
  await endHub();
  rmSync(folder, { recursive: true, force: true });
});

const sync = (home: string, at = 0) => run(process.execPath, [program, home, server, String(at)]);

async function mustSync(home: string): Promise<number> {
  const done = await sync(home);
  expect(done.code, done.stderr).toBe(0);
  return Number(done.stdout);
}

/** The names on disk, as one text. */
async function stored(home: string): Promise<string | null> {
  const found = await readStored({ folder: home, inventory: 'fleet', origin: 'hub' });
  expect(found).not.toBe('damaged');
  return found === null || found === 'damaged'
    ? null
    : found.profiles
        .map(({ name }) => name)
        .sort()
        .join(' ');
}

const profiles = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, number) => profileObject('team', `c${from + number}`));

test(`a sync that is killed between any two operations on files leaves the old state or the new one${seedInTitle}`, async () => {
  hub.put(...profiles(0, 700));
  const before = join(folder, 'before');
  await mustSync(before);
  const old = await stored(before);
  for (let number = 0; number < 50; number++) {
    hub.delete('team', `c${number}`);
  }
  hub.put(...profiles(700, 800));
  const home = join(folder, 'home');
  cpSync(before, home, { recursive: true });
  const operations = await mustSync(home);
  const next = await stored(home);
  expect(operations).toBeGreaterThan(5);
  expect(next?.split(' ')).toHaveLength(750);
  const seen = new Set<string | null>();
  for (const at of chosenPoints(operations)) {
    rmSync(home, { recursive: true });
    cpSync(before, home, { recursive: true });
    const killed = await sync(home, at);
    expect(killed.signal, `at ${at}: ${killed.stderr}`).toBe('SIGKILL');
    const found = await stored(home);
    expect([old, next].includes(found), `at ${at}`).toBe(true);
    seen.add(found);
    await mustSync(home);
    expect(await stored(home), `at ${at}`).toBe(next);
    expect(readdirSync(home), `at ${at}`).toEqual(['fleet.json']);
  }
  if (isLong) {
    expect(seen).toEqual(new Set([old, next]));
  }
});

test('one that is killed in the middle of a list leaves what was known', async () => {
  hub.put(...profiles(0, 700));
  await mustSync(folder);
  const old = await stored(folder);
  hub.put(...profiles(700, 1_400));
  hub.pageFault = { kind: 'silent' };
  const lists = hub.lists;
  const running = start(process.execPath, [program, folder, server]);
  await expect.poll(() => hub.lists - lists).toBeGreaterThan(1);
  running.kill('SIGKILL');
  expect((await running.ended).signal).toBe('SIGKILL');
  expect(await stored(folder)).toBe(old);
});
