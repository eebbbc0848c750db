import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { bundled } from '../support/bundled.ts';
import { chosenPoints, isLong, seedInTitle } from '../support/long.ts';
import { run } from '../support/processes.ts';

/** Of the long form, which kills at each of them. */
vi.setConfig({ testTimeout: 900_000 });

let program: string;
beforeAll(async () => {
  const made = await bundled('docker-install-process');
  program = made.path;
  return () => made.dispose();
});

const auth = Buffer.from('alice:the-password').toString('base64');
const original = `{\n\t"auths": {\n\t\t"ghcr.io": {\n\t\t\t"auth": "${auth}"\n\t\t}\n\t},\n\t"credsStore": "pass"\n}`;
const installed = '{\n\t"auths": {\n\t\t"ghcr.io": {}\n\t},\n\t"credsStore": "lanyard"\n}';

let folder: string;
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** `text`: null: there is no file, and no folder for it. */
function begin(text: string | null): string {
  folder = mkdtempSync(join(tmpdir(), 'ly-kill-'));
  const file = join(folder, '.docker', 'config.json');
  if (text !== null) {
    mkdirSync(join(folder, '.docker'));
    writeFileSync(file, text, { mode: 0o600 });
  }
  return file;
}

const act = (what: 'install' | 'undo' | 'logins', at = 0) =>
  run(process.execPath, [program, folder, join(folder, '.docker', 'config.json'), what, String(at)]);

async function mustWork(what: 'install' | 'undo'): Promise<number> {
  const done = await act(what);
  expect(done.code, done.stderr).toBe(0);
  return Number(done.stdout);
}

const textOf = (file: string) => (existsSync(file) ? readFileSync(file, 'utf8') : null);

describe(`killed between any two operations on files (rule: nothing-lost)${seedInTitle}`, () => {
  test.each([
    ['a file with a login and another store', original, installed],
    ['no file', null, '{\n\t"credsStore": "lanyard"\n}'],
  ])(
    'an install into %s is not begun or done, and can be done again and undone',
    async (_, before, after) => {
      begin(before);
      const operations = await mustWork('install');
      rmSync(folder, { recursive: true });
      expect(operations).toBeGreaterThan(10);
      const seen = new Set<string | null>();
      for (const at of chosenPoints(operations)) {
        const file = begin(before);
        const killed = await act('install', at);
        expect(killed.signal, `at ${at}: ${killed.stderr}`).toBe('SIGKILL');
        const text = textOf(file);
        expect([before, after], `at ${at}`).toContain(text);
        seen.add(text);
        if (text === installed) {
          expect((await act('logins')).stdout, `at ${at}`).toBe('["alice:the-password"]');
        }
        if (at % 2 === 0) {
          await mustWork('install');
          expect(textOf(file), `at ${at}`).toBe(after);
        }
        const undone = await act('undo');
        // Killed before the vault had the file, there is nothing to undo.
        expect(undone.code === 0 || text === before, `at ${at}: ${undone.stderr}`).toBe(true);
        expect(textOf(file), `at ${at}`).toBe(before);
        rmSync(folder, { recursive: true });
      }
      if (isLong) {
        expect(seen.size).toBe(2);
      }
    },
  );

  test('an undo leaves one text or the other, whole, and can be done again', async () => {
    begin(original);
    await mustWork('install');
    const operations = await mustWork('undo');
    rmSync(folder, { recursive: true });
    for (const at of chosenPoints(operations)) {
      const file = begin(original);
      await mustWork('install');
      const killed = await act('undo', at);
      expect(killed.signal, `at ${at}: ${killed.stderr}`).toBe('SIGKILL');
      const text = textOf(file);
      expect([original, installed], `at ${at}`).toContain(text);
      const again = await act('undo');
      expect(again.code === 0 || text === original, `at ${at}: ${again.stderr}`).toBe(true);
      expect(textOf(file), `at ${at}`).toBe(original);
      expect(readdirSync(join(folder, '.docker')), `at ${at}`).toEqual(['config.json']);
      expect((await act('logins')).stdout, `at ${at}`).toBe('["alice:the-password"]');
      rmSync(folder, { recursive: true });
    }
  });
});
