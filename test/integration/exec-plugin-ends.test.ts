import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { exitCodes } from '../../main/contract/exit-codes.ts';
import { nothingLeft, openPluginStage, type PluginStage } from '../support/plugin-stage.ts';
import { credentialIn, mustBeGood, stagePassphrase, until } from '../support/stage.ts';

/** Plugins that hang, fail in the background, or are under way when something else happens. */
const names = ['hanging', 'terminal', 'failing', 'locked', 'left', 'changed', 'broker', 'helper'] as const;
type Name = (typeof names)[number];

let here: PluginStage<Name>;
beforeAll(async () => {
  const asks = { interactiveMode: 'IfAvailable' };
  here = await openPluginStage(names, {
    hanging: { timeoutSeconds: 2 },
    terminal: { ...asks, timeoutSeconds: 2 },
    helper: asks,
  });
});
afterAll(() => here?.dispose());

/** A call without a terminal whose plugin is under way when this comes back. */
async function underWay(name: Name) {
  const plugin = here.plugin(name);
  plugin.hold();
  plugin.does('held');
  const run = here.runs(name) + 1;
  const asked = here.ask(name);
  await until(() => plugin.runs()[run - 1], 'the run');
  return { asked, run };
}

describe('KEP-541/timeout: a plugin that hangs is ended in time, with all that it started', () => {
  test.each(['hanging', 'ignoring-term', 'escaping-hanging'])('in the broker: %s', async (does) => {
    here.plugin('hanging').does(does);
    await here.stage.lanyard(['logout', 'hanging']);
    const { code, stderr } = await here.ask('hanging');
    expect([code, stderr]).toEqual([exitCodes.provider, expect.stringContaining('did not answer in 2 s')]);
    expect(here.plugin('hanging').processes()).toEqual([]);
  });

  test.each(['hanging', 'ignoring-term', 'escaping-hanging'])('at a terminal: %s', async (does) => {
    here.plugin('terminal').does(does);
    const shell = here.terminal();
    const before = await shell.settings();
    const runs = here.runs('terminal');
    const { code, shown } = await shell.run('$K --context terminal get pods');
    // kubectl asks again with each of its requests; the person's own call is one.
    expect(here.runs('terminal')).toBe(runs + 1);
    expect([code, shown]).toEqual([1, expect.stringContaining('did not answer in 2 s')]);
    expect(here.plugin('terminal').processes()).toEqual([]);
    expect(await shell.settings()).toBe(before);
    await shell.dispose();
  });
});

/** Milliseconds between the beginnings of runs, those from `first` on. */
function pauses(name: Name, first: number): number[] {
  const folder = join(here.plugin(name).folder, 'runs');
  const began = readdirSync(folder)
    .map(Number)
    .filter((run) => run >= first)
    .sort((a, b) => a - b)
    .map((run) => statSync(join(folder, String(run), 'begun')).mtimeMs);
  return began.slice(1).map((at, index) => at - (began[index] ?? 0));
}

test('KEP-541/transient-failures: renewals ahead of need that fail come ever more rarely, and a user is helped immediately', async () => {
  const plugin = here.plugin('failing');
  plugin.answers({ expiresIn: 5 });
  mustBeGood(await here.ask('failing'));
  plugin.answers({});
  plugin.does('exit:1');
  await until(() => (here.runs('failing') >= 5 ? true : null), 'three that failed again');
  // 1 s doubling, each less a jitter of up to its half.
  for (const [index, pause] of pauses('failing', 2).slice(0, 3).entries()) {
    expect(pause).toBeGreaterThan(2 ** index * 500 - 50);
  }
  plugin.does('fast');
  const runs = here.runs('failing');
  const shell = here.terminal();
  const { code } = await shell.run('$K --context failing get pods -o name');
  expect([code, here.runs('failing')]).toEqual([0, runs + 1]);
  mustBeGood(await here.ask('failing'));
  expect(here.runs('failing')).toBe(runs + 1);
});

describe('while a plugin runs', () => {
  test('Lanyard is locked: its answer is issued to no one, and the next request is locked (rule: locked-issues-nothing)', async () => {
    const { asked, run } = await underWay('locked');
    const lock = here.stage.lanyard(['lock']);
    const isLocked = async () => (await here.ask('left')).code === exitCodes.locked;
    await until(async () => (await isLocked()) || null, 'the lock');
    here.plugin('locked').release();
    mustBeGood(await lock);
    const done = await asked;
    expect([done.code, done.stdout]).toEqual([exitCodes.locked, '']);
    expect((await here.ask('locked')).code).toBe(exitCodes.locked);
    await nothingLeft(here.plugin('locked'));
    mustBeGood(
      await here.stage.lanyard([
        'unlock',
        '--passphrase-file',
        here.stage.home.write('pass', stagePassphrase),
      ]),
    );
    expect(credentialIn(await here.ask('locked')).token).toBe(here.plugin('locked').token(run + 1));
  });

  test('its account is logged out: its answer is issued to no one, and the next call runs it again', async () => {
    const { asked, run } = await underWay('left');
    mustBeGood(await here.stage.lanyard(['logout', 'left']));
    here.plugin('left').release();
    const done = await asked;
    expect([done.code, done.stdout]).toEqual([exitCodes.notPermitted, '']);
    expect(credentialIn(await here.ask('left')).token).toBe(here.plugin('left').token(run + 1));
  });

  test('its account is changed in the file: the answer is of the approved form, and the change is pending', async () => {
    const { asked, run } = await underWay('changed');
    const config = JSON.parse(readFileSync(here.stage.home.file('config'), 'utf8'));
    config.accounts.changed.execPlugin.args = ['do=fast'];
    here.stage.home.writeConfig(config);
    await until(
      async () => ((await here.stage.lanyard(['status'])).stdout.includes('confirm') ? true : null),
      'the change',
    );
    here.plugin('changed').release();
    expect(credentialIn(await asked).token).toBe(here.plugin('changed').token(run));
    await nothingLeft(here.plugin('changed'));
    const shell = here.terminal();
    const confirm = shell.begin('$L confirm changed');
    await shell.waitFor('[y/N] ');
    shell.send('y\r');
    expect((await confirm.end()).code).toBe(0);
    expect(credentialIn(await here.ask('changed')).token).toBe(here.plugin('changed').token(run + 1));
    expect(here.plugin('changed').runs()[run]?.args).toEqual(['do=fast']);
  });

  test('the broker is killed: nothing is left of the plugin, and the next call works (rule: no-stray-program)', async () => {
    const { asked, run } = await underWay('broker');
    await here.stage.agent.kill();
    expect([(await asked).code, (await asked).stdout]).toEqual([exitCodes.unreachable, '']);
    await nothingLeft(here.plugin('broker'));
    await here.stage.startAgent();
    here.plugin('broker').does('fast');
    expect(credentialIn(await here.ask('broker')).token).toBe(here.plugin('broker').token(run + 1));
  });

  test('the broker is killed while it runs at a terminal: nothing is left, and the terminal is as it was', async () => {
    const plugin = here.plugin('helper');
    plugin.does('password');
    const shell = here.terminal();
    const before = await shell.settings();
    const command = shell.begin('$K --context helper get pods');
    await shell.waitFor('Password: ');
    await here.stage.agent.kill();
    expect((await command.end()).code).toBe(1);
    expect(await shell.settings()).toBe(before);
    await nothingLeft(plugin);
    await here.stage.startAgent();
    plugin.does('fast');
    expect((await shell.run('$K --context helper get pods')).code).toBe(0);
  });
});
