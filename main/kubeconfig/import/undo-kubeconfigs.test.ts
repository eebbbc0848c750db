import { expect, test } from 'vitest';
import { FakeVault } from '../../accounts/testing/fake-vault.ts';
import { BrokerError } from '../../contract/broker-error.ts';
import { makeBackup } from './backups.ts';
import { createUndoKubeconfigs } from './undo-kubeconfigs.ts';

const path = '/home/a/.kube/config';
const waiting = { signal: new AbortController().signal, say: () => undefined };

/** A file in memory with these edits in place, each from one text to another. */
async function edited(now: string | null, ...edits: readonly [string, string][]) {
  const vault = new FakeVault();
  for (const [index, [before, after]] of edits.entries()) {
    const backup = await makeBackup({ path, text: before, mode: 0o600 }, after, index + 1);
    await vault.update((content) => ({ ...content, backups: [...content.backups, backup] }));
  }
  const file = { text: now };
  const kubeconfigs = createUndoKubeconfigs({
    vault,
    recorder: { record: () => undefined },
    read: async () => file.text,
    onRestored: async () => undefined,
    replace: async ({ text }) => {
      file.text = text;
      return null;
    },
  });
  return { file, vault, kubeconfigs };
}

test('KEP-541/kubeconfig-unchanged: several edits of a file are restored in one step, to what was there before the first (rule: reversible-edits)', async () => {
  const { file, vault, kubeconfigs } = await edited('three', ['one', 'two'], ['two', 'three']);
  expect(await kubeconfigs.list()).toEqual([{ file: path, at: 1, changedSince: false }]);
  expect(await kubeconfigs.undo(path, { evenIfChanged: false, waiting })).toEqual({ ok: true });
  expect([file.text, vault.content.backups]).toEqual(['one', []]);
  expect(await kubeconfigs.list()).toEqual([]);
});

test.each<[string, string | null, [string, string][]]>([
  [
    'after the last edit',
    'three, and mine',
    [
      ['one', 'two'],
      ['two', 'three'],
    ],
  ],
  [
    'between two edits',
    'three',
    [
      ['one', 'two'],
      ['two, and mine', 'three'],
    ],
  ],
  ['by removing it', null, [['one', 'two']]],
])('a file that was changed %s is put back only where that is said', async (_, now, edits) => {
  const { file, vault, kubeconfigs } = await edited(now, ...edits);
  expect(await kubeconfigs.list()).toMatchObject([{ changedSince: true }]);
  expect(await kubeconfigs.undo(path, { evenIfChanged: false, waiting })).toMatchObject({ ok: false });
  expect([file.text, vault.content.backups.length]).toEqual([now, edits.length]);
  expect(await kubeconfigs.undo(path, { evenIfChanged: true, waiting })).toEqual({ ok: true });
  expect([file.text, vault.content.backups]).toEqual(['one', []]);
});

test('a file that can’t be read any more is listed as changed, and keeps none of the others from going back', async () => {
  const { vault, kubeconfigs } = await edited('two', ['one', 'two']);
  const other = await makeBackup({ path: '/home/me/other', text: 'a', mode: 0o600 }, 'b', 2);
  await vault.update((content) => ({ ...content, backups: [...content.backups, other] }));
  const texts = createUndoKubeconfigs({
    vault,
    recorder: { record: () => undefined },
    read: async (file) => {
      if (file === path) {
        throw new BrokerError('kubeconfig.unreadable', `${file} is not a file`);
      }
      return 'b';
    },
    onRestored: async () => undefined,
    replace: async () => null,
  });
  expect(await texts.list()).toMatchObject([
    { file: path, changedSince: true },
    { file: '/home/me/other', changedSince: false },
  ]);
  expect(await texts.difference(path)).toContain(path);
  expect(await texts.undo(path, { evenIfChanged: true, waiting })).toMatchObject({ ok: false });
  expect(await texts.undo('/home/me/other', { evenIfChanged: false, waiting })).toEqual({ ok: true });
  expect(await kubeconfigs.list()).toHaveLength(1);
});
