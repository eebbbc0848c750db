import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { leaseMilliseconds } from '../../main/platform/socket/frame-runner.ts';
import {
  helperOf,
  nothingLeft,
  openPluginStage,
  type PluginStage,
  parentOf,
} from '../support/plugin-stage.ts';
import { run } from '../support/processes.ts';
import { credentialIn, until } from '../support/stage.ts';
import type { TerminalShell } from '../support/terminal-shell.ts';

/** KEP-541/prompts: a wrapped plugin at the terminal of whoever ran kubectl, with a shell's job control around it. */
const names = ['ask', 'always'] as const;
type Name = (typeof names)[number];
const get = (name: Name) => `$K --context ${name} get pods -o name`;
/** Each mode and each kind of question once. */
const atQuestions = [
  ['ask', 'prompt'],
  ['always', 'password'],
] as const;
const noTerminal = 'exec plugin cannot support interactive mode: standard input is not a terminal';

let here: PluginStage<Name>;
let shell: TerminalShell;
let before: string;
beforeAll(async () => {
  here = await openPluginStage(names, {
    ask: { interactiveMode: 'IfAvailable' },
    always: { interactiveMode: 'Always' },
  });
});
afterAll(() => here?.dispose());

/** A new terminal, nothing held of the account, and what the plugin does now. */
async function begin(name: Name, does: string) {
  await here.stage.lanyard(['logout', name]);
  here.plugin(name).does(does);
  here.stage.api.forgetRequests();
  shell = here.terminal();
  before = await shell.settings();
}
afterEach(async () => {
  await shell?.dispose();
});

/** The terminal is the shell's again, as it was, and nothing runs on. */
async function asBefore(name: Name) {
  expect(await shell.settings()).toBe(before);
  expect((await shell.run('echo typed; jobs')).shown).toMatch(/echo typed; jobs\s+typed\s+$/);
  await nothingLeft(here.plugin(name));
}

describe('the user at the terminal', () => {
  test.each(names)(
    '%s: types a code that the plugin asks for, and others get the answer, too',
    async (name) => {
      await begin(name, 'prompt');
      const command = shell.begin(get(name));
      await shell.waitFor('Code: ');
      shell.send('first\r');
      const { code, shown } = await command.end();
      expect([code, shown]).toEqual([0, expect.stringContaining('pod/')]);
      expect(here.users()).toEqual([`${name}-first`]);
      expect(here.plugin(name).runs().at(-1)).toMatchObject({
        stdin: 'terminal',
        info: { spec: { interactive: true } },
        env: { TERM: 'xterm' },
      });
      await asBefore(name);
      expect(credentialIn(await here.ask(name)).token).toBe(here.plugin(name).tokenFor('first'));
    },
  );

  test.each(atQuestions)('%s, Ctrl-C at the %s: ends plugin, helper and kubectl', async (name, does) => {
    await begin(name, does);
    const command = shell.begin(get(name));
    await shell.waitFor(/Code: |Password: /);
    shell.send('half a pass\x03');
    const { code } = await command.end();
    expect(code).toBe(130);
    await asBefore(name);
    // The next call is asked anew.
    const next = shell.begin(get(name));
    await shell.waitFor(/Code: |Password: /);
    shell.send('first\r');
    expect((await next.end()).code).toBe(0);
    await asBefore(name);
  });

  test.each(atQuestions)(
    '%s, Ctrl-Z at the %s: gives the terminal to the shell; after fg it goes on',
    async (name, does) => {
      await begin(name, does);
      const runs = here.runs(name);
      const command = shell.begin(get(name));
      await shell.waitFor(/Code: |Password: /);
      shell.send('\x1a');
      const stopped = await command.end();
      expect([stopped.code, stopped.shown]).toEqual([148, expect.stringContaining('Stopped')]);
      expect(await shell.settings()).toBe(before);
      const again = shell.begin('fg');
      await shell.waitFor('get pods');
      shell.send('first\r');
      expect(await again.end()).toMatchObject({ code: 0, shown: expect.stringContaining('pod/') });
      expect([here.runs(name), here.users()]).toEqual([runs + 1, [`${name}-first`]]);
      await asBefore(name);
    },
  );
});

test('ten kubectl at once on one terminal: one question, and all get the answer', async () => {
  await begin('always', 'prompt');
  const runs = here.runs('always');
  const script = here.stage.home.write(
    'ten.sh',
    `for i in 1 2 3 4 5 6 7 8 9 10; do ${get('always')} </dev/tty >/dev/null && echo "good" & done; wait\n`,
  );
  const command = shell.begin(`sh ${script}`);
  await shell.waitFor('Code: ');
  shell.send('first\r');
  const { shown } = await command.end();
  expect([shown.split('good').length - 1, here.runs('always')]).toEqual([10, runs + 1]);
  expect(here.users()).toEqual(['always-first']);
  await asBefore('always');
});

test.for(['cat', 'less'])(
  'kubectl into %s: the question is answered all the same',
  async (pager, context) => {
    if ((await run('sh', ['-c', `command -v ${pager}`])).code !== 0) {
      context.skip(`there is no ${pager} here`);
    }
    await begin('always', 'prompt');
    const command = shell.begin(`${get('always')} | ${pager}`);
    await shell.waitFor('Code: ');
    shell.send('first\r');
    await shell.waitFor('pod/worker-0');
    if (pager === 'less') {
      shell.send('q');
    }
    expect((await command.end()).code).toBe(0);
    await asBefore('always');
  },
);

describe('kubectl at a terminal that it doesn’t have for itself', () => {
  const manifest = 'printf "apiVersion: v1\\nkind: Pod\\nmetadata: {name: p}\\n"';
  const apply = (name: Name) => `${manifest} | $K --context ${name} apply --validate=false -f -`;

  test('apply -f - with a pipe, IfAvailable: the plugin leaves standard input alone', async () => {
    await begin('ask', 'fast');
    const runs = here.runs('ask');
    await shell.run(apply('ask'));
    expect([here.runs('ask'), here.users()]).toEqual([runs + 1, [`ask-${runs + 1}`]]);
    expect(here.plugin('ask').runs().at(-1)).toMatchObject({ stdin: 'nothing' });
    // It read its manifest: it asked for that pod.
    expect(here.stage.api.requests.map(({ path }) => path)).toContain('/api/v1/namespaces/default/pods/p');
  });

  test('apply -f - with a pipe, Always: client-go’s words, and the plugin isn’t run', async () => {
    await begin('always', 'fast');
    const runs = here.runs('always');
    const { shown } = await shell.run(apply('always'));
    expect(shown).toContain(noTerminal);
    expect(here.runs('always')).toBe(runs);
    await asBefore('always');
  });

  test('in the background, IfAvailable: it is run without the terminal, and the shell keeps that', async () => {
    await begin('ask', 'fast');
    expect((await shell.run(`${get('ask')} & wait $!`)).shown).toContain('pod/');
    expect(here.plugin('ask').runs().at(-1)).toMatchObject({ stdin: 'nothing' });
    expect(await shell.settings()).toBe(before);
  });

  test('in the background, Always: client-go’s words, and the shell keeps the terminal', async () => {
    await begin('always', 'prompt');
    const runs = here.runs('always');
    expect((await shell.run(`${get('always')} & wait $!`)).shown).toContain(noTerminal);
    expect([here.runs('always'), await shell.settings()]).toEqual([runs, before]);
  });

  test('a script on standard input is not eaten by the plugin', async () => {
    await begin('ask', 'fast');
    const script = here.stage.home.write('script.sh', `${get('ask')}\necho "after it"\n`);
    const { code, shown } = await shell.run(`sh <${script}`);
    expect([code, shown]).toEqual([0, expect.stringContaining('after it')]);
    expect(here.plugin('ask').runs().at(-1)).toMatchObject({ stdin: 'nothing' });
  });

  test('in a script that the user runs it may ask', async () => {
    await begin('always', 'prompt');
    const script = here.stage.home.write('script.sh', `${get('always')}\necho "after it"\n`);
    const command = shell.begin(`sh ${script}`);
    await shell.waitFor('Code: ');
    shell.send('first\r');
    const { code, shown } = await command.end();
    expect([code, shown]).toEqual([0, expect.stringContaining('after it')]);
    await asBefore('always');
  });
});

/**
 * The caller at whose terminal the plugin runs is killed or stopped, or loses its terminal, while others wait:
 * those get their answer from the next run, and what the first one still says is dropped.
 */
describe('while others wait for the answer', () => {
  const ask = get('ask');
  let helper: number;
  /** Of the elected caller. */
  let run: number;
  let command: ReturnType<TerminalShell['begin']>;

  /** A plugin that runs at the elected caller's terminal until the test lets it go, or `does`; what runs next answers at once. */
  async function elect(does = 'held') {
    await here.stage.lanyard(['logout', 'ask']);
    here.stage.api.forgetRequests();
    here.plugin('ask').hold();
    here.plugin('ask').does(does);
    shell = here.terminal();
    run = here.runs('ask') + 1;
    command = shell.begin(ask);
    helper = await helperOf(here.plugin('ask'), run);
    here.plugin('ask').does('fast');
  }

  /** Callers without a terminal, which wait for the same answer: they are there when this comes back. */
  async function others(count = 2) {
    const before = here.callers();
    const waiting = Array.from({ length: count }, () => here.ask('ask'));
    await until(() => (here.callers() >= before + count ? true : null), 'the others at the broker');
    return async () => {
      const ended = await Promise.all(waiting);
      return new Set(ended.map((each) => credentialIn(each).token));
    };
  }

  /** The token of so many runs after the elected caller's. */
  const token = (later: number) => new Set([here.plugin('ask').token(run + later)]);

  afterEach(async () => {
    await shell.dispose();
    here.plugin('ask').release();
    await nothingLeft(here.plugin('ask'));
  });

  test('its helper is killed: another one runs the plugin at once, and all get that answer', async () => {
    await elect();
    const answers = await others();
    process.kill(helper, 'SIGKILL');
    expect(await answers()).toEqual(token(1));
    await command.end();
    // The next kubectl has the same answer.
    expect((await shell.run(ask)).code).toBe(0);
    expect([here.users(), here.runs('ask')]).toEqual([[`ask-${run + 1}`], run + 1]);
  });

  test('kubectl itself is killed: nothing of its plugin is left, and others get their answer', async () => {
    await elect('ignoring-term');
    const answers = await others();
    process.kill(parentOf(helper) ?? 0, 'SIGKILL');
    expect(await answers()).toEqual(token(1));
    await nothingLeft(here.plugin('ask'));
    expect((await command.end()).code).toBe(137);
    expect((await shell.run('stty -a')).shown).toMatch(/ echo /);
  });

  test('its helper is stopped: another takes over, and a late answer is issued to no one', async () => {
    await elect();
    const answers = await others();
    process.kill(helper, 'SIGSTOP');
    expect(await answers()).toEqual(token(1));
    // The first one answers now, to a helper that goes on.
    here.plugin('ask').release();
    await until(() => here.plugin('ask').runs()[run - 1]?.ended || null, 'the end of the first run');
    process.kill(helper, 'SIGCONT');
    expect(await command.end()).toMatchObject({ code: 0, shown: expect.stringContaining('pod/') });
    expect([here.users(), here.runs('ask')]).toEqual([[`ask-${run + 1}`], run + 1]);
    expect(new Set([credentialIn(await here.ask('ask')).token])).toEqual(token(1));
  });

  test('its helper says each second that it is alive: no other takes over', async () => {
    await elect();
    const answers = await others();
    // Twice as long as a silent one has.
    await delay(2 * leaseMilliseconds);
    here.plugin('ask').release();
    expect(await answers()).toEqual(token(0));
    expect([(await command.end()).code, here.runs('ask')]).toEqual([0, run]);
  });

  test('Ctrl-Z: others take over within the lease; after fg kubectl gets their answer', async () => {
    await elect('prompt');
    await shell.waitFor('Code: ');
    const answers = await others();
    shell.send('\x1a');
    expect(await answers()).toEqual(token(1));
    expect(await command.end()).toMatchObject({ code: 148, shown: expect.stringContaining('Stopped') });
    expect(await shell.run('fg')).toMatchObject({ code: 0, shown: expect.stringContaining('pod/') });
    expect([here.users(), here.runs('ask')]).toEqual([[`ask-${run + 1}`], run + 1]);
  });

  test.each(['prompt', 'password', 'ignoring-term'])(
    'its terminal hangs up (%s): nothing of it is left, and others get their answer',
    async (does) => {
      await elect(does);
      const answers = await others();
      await shell.dispose();
      expect(await answers()).toEqual(token(1));
      await nothingLeft(here.plugin('ask'));
    },
  );

  test('a question goes on to the next terminal where the first one is interrupted', async () => {
    await elect('prompt');
    await shell.waitFor('Code: ');
    here.plugin('ask').does('prompt');
    const before = here.callers();
    const second = here.terminal();
    const next = second.begin(ask);
    await until(() => (here.callers() > before ? true : null), 'the second caller');
    expect(second.shown()).not.toContain('Code: ');
    shell.send('\x03');
    expect((await command.end()).code).toBe(130);
    await second.waitFor('Code: ');
    second.send('second\r');
    expect((await next.end()).code).toBe(0);
    expect([here.users(), here.runs('ask')]).toEqual([['ask-second'], run + 1]);
  });
});
