import {
  chmodSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { parse } from 'yaml';
import { bundled } from '../support/bundled.ts';
import { chosenPoints, isLong, seedInTitle } from '../support/long.ts';
import { run } from '../support/processes.ts';

/** Of the long form, which kills at each of them. */
vi.setConfig({ testTimeout: 900_000 });

let program: string;
beforeAll(async () => {
  const made = await bundled('import-process');
  program = made.path;
  return () => made.dispose();
});

const original = `# mine
apiVersion: v1
kind: Config
clusters:
- {name: c, cluster: {server: "https://c.example.com"}}
- {name: d, cluster: {server: "https://d.example.com"}}
contexts:
- {name: x, context: {cluster: c, user: u}}
- {name: z, context: {cluster: d, user: u}}
users:
- name: u
  user: {token: the-token-of-u} # mine, too
`;

let folder: string;
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function begin(): string {
  folder = mkdtempSync(join(tmpdir(), 'ly-kill-'));
  const file = join(folder, 'config');
  writeFileSync(file, original, { mode: 0o600 });
  return file;
}

type Act = 'import' | 'undo' | 'providers';

/** Two providers; the first has a secret. */
function beginProviders(): void {
  folder = mkdtempSync(join(tmpdir(), 'ly-kill-'));
  for (const name of ['plugin', 'other']) {
    writeFileSync(join(folder, name), '#!/bin/sh\n');
    chmodSync(join(folder, name), 0o755);
  }
  const group = 'credentialprovider.kubelet.k8s.io/v1';
  const providers = ['plugin', 'other'].map((name) => ({
    name,
    matchImages: [`${name}.example.com`],
    defaultCacheDuration: '1h',
    apiVersion: group,
    ...(name === 'plugin' && { env: [{ name: 'A_TOKEN', value: 'the-token-of-the-plugin' }] }),
  }));
  const head = { apiVersion: 'kubelet.config.k8s.io/v1', kind: 'CredentialProviderConfig' };
  writeFileSync(join(folder, 'config'), JSON.stringify({ ...head, providers }));
}

const act = (what: Act, at = 0) =>
  run(process.execPath, [program, folder, join(folder, 'config'), what, String(at)]);

async function mustWork(what: Act): Promise<number> {
  const done = await act(what);
  expect(done.code, done.stderr).toBe(0);
  return Number(done.stdout);
}

/** Of config.yaml, which is Lanyard's own and holds no secret, a piece may be left until its next write. */
const leftBehind = () =>
  readdirSync(folder).filter(
    (name) => /lock$|tmp$/.test(name) && name !== 'lock' && !name.startsWith('.config.'),
  );

describe(`killed between any two operations on files (rule: reversible-edits)${seedInTitle}`, () => {
  test('an import leaves the old file or the new one, whole, and can be done again or undone', async () => {
    const clean = begin();
    const operations = await mustWork('import');
    const edited = readFileSync(clean, 'utf8').replaceAll(folder, '');
    expect(edited).not.toContain('the-token-of-u');
    expect(operations).toBeGreaterThan(12);
    rmSync(folder, { recursive: true });
    const seen = new Set<string>();
    for (const at of chosenPoints(operations)) {
      const file = begin();
      const killed = await act('import', at);
      expect(killed.signal, `at ${at}: ${killed.stderr}`).toBe('SIGKILL');
      const text = readFileSync(file, 'utf8').replaceAll(folder, '');
      expect([original, edited], `at ${at}`).toContain(text);
      seen.add(text === original ? 'old' : 'new');
      if (text === original) {
        await mustWork('import');
      }
      await mustWork('undo');
      expect(readFileSync(file, 'utf8'), `at ${at}`).toBe(original);
      expect(leftBehind().join(), `at ${at}`).toBe('');
      rmSync(folder, { recursive: true });
    }
    if (isLong) {
      expect([...seen].sort()).toEqual(['new', 'old']);
    }
  });

  test('an undo leaves the edited file or the old one, whole, and can be done again', async () => {
    const file = begin();
    await mustWork('import');
    const edited = readFileSync(file, 'utf8');
    const before = `${folder}-before`;
    onTestFinished(() => rmSync(before, { recursive: true }));
    cpSync(folder, before, { recursive: true });
    const operations = await mustWork('undo');
    for (const at of chosenPoints(operations)) {
      rmSync(folder, { recursive: true });
      cpSync(before, folder, { recursive: true });
      const killed = await act('undo', at);
      expect(killed.signal, `at ${at}: ${killed.stderr}`).toBe('SIGKILL');
      const text = readFileSync(file, 'utf8');
      expect([original, edited], `at ${at}`).toContain(text);
      const again = await act('undo');
      // Killed after its last write, as in the sync of a folder, it had come to its end.
      const wasDone = text === original && again.stderr.includes('no backup');
      expect(wasDone ? 0 : again.code, `at ${at}: ${again.stderr}`).toBe(0);
      expect(readFileSync(file, 'utf8')).toBe(original);
      expect(leftBehind().join(), `at ${at}`).toBe('');
    }
  });

  test('an import of a kubelet’s providers writes all of config.yaml or nothing, and can be done again', async () => {
    const entries = () => {
      const file = join(folder, 'config.yaml');
      const { accounts = {}, registries = {} } = existsSync(file)
        ? (parse(readFileSync(file, 'utf8')) ?? {})
        : {};
      return [Object.keys(accounts), Object.keys(registries)];
    };
    const both = [
      ['plugin', 'other'],
      ['plugin', 'other'],
    ];
    beginProviders();
    const operations = await mustWork('providers');
    expect(entries()).toEqual(both);
    expect(operations).toBeGreaterThan(8);
    rmSync(folder, { recursive: true });
    const seen = new Set<string>();
    for (const at of chosenPoints(operations)) {
      beginProviders();
      const killed = await act('providers', at);
      expect(killed.signal, `at ${at}: ${killed.stderr}`).toBe('SIGKILL');
      expect([[[], []], both], `at ${at}`).toContainEqual(entries());
      seen.add(entries().join());
      await mustWork('providers');
      expect(entries(), `at ${at}`).toEqual(both);
      rmSync(folder, { recursive: true });
    }
    if (isLong) {
      expect(seen.size).toBe(2);
    }
  });
});
