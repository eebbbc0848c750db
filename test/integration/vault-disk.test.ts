import { readdir } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { bundled } from '../support/bundled.ts';
import { canMount, ownMount, runScript } from '../support/own-mount.ts';
import { temporaryHome } from '../support/vault-parts.ts';

let program: string;
beforeAll(async () => {
  const made = await bundled('vault-process');
  program = made.path;
  return () => made.dispose();
});

/** Runs a shell script with $VAULT, the command of a process with a vault, and $AT, its home. */
function script(home: string, text: string, ...prefix: string[]) {
  const vault = `${process.execPath} ${program} ${home}`;
  const env = { HOME: home, AT: home, VAULT: vault, LANYARD_TEST_PASSPHRASE: 'pass phrase' };
  return runScript(text, env, ...prefix);
}

const mounts = await canMount();

describe('a vault on a disk that takes no more', () => {
  it('tells a limit on file sizes, and keeps what it had', async () => {
    await using at = await temporaryHome();
    // Blocks of 512 bytes; Node ignores SIGXFSZ, so the write fails with EFBIG after a part of it.
    const lines = await script(
      at.home,
      '$VAULT login old; (ulimit -f 64; $VAULT grow state); $VAULT state; $VAULT login next state',
    );
    const [error, during, after, next] = lines;
    expect(error).toMatchObject({ error: 'vault.diskFull' });
    expect(during).toMatchObject({ kind: 'open', token: expect.stringMatching(/^oldx*$/) });
    expect(after).toEqual(during);
    expect(next).toMatchObject({ token: 'next' });
    expect((await readdir(at.home)).sort()).toEqual(['vault', 'vault.previous']);
  });

  it.skipIf(!mounts)('tells a full disk, and keeps what it had', async () => {
    await using at = await temporaryHome();
    const [error, during, after, next] = await script(
      at.home,
      'mount -t tmpfs -o size=64k tmpfs "$AT"; $VAULT login old grow state; $VAULT state; $VAULT login next state',
      ...ownMount,
    );
    expect(error).toMatchObject({ error: 'vault.diskFull', hint: expect.stringContaining(at.home) });
    expect(during).toMatchObject({ kind: 'open', token: expect.stringMatching(/^oldx*$/) });
    expect(after).toEqual(during);
    expect(next).toMatchObject({ token: 'next' });
  });

  it.skipIf(!mounts)('changes no way in on a full disk, and exports nothing: the old one opens', async () => {
    await using at = await temporaryHome();
    const lines = await script(
      at.home,
      'mount -t tmpfs -o size=64k tmpfs "$AT"; $VAULT login old grow; $VAULT ways-once; $VAULT state',
      ...ownMount,
    );
    const [grown, ...outcomes] = lines;
    expect(grown).toMatchObject({ error: 'vault.diskFull' });
    const state = outcomes.pop();
    expect(outcomes).toMatchObject(
      ['change', 'create', 'export'].map((step) => ({ step, ok: false, code: 'vault.diskFull' })),
    );
    expect(state).toMatchObject({
      kind: 'open',
      slots: ['passphrase'],
      token: expect.stringMatching(/^oldx*$/),
    });
  });

  it.skipIf(!mounts)('opens on a read-only file system, and tells it when it would write', async () => {
    await using at = await temporaryHome();
    const lines = await script(
      at.home,
      'mount -t tmpfs tmpfs "$AT"; $VAULT login old; mount -o remount,ro tmpfs "$AT"; $VAULT state login new state',
      ...ownMount,
    );
    expect(lines).toMatchObject([
      { kind: 'open', token: 'old' },
      { error: 'vault.readOnly' },
      { kind: 'open', token: 'old' },
    ]);
  });
});
