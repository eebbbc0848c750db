import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { issueClientCertificate } from '../support/certificates.ts';
import { commandFault } from '../support/command-grammar.ts';
import { talk } from '../support/dialog.ts';
import { makePlugin, type TestPlugin } from '../support/plugin.ts';
import type { Ended } from '../support/processes.ts';
import { codeLine, mustBeGood, Stage, stagePassphrase, until } from '../support/stage.ts';

/** What a person is advised to do is a command that does it: each is taken from where it is said, and run. */

let stage: Stage;
let plugin: TestPlugin;
beforeAll(async () => {
  plugin = makePlugin();
  stage = await Stage.open({
    provider: { lifetimes: { idTokenSeconds: 6 } },
    extend: (config, { home }) => {
      const cluster = config.clusters['prod'] as object;
      const accounts = {
        'bot-new': { staticToken: {} },
        'bot-file': { staticToken: { file: `${home.outside}/token` } },
        'ops-new': { clientCertificate: {} },
        client: {
          oidc: { ...(config.accounts['corp'] as { oidc: object }).oidc, flow: 'clientCredentials' },
        },
        eks: plugin.account({ env: [{ name: 'REGION', value: 'eu' }, { name: 'TOKEN' }] }),
        broken: plugin.account({ args: ['do=exit:2'] }),
      };
      for (const [name, account] of Object.entries(accounts)) {
        config.accounts[name] = account;
        config.clusters[name] = { ...cluster, account: name };
      }
    },
  });
  await shortLived();
});
afterAll(async () => {
  await stage?.dispose();
  plugin?.dispose();
});

/** `ops` and `bot` have what ends within seconds. */
async function shortLived(): Promise<void> {
  const notAfter = new Date(Date.now() + 4_000);
  const { certificatePem, keyPem } = await issueClientCertificate(stage.clientCa, {
    commonName: 'olga',
    notAfter,
  });
  const claims = { sub: 'bot', exp: Math.floor(notAfter.getTime() / 1000) };
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const token = `${part({ alg: 'none' })}.${part(claims)}.x`;
  mustBeGood(await stage.lanyard(['secret', 'set', 'ops'], { input: certificatePem + keyPem }));
  mustBeGood(await stage.lanyard(['secret', 'set', 'bot'], { input: token }));
}

interface Shown {
  name: string;
  state: string;
  advice: string | null;
}

const account = async (name: string): Promise<Shown> =>
  (await stage.status()).accounts.find((each: Shown) => each.name === name);

const inState = (name: string, state: string) =>
  until(async () => {
    const now = await account(name);
    return now.state === state ? now : null;
  }, `${name} to be ${state}`);

/** `lanyard secret set ops < FILE` as words, without what the shell does. */
const wordsOf = (line: string) =>
  line
    .replace(/ < FILE$/, '')
    .split(' ')
    .slice(1);

const pair = () => `${stage.opsCertificate.chainPem}${stage.opsCertificate.keyPem}`;

/** The advised login, on a terminal, and approved there. */
async function logInBy(advice: string | null): Promise<void> {
  const terminal = stage.onTerminal(wordsOf(advice ?? ''));
  const shown = await terminal.waitForText(/enter the code \S+\s/);
  await stage.provider.person.approveDevice(codeLine.exec(shown)?.[1] ?? '');
  expect((await terminal.ended).code).toBe(0);
  expect(await account('corp')).toMatchObject({ state: 'ready' });
}

/** What a helper's hint advises. */
function hinted(done: Ended): string {
  return /^hint: (?:.*: )?(lanyard .+)$/m.exec(done.stderr)?.[1] ?? `no command in: ${done.stderr}`;
}

describe('status, kubectl and doctor name the same command, and it brings the account back (rule: working-advice)', () => {
  test.each<[name: string, state: string, advice: string, input: () => string]>([
    ['ops', 'expired', 'lanyard secret set ops < FILE', pair],
    ['bot', 'expired', 'lanyard secret set bot/token', () => stage.botToken],
    ['ops-new', 'secretMissing', 'lanyard secret set ops-new < FILE', pair],
    ['bot-new', 'secretMissing', 'lanyard secret set bot-new/token', () => stage.botToken],
    ['eks', 'secretMissing', 'lanyard secret set eks/env.TOKEN', () => 'a token\n'],
    ['client', 'secretMissing', 'lanyard secret set client/clientSecret', () => 'a secret\n'],
  ])('%s, %s: %s', async (name, state, advice, input) => {
    expect(await inState(name, state)).toMatchObject({ advice });
    const { stdout } = await stage.lanyard(['status']);
    expect(stdout).toContain(`\n    ${advice}\n`);
    const cluster = { ops: 'prod-ops', bot: 'prod-bot' }[name] ?? name;
    const asked = await stage.ask(name, stage.execInfo(), { args: ['--cluster', cluster] });
    expect(asked.code).not.toBe(0);
    expect(hinted(asked)).toContain(advice);
    // Logging in is not what helps.
    expect(asked.stderr).not.toContain('lanyard login');

    mustBeGood(await stage.lanyard(wordsOf(advice), { input: input() }));
    expect(await account(name)).toMatchObject({ state: 'ready', advice: null });
  });

  test('a token in a file that isn’t there: the file is named, and no command that does nothing', async () => {
    const file = `${stage.home.outside}/token`;
    const before = await account('bot-file');
    expect(before).toMatchObject({
      state: 'secretMissing',
      advice: `replace ${file}; Lanyard reads it again`,
    });
    expect((await stage.lanyard(['status'])).stdout).not.toContain('secret set bot-file');
    expect(
      (await stage.ask('bot-file', stage.execInfo(), { args: ['--cluster', 'bot-file'] })).stderr,
    ).toContain(before.advice);
    writeFileSync(file, stage.botToken, { mode: 0o600 });
    expect(await account('bot-file')).toMatchObject({ state: 'ready', advice: null });
  });

  test('a login that is needed', async () => {
    const { advice } = await inState('corp', 'loginNeeded');
    expect(advice).toBe('lanyard login corp');
    const asked = await stage.ask('corp', stage.execInfo(), { args: ['--cluster', 'prod'] });
    expect(hinted(asked)).toContain('lanyard login corp');
    await logInBy(advice);
  });

  test('a session that the provider has ended', async () => {
    stage.provider.revokeGrant('alice');
    const asked = await until(async () => {
      const done = await stage.ask('corp', stage.execInfo(), { args: ['--cluster', 'prod'] });
      return done.code === 15 ? done : null;
    }, 'a login to be needed');
    expect(hinted(asked)).toContain('lanyard login corp');
    const { advice } = await inState('corp', 'loginNeeded');
    await logInBy(advice);
  });

  test('a plugin that fails', async () => {
    await stage.ask('broken', stage.execInfo(), { args: ['--cluster', 'broken'] });
    const { advice } = await inState('broken', 'failing');
    const done = await stage.lanyard(wordsOf(advice ?? ''));
    mustBeGood(done);
    expect(done.stdout).toContain('exit code 2');
  });

  test('a change that is pending approval', async () => {
    const added = await stage.lanyard(['account', 'add', 'late', '--static-token']);
    expect(added).toMatchObject({ code: 20 });
    expect(hinted(added)).toBe('lanyard confirm');
    const { advice } = await inState('late', 'held');
    expect((await talk(stage.onTerminal(wordsOf(advice ?? '')), ['[y/N]', 'y'])).code).toBe(0);
    expect(await account('late')).toMatchObject({ state: 'secretMissing' });
  });

  test('what has nothing to log in to names what does it', async () => {
    for (const name of ['ops', 'bot', 'bot-file', 'broken']) {
      const done = await stage.lanyard(['login', name]);
      expect(done.code).toBe(2);
      const hint = hinted(done);
      expect(name === 'bot-file' ? done.stderr : hint).toContain(
        { ops: 'secret set ops', bot: 'secret set bot/token', broken: 'plugin show broken' }[name] ??
          `replace ${stage.home.outside}/token`,
      );
    }
  });

  test('all that doctor advises is a complete command', async () => {
    const doctor = await stage.lanyard(['doctor', '--json']);
    const hints = JSON.parse(doctor.stdout).findings.flatMap(({ hint }: { hint: string | null }) =>
      hint?.startsWith('lanyard ') ? [hint] : [],
    );
    expect(hints).not.toEqual([]);
    expect(hints.map((hint: string) => commandFault(wordsOf(hint)))).toEqual(hints.map(() => null));
  });

  test('locked', async () => {
    mustBeGood(await stage.lanyard(['lock']));
    const { advice } = await inState('ops', 'locked');
    expect(advice).toBe('lanyard unlock');
    const asked = await stage.ask('ops', stage.execInfo(), { args: ['--cluster', 'prod-ops'] });
    expect(asked.code).toBe(11);
    expect(hinted(asked)).toContain('lanyard unlock');
    const terminal = stage.onTerminal(['unlock']);
    await terminal.waitForText(/passphrase/i);
    terminal.send(`${stagePassphrase}\r`);
    expect((await terminal.ended).code).toBe(0);
    expect(await account('ops')).toMatchObject({ state: 'ready' });
  });
});
