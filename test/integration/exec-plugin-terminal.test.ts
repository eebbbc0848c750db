import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { exitCodes } from '../../main/contract/exit-codes.ts';
import { nothingLeft, openPluginStage, type PluginStage } from '../support/plugin-stage.ts';
import { run } from '../support/processes.ts';
import { credentialIn, until } from '../support/stage.ts';
import type { TerminalShell } from '../support/terminal-shell.ts';

/** KEP-541/prompts: a wrapped plugin at the terminal of whoever ran kubectl, with a shell's job control around it. */
const names = ['ask', 'always'] as const;
type Name = (typeof names)[number];
const get = (name: Name) => `$K --context ${name} get pods -o name`;
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

describe.each(['ask', 'always'] as const)('%s: the user at the terminal', (name) => {
  test('types a code that the plugin asks for, and others get the answer, too', async () => {
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
  });

  test('types a password, which is not shown; echo is back afterwards', async () => {
    await begin(name, 'password');
    const command = shell.begin(get(name));
    await shell.waitFor('Password: ');
    shell.send('second\r');
    const { code, shown } = await command.end();
    expect([code, shown]).toEqual([0, expect.stringContaining('pod/')]);
    expect(shell.shown()).not.toContain('second');
    expect(here.users()).toEqual([`${name}-second`]);
    await asBefore(name);
  });

  test.each(['prompt', 'password'])('Ctrl-C at the %s ends plugin, helper and kubectl', async (does) => {
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

  test.each(['prompt', 'password'])(
    'Ctrl-Z at the %s gives the terminal to the shell; after fg it goes on',
    async (does) => {
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

test('Ctrl-Z and bg: it waits for the terminal, and goes on after fg', async () => {
  await begin('always', 'prompt');
  const command = shell.begin(get('always'));
  await shell.waitFor('Code: ');
  shell.send('\x1a');
  await command.end();
  await shell.run('bg');
  // It would read, and is in the background.
  await until(async () => (await shell.run('jobs')).shown.includes('Stopped') || null, 'its stop');
  expect(await shell.settings()).toBe(before);
  const again = shell.begin('fg');
  await shell.waitFor('get pods');
  shell.send('first\r');
  expect(await again.end()).toMatchObject({ code: 0, shown: expect.stringContaining('pod/') });
  await asBefore('always');
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

test('what the plugin says is shown once, to the one at whose terminal it runs', async () => {
  await begin('ask', 'telling');
  const { shown } = await shell.run(get('ask'));
  expect(shown.replace(/^.*-o name\s+/s, '').split('\r\n')).toEqual([
    'first line',
    'second line',
    ...['web-0', 'web-1', 'worker-0'].map((pod) => `pod/${pod}`),
    '',
  ]);
});

describe('a caller without a terminal', () => {
  test('Always: client-go’s words, and the plugin isn’t run', async () => {
    await begin('always', 'fast');
    const runs = here.runs('always');
    const done = await here.ask('always');
    expect([done.code, done.stdout]).toEqual([exitCodes.loginNeeded, '']);
    expect(done.stderr).toContain(`lanyard: ${noTerminal}\n`);
    const kubectl = await here.getPods('always');
    expect([kubectl.code, kubectl.stderr]).toEqual([1, expect.stringContaining(noTerminal)]);
    expect(here.runs('always')).toBe(runs);
  });

  test('IfAvailable: it is run without one, and told so', async () => {
    await begin('ask', 'fast');
    expect((await here.getPods('ask')).code).toBe(0);
    expect(here.plugin('ask').runs().at(-1)).toMatchObject({
      stdin: 'nothing',
      info: { spec: { interactive: false } },
      session: { foreground: -1 },
    });
  });
});

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
