import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { exitCodes } from '../../main/contract/exit-codes.ts';
import { type Canary, filesBelow, findCanaries } from '../support/canary.ts';
import { openPluginStage, type PluginStage } from '../support/plugin-stage.ts';
import { credentialIn } from '../support/stage.ts';

/** What the wrapped plugin does, and what a caller sees of it: one account each, since a failure is remembered. */
const v1 = 'client.authentication.k8s.io/v1';
const noTerminal = 'plugin: there is no terminal to ask on';

/** `said`: how Lanyard tells it, in client-go's words; C stands for the command. `plugin`: what the plugin says itself. */
const failures: Readonly<Record<string, { said: string; plugin?: string }>> = {
  prompt: { said: 'exec: executable C failed with exit code 1', plugin: noTerminal },
  garbage: { said: 'decoding stdout: ' },
  'wrong-version': {
    said: `exec plugin is configured to use API version ${v1}, plugin returned version ${v1}beta1`,
  },
  'no-status': { said: "exec plugin didn't return a status field" },
  'key-alone': { said: 'exec plugin returned only certificate or key, not both' },
  large: { said: 'exec: executable C wrote more than 1 MiB, and was ended' },
  expired: { said: 'had already expired, at ' },
  'exit:2': { said: 'exec: executable C failed with exit code 2', plugin: 'plugin: it failed with 2' },
  'exit:127': { said: 'exec: executable C failed with exit code 127', plugin: 'plugin: it failed with 127' },
  'killed:TERM': { said: 'exec: executable C failed with exit code -1 (ended by signal 15)' },
  hanging: { said: 'exec: executable C did not answer in 2 s, and was ended with all it started' },
};

/** What it says itself: one run, one word each. */
const successes: Readonly<Record<string, string>> = {
  fast: '',
  slow: '',
  forking: '',
  escaping: '',
  'no-expiry': '',
  telling: 'first line\nsecond line\n',
  escapes: 'abc\\u{202e}d\n',
  variable: '',
};

const nameOf = (does: string) => does.replace(':', '-').toLowerCase();
const all = [...Object.keys(failures), ...Object.keys(successes)];

let here: PluginStage<string>;
/** All that programs said, but for good answers. */
const said: { where: string; bytes: Buffer }[] = [];

beforeAll(async () => {
  const fields = all.map((does) => [
    nameOf(does),
    { args: [`do=${does}`], timeoutSeconds: does in failures ? 2 : 60 },
  ]);
  here = await openPluginStage(all.map(nameOf), Object.fromEntries(fields), {
    extend: ({ accounts, clusters }) => {
      const command = '/nowhere/at-all/plugin';
      const missing = { apiVersion: v1, command, interactiveMode: 'Never', installHint: 'brew install it' };
      accounts['missing'] = { execPlugin: missing };
      clusters['missing'] = { ...clusters['prod-bot'], account: 'missing' };
    },
  });
});
afterAll(() => here?.dispose());

function note(where: string, text: string) {
  said.push({ where, bytes: Buffer.from(text) });
}

const times = (text: string, part: string) => text.split(part).length - 1;
const words = (does: string) =>
  (failures[does]?.said ?? '').replace(/\bC\b/, here.plugin(nameOf(does)).command);

describe('a plugin that answers', () => {
  test.each(Object.entries(successes))(
    '%s: kubectl lists pods, and the next one needs no run',
    async (does, stderr) => {
      const name = nameOf(does);
      const first = await here.getPods(name);
      expect([first.code, first.stderr, first.stdout]).toEqual([0, stderr, expect.stringContaining('pod/')]);
      const second = await here.getPods(name);
      expect([second.code, second.stderr]).toEqual([0, does === 'no-expiry' ? stderr : '']);
      expect(here.runs(name)).toBe(does === 'no-expiry' ? 2 : 1);
      note(`kubectl ${does}`, first.stderr + first.stdout + second.stderr);
    },
  );
});

describe('a plugin that fails', () => {
  test.each(Object.entries(failures))(
    '%s: kubectl says why, once, in client-go’s words (KEP-541/version-mismatch)',
    async (does, { plugin = '' }) => {
      const name = nameOf(does);
      const done = await here.getPods(name);
      note(`kubectl ${does}`, done.stderr + done.stdout);
      expect([done.code, done.stdout]).toEqual([1, '']);
      expect(done.stderr).toContain(`lanyard: ${does === 'expired' ? '' : words(does)}`);
      expect(times(done.stderr, words(does))).toBe(1);
      expect(done.stderr).toContain('getting credentials: exec: ');
      if (plugin !== '') {
        expect(times(done.stderr, plugin)).toBe(1);
      }
      expect(here.runs(name)).toBe(1);
      expect(here.plugin(name).processes()).toEqual([]);
    },
  );

  test.each(['garbage', 'exit:2', 'hanging'])(
    '%s: a program that asks again meanwhile runs nothing (KEP-541/transient-failures)',
    async (does) => {
      const name = nameOf(does);
      for (let call = 0; call < 5; call++) {
        const { code, stdout, stderr } = await here.ask(name);
        note(`ask ${does}`, stderr + stdout);
        expect([code, stdout]).toEqual([exitCodes.provider, '']);
        expect(times(stderr, words(does))).toBe(1);
      }
      // The rest after the first failure may just have been over: that is one more run.
      expect(here.runs(name)).toBeLessThanOrEqual(2);
    },
  );

  test.each(['exit:2', 'garbage'])('%s: the user gets a try each time', async (does) => {
    const name = nameOf(does);
    const terminal = here.terminal();
    for (let call = 0; call < 2; call++) {
      const before = here.runs(name);
      const { code, shown } = await terminal.run(`$K --context ${name} get pods`);
      note(`terminal ${does}`, shown);
      expect(code).toBe(1);
      expect(times(shown, words(does))).toBe(1);
      expect(here.runs(name)).toBe(before + 1);
    }
  });

  test('one that is missing: not found, with the hint of the kubeconfig’s author (KEP-541/install-hint)', async () => {
    const { code, stdout, stderr } = await here.ask('missing');
    expect([code, stdout]).toEqual([exitCodes.provider, '']);
    expect(stderr).toContain('lanyard: exec: fork/exec /nowhere/at-all/plugin: no such file or directory\n');
    expect(stderr).toContain('hint: brew install it\n');
  });
});

test('what a plugin printed is in no error, log or file', async () => {
  for (const words of [
    ['plugins'],
    ['plugins', '--json'],
    ['audit', '--json'],
    ['status', '--json'],
    ['doctor'],
  ]) {
    const done = await here.stage.lanyard(words);
    note(`lanyard ${words.join(' ')}`, done.stdout + done.stderr);
  }
  const canaries: Canary[] = all.flatMap((does) => {
    const plugin = here.plugin(nameOf(does));
    return plugin.runs().flatMap(({ number }) => [
      { name: `${does} ${number}`, value: plugin.token(number) },
      { name: `${does} unset`, value: plugin.tokenFor('unset') },
    ]);
  });
  canaries.push(
    { name: 'garbage', value: 'Welcome! {"apiVersion"' },
    { name: 'large', value: 'x'.repeat(64) },
  );
  canaries.push({ name: 'a key alone', value: '-----BEGIN PRIVATE KEY-----\nMAA=' });
  // The planted words are found where they are meant to be.
  const answer = JSON.stringify(credentialIn(await here.ask('fast')));
  expect(findCanaries(canaries, [{ where: 'answer', bytes: Buffer.from(answer) }])).toHaveLength(1);
  note('agent log', here.stage.agentLogs());
  await here.stage.agent.stop();
  note('agent log', here.stage.agentLogs());
  expect(findCanaries(canaries, [...said, ...filesBelow(here.stage.home.path)])).toEqual([]);
});
