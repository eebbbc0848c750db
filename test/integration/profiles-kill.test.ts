import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { bundled } from '../support/bundled.ts';
import { profileObject } from '../support/inventory-hub.ts';
import { chosenPoints, seedInTitle } from '../support/long.ts';
import { run } from '../support/processes.ts';

/** Of the long form, which kills at each of them. */
vi.setConfig({ testTimeout: 900_000 });

let program: string;
beforeAll(async () => {
  const made = await bundled('profiles-process');
  program = made.path;
  return () => made.dispose();
});

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ly-profiles-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const act = (home: string, what: string, at = 0) => run(process.execPath, [program, home, what, String(at)]);

async function mustWork(home: string, what: string): Promise<string> {
  const done = await act(home, what);
  expect(done.code, done.stderr).toBe(0);
  return done.stdout;
}

const look = async (home: string): Promise<{ inUse: string[]; approved: string[] }> =>
  JSON.parse(await mustWork(home, 'look'));

/** The profile `eu` as its file has it; `isSelected`: by the inventory’s `select`. */
function put(home: string, { isSelected }: { isSelected: boolean }): void {
  const object = profileObject('team', 'eu', {
    metadata: { namespace: 'team', name: 'eu', uid: 'of-eu', labels: isSelected ? { tier: 'auto' } : {} },
    status: { accessProviders: [{ name: 'robots', cluster: { server: 'https://eu.example.com' } }] },
  });
  writeFileSync(join(home, 'fleet.json'), JSON.stringify(object));
}

/** A home with an approved inventory of one file. */
async function begin(isSelected: boolean): Promise<string> {
  const home = join(folder, 'before');
  mkdirSync(home, { mode: 0o700 });
  put(home, { isSelected });
  const fleet = {
    files: [join(home, 'fleet.json')],
    providers: [{ name: 'robots', account: 'bot' }],
    select: 'tier=auto',
  };
  writeFileSync(
    join(home, 'config.yaml'),
    JSON.stringify({
      version: 1,
      accounts: { bot: { staticToken: {} } },
      clusters: {},
      inventories: { fleet },
    }),
    { mode: 0o600 },
  );
  await mustWork(home, 'begin');
  return home;
}

/** Kills `what` before each of its operations on files; then looks, and does it again. */
async function killEach(before: string, what: string, check: (home: string) => Promise<void>): Promise<void> {
  const whole = join(folder, 'whole');
  cpSync(before, whole, { recursive: true });
  const operations = Number(await mustWork(whole, what));
  expect(operations).toBeGreaterThan(8);
  for (const at of chosenPoints(operations)) {
    const home = join(folder, `at-${at}`);
    cpSync(before, home, { recursive: true });
    expect(await act(home, what, at)).toMatchObject({ signal: 'SIGKILL' });
    await check(home);
    rmSync(home, { recursive: true });
  }
}

test(`a profile that is taken into use is in use and approved, or needs approval, or is as it was${seedInTitle}`, async () => {
  const before = await begin(false);
  await killEach(before, 'use', async (home) => {
    const { inUse, approved } = await look(home);
    expect([...inUse, ...approved].every((name) => name === 'eu')).toBe(true);
    // An approval without use would be in use unasked later.
    expect(approved.every((name) => inUse.includes(name))).toBe(true);
    await mustWork(home, 'use');
    expect(await look(home)).toEqual({ inUse: ['eu'], approved: ['eu'] });
  });
});

test(`one that is dropped has no approval once it is out of use${seedInTitle}`, async () => {
  const before = await begin(false);
  await mustWork(before, 'use');
  await killEach(before, 'drop', async (home) => {
    const { inUse, approved } = await look(home);
    expect(approved).toEqual(inUse);
    if (inUse.length > 0) {
      await mustWork(home, 'drop');
    }
    expect(await look(home)).toEqual({ inUse: [], approved: [] });
  });
});

test(`so has one that select has no more${seedInTitle}`, async () => {
  const before = await begin(true);
  await mustWork(before, 'select');
  await mustWork(before, 'approve');
  expect(await look(before)).toEqual({ inUse: ['eu'], approved: ['eu'] });
  put(before, { isSelected: false });
  await killEach(before, 'select', async (home) => {
    expect(await look(home)).toEqual({ inUse: [], approved: [] });
  });
});
