import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { Secret } from '../../main/base/secret.ts';
import { openVault } from '../../main/vault/index.ts';
import { start } from '../support/processes.ts';
import { dependencies, refreshTokenIn, temporaryHome } from '../support/vault-parts.ts';

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
