import { describe, expect, it } from 'vitest';
import { FakeVault } from '../../accounts/testing/fake-vault.ts';
import { makeBackup } from './backups.ts';
import { examine, newestBackups, putBack } from './undo.ts';

const waiting = { signal: new AbortController().signal, say: () => undefined };
const file = { path: '/home/a/.kube/config', mode: 0o640 };

/** A file in memory that was edited: each text takes the place of the one before. */
async function edited(...texts: string[]) {
  const vault = new FakeVault();
  let text: string | null = texts[0] ?? '';
  for (const [index, next] of texts.slice(1).entries()) {
    const backup = await makeBackup({ ...file, text }, next, index);
    await vault.update((content) => ({ ...content, backups: [...content.backups, backup] }));
    text = next;
  }
  const written: unknown[] = [];
  const deps = {
    vault,
    recorder: { record: () => undefined },
    read: async () => text,
    onRestored: async () => undefined,
    replace: async (change: { text: string; expected: string | null }) => {
      written.push(change);
      if (change.expected !== text) {
        return 'it has changed meanwhile';
      }
      text = change.text;
      return null;
    },
  };
  return {
    vault,
    deps,
    written,
    text: () => text,
    write: (next: string | null) => {
      text = next;
    },
    look: async () => {
      const [backup] = newestBackups(vault);
      if (!backup) {
        throw new Error('no backup');
      }
      return examine(backup, deps.read);
    },
  };
}

describe('putting an edited kubeconfig back', () => {
  it('byte for byte, with its mode, and the backup goes', async () => {
    const before = 'ä: 1\r\n# mine  \n\n';
    const stage = await edited(before, 'after');
    const found = await stage.look();
    expect(found.state).toBe('asWritten');
    expect(await putBack(found, waiting, stage.deps)).toBeNull();
    expect(stage.text()).toBe(before);
    expect(stage.written).toMatchObject([{ expected: 'after', mode: 0o640 }]);
    expect(stage.vault.content.backups).toEqual([]);
  });

  it('writes nothing where the edit never came to be', async () => {
    const stage = await edited('before', 'after');
    stage.write('before');
    const found = await stage.look();
    expect(found.state).toBe('asBefore');
    expect(await putBack(found, waiting, stage.deps)).toBeNull();
    expect(stage.written).toEqual([]);
    expect(stage.vault.content.backups).toEqual([]);
  });

  it('keeps the backup where the file changes at the last moment', async () => {
    const stage = await edited('before', 'after');
    const found = await stage.look();
    stage.write('somebody else’s');
    expect(await putBack(found, waiting, stage.deps)).toBe('it has changed meanwhile');
    expect(stage.text()).toBe('somebody else’s');
    expect(stage.vault.content.backups).toHaveLength(1);
  });
});
