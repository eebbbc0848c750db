import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { Secret } from '../../main/base/secret.ts';
import { openVault } from '../../main/vault/index.ts';
import { start } from '../support/processes.ts';
import { dependencies, refreshTokenIn, temporaryHome, withSession } from '../support/vault-parts.ts';

const program = fileURLToPath(new URL('../support/vault-process.ts', import.meta.url));
const passphrase = 'pass phrase';
const rounds = process.env['LANYARD_LONG'] === '1' ? 200 : 50;

/** The generations that a process had acknowledged before it ended, each with a whole line. */
function acknowledged(stdout: string): number[] {
  const lines = stdout.slice(0, stdout.lastIndexOf('\n') + 1).split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line).generation);
}

it(`kill -9 at ${rounds} random moments of writing: nothing that was acknowledged is lost`, async () => {
  await using at = await temporaryHome();
  let home = at.home;
  for (let round = 0; round < rounds; round += 1) {
    // Now and then a new home, killed while its first vault may be in the making.
    const atStart = round % 10 === 9;
    if (atStart) {
      home = join(at.home, `home ${round}`);
      await mkdir(home, { mode: 0o700 });
    }
    const storm = start(process.execPath, [program, home, 'storm'], {
      env: { HOME: home, LANYARD_TEST_PASSPHRASE: passphrase },
    });
    try {
      if (!atStart) {
        await storm.waitForLine(/"generation"/);
      }
      await delay(Math.random() * (atStart ? 250 : 60));
      storm.kill('SIGKILL');
      expect((await storm.ended).signal, storm.stderr()).toBe('SIGKILL');
    } finally {
      await storm.dispose();
    }
    const last = acknowledged(storm.stdout()).at(-1) ?? 0;
    const vault = await openVault(dependencies(home, { passphrase: new Secret(passphrase) }));
    const state = vault.state();
    expect(state, `round ${round}`).toMatchObject({ kind: 'open' });
    expect(state.kind === 'open' && state.generation).toBeGreaterThanOrEqual(last);
    if (last > 0) {
      expect(refreshTokenIn(vault.read())).toMatch(/^token \d+$/);
    }
    await vault.dispose();
    const left = (await readdir(home)).filter((name) => name.startsWith('vault.tmp'));
    expect(left).toEqual([]);
  }
}, 600_000);

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

it(`kill -9 at ${rounds} random moments of changing the ways in: one of them opens it, and nothing is lost`, async () => {
  await using at = await temporaryHome();
  const { home } = at;
  const env = { HOME: home, LANYARD_TEST_PASSPHRASE: passphrase };
  const first = await openVault(dependencies(home, { passphrase: new Secret(passphrase) }));
  await first.update(withSession('kept'));
  await first.dispose();
  const steps = new Set<string>();
  for (let round = 0; round < rounds; round += 1) {
    const storm = start(process.execPath, [program, home, 'ways'], { env });
    try {
      await storm.waitForLine(/"step"/);
      await delay(Math.random() * 150);
      storm.kill('SIGKILL');
      expect((await storm.ended).signal, storm.stderr()).toBe('SIGKILL');
    } finally {
      await storm.dispose();
    }
    for (const [, step] of storm.stdout().matchAll(/"step":"(\w+)"/g)) {
      steps.add(step ?? '');
    }
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
        expect(isOpen, `round ${round}`).toBe(true);
        await now.dispose();
      }
    }
    expect(token, `round ${round}: ${names.join(' ')}`).toBe('kept');
    for (const name of names.filter((each) => each.startsWith('export') || /^vault.*\.\d{4}/.test(each))) {
      await rm(join(home, name), { force: true });
    }
  }
  expect([...steps].sort()).toEqual(['change', 'create', 'export', 'reset', 'restore']);
}, 600_000);
