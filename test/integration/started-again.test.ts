import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import paths from '../../main/contract/paths.json' with { type: 'json' };
import { startAgent } from '../support/agent.ts';
import { builtHelper, makeHome, type TestHome } from '../support/home.ts';
import { run } from '../support/processes.ts';
import { seedVault } from '../support/seed-vault.ts';
import { endStartedBrokers } from '../support/started-brokers.ts';

// A broker whose vault was opened by --passphrase-file is killed, and a helper starts it again.

const passphrase = 'a good passphrase';
let home: TestHome;
let data: string;
let passphraseFile: string;
beforeEach(async () => {
  home = makeHome();
  data = join(home.env['XDG_DATA_HOME'] ?? '', 'lanyard');
  mkdirSync(data, { recursive: true, mode: 0o700 });
  await seedVault({ path: data, file: (name) => join(data, paths.files[name]) }, passphrase);
  const agent = await startAgent({ home, passphrase, env: { LANYARD_HOME: '' } });
  passphraseFile = home.write('passphrase', `${passphrase}\n`);
  await agent.kill('SIGKILL');
  return async () => {
    await endStartedBrokers(data);
    home.dispose();
  };
});

const lanyard = (...args: string[]) =>
  run(builtHelper, args, { env: { ...home.env, LANYARD_HOME: undefined } });
const vault = async () => JSON.parse((await lanyard('status', '--json')).stdout).vault;

test('twelve helpers at once find it open, by the same file', async () => {
  const all = await Promise.all(Array.from({ length: 12 }, () => lanyard('status', '--json')));
  expect(all.map(({ code, stderr }) => [code, stderr])).toEqual(all.map(() => [0, '']));
  expect(all.map(({ stdout }) => JSON.parse(stdout).vault.kind)).toEqual(all.map(() => 'open'));
  expect(new Set(all.map(({ stdout }) => JSON.parse(stdout).broker.pid)).size).toBe(1);
});

test('also the one after that', async () => {
  for (const _ of [1, 2]) {
    expect((await vault()).kind).toBe('open');
    await endStartedBrokers(data);
  }
});

describe('it is locked, and says why, where the file', () => {
  test.each<[string, () => void, string]>([
    ['is gone', () => rmSync(passphraseFile), "can't be read"],
    ['can be read by others', () => chmodSync(passphraseFile, 0o644), 'others can read'],
    [
      'holds another passphrase',
      () => writeFileSync(passphraseFile, 'another one\n'),
      'doesn’t open the vault',
    ],
  ])('%s', async (_, change, why) => {
    change();
    const { kind, reason } = await vault();
    expect([kind, reason]).toEqual(['locked', expect.stringContaining(passphraseFile)]);
    expect(reason).toContain(why);
  });
});

test('a broker that is started without it doesn’t remember it', async () => {
  const agent = await startAgent({ home, env: { LANYARD_HOME: '' } });
  await agent.kill('SIGKILL');
  expect((await vault()).kind).toBe('locked');
});
