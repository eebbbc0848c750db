import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { FakeVault } from '../../../accounts/testing/fake-vault.ts';
import { BrokerError } from '../../../contract/broker-error.ts';
import { exitCodes } from '../../../contract/exit-codes.ts';
import { makeBackup } from '../../../kubeconfig/import/backups.ts';
import { commandCall } from '../testing/command-call.ts';
import { kubeconfigUndoCommand } from './undo-command.ts';

const [first, second] = [resolve('/a'), resolve('/b')];

/** Two edited files; a folder replaces the first. */
async function open() {
  const vault = new FakeVault();
  const written: string[] = [];
  for (const path of [first, second]) {
    const backup = await makeBackup({ path, text: 'before', mode: 0o600 }, 'after', 0);
    await vault.update((content) => ({ ...content, backups: [...content.backups, backup] }));
  }
  const command = kubeconfigUndoCommand({
    userContexts: { files: () => [], faultOf: async () => null, takeOut: async () => null },
    vault,
    recorder: { record: () => undefined },
    read: async (file) => {
      if (file === first) {
        throw new BrokerError('kubeconfig.unreadable', '/a is not a file', { reason: 'usage' });
      }
      return 'after';
    },
    onRestored: async () => undefined,
    clock: { now: () => Date.now() },
    check: async () => null,
    replace: async ({ path }) => {
      written.push(path);
      return null;
    },
  });
  return { command, written };
}

test('a file that can’t be read keeps none of the others from going back, and is named', async () => {
  const { command, written } = await open();
  await expect(command(commandCall([]))).rejects.toMatchObject({
    code: 'kubeconfig.kept',
    message: expect.stringMatching(/\/a is not a file.*Put \S*b back/),
  });
  expect(written).toEqual([second]);
});

test('what would be done tells of both', async () => {
  const { command, written } = await open();
  const { code, stdout, stderr } = await command(commandCall(['--dry-run', '--json']));
  // As the run ends.
  expect([code, stderr]).toEqual([exitCodes.denied, expect.stringContaining('/a is not a file')]);
  expect(JSON.parse(String(stdout))).toMatchObject([
    { file: second, state: 'asWritten' },
    { file: first, state: 'unreadable' },
  ]);
  expect(written).toEqual([]);
});

test('named alone it is the error itself', async () => {
  const { command } = await open();
  await expect(command(commandCall([first]))).rejects.toMatchObject({ code: 'kubeconfig.unreadable' });
});
