import { describe, expect, test } from 'vitest';
import { onWindows } from '../../../test/support/system.ts';
import { Secret } from '../../base/secret.ts';
import { refuse } from '../../contract/refusal.ts';
import { clusterName } from '../../domain/target/target.ts';
import type { CredentialRequest } from '../../ports/account.ts';
import type { RunOutcome } from '../../ports/program-runner.ts';
import { countedRun } from '../plugins/counted-run.ts';
import { apiVersion, createProviderBench } from './testing/provider-bench.ts';

const hour = 3_600_000;
const one = (key: string, password = 'p') => ({ [key]: { username: 'u', password } });

test('the plugin gets the request, the fixed base and the account’s variables', async () => {
  const { orders, says, renew } = createProviderBench({
    args: ['get'],
    env: [{ name: 'AWS_REGION', value: 'x' }],
  });
  says({ cacheKeyType: 'Image', cacheDuration: '0s', auth: one('a.io') });
  expect(await renew('a.io/app')).toMatchObject({
    ok: true,
    credential: { password: { userName: 'u' }, expiresAt: null, noExpiry: { onlyFor: [] } },
  });
  const [order] = orders;
  expect(order).toMatchObject({
    command: '/opt/plugin',
    args: ['get'],
    endsAll: true,
    pass: [],
    terminal: false,
    timeoutSeconds: 60,
    cwd: onWindows ? 'C:\\' : '/home/u',
    env: { AWS_REGION: 'x', HOME: '/home/u', https_proxy: 'http://p:1' },
  });
  expect(order?.env).not.toHaveProperty('AWS_PROFILE');
  expect(JSON.parse(order?.input?.reveal() ?? '')).toEqual({
    kind: 'CredentialProviderRequest',
    apiVersion,
    image: 'a.io/app',
  });
});

test.each([
  ['Image', { 'a.io/app': 1, 'a.io/other': 2, 'b.io/app': 3 }],
  ['Registry', { 'a.io/app': 1, 'a.io/other': 1, 'b.io/app': 2 }],
  ['Global', { 'a.io/app': 1, 'a.io/other': 1, 'b.io/app': 1 }],
])('an answer with cacheKeyType %s is cached for these images', async (cacheKeyType, runs) => {
  const { orders, says, renew } = createProviderBench();
  says({ cacheKeyType, cacheDuration: '1h', auth: { ...one('a.io', 'of a'), ...one('b.io', 'of b') } });
  for (const [image, count] of Object.entries(runs)) {
    const obtained = await renew(image);
    expect(orders, image).toHaveLength(count);
    const password = obtained.ok ? obtained.credential.password?.password.reveal() : null;
    expect(password).toBe(`of ${image.slice(0, 1)}`);
  }
});

test.each([
  ['its own duration', { cacheDuration: '2h' }, 2],
  ['the account’s default', {}, 12],
])('a cached answer ends after %s', async (_, fields, hours) => {
  const { clock, orders, says, renew } = createProviderBench({ defaultCacheDuration: '12h' });
  says({ cacheKeyType: 'Image', ...fields, auth: one('a.io') });
  const now = clock.now();
  expect(await renew('a.io/app')).toMatchObject({ credential: { expiresAt: now + hours * hour } });
  clock.advance(hours * hour);
  await renew('a.io/app');
  expect(orders).toHaveLength(1);
  clock.advance(1);
  await renew('a.io/app');
  expect(orders).toHaveLength(2);
});

test.each(['0s', '-1h'])('an answer with %s is used once', async (cacheDuration) => {
  const { orders, says, renew } = createProviderBench({ defaultCacheDuration: '12h' });
  says({ cacheKeyType: 'Global', cacheDuration, auth: one('a.io') });
  await renew('a.io/app');
  expect(await renew('a.io/app')).toMatchObject({ credential: { noExpiry: { onlyFor: [] } } });
  expect(orders).toHaveLength(2);
});

test('what was forgotten while the plugin ran is not cached', async () => {
  const { answers, orders, says, state, renew } = createProviderBench();
  says({ cacheKeyType: 'Global', cacheDuration: '1h', auth: one('a.io') });
  state.before = () => answers.forgetAll();
  await renew('a.io/app');
  state.before = () => undefined;
  await renew('a.io/app');
  expect(orders).toHaveLength(2);
  await renew('a.io/app');
  expect(orders).toHaveLength(2);
});

test('each image has a grant of its own, and the same image the same', async () => {
  const { shaped } = createProviderBench();
  const [first, again, other] = [await shaped('a.io/x'), await shaped('a.io/x'), await shaped('a.io/y')];
  expect(again).toBe(first);
  expect(other.shape?.key).not.toBe(first.shape?.key);
});

test('keys for other registries are not used; the most exact of those that match is', async () => {
  const { says, renew } = createProviderBench();
  says({
    cacheKeyType: 'Image',
    auth: { ...one('*.a.io', 'wide'), ...one('x.a.io', 'exact'), ...one('b.io') },
  });
  const exact = await renew('x.a.io/app');
  expect(exact.ok && exact.credential.password?.password.reveal()).toBe('exact');
  expect(await renew('c.io/app')).toMatchObject({ ok: true, credential: { password: null } });
});

const run = { kind: 'pluginRun', plugin: 'credentialProvider', account: 'ecr', where: 'broker' };
const target = { kind: 'registry', name: 'r' };
const exited = (code: number): RunOutcome => ({ how: 'exited', code, stdout: new Secret('stdout-canary') });

test.each<[RunOutcome, RegExp, code: string]>([
  [exited(0), /invalid JSON$/, 'answer'],
  [exited(3), /^error execing .*: exit status 3: why$/, 'failed'],
  [{ how: 'signalled', signal: 9 }, /ended by signal 9: why$/, 'signalled'],
  [{ how: 'timedOut' }, /did not answer in 60 s, and was ended with all it started: why$/, 'timedOut'],
  [{ how: 'tooLarge' }, /wrote more than 1 MiB/, 'tooLarge'],
  [{ how: 'notFound' }, /there is no such program/, 'notFound'],
  [{ how: 'notStarted', message: 'Exec format error' }, /Exec format error/, 'notStarted'],
  [{ how: 'lost' }, /ended before it/, 'lost'],
])('%o says why, with stderr and without stdout, and is on record', async (outcome, message, code) => {
  const { account, events, state, renew } = createProviderBench();
  state.outcome = outcome;
  state.said = 'why\n';
  const obtained = await renew('a.io/app');
  expect(obtained).toMatchObject({ ok: false, reason: 'provider', message: expect.stringMatching(message) });
  expect(JSON.stringify(obtained)).not.toContain('canary');
  expect(await account.state()).toMatchObject({ state: 'failing' });
  const counted = { ...countedRun(outcome), code: `credentialProvider.${code}` };
  expect(events).toMatchObject([{ ...run, target, ...counted }]);
});

describe('a run is on record', () => {
  test('with its registry, and once for an answer that is used again', async () => {
    const { events, says, state, clock, renew } = createProviderBench();
    says({ cacheKeyType: 'Global', cacheDuration: '1h', auth: one('a.io') });
    state.before = () => clock.advance(250);
    await renew('a.io/app');
    await renew('a.io/other');
    expect(events).toEqual([
      { ...run, target, callStatus: 'no_error', exitCode: 0, code: null, milliseconds: 250 },
    ]);
  });

  test('that is lost, as Lanyard’s own error', async () => {
    const { events, renew } = createProviderBench();
    await renew('a.io/app');
    expect(events).toMatchObject([{ ...run, target, callStatus: 'client_internal_error', exitCode: 1 }]);
  });

  test('also where there is no program; not where it may not be run', async () => {
    const { events, state, renew } = createProviderBench();
    state.found = { ok: 'missing', kind: 'missing', path: null };
    await renew('a.io/app');
    expect(events).toMatchObject([
      { ...run, callStatus: 'plugin_not_found_error', exitCode: 1, code: 'credentialProvider.notFound' },
    ]);
    state.found = refuse('notPermitted', 'execPlugin.changed', 'changed');
    await renew('a.io/app');
    expect(events).toHaveLength(1);
  });
});

test('a cluster gets nothing of it', async () => {
  const { account } = createProviderBench();
  const asking = { target: clusterName('prod') } as unknown as CredentialRequest;
  expect(await account.shapedBy?.(asking)).toMatchObject({
    ok: false,
    code: 'credentialProvider.noImage',
    message: 'ecr runs an image credential provider, and prod is no registry',
  });
});

test('without a variable that should be in the vault nothing runs', async () => {
  const { account, orders, renew } = createProviderBench({ env: [{ name: 'TOKEN' }] });
  expect(await renew('a.io/app')).toMatchObject({ ok: false, code: 'execPlugin.secretMissing' });
  expect(await account.state()).toMatchObject({ state: 'secretMissing', missing: 'env.TOKEN' });
  expect(orders).toEqual([]);
});
