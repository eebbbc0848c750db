import { linkSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { folderForTest } from '../../../test/support/temporary-folder.ts';
import { Bindings } from '../../access/bindings.ts';
import { FakeVault } from '../../accounts/testing/fake-vault.ts';
import { Secret } from '../../base/secret.ts';
import { createConfigStore } from '../../config/store.ts';
import { BrokerError } from '../../contract/broker-error.ts';
import { silentLog } from '../../ports/log.ts';
import type { WriteLockedDeps } from '../edit/index.ts';
import { createImporter } from './importer.ts';
import { readSource } from './read-source.ts';
import { createCheckFile, createReplaceFile, type ReplaceFile } from './replace-file.ts';

let folder: string;
let files: string[];
beforeEach(() => {
  folder = folderForTest();
  files = [1, 2].map((number) => {
    const file = join(folder, String(number));
    writeFileSync(file, textOf(number));
    return file;
  });
});

const textOf = (number: number) => `clusters: [{name: c, cluster: {server: "https://c${number}.example.com"}}]
contexts: [{name: x${number}, context: {cluster: c, user: u}}]
users: [{name: u, user: {token: token-${number}}}]
`;
const texts = () => files.map((file) => readFileSync(file, 'utf8'));
const how = { confirms: true, signal: new AbortController().signal, say: () => undefined };
/** The wait for a lock is over at once. */
let passed = 0;
const locking: WriteLockedDeps = {
  clock: {
    now: () => Date.now(),
    boottime: () => (passed += 6_000),
    after: (_, run) => {
      setImmediate(run);
      return { dispose: () => undefined };
    },
  },
  host: 'here',
  processes: { ownPid: () => 1, process: () => null },
};

async function open(change: (replace: ReplaceFile) => ReplaceFile = (replace) => replace) {
  const vault = new FakeVault();
  const config = await createConfigStore({ file: join(folder, 'config.yaml'), log: silentLog });
  onTestFinished(() => config.dispose());
  const bindings = new Bindings({ config, vault });
  const importer = createImporter({
    ...{ vault, config, bindings },
    recorder: { record: () => undefined },
    clock: { now: () => 0 },
    replace: change(createReplaceFile(locking)),
    check: createCheckFile(locking),
    imported: () => ({}),
    onSecrets: () => undefined,
    helperPath: '/bin/lanyard',
    home: null,
  });
  const caller = { homeDirectory: folder, searchPath: null, apart: true };
  const prepared = await importer.prepare(await readSource(files, caller), {
    ...{ contexts: null, inPlace: true, apiVersion: 'v1' },
  });
  /** All that an import may leave behind. */
  const left = () => {
    const { secrets, backups, confirmed } = vault.content;
    const { accounts, clusters } = config.current();
    return [
      Object.keys(secrets),
      [...accounts.keys()],
      [...clusters.keys()],
      backups.length,
      confirmed.accounts,
    ];
  };
  return { vault, config, bindings, importer, prepared, left };
}

describe('a file that can’t be edited (rule: reversible-edits)', () => {
  const faults: [string, () => void, RegExp][] = [
    ['another name of it', () => linkSync(files[1] ?? '', join(folder, 'other')), /2 names \(hard links\)/],
    [
      'a lock that a crash left',
      () => {
        writeFileSync(`${files[1]}.lock`, '');
        utimesSync(`${files[1]}.lock`, 1, 1);
      },
      /has been locked by another program/,
    ],
  ];

  test.each(faults)('leaves nothing behind, of the other file as well: %s', async (_, spoil, why) => {
    const { importer, prepared, left } = await open();
    const before = left();
    spoil();
    const refusal = await importer.refusal(prepared, how);
    const failed = await importer.apply(prepared, how).catch((error: Error) => error);
    expect(failed).toMatchObject({ message: expect.stringMatching(/^nothing was imported: /) });
    expect((failed as Error).message).toMatch(why);
    expect((failed as Error).message).toContain(files[1]);
    // What is said before is what happens.
    expect(refusal?.message).toMatch(why);
    expect(refusal).toMatchObject({ hint: expect.stringContaining('leave out --in-place') });
    expect([left(), texts()]).toEqual([before, [textOf(1), textOf(2)]]);
  });

  test('also where it has changed since the plan', async () => {
    const { importer, prepared, left } = await open();
    const before = left();
    writeFileSync(files[1] ?? '', `${textOf(2)}# mine\n`);
    await expect(importer.apply(prepared, how)).rejects.toMatchObject({
      code: 'import.kept',
      message: `nothing was imported: ${files[1]}: it has changed meanwhile, so it was left as it is; try again`,
    });
    expect([left(), texts()[0]]).toEqual([before, textOf(1)]);
  });

  test('is said of a program that takes no lock, with all that was done', async () => {
    const { importer, prepared, left } = await open(
      (replace) => (change, waiting) =>
        replace(
          {
            ...change,
            ready: async () => {
              await change.ready?.();
              if (change.path === files[1]) {
                writeFileSync(change.path, '# theirs\n');
              }
            },
          },
          waiting,
        ),
    );
    const outcomes = await importer.apply(prepared, how);
    expect(outcomes.toSorted((a, b) => (a.path < b.path ? -1 : 1))).toEqual([
      { path: files[0], kept: null },
      { path: files[1], kept: expect.stringContaining('it has changed meanwhile') },
    ]);
    expect([texts()[1], left()[3]]).toEqual(['# theirs\n', 1]);
    expect(texts()[0]).not.toContain('token-1');
  });
});

test('what the system refuses last is said with what to do', async () => {
  const { importer, prepared } = await open(() => async (change) => {
    await change.ready?.();
    throw new BrokerError('file.write', `can’t write ${change.path}`, { hint: 'close that program' });
  });
  expect(await importer.apply(prepared, how)).toContainEqual({
    path: files[1],
    kept: `can’t write ${files[1]}; close that program`,
  });
});

test('a config.yaml that can’t be edited leaves the files and the vault as they were', async () => {
  const { vault, config, importer, prepared, left } = await open();
  await vault.update((content) => ({ ...content, secrets: { u: { token: new Secret('of another') } } }));
  const before = left();
  writeFileSync(config.file, 'version: 1\naccounts: [\n');
  expect(await importer.refusal(prepared, how)).toMatchObject({ code: 'config.invalid' });
  await expect(importer.apply(prepared, how)).rejects.toMatchObject({ code: 'config.invalid' });
  expect([left(), texts()]).toEqual([before, [textOf(1), textOf(2)]]);
  expect(vault.content.secrets['u']?.['token']?.reveal()).toBe('of another');
});

test('an account that is pending refuses before anything is asked', async () => {
  const { importer, prepared } = await open();
  await importer.apply(
    { ...prepared, files: [], edits: prepared.edits.slice(0, 1) },
    { ...how, confirms: false },
  );
  const more = { edits: prepared.edits.filter(({ what }) => what === 'cluster'), files: [] };
  expect(await importer.refusal(more, how)).toMatchObject({ code: 'import.pending' });
  expect(await importer.refusal(more, { confirms: false })).toBeNull();
});

test('all goes well: both files are edited, and nothing is left beside them', async () => {
  const { bindings, importer, prepared, left } = await open();
  expect(await importer.refusal(prepared, how)).toBeNull();
  expect((await importer.apply(prepared, how)).map(({ kept }) => kept)).toEqual([null, null]);
  expect(left().slice(0, 4)).toEqual([['u', 'u-2'], ['u', 'u-2'], ['x1', 'x2'], 2]);
  expect(bindings.changes()).toEqual([]);
  expect(texts().join()).not.toMatch(/token-\d/);
});
