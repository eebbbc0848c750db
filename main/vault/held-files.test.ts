import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { asOn } from '../../test/support/as-on-windows.ts';
import { askBefore } from '../../test/support/held-names.ts';
import { createFileOperations } from './file-operations.ts';
import { VaultFiles } from './vault-files.ts';

/** How often the system still refuses each call. */
const refusals = { rename: 0, open: 0, unlink: 0 };

function refuse(what: keyof typeof refusals): void {
  if (refusals[what] > 0) {
    refusals[what] -= 1;
    throw Object.assign(new Error('it is open'), { code: 'EBUSY' });
  }
}

askBefore(['rename', 'unlink', 'open'], refuse);

let home: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'ly-held-vault-'));
  writeFileSync(join(home, 'vault'), 'old', { mode: 0o600 });
  return () => rmSync(home, { recursive: true });
});

const text = (name: string) => readFileSync(join(home, name), 'utf8');

test('on Windows a vault that an antivirus holds for an instant is read and written (rule: nothing-lost)', async () => {
  asOn('win32');
  const files = new VaultFiles(home, { ...createFileOperations(), ownUid: () => -1 });
  refusals.open = 2;
  expect(await files.read(files.current)).toMatchObject({ kind: 'bytes' });
  refusals.rename = 3;
  refusals.unlink = 2;
  expect(await files.replace(Buffer.from('new'))).toEqual({ ok: true });
  expect([text('vault'), text('vault.previous'), refusals.rename]).toEqual(['new', 'old', 0]);
});

test('elsewhere the same refusal is the answer at once', async () => {
  asOn('linux');
  const files = new VaultFiles(home, createFileOperations());
  refusals.rename = 1;
  expect(await files.replace(Buffer.from('new'))).toMatchObject({ ok: false, isApplied: false });
  expect(text('vault')).toBe('old');
});
