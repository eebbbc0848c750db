import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { exitCodes } from '../../main/contract/exit-codes.ts';
import { issueClientCertificate } from '../support/certificates.ts';
import { isLong } from '../support/long.ts';
import { nothingLeft, openPluginStage, type PluginStage } from '../support/plugin-stage.ts';
import { credentialIn, mustBeGood, stagePassphrase, until } from '../support/stage.ts';

/**
 * How often a plugin runs for kubectl, and for a client-go that lives on (`kubectl proxy`); and plugins that hang, fail
 * in the background, or are under way when something else happens.
 */
const names = [
  ...['hour', 'short', 'unending', 'kept', 'pair', 'rejected', 'revoked', 'refused', 'storm'],
  ...['hanging', 'terminal', 'failing', 'locked', 'left', 'broker', 'helper'],
];

const manyKubectl = isLong ? 100 : 15;

let here: PluginStage<string>;
beforeAll(async () => {
  const asks = { interactiveMode: 'IfAvailable' };
  here = await openPluginStage(names, {
    kept: { cacheSeconds: 3 },
    // What a caller's variable shaped is not renewed ahead of need: it can end.
    storm: { environment: ['PLUGIN_ANSWER'] },
    hanging: { timeoutSeconds: 2 },
    terminal: { ...asks, timeoutSeconds: 2 },
    helper: asks,
  });
});
afterAll(() => here?.dispose());
beforeEach(() => {
  here.stage.api.acceptAll();
  here.stage.api.forgetRequests();
});

async function list(name: string, env: Record<string, string> = {}) {
  const done = await here.getPods(name, { env });
  expect([done.code, done.stderr]).toEqual([0, '']);
}

/** A certificate of the API server's CA, as the plugin prints it. */
async function pair(commonName: string, lifeSeconds: number) {
  const { chainPem, keyPem } = await issueClientCertificate(here.stage.clientCa, {
    commonName,
    notAfter: new Date(Date.now() + lifeSeconds * 1000),
  });
  return { token: null, clientCertificateData: chainPem, clientKeyData: keyPem };
}

describe('KEP-541/caching: the plugin runs only as needed', () => {
  test('one run serves many kubectl, one after the other', async () => {
    for (let call = 0; call < 4; call++) {
      await list('hour');
    }
    expect([here.runs('hour'), here.users()]).toEqual([1, ['hour-1']]);
  });

  test('over several lives it runs once in each, ahead of need, and no one gets an expired answer', async () => {
    const lifeSeconds = 5;
    here.plugin('short').answers({ expiresIn: lifeSeconds });
    const from = Date.now();
    await until(async () => {
      const asked = Date.now();
      const { expirationTimestamp = '' } = credentialIn(await here.ask('short'));
      expect(Date.parse(expirationTimestamp)).toBeGreaterThan(asked);
      return here.runs('short') < 4 ? null : true;
    }, 'the fourth run');
    const took = Date.now() - from;
    // At the earliest two margins of 10% before its end, in whole seconds.
    expect(here.runs('short')).toBeLessThanOrEqual(Math.ceil(took / ((lifeSeconds * 0.8 - 1) * 1000)) + 1);
    await list('short');
    expect(here.stage.api.requests.filter(({ status }) => status >= 400)).toEqual([]);
    here.plugin('short').answers({});
  });

  test('without an expirationTimestamp each process has its own, for its life', async () => {
    here.plugin('unending').answers({ expiresIn: null });
    expect(credentialIn(await here.ask('unending')).expirationTimestamp).toBeUndefined();
    await list('unending');
    await list('unending');
    expect(here.runs('unending')).toBe(3);
    const { running, get } = await here.proxy('unending');
    for (let call = 0; call < 5; call++) {
      expect(await get()).toBe(200);
    }
    await running.dispose();
    expect([here.runs('unending'), here.users()]).toEqual([4, ['unending-2', 'unending-3', 'unending-4']]);
  });

  test('cacheSeconds keeps such an answer for all, and no longer', async () => {
    here.plugin('kept').answers({ expiresIn: null });
    await list('kept');
    expect(credentialIn(await here.ask('kept')).expirationTimestamp).toBeUndefined();
    await list('kept');
    expect([here.runs('kept'), here.users()]).toEqual([1, ['kept-1']]);
    await until(async () => {
      await here.ask('kept');
      return here.runs('kept') > 1 ? true : null;
    }, 'the next run');
    await list('kept');
    expect(here.users()).toEqual(['kept-1', 'kept-2']);
  });
});

test('KEP-541/caching, KEP-541/new-connections: a certificate is kept as a token is, and a client that lives on uses the renewed one', async () => {
  here.plugin('pair').answers({ ...(await pair('anna', 3600)), expiresIn: 10 });
  await list('pair');
  await list('pair');
  expect([here.runs('pair'), here.users()]).toEqual([1, ['anna']]);
  const { running, get } = await here.proxy('pair');
  expect(await get()).toBe(200);
  here.plugin('pair').answers({ ...(await pair('berta', 3600)), expiresIn: 3600 });
  await until(() => (here.runs('pair') > 1 ? true : null), 'the second run');
  await until(async () => {
    expect(await get()).toBe(200);
    return here.users().includes('berta') ? true : null;
  }, 'a connection with the renewed certificate');
  expect(await get()).toBe(200);
  expect(here.stage.api.requests.at(-1)).toMatchObject({ via: 'certificate', user: 'berta' });
  expect([here.runs('pair'), here.users()]).toEqual([2, ['anna', 'berta']]);
  await running.dispose();
});

describe('KEP-541/rerun-after-401: after a 401 the plugin is run again before the end that it told', () => {
  test('kubectl', async () => {
    await list('rejected');
    here.stage.api.rejectTokens(here.plugin('rejected').token(1));
    // What kubectl asked before it knew still fails.
    await here.getPods('rejected');
    await list('rejected');
    await list('rejected');
    expect([here.runs('rejected'), here.stage.api.requests.at(-1)?.user]).toEqual([2, 'rejected-2']);
  });

  test('a client that lives on: only the request that was told 401 fails', async () => {
    const { running, get } = await here.proxy('revoked');
    expect([await get(), await get()]).toEqual([200, 200]);
    here.stage.api.rejectTokens(here.plugin('revoked').token(1));
    expect([await get(), await get(), await get()]).toEqual([401, 200, 200]);
    expect([here.runs('revoked'), here.stage.api.requests.at(-1)?.user]).toEqual([2, 'revoked-2']);
    await running.dispose();
  });

  test('a cluster that rejects whatever it is given causes no storm', async () => {
    here.stage.api.rejectAll(true);
    for (let call = 0; call < 4; call++) {
      expect((await here.getPods('refused')).code).toBe(1);
    }
    expect(here.runs('refused')).toBe(2);
  });
});

test(`KEP-541/single-flight: ${manyKubectl} kubectl at once on an expired grant: one run, and all succeed`, async () => {
  const env = { PLUGIN_ANSWER: 'it counts' };
  here.plugin('storm').answers({ expiresIn: 2 });
  const { expirationTimestamp = '' } = credentialIn(await here.ask('storm', { env }));
  here.plugin('storm').answers({});
  here.plugin('storm').does('slow');
  await until(() => (Date.parse(expirationTimestamp) + 1000 < Date.now() ? true : null), 'its end');
  const all = Array.from({ length: manyKubectl }, () =>
    here.getPods('storm', { env, timeoutMilliseconds: 120_000 }),
  );
  const ended = await Promise.all(all);
  expect(ended.filter(({ code }) => code !== 0).map(({ stderr }) => stderr)).toEqual([]);
  expect([here.runs('storm'), here.users()]).toEqual([2, ['storm-2']]);
  expect(here.stage.api.requests.filter(({ path }) => path.endsWith('/pods'))).toHaveLength(manyKubectl);
});

/** A call without a terminal whose plugin is under way when this comes back. */
async function underWay(name: string) {
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
function pauses(name: string, first: number): number[] {
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
