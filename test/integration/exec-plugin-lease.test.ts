import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { leaseMilliseconds } from '../../main/platform/socket/frame-runner.ts';
import {
  helperOf,
  nothingLeft,
  openPluginStage,
  type PluginStage,
  parentOf,
} from '../support/plugin-stage.ts';
import { credentialIn, until } from '../support/stage.ts';
import type { TerminalShell } from '../support/terminal-shell.ts';

/**
 * The caller at whose terminal the plugin runs is killed, stopped, slowed, or loses its terminal, while others wait:
 * those get their answer from the next run, and what the first one still says is dropped.
 */
const get = '$K --context ask get pods -o name';

/** How long the others may wait once the lease has ended. */
const afterLease = 2_000;

let here: PluginStage<'ask'>;
let elected: TerminalShell;
let helper: number;
/** Of the elected caller. */
let run: number;
let command: ReturnType<TerminalShell['begin']>;

beforeAll(async () => {
  here = await openPluginStage(['ask'], { ask: { interactiveMode: 'IfAvailable' } });
});
afterAll(() => here?.dispose());

/** A plugin that runs at the elected caller's terminal until the test lets it go, or `does`; what runs next answers at once. */
async function elect(does = 'held') {
  await here.stage.lanyard(['logout', 'ask']);
  here.stage.api.forgetRequests();
  here.plugin('ask').hold();
  here.plugin('ask').does(does);
  elected = here.terminal();
  run = here.runs('ask') + 1;
  command = elected.begin(get);
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

async function timed<T>(wait: Promise<T>): Promise<{ got: T; milliseconds: number }> {
  const from = performance.now();
  return { got: await wait, milliseconds: performance.now() - from };
}

afterEach(async () => {
  await elected?.dispose();
  here.plugin('ask').release();
  await nothingLeft(here.plugin('ask'));
});

test('its helper is killed: another one runs the plugin at once, and all get that answer', async () => {
  await elect();
  const answers = await others();
  process.kill(helper, 'SIGKILL');
  expect(await answers()).toEqual(token(1));
  // kubectl may run another helper with its next request, which has the same answer.
  await command.end();
  expect([here.users(), here.runs('ask')]).toEqual([[`ask-${run + 1}`], run + 1]);
});

test('kubectl itself is killed: nothing of its plugin is left, and others get their answer', async () => {
  await elect('ignoring-term');
  const answers = await others();
  process.kill(parentOf(helper) ?? 0, 'SIGKILL');
  expect(await answers()).toEqual(token(1));
  await nothingLeft(here.plugin('ask'));
  expect((await command.end()).code).toBe(137);
  expect((await elected.run('stty -a')).shown).toMatch(/ echo /);
});

test('its helper is stopped: another takes over, and a late answer is issued to no one', async () => {
  await elect();
  const answers = await others();
  process.kill(helper, 'SIGSTOP');
  const { got, milliseconds } = await timed(answers());
  expect(got).toEqual(token(1));
  expect(milliseconds).toBeLessThan(leaseMilliseconds + afterLease);
  // The first one answers now, to a helper that goes on.
  here.plugin('ask').release();
  await until(() => here.plugin('ask').runs()[run - 1]?.ended || null, 'the end of the first run');
  process.kill(helper, 'SIGCONT');
  expect(await command.end()).toMatchObject({ code: 0, shown: expect.stringContaining('pod/') });
  expect([here.users(), here.runs('ask')]).toEqual([[`ask-${run + 1}`], run + 1]);
  expect(new Set([credentialIn(await here.ask('ask')).token])).toEqual(token(1));
});

test('its helper is slowed, but says each second that it is alive: no other takes over', async () => {
  await elect();
  const answers = await others();
  const until = performance.now() + 2 * leaseMilliseconds;
  while (performance.now() < until) {
    process.kill(helper, 'SIGSTOP');
    await delay(600);
    process.kill(helper, 'SIGCONT');
    await delay(600);
  }
  here.plugin('ask').release();
  expect(await answers()).toEqual(token(0));
  expect([(await command.end()).code, here.runs('ask')]).toEqual([0, run]);
});

test('Ctrl-Z: others take over within the lease; after fg kubectl gets their answer', async () => {
  await elect('prompt');
  await elected.waitFor('Code: ');
  const answers = await others();
  elected.send('\x1a');
  const { got, milliseconds } = await timed(answers());
  expect(got).toEqual(token(1));
  expect(milliseconds).toBeLessThan(leaseMilliseconds + afterLease);
  expect(await command.end()).toMatchObject({ code: 148, shown: expect.stringContaining('Stopped') });
  expect(await elected.run('fg')).toMatchObject({ code: 0, shown: expect.stringContaining('pod/') });
  expect([here.users(), here.runs('ask')]).toEqual([[`ask-${run + 1}`], run + 1]);
});

test('Ctrl-C: it ends, and others get their answer at once', async () => {
  await elect('prompt');
  await elected.waitFor('Code: ');
  const answers = await others();
  elected.send('\x03');
  expect((await command.end()).code).toBe(130);
  expect(await answers()).toEqual(token(1));
});

test.each(['prompt', 'password', 'ignoring-term'])(
  'its terminal hangs up (%s): nothing of it is left, and others get their answer',
  async (does) => {
    await elect(does);
    const answers = await others();
    await elected.dispose();
    expect(await answers()).toEqual(token(1));
    await nothingLeft(here.plugin('ask'));
  },
);

test('a question goes on to the next terminal where the first one is interrupted', async () => {
  await elect('prompt');
  await elected.waitFor('Code: ');
  here.plugin('ask').does('prompt');
  const before = here.callers();
  const second = here.terminal();
  const next = second.begin(get);
  await until(() => (here.callers() > before ? true : null), 'the second caller');
  expect(second.shown()).not.toContain('Code: ');
  elected.send('\x03');
  expect((await command.end()).code).toBe(130);
  await second.waitFor('Code: ');
  second.send('second\r');
  expect((await next.end()).code).toBe(0);
  expect([here.users(), here.runs('ask')]).toEqual([['ask-second'], run + 1]);
});
