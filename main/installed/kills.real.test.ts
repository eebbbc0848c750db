import { readdirSync } from 'node:fs';
import { mkdir, readFile, readlink, rm } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { execPath } from 'node:process';
import { beforeEach, describe, expect, test } from 'vitest';
import { placeFiles, removeFiles } from '../../test/support/installed-files.ts';
import { chosenPoints, seedInTitle } from '../../test/support/long.ts';
import { run } from '../../test/support/processes.ts';
import { withoutLinks } from '../../test/support/system.ts';
import { folderForTest } from '../../test/support/temporary-folder.ts';
import { createLedger, type Ledger } from './ledger.ts';

const program = join(import.meta.dirname, '../../test/support/installed-process.ts');

let folder: string;
let ledger: Ledger;
beforeEach(() => {
  folder = folderForTest();
  ledger = createLedger({ file: join(folder, 'installed.json'), alone: (work) => work() });
});

/** Everything below the folder but the list itself, and what a killed process left beside it. */
const tree = () =>
  readdirSync(folder, { recursive: true })
    .map((name) => name.toString().replaceAll(sep, '/'))
    .filter((name) => name !== 'installed.json' && !name.startsWith('.installed.json.'));

// Half of what an installation makes there are links.
describe.skipIf(withoutLinks)(`killed before an operation on files${seedInTitle}`, () => {
  /** Does `what` in a process, killed just before its operation number `at`; gives what it printed. */
  async function process(what: string, at: number): Promise<string> {
    const { signal, code, stdout, stderr } = await run(execPath, [program, folder, what, String(at)]);
    expect([signal, code], stderr).toEqual(at === 0 ? [null, 0] : ['SIGKILL', null]);
    return stdout;
  }

  async function afresh(first: string | null): Promise<void> {
    await rm(folder, { recursive: true });
    await mkdir(folder);
    if (first !== null) {
      await placeFiles(folder, first, ledger);
    }
  }

  /** Does `what` after `first`, killed at chosen operations, and checks what is left each time. */
  async function atSome(first: string | null, what: string, look: () => Promise<void>): Promise<void> {
    await afresh(first);
    const operations = Number(await process(what, 0));
    expect(operations).toBeGreaterThan(15);
    for (const at of chosenPoints(operations)) {
      await afresh(first);
      await process(what, at);
      await look();
    }
  }

  async function expectAllTakenBack(): Promise<void> {
    const left = Object.values(await removeFiles(folder, ledger));
    expect(left.filter((kind) => kind !== 'removed' && kind !== 'gone')).toEqual([]);
    expect(tree()).toEqual([]);
    expect(await ledger.entries()).toEqual([]);
  }

  // With --long, at some hundred operations.
  const limit = { timeout: 900_000 };
  test.each<[string, string | null, string]>([
    ['an installation', null, 'one'],
    ['an installation over an older one', 'one', 'two'],
    ['taking back', 'one', 'back'],
  ])('of %s: taking back leaves nothing of Lanyard’s', limit, async (_, first, what) => {
    await atSome(first, what, expectAllTakenBack);
  });

  test('an installation that is done again is whole', limit, async () => {
    await atSome('one', 'two', async () => {
      await placeFiles(folder, 'two', ledger);
      expect(await readlink(join(folder, 'out', 'bin', 'lanyard'))).toBe('/two/lanyard');
      expect(await readFile(join(folder, 'out', 'share', 'deep', '_lanyard'), 'utf8')).toBe('# two\n');
      await expectAllTakenBack();
    });
  });
});
