import { readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, it, vi } from 'vitest';
import { Secret } from '../../main/base/secret.ts';
import { openVault } from '../../main/vault/index.ts';
import { bundled } from '../support/bundled.ts';
import { chosenPoints, seedInTitle } from '../support/long.ts';
import { run } from '../support/processes.ts';
import { dependencies, refreshTokenIn, temporaryHome, withSession } from '../support/vault-parts.ts';

/** Of the long form, which kills at each of them. */
vi.setConfig({ testTimeout: 900_000 });

let program: string;
beforeAll(async () => {
  const made = await bundled('vault-process');
  program = made.path;
  return () => made.dispose();
});
const passphrase = 'pass phrase';

interface Line {
  generation: number;
  step: string;
  /** As many operations on files as were done by then. */
  operations: number;
}

/** The lines of a process that does this without end, and is killed just before its operation number `at` on files. */
async function killedAt(at: number, home: string, command: 'storm' | 'ways'): Promise<Line[]> {
  const env = { HOME: home, LANYARD_TEST_PASSPHRASE: passphrase, LANYARD_TEST_KILL_AT: String(at) };
  const { signal, stdout, stderr } = await run(process.execPath, [program, home, command], { env });
  expect(signal, stderr).toBe('SIGKILL');
  const lines = stdout.slice(0, stdout.lastIndexOf('\n') + 1).split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line));
}

/** The operations of the first `lines` lines, and of what comes before them. */
async function operationsOf(lines: number, command: 'storm' | 'ways'): Promise<number> {
  await using at = await temporaryHome();
  const all = await killedAt(500, at.home, command);
  return all[lines - 1]?.operations ?? expect.unreachable();
}

it(`killed before an operation on files of its first vault, and of the next ones: nothing that was acknowledged is lost${seedInTitle}`, async () => {
  // The third update replaces both generations.
  for (const point of chosenPoints(await operationsOf(3, 'storm'))) {
    await using at = await temporaryHome();
    const { home } = at;
    // The second time the vault may be there, as may be what the first one left.
    for (const round of [1, 2]) {
      const last = (await killedAt(point, home, 'storm')).at(-1)?.generation ?? 0;
      const vault = await openVault(dependencies(home, { passphrase: new Secret(passphrase) }));
      const state = vault.state();
      expect(state, `at ${point}, ${round}`).toMatchObject({ kind: 'open' });
      expect(state.kind === 'open' && state.generation).toBeGreaterThanOrEqual(last);
      if (last > 0) {
        expect(refreshTokenIn(vault.read())).toMatch(/^token \d+$/);
      }
      await vault.dispose();
      const left = (await readdir(home)).filter((name) => name.startsWith('vault.tmp'));
      expect(left, `at ${point}, ${round}`).toEqual([]);
    }
  }
});

/** What the vault in this home, or in one of the files that were set aside there, holds by one of its passphrases. */
async function tokenIn(home: string): Promise<string | null> {
  for (const each of [passphrase, `${passphrase}!`]) {
    const vault = await openVault(dependencies(home, { passphrase: new Secret(each) }));
    const token = vault.state().kind === 'open' ? refreshTokenIn(vault.read()) : null;
    await vault.dispose();
    if (token !== null) {
      return token;
    }
  }
  return null;
}

it(`killed before an operation on files of changing the ways in: one of them opens it, and nothing is lost${seedInTitle}`, async () => {
  await using at = await temporaryHome();
  const { home } = at;
  const first = await openVault(dependencies(home, { passphrase: new Secret(passphrase) }));
  await first.update(withSession('kept'));
  await first.dispose();
  // Twice all steps, once with a reset.
  for (const point of chosenPoints(await operationsOf(9, 'ways'))) {
    await killedAt(point, home, 'ways');
    const names = await readdir(home);
    let token = await tokenIn(home);
    // Killed between a reset and what is restored after it: the files that were set aside have it.
    for (const aside of names
      .filter((name) => /^vault(\.previous)?\.\d{4}/.test(name))
      .sort()
      .reverse()) {
      if (token === null) {
        await using other = await temporaryHome();
        await rename(join(home, aside), join(other.home, 'vault'));
        token = await tokenIn(other.home);
        const now = await openVault(dependencies(home, { passphrase: new Secret(passphrase) }));
        const isOpen =
          now.state().kind === 'open' || (await now.unlock({ passphrase: new Secret(`${passphrase}!`) })).ok;
        expect(isOpen, `at ${point}`).toBe(true);
        await now.dispose();
      }
    }
    expect(token, `at ${point}: ${names.join(' ')}`).toBe('kept');
    for (const name of names.filter((each) => each.startsWith('export') || /^vault.*\.\d{4}/.test(each))) {
      await rm(join(home, name), { force: true });
    }
  }
});
