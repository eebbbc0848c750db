import { appendFileSync, chmodSync, copyFileSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { talk } from '../support/dialog.ts';
import { makePlugin, type TestPlugin } from '../support/plugin.ts';
import { credentialIn, mustBeGood, Stage } from '../support/stage.ts';

/** The program of a wrapped plugin is the one that a person confirmed: shown, bound, held (rule: confirmed-binding). */

let stage: Stage;
let pinned: TestPlugin;
let found: TestPlugin;
let added: TestPlugin;
let first: string;

beforeAll(async () => {
  stage = await Stage.open({
    extend: (config, { home }) => {
      pinned = makePlugin({ parent: home.outside });
      found = makePlugin({ parent: home.outside });
      added = makePlugin({ parent: home.outside, name: 'company-login' });
      first = join(home.outside, 'first');
      mkdirSync(first);
      const searchPath = `${first}:${found.folder}:/usr/bin:/bin`;
      config.accounts['pinned'] = pinned.account({ pin: true });
      config.accounts['found'] = found.account({ command: 'plugin', searchPath });
      for (const account of ['pinned', 'found']) {
        config.clusters[account] = { ...config.clusters['prod'], account };
      }
    },
  });
});
afterAll(async () => {
  await stage?.dispose();
  for (const plugin of [pinned, found, added]) {
    plugin?.dispose();
  }
});

/** With nothing cached from before. */
async function askAnew(account: string) {
  mustBeGood(await stage.lanyard(['logout', account]));
  return stage.ask(account);
}

async function confirm(...args: string[]): Promise<string> {
  // What was seen of a program before counts for a moment.
  await expect.poll(async () => (await stage.status()).held).not.toEqual([]);
  const { code, shown } = await talk(stage.onTerminal(['confirm', ...args]), [
    'Approve this change? [y/N] ',
    'y',
  ]);
  expect(code).toBe(0);
  return shown;
}

async function doctor(account: string) {
  const { stdout } = await stage.lanyard(['doctor', '--json']);
  const { findings } = JSON.parse(stdout) as {
    findings: { check: string; subject: string; level: string }[];
  };
  return findings.find(({ check, subject }) => check === 'account.program' && subject === account);
}

describe('a pinned program that has changed', () => {
  test('is pending, and not run', async () => {
    expect(credentialIn(await askAnew('pinned')).token).toBe(pinned.token(1));
    expect(await doctor('pinned')).toMatchObject({ level: 'ok' });
    appendFileSync(pinned.command, '# other bytes\n');
    const refused = await askAnew('pinned');
    expect(refused).toMatchObject({ code: 13, stdout: '' });
    expect(refused.stderr).toContain('has changed since it was confirmed');
    expect(refused.stderr).toContain('lanyard confirm pinned');
    expect(pinned.runs()).toHaveLength(1);
  });

  test('runs again once the user has approved the shown digests', async () => {
    const denied = await stage.lanyard(['confirm', 'pinned'], { input: 'y\n' });
    expect(denied.code).toBe(13);
    expect((await stage.ask('pinned')).code).toBe(13);
    const shown = await confirm('pinned');
    expect(shown).toMatch(
      /program of pinned \(changed\)\r?\n {2}! Runs a program that changed\r?\n {2}- .*SHA-256 [0-9a-f]{64}\r?\n {2}\+ .*SHA-256 [0-9a-f]{64}/,
    );
    expect(credentialIn(await stage.ask('pinned')).token).toBe(pinned.token(2));
    expect((await stage.status()).held).toEqual([]);
  });
});

describe('a program that another is found before', () => {
  test('is pending until it is approved, and the approval outlasts the broker', async () => {
    expect(credentialIn(await askAnew('found')).token).toBe(found.token(1));
    copyFileSync(found.command, join(first, 'plugin'));
    const refused = await askAnew('found');
    expect(refused).toMatchObject({ code: 13, stdout: '' });
    expect(refused.stderr).toContain(`would be ${join(first, 'plugin')} now; confirmed is ${found.command}`);
    expect(found.runs()).toHaveLength(1);
    await confirm();
    await stage.startAgent();
    expect(credentialIn(await askAnew('found')).token).toBe(found.token(2));
    rmSync(join(first, 'plugin'));
    expect((await askAnew('found')).stderr).toContain(`confirmed is ${join(first, 'plugin')}`);
    await confirm('found');
  });
});

test.each(['.', '..'])(
  'a program below a folder that others can write is not run, whatever was approved: %s',
  async (above) => {
    const open = join(found.folder, above);
    chmodSync(open, 0o777);
    try {
      const runs = found.runs().length;
      const refused = await askAnew('found');
      expect(refused).toMatchObject({ code: 13, stdout: '' });
      expect(refused.stderr).toContain(`everybody can write ${open}`);
      expect(found.runs()).toHaveLength(runs);
      expect((await stage.lanyard(['confirm'])).stderr).toContain('Nothing is pending');
      await expect.poll(() => doctor('found')).toMatchObject({ level: 'problem' });
    } finally {
      chmodSync(open, 0o700);
    }
  },
);

test('an account is added at a terminal: the program by one’s own PATH, shown and bound; its variable from the vault', async () => {
  const env = { PATH: `relative:${added.folder}:/usr/bin:/bin` };
  const args = ['account', 'add', 'company', '--exec-plugin', 'company-login', '--interactive-mode', 'Never'];
  const terminal = stage.onTerminal([...args, '--env', 'TOKEN', '--env', 'REGION=eu', '--arg=--fast'], env);
  await terminal.waitForText('Add company with this program? [y/N] ');
  expect(terminal.shown()).toMatch(/program of company: .*company-login, owner \S+, SHA-256 [0-9a-f]{64}/);
  terminal.send('y\r');
  expect((await terminal.ended).code).toBe(0);
  const cluster = stage.onTerminal([
    ...['cluster', 'add', 'company', '--account', 'company', '--server', stage.api.server],
    ...['--certificate-authority', `${stage.home.outside}/cluster-ca.pem`],
  ]);
  expect((await cluster.ended).code).toBe(0);

  expect((await stage.lanyard(['secret', 'set', 'company/env.REGION'], { input: 'x' })).code).toBe(2);
  expect((await stage.lanyard(['secret', 'set', 'company/env.TOKEN'], { input: 's3cret\n' })).code).toBe(0);
  const asked = await stage.ask('company', stage.execInfo(), { args: ['--cluster', 'company'] });
  expect(credentialIn(asked).token).toBe(added.token(1));
  expect(added.runs()[0]).toMatchObject({
    args: ['--fast'],
    env: { TOKEN: 's3cret', REGION: 'eu', PATH: `${added.folder}:/usr/bin:/bin` },
  });

  const other = await stage.lanyard(['account', 'add', 'held', '--exec-plugin', added.command]);
  expect([other.code, other.stderr]).toEqual([20, expect.stringContaining('pending approval')]);
  expect((await stage.ask('held')).code).toBe(13);
});
