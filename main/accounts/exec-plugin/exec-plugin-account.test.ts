import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import { pairOf } from '../../../test/support/exec-answers/seeds.ts';
import { onWindows } from '../../../test/support/system.ts';
import { Secret } from '../../base/secret.ts';
import type { ExecPluginConfig } from '../../contract/config/accounts/exec-plugin.ts';
import { registry as registrySchema } from '../../contract/config/registry.ts';
import { clusterTarget } from '../../domain/target/cluster-target.ts';
import { registryTarget } from '../../domain/target/registry-target.ts';
import { clusterName } from '../../domain/target/target.ts';
import {
  attendant,
  clusterNamed,
  pluginBench,
  type ScriptedRun,
  type ScriptedRunner,
} from './testing/plugin-bench.ts';

const never = new AbortController().signal;
const later = '2026-03-01T01:00:00Z';

async function runs(runner: ScriptedRunner, count: number) {
  for (let turns = 0; runner.runs.length < count && turns < 50; turns++) {
    await turn();
  }
  expect(runner.runs).toHaveLength(count);
  return runner.last;
}

type Bench = ReturnType<typeof pluginBench>;
type Shape = Parameters<Bench['shaped']>[0];

/** What the broker orders of the plugin. */
async function orderOf(bench: Bench, shape?: Shape) {
  void (await bench.shaped(shape)).renew(never);
  return (await runs(bench.broker, 1)).order;
}

const infoOf = ({ env }: { env: Readonly<Record<string, string>> }) =>
  JSON.parse(env['KUBERNETES_EXEC_INFO'] ?? '');

/** A renewal that one person waits for, at a terminal unless told otherwise. */
async function attended(
  bench: Bench,
  fields: Parameters<typeof attendant>[0] = { interactive: true },
  shape?: Shape,
) {
  const account = await bench.shaped(shape);
  const one = attendant(fields);
  const leave = account.attend?.(one.who);
  return { account, one, leave, renewed: account.renew(never) };
}

/** The waits of the clock end when the test says so. */
function gate({ clock }: Bench): () => void {
  const { promise, resolve } = Promise.withResolvers<void>();
  clock.gate = promise;
  return resolve;
}

function addingTarget(name: string, additionalArgs: string[], env: Record<string, string>) {
  const cluster = clusterNamed(name);
  const additionalEnv = Object.entries(env).map(([variable, value]) => ({ name: variable, value }));
  return clusterTarget({ ...cluster, config: { ...cluster.config, additionalArgs, additionalEnv } });
}

/** Without USERPROFILE, Windows’ own drive. */
const ownFolder = onWindows ? 'C:\\' : '/home/alice';
/** What programs of Windows need, beside their PATH. */
const windowsBase = {
  ComSpec: expect.stringMatching(/\\cmd\.exe$/i),
  PATH: expect.stringMatching(/System32/i),
  PATHEXT: expect.stringContaining('.EXE'),
};

describe('what the plugin is given', () => {
  test('args, and its env over the caller’s variables over a base without the broker’s own (KEP-541/args-and-env)', async () => {
    const bench = pluginBench({
      args: ['eks', 'get-token'],
      env: [{ name: 'AWS_PROFILE', value: 'prod' }],
      environment: ['AWS_*'],
    });
    const variables = { AWS_PROFILE: 'mine', AWS_REGION: 'eu-1', LD_PRELOAD: '/evil.so' };
    const order = await orderOf(bench, { variables });
    const args = ['eks', 'get-token'];
    expect(order).toMatchObject({ command: '/usr/bin/aws', args, terminal: false, pass: [] });
    expect(order.env).toEqual({
      HOME: '/home/alice',
      LANG: 'de_DE.UTF-8',
      XDG_CONFIG_HOME: '/home/alice/.config',
      ...(onWindows ? windowsBase : { PATH: '/usr/local/bin:/usr/bin:/bin' }),
      TERM: 'dumb',
      AWS_PROFILE: 'prod',
      AWS_REGION: 'eu-1',
      KUBERNETES_EXEC_INFO: expect.any(String),
    });
    expect(order.cwd).toBe(ownFolder);
  });

  test('what the cluster adds, after the account’s own and over the caller’s', async () => {
    const bench = pluginBench({
      args: ['get-token'],
      env: [
        { name: 'REGION', value: 'eu-1' },
        { name: 'LOG', value: 'warn' },
      ],
      environment: ['AWS_*'],
    });
    const target = addingTarget('prod', ['--cluster-name', 'p'], { REGION: 'us-1', AWS_PROFILE: 'prod' });
    const order = await orderOf(bench, { target, variables: { AWS_PROFILE: 'mine' } });
    expect(order.args).toEqual(['get-token', '--cluster-name', 'p']);
    expect(order.env).toMatchObject({ REGION: 'us-1', LOG: 'warn', AWS_PROFILE: 'prod' });
    expect(infoOf(order).spec).toEqual({ interactive: false });
  });

  test('a value that is in the vault, and without it not a run', async () => {
    const bench = pluginBench({ env: [{ name: 'API_KEY' }] });
    const account = await bench.shaped();
    expect(await account.renew(never)).toMatchObject({
      code: 'execPlugin.secretMissing',
      hint: 'lanyard secret set eks/env.API_KEY',
    });
    bench.vault.content = { ...bench.vault.content, secrets: { eks: { 'env.API_KEY': new Secret('hush') } } };
    void account.renew(never);
    expect((await runs(bench.broker, 1)).order.env['API_KEY']).toBe('hush');
  });

  const cluster = { server: 'https://prod.example.com:6443' };
  test.each([
    ['client.authentication.k8s.io/v1', true, { interactive: false, cluster }],
    ['client.authentication.k8s.io/v1beta1', true, { interactive: false, cluster }],
    ['client.authentication.k8s.io/v1', false, { interactive: false }],
    ['client.authentication.k8s.io/v1alpha1', true, {}],
  ] as const)(
    '%s with provideClusterInfo %s (KEP-541/provide-cluster-info)',
    async (apiVersion, provideClusterInfo, spec) => {
      const order = await orderOf(pluginBench({ apiVersion, provideClusterInfo }));
      expect(infoOf(order)).toEqual({ kind: 'ExecCredential', apiVersion, spec });
    },
  );

  test('the CA as data, and what the cluster says for the plugin', async () => {
    const bench = pluginBench({ provideClusterInfo: true });
    const cluster = clusterNamed('prod');
    const told = {
      ...cluster,
      config: { ...cluster.config, execConfig: { audience: 'x' }, disableCompression: true },
      certificateAuthorityPem: 'PEM',
    };
    expect(infoOf(await orderOf(bench, { target: clusterTarget(told) })).spec.cluster).toEqual({
      server: 'https://prod.example.com:6443',
      'certificate-authority-data': Buffer.from('PEM').toString('base64'),
      'disable-compression': true,
      config: { audience: 'x' },
    });
  });

  test('at a terminal: interactive, more time, and what tells where the user is', async () => {
    const { one } = await attended(pluginBench());
    const { order } = await runs(one.runner, 1);
    expect(order).toMatchObject({ terminal: true, timeoutSeconds: 180 });
    expect(order.pass).toContain('DISPLAY');
    expect(order.env).not.toHaveProperty('LANG');
    expect(infoOf(order).spec.interactive).toBe(true);
  });
});

describe('whose answer it is', () => {
  test('the same for all, where nothing counts', async () => {
    const bench = pluginBench();
    expect(await bench.shaped({ client: 'a' })).toBe(
      await bench.shaped({ client: 'b', target: clusterTarget(clusterNamed('dev')) }),
    );
  });

  test('another for each cluster that is told, and for its new server', async () => {
    const bench = pluginBench({ provideClusterInfo: true });
    const prod = await bench.shaped();
    expect(await bench.shaped()).toBe(prod);
    expect(await bench.shaped({ target: clusterTarget(clusterNamed('dev')) })).not.toBe(prod);
    expect(await bench.shaped({ target: clusterTarget(clusterNamed('prod', 'https://10.9.9.9')) })).not.toBe(
      prod,
    );
  });

  test('another for each cluster that adds arguments or variables, also where the plugin isn’t told the cluster', async () => {
    const bench = pluginBench();
    const plain = await bench.shaped();
    const prod = await bench.shaped({ target: addingTarget('prod', ['a'], {}) });
    expect(prod).not.toBe(plain);
    expect(prod.shape?.target).toEqual(clusterName('prod'));
    expect(await bench.shaped({ target: addingTarget('prod', ['a'], {}) })).toBe(prod);
    expect(await bench.shaped({ target: addingTarget('dev', ['a'], {}) })).not.toBe(prod);
    expect(await bench.shaped({ target: addingTarget('prod', ['b'], {}) })).not.toBe(prod);
    expect(await bench.shaped({ target: addingTarget('prod', ['a'], { X: '1' }) })).not.toBe(prod);
  });

  test('a caller’s variable that the cluster sets doesn’t count', async () => {
    const bench = pluginBench({ environment: ['AWS_*'] });
    const target = addingTarget('prod', [], { AWS_PROFILE: 'prod' });
    const mine = await bench.shaped({ target, variables: { AWS_PROFILE: 'a' } });
    expect(await bench.shaped({ target, variables: { AWS_PROFILE: 'b' } })).toBe(mine);
  });

  test('another for each value of a variable that counts; not for one that the account sets itself', async () => {
    const bench = pluginBench({ environment: ['AWS_*'], env: [{ name: 'AWS_REGION', value: 'eu-1' }] });
    const mine = await bench.shaped({ variables: { AWS_PROFILE: 'a' } });
    expect(await bench.shaped({ variables: { AWS_REGION: 'us-1', AWS_PROFILE: 'a' } })).toBe(mine);
    expect(await bench.shaped({ variables: { AWS_PROFILE: 'b' } })).not.toBe(mine);
  });

  test('a variable that names a program is not the caller’s to set, unless the account says so', async () => {
    const variables = { CLOUDSDK_PYTHON: '/tmp/evil', CLOUDSDK_CONFIG: '/home/alice/work' };
    const usual = pluginBench({ command: 'gke-gcloud-auth-plugin', environment: undefined });
    const { env } = await orderOf(usual, { variables });
    expect(env).not.toHaveProperty('CLOUDSDK_PYTHON');
    expect(env).toMatchObject({ CLOUDSDK_CONFIG: '/home/alice/work' });
    const told = pluginBench({ command: 'gke-gcloud-auth-plugin', environment: ['CLOUDSDK_*'] });
    expect((await orderOf(told, { variables })).env).toMatchObject(variables);
  });

  test('with a caller’s secret or file it isn’t run again in the background', async () => {
    const bench = pluginBench({ environment: ['AWS_*'] });
    expect((await bench.shaped({ variables: { AWS_CA_BUNDLE: '/tmp/ca.pem' } })).renewsAhead).toBe(false);
    expect((await bench.shaped({ variables: { AWS_SESSION_TOKEN: 'a' } })).renewsAhead).toBe(false);
    expect((await bench.shaped({ variables: { AWS_PROFILE: 'a' } })).renewsAhead).toBe(true);
    expect((await bench.shaped({})).renewsAhead).toBe(true);
  });

  test('the caller’s values print as nothing, and are forgotten when the account is told to', async () => {
    const bench = pluginBench({ environment: ['AWS_*'] });
    const variables = { AWS_SESSION_TOKEN: 'canary' };
    const mine = await bench.shaped({ variables });
    expect(JSON.stringify(mine)).toContain('AWS_SESSION_TOKEN');
    expect(JSON.stringify(mine)).not.toContain('canary');
    expect(await bench.shaped({ variables })).toBe(mine);
    bench.account.forgetShapes?.();
    expect(await bench.shaped({ variables })).not.toBe(mine);
  });

  test('what isn’t shared is one terminal’s, and comes from the caller’s own process', async () => {
    const bench = pluginBench({ share: false, interactiveMode: 'Never' });
    const mine = await bench.shaped();
    const { caller } = bench.asking();
    expect(await bench.shaped({ caller: { ...caller, pid: 5 } })).toBe(mine);
    const other = { ...caller, session: { leaderPid: 401, startTime: '40' } };
    expect(await bench.shaped({ caller: other })).not.toBe(mine);
    const one = attendant();
    mine.attend?.(one.who);
    void mine.renew(never);
    expect((await runs(one.runner, 1)).order).toMatchObject({ pass: ['*'], cwd: null, terminal: false });
    expect(bench.broker.runs).toHaveLength(0);
  });
});

describe('whose answer it is not', () => {
  test('from a caller that doesn’t send the variables that count: nothing runs as another user', async () => {
    const bench = pluginBench({ environment: ['AWS_*'] });
    const silent = bench.asking({ terminal: { environment: async () => null } });
    expect(await bench.account.shapedBy?.(silent)).toMatchObject({
      ok: false,
      reason: 'notPermitted',
      code: 'execPlugin.variables',
      hint: expect.stringContaining('a helper of before this version'),
    });
  });

  test('from docker or a kubelet, which tell no variables: the hint says what works', async () => {
    const bench = pluginBench({ environment: ['AWS_*'] });
    const config = registrySchema.parse({ matchImages: ['ghcr.io'], account: 'eks' });
    const target = registryTarget({ name: 'ghcr', config, certificateAuthorityPem: null });
    const silent = bench.asking({ target, terminal: { environment: async () => null } });
    expect(await bench.account.shapedBy?.(silent)).toMatchObject({
      code: 'execPlugin.variables',
      hint: 'docker and a kubelet tell none: set environment: [] for eks in config.yaml, then run: lanyard confirm',
    });
  });

  test.each([
    ['another container at the same terminal', { pidNamespace: '4026531999', origin: 'container' }],
    ['an SSH session', { origin: 'ssh' }],
    ['a process in the background of the same session', { hasTerminal: false }],
  ] as const)('of one terminal, where it isn’t shared: %s', async (_name, fields) => {
    const bench = pluginBench({ share: false });
    const mine = await bench.shaped();
    const { caller } = bench.asking();
    expect(await bench.shaped({ caller: { ...caller, ...fields } })).not.toBe(mine);
  });

  test('of another whom the system can’t place either, where it isn’t shared', async () => {
    const bench = pluginBench({ share: false });
    const { caller } = bench.asking();
    const unplaced = { ...caller, pid: 0, startTime: '', session: null, sure: false };
    expect(await bench.shaped({ caller: unplaced })).not.toBe(await bench.shaped({ caller: unplaced }));
  });
});

// KEP-2718/passed-on
describe('a client with a lock file', () => {
  const lockFile = '/run/user/1000/client.lock';
  const passing = (more: Partial<ExecPluginConfig> = {}) => pluginBench({ passProxyConfig: true, ...more });

  test('has a run of its own, in its own helper, which is told that file', async () => {
    const bench = passing({ interactiveMode: 'Never' });
    const { account, one } = await attended(bench, {}, { lockFile });
    expect(account).toMatchObject({ isPassedOn: true, renewsAhead: false });
    const { order } = await runs(one.runner, 1);
    expect(infoOf(order).spec).toEqual({ interactive: false, lockFilePath: lockFile });
    // Its environment stays that of a shared account (rule: cleared-environment).
    expect(order).toMatchObject({ pass: [], cwd: ownFolder, terminal: false, runsOn: true });
    expect(bench.broker.runs).toHaveLength(0);
  });

  test('has at its terminal what every plugin has there', async () => {
    const { one } = await attended(passing({ interactiveMode: 'IfAvailable' }), undefined, { lockFile });
    expect((await runs(one.runner, 1)).order).toMatchObject({ terminal: true });
  });

  test('shares it with no other process, no other file, and no other cluster that is told', async () => {
    const bench = passing({ provideClusterInfo: true });
    const mine = await bench.shaped({ lockFile });
    const { caller } = bench.asking();
    expect(await bench.shaped({ lockFile })).toBe(mine);
    const others = [
      { caller: { ...caller, pid: 5 } },
      { caller: { ...caller, startTime: '101' } },
      { caller: { ...caller, pidNamespace: '4026531999' } },
      { lockFile: '/run/user/1000/other.lock' },
      { target: clusterTarget(clusterNamed('dev')) },
      { lockFile: undefined },
    ];
    for (const other of others) {
      expect(await bench.shaped({ lockFile, ...other })).not.toBe(mine);
    }
  });

  test('whom the system can’t place shares it with nobody', async () => {
    const bench = passing();
    const caller = { ...bench.asking().caller, sure: false };
    expect(await bench.shaped({ lockFile, caller })).not.toBe(await bench.shaped({ lockFile, caller }));
  });

  test('whose helper can’t run it is refused: it never runs in the broker', async () => {
    const bench = passing({ interactiveMode: 'Never' });
    const { renewed } = await attended(bench, { runner: null }, { lockFile });
    expect(await renewed).toMatchObject({ reason: 'notPermitted', code: 'execPlugin.unshared' });
    expect(bench.broker.runs).toHaveLength(0);
  });

  test('gets its proxy; and what the plugin says wrong of it is on record', async () => {
    const bench = passing({ interactiveMode: 'Never' });
    const { account, one, renewed } = await attended(bench, {}, { lockFile });
    const data = Buffer.from(pairOf('ec').certificate).toString('base64');
    const proxyConfig = { url: 'unix:///s', 'certificate-authority-data': data };
    (await runs(one.runner, 1)).answer({ proxyConfig });
    expect(await renewed).toMatchObject({ credential: { token: null, proxyConfig: { url: 'unix:///s' } } });
    const elsewhere = account.renew(never);
    (await runs(one.runner, 2)).answer({ proxyConfig: { ...proxyConfig, url: 'https://10.0.0.1:1' } });
    expect(await elsewhere).toMatchObject({ ok: false, code: 'execPlugin.proxyElsewhere' });
    expect(bench.events.of('pluginRun')).toMatchObject([
      { where: 'caller', code: null },
      { where: 'caller', code: 'execPlugin.proxyElsewhere' },
    ]);
  });

  test('that no file can be meant by is refused', async () => {
    const bench = passing();
    expect(await bench.account.shapedBy?.(bench.asking({ lockFile: 'client.lock' }))).toMatchObject({
      ok: false,
      reason: 'usage',
      code: 'execPlugin.lockPath',
    });
  });

  test('of an account that passes no proxy on is as any other client: shared, and told nothing', async () => {
    const bench = pluginBench();
    const shared = await bench.shaped();
    expect(await bench.shaped({ lockFile })).toBe(shared);
    expect(await bench.shaped({ lockFile: 'relative' })).toBe(shared);
    expect(shared.isPassedOn).toBe(false);
    void shared.renew(never);
    const { env, runsOn } = (await runs(bench.broker, 1)).order;
    expect(infoOf({ env }).spec).toEqual({ interactive: false });
    expect(runsOn).toBeUndefined();
  });

  test('and one without, of an account that does: shared, renewed ahead of need, and a proxy is dropped', async () => {
    const bench = passing({ interactiveMode: 'Never' });
    const shared = await bench.shaped();
    expect(shared).toMatchObject({ isPassedOn: false, renewsAhead: true });
    const renewed = shared.renew(never);
    const run = await runs(bench.broker, 1);
    expect(infoOf(run.order).spec).toEqual({ interactive: false });
    run.answer({ token: 'plain', proxyConfig: { url: 'unix:///s' } });
    const got = await renewed;
    expect(got.ok && got.credential.token?.reveal()).toBe('plain');
    expect(got).not.toHaveProperty('credential.proxyConfig');
  });
});

test('the folder that the caller stands in is on no plugin’s PATH, where it isn’t shared either', async () => {
  const searchPath = onWindows ? '.;C:\\bin;;bin' : '.:/usr/bin::bin';
  const { one } = await attended(pluginBench({ share: false, searchPath }), {});
  expect((await runs(one.runner, 1)).order.env['PATH']).toBe(onWindows ? 'C:\\bin' : '/usr/bin');
});

describe('where it runs (KEP-541/interactive-mode, KEP-541/prompts)', () => {
  test.each([
    ['Never', true, 'broker'],
    ['IfAvailable', false, 'broker'],
    ['IfAvailable', true, 'caller'],
    ['Always', true, 'caller'],
  ] as const)('%s, with a terminal %s: %s', async (interactiveMode, interactive, where) => {
    const bench = pluginBench({ interactiveMode });
    const { one } = await attended(bench, { interactive });
    await runs(where === 'broker' ? bench.broker : one.runner, 1);
  });

  test('Always without a terminal is refused in client-go’s words, and nothing runs', async () => {
    const bench = pluginBench({ interactiveMode: 'Always' });
    const { one, renewed } = await attended(bench, {});
    expect(await renewed).toMatchObject({
      reason: 'loginNeeded',
      message: 'exec plugin cannot support interactive mode: standard input is not a terminal',
    });
    expect(bench.broker.runs).toHaveLength(0);
    expect(one.runner.runs).toHaveLength(0);
  });
});

describe('the lease of the one who runs it', () => {
  async function two() {
    const bench = pluginBench();
    const { account, one: first, leave, renewed } = await attended(bench);
    const second = attendant({ interactive: true });
    account.attend?.(second.who);
    const run = await runs(first.runner, 1);
    return { bench, account, first, second, renewed, run, leave };
  }

  test('a caller that goes away passes it on, and its late answer is dropped', async () => {
    const { first, second, renewed, run, leave } = await two();
    first.gone.abort();
    leave?.();
    const next = await runs(second.runner, 1);
    run.answer({ token: 'late', expirationTimestamp: later });
    next.answer({ token: 'fresh', expirationTimestamp: later });
    const got = await renewed;
    expect(got.ok && got.credential.token?.reveal()).toBe('fresh');
  });

  test('a lapsed lease goes to the next who waits', async () => {
    const { run, second, first } = await two();
    run.watch.onLapse(true);
    await runs(second.runner, 1);
    expect(first.runner.last.ended).toEqual({ how: 'lost' });
  });

  test('with no one else it stays, until someone comes', async () => {
    const bench = pluginBench();
    const { account, one: first } = await attended(bench);
    const run = await runs(first.runner, 1);
    run.watch.onLapse(true);
    await turn();
    expect(run.ended).toBeNull();
    const second = attendant();
    account.attend?.(second.who);
    await runs(bench.broker, 1);
  });

  test('one who cannot ask is no next for a plugin that must', async () => {
    const { account, one: first } = await attended(pluginBench({ interactiveMode: 'Always' }));
    account.attend?.(attendant().who);
    const run = await runs(first.runner, 1);
    run.watch.onLapse(true);
    await turn();
    expect(run.ended).toBeNull();
  });

  test('Ctrl-C at one terminal counts for that terminal; the others still get their answer', async () => {
    const { bench, run, second } = await two();
    run.end({ how: 'interrupted', signal: 2 });
    await runs(second.runner, 1);
    expect(bench.events.of('pluginRun')).toEqual([]);
  });

  test('Ctrl-C with no one else ends it, and nothing runs in the broker instead', async () => {
    const bench = pluginBench();
    const { one: only, renewed } = await attended(bench);
    (await runs(only.runner, 1)).end({ how: 'interrupted', signal: 2 });
    expect(await renewed).toMatchObject({ ok: false, code: 'execPlugin.lost' });
    expect(bench.broker.runs).toHaveLength(0);
    expect(bench.memory.recent('eks')).toMatchObject([{ isByHand: true }]);
    expect(bench.memory.lastOf('eks')).toBeNull();
  });

  test('a helper in the background has no terminal to lend: it runs in the broker', async () => {
    const bench = pluginBench();
    const { one: only } = await attended(bench);
    (await runs(only.runner, 1)).end({ how: 'noTerminal' });
    await runs(bench.broker, 1);
    expect(only.runner.runs).toHaveLength(1);
  });

  test('one that wasn’t asked for its terminal and says that it has none is not asked for ever', async () => {
    const { one: liar, renewed } = await attended(pluginBench({ share: false }), {});
    (await runs(liar.runner, 1)).end({ how: 'noTerminal' });
    expect(await renewed).toMatchObject({ ok: false, code: 'execPlugin.lost' });
    expect(liar.runner.runs).toHaveLength(1);
  });

  test('one that is alive and never done gives way to the next when its time is over', async () => {
    const bench = pluginBench({ timeoutSeconds: 30 });
    const open = gate(bench);
    const { account, one: liar } = await attended(bench);
    const run = await runs(liar.runner, 1);
    expect(bench.clock.waits).toContain(40_000);
    open();
    await turn();
    await turn();
    expect(run.ended, 'with nobody else it stays').toBeNull();
    run.watch.onLapse(false);
    const next = attendant({ interactive: true });
    account.attend?.(next.who);
    await runs(next.runner, 1);
    expect(run.ended).toEqual({ how: 'lost' });
  });

  test('a long background run gives way to a user who came meanwhile', async () => {
    const bench = pluginBench();
    const open = gate(bench);
    const account = await bench.shaped();
    void account.renew(never);
    const alone = await runs(bench.broker, 1);
    account.attend?.(attendant().who);
    expect(bench.clock.waits).toEqual([]);
    const person = attendant({ interactive: true });
    account.attend?.(person.who);
    expect(bench.clock.waits).toEqual([5_000]);
    await turn();
    expect(alone.ended).toBeNull();
    open();
    await runs(person.runner, 1);
    expect(alone.ended).toEqual({ how: 'lost' });
  });

  test('a failed background run is tried again at the terminal of a user who came meanwhile', async () => {
    const bench = pluginBench();
    const account = await bench.shaped();
    const renewed = account.renew(never);
    const alone = await runs(bench.broker, 1);
    const person = attendant({ interactive: true });
    account.attend?.(person.who);
    alone.end({ how: 'exited', code: 1, stdout: new Secret('') });
    (await runs(person.runner, 1)).answer({ token: 'typed', expirationTimestamp: later });
    expect((await renewed).ok).toBe(true);
  });
});

describe('what it says', () => {
  /** It runs at the terminal of the first, and the second waits; the third has yet to come. */
  async function three(bench: Bench) {
    const account = await bench.shaped();
    const [first, second, third] = [attendant({ interactive: true }), attendant(), attendant()];
    account.attend?.(first.who);
    account.attend?.(second.who);
    void account.renew(never);
    return { account, first, second, third, run: await runs(first.runner, 1) };
  }

  test('goes to each who waits, once, and not to the one who has seen it', async () => {
    const bench = pluginBench();
    bench.clock.gate = new Promise(() => undefined);
    const { account, first, second, third, run } = await three(bench);
    run.watch.onStderr(Buffer.from('hello \u001b[31mred\u001b[0m\nsecond'));
    account.attend?.(third.who);
    run.watch.onStderr(Buffer.from(' line\u202e\n'));
    expect(first.seen).toEqual([]);
    expect(second.seen.join('')).toBe('hello red\nsecond line\\u{202e}\n');
    expect(third.seen.join('')).toBe('hello red\nsecond line\\u{202e}\n');
  });

  test.each<[string, Parameters<ScriptedRun['end']>[0], shown: string]>([
    ['answered', { how: 'exited', code: 0, stdout: new Secret('') }, ''],
    ['interrupted', { how: 'interrupted', signal: 2 }, ''],
    ['failed on', { how: 'exited', code: 1, stdout: new Secret('') }, 'Code: \n'],
  ])('a prompt that was %s at one terminal is no line at another', async (_, outcome, shown) => {
    const bench = pluginBench();
    bench.clock.gate = new Promise(() => undefined);
    const { second, run } = await three(bench);
    run.watch.onStderr(Buffer.from('Code: '));
    run.end(outcome);
    await vi.waitFor(() => expect(bench.memory.recent('eks')).toMatchObject([{ lines: ['Code: '] }]));
    expect(second.seen.join('')).toBe(shown);
  });

  test('who waits for the user at another terminal is told where the plugin runs, once', async () => {
    // No other caller could go on when its time is up, which a test’s clock makes happen immediately.
    const bench = pluginBench({ interactiveMode: 'Always' });
    const open = gate(bench);
    const { account, first, second, third } = await three(bench);
    expect(bench.clock.waits).toContain(2_000);
    await turn();
    expect(second.seen).toEqual([]);
    open();
    await vi.waitFor(() => expect(second.seen).not.toEqual([]));
    account.attend?.(third.who);
    const told = ['lanyard: the plugin of eks runs at another terminal; waiting for its answer\n'];
    expect([first.seen, second.seen, third.seen]).toEqual([[], told, told]);
  });

  test('its last lines are remembered', async () => {
    const bench = pluginBench();
    const account = await bench.shaped();
    const renewed = account.renew(never);
    const run = await runs(bench.broker, 1);
    run.watch.onStderr(Buffer.from('one\n\ntwo'));
    run.end({ how: 'exited', code: 3, stdout: new Secret('canary') });
    expect(await renewed).toMatchObject({
      ok: false,
      reason: 'provider',
      message: 'exec: executable aws failed with exit code 3',
    });
    expect(bench.memory.recent('eks')).toMatchObject([
      { lines: ['one', 'two'], problem: expect.any(String), where: 'broker' },
    ]);
  });
});

describe('a plugin that asks for itself', () => {
  test('is refused by its ancestry, and others are not', async () => {
    const bench = pluginBench();
    void (await bench.shaped()).renew(never);
    await runs(bench.broker, 1);
    const below = () => [
      { pid: 5000, startTime: '1' },
      { pid: 900, startTime: '90' },
    ];
    const beside = () => [
      { pid: 5000, startTime: '1' },
      { pid: 900, startTime: '89' },
    ];
    expect(await bench.account.shapedBy?.(bench.asking({ ancestors: below }))).toMatchObject({
      ok: false,
      code: 'execPlugin.loop',
    });
    expect(await bench.account.shapedBy?.(bench.asking({ ancestors: beside }))).toMatchObject({ ok: true });
  });

  test('for another cluster it is no loop', async () => {
    const bench = pluginBench({ provideClusterInfo: true });
    void (await bench.shaped()).renew(never);
    await runs(bench.broker, 1);
    const ancestors = () => [{ pid: 900, startTime: '90' }];
    const dev = clusterNamed('dev');
    expect(
      await bench.account.shapedBy?.(bench.asking({ ancestors, target: clusterTarget(dev) })),
    ).toMatchObject({
      ok: true,
    });
  });
});

describe('the program', () => {
  test('the lines of an installHint can’t be taken for Lanyard’s', async () => {
    const bench = pluginBench({ installHint: 'brew install awscli\nlanyard: type your passphrase' });
    bench.found.next = { ok: 'missing', kind: 'missing', path: null };
    expect(await (await bench.shaped()).renew(never)).toMatchObject({
      hint: 'brew install awscli\n      lanyard: type your passphrase',
    });
  });

  test('that isn’t there: client-go’s words and the installHint (KEP-541/install-hint), counted as not found', async () => {
    const bench = pluginBench({ installHint: 'brew install awscli\n' });
    bench.found.next = { ok: 'missing', kind: 'missing', path: null };
    expect(await (await bench.shaped()).renew(never)).toMatchObject({
      ok: false,
      message: 'exec: executable aws not found',
      hint: 'brew install awscli',
    });
    expect(bench.events.of('pluginRun')).toMatchObject([
      { callStatus: 'plugin_not_found_error', exitCode: 1 },
    ]);
  });
});

describe('a program by its path', () => {
  test.each([
    ['missing', 'no such file or directory', 'execPlugin.notFound', 'brew install awscli'],
    ['notExecutable', 'permission denied', 'execPlugin.notExecutable', '/opt/aws is not executable'],
    ['folder', 'permission denied', 'execPlugin.notExecutable', '/opt/aws is a folder'],
  ] as const)('that is %s: in client-go’s words, counted as not found', async (kind, words, code, hint) => {
    const bench = pluginBench({ command: '/opt/aws', installHint: 'brew install awscli' });
    bench.found.next = { ok: 'missing', kind, path: '/opt/aws' };
    expect(await (await bench.shaped()).renew(never)).toMatchObject({
      reason: 'provider',
      code,
      message: `exec: fork/exec /opt/aws: ${words}`,
      hint: expect.stringContaining(hint),
    });
    expect(bench.events.of('pluginRun')).toMatchObject([
      { callStatus: 'plugin_not_found_error', exitCode: 1, code },
    ]);
  });
});

describe('what is counted', () => {
  test.each([
    [{ how: 'exited', code: 1, stdout: new Secret('') }, 'plugin_execution_error', 1],
    [{ how: 'exited', code: 126, stdout: new Secret('') }, 'plugin_execution_error', 126],
    [{ how: 'signalled', signal: 9 }, 'plugin_execution_error', -1],
    [{ how: 'timedOut' }, 'plugin_execution_error', -1],
    [{ how: 'tooLarge' }, 'plugin_execution_error', -1],
    [{ how: 'notFound' }, 'plugin_not_found_error', 1],
    [{ how: 'exited', code: 0, stdout: new Secret('garbage') }, 'no_error', 0],
  ] as const)('%o: %s %i (KEP-541/metrics)', async (outcome, callStatus, exitCode) => {
    const bench = pluginBench();
    const renewed = (await bench.shaped()).renew(never);
    (await runs(bench.broker, 1)).end(outcome);
    expect((await renewed).ok).toBe(false);
    expect(bench.events.of('pluginRun')).toMatchObject([{ callStatus, exitCode, where: 'broker' }]);
  });
});
