import { describe, expect, test } from 'vitest';
import { onWindows } from '../../../test/support/system.ts';
import { Secret } from '../../base/secret.ts';
import { someProgram } from '../../domain/testing/some-program.ts';
import type { HistoryEvent } from '../../ports/history.ts';
import type { PluginPrograms } from '../../ports/plugin-programs.ts';
import type { RunOrder, RunOutcome } from '../../ports/program-runner.ts';
import { PluginMemory } from '../plugins/memory.ts';
import { FakeClock } from '../testing/fake-clock.ts';
import { FakeVault } from '../testing/fake-vault.ts';
import { createAwsProcessAccount } from './aws-process-account.ts';
import { loaded, noSignal } from './testing/aws-bench.ts';

function bench(config: object = {}) {
  const clock = new FakeClock();
  const memory = new PluginMemory();
  const orders: RunOrder[] = [];
  const events: HistoryEvent[] = [];
  const state: { found: Awaited<ReturnType<PluginPrograms['find']>>; outcome: RunOutcome; said: string } = {
    found: { ok: true, path: '/opt/aws', target: '/opt/aws', sha256: null },
    outcome: { how: 'lost' },
    said: '',
  };
  const account = createAwsProcessAccount({
    account: loaded('sso', { awsProcess: { command: 'aws', args: ['--profile', 'work'], ...config } }),
    vault: new FakeVault({ secrets: {} }),
    clock,
    programs: {
      find: async () => state.found,
      check: async () => ({ facts: someProgram('/opt/aws'), bound: null, fault: null }),
      openFolders: async () => [],
    },
    memory,
    recorder: { record: (event) => events.push(event) },
    runProgram: () => ({
      process: null,
      async run(order, watch) {
        orders.push(order);
        watch.onStderr(Buffer.from(state.said));
        return state.outcome;
      },
    }),
    environment: { HOME: '/home/u', AWS_PROFILE: 'other', AWS_SECRET_ACCESS_KEY: 'canary' },
  });
  const answer = (value: unknown) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    state.outcome = { how: 'exited', code: 0, stdout: new Secret(text) };
  };
  return { account, clock, memory, orders, events, state, answer };
}

const key = { AccessKeyId: 'ASIAEXAMPLE', SecretAccessKey: 'canary', SessionToken: 'canary-token' };
const keys = { Version: 1, ...key };
const oldKeys = JSON.stringify({ ...keys, Expiration: '2001-01-01T00:00:00Z' });

describe('AWS keys by a program', () => {
  test('are those that it printed, until their end', async () => {
    const { account, clock, orders, events, answer } = bench();
    const ends = clock.now() + 3_600_000;
    answer({ ...keys, Expiration: new Date(ends).toISOString() });
    const obtained = await account.renew(noSignal);
    expect(obtained).toMatchObject({
      ok: true,
      credential: { issuedAt: clock.now(), expiresAt: ends, awsKeys: { accessKeyId: 'ASIAEXAMPLE' } },
    });
    expect(obtained.ok && obtained.credential.noExpiry).toBeUndefined();
    // Nothing of the broker’s variables chooses whose keys they are.
    const limits = { terminal: false, timeoutSeconds: 60 };
    expect(orders[0]).toMatchObject({ command: '/opt/aws', args: ['--profile', 'work'], ...limits });
    expect(Object.keys(orders[0]?.env ?? {}).sort()).toEqual(
      onWindows ? ['ComSpec', 'HOME', 'PATH', 'PATHEXT', 'TERM'] : ['HOME', 'PATH', 'TERM'],
    );
    expect(events).toMatchObject([
      { kind: 'pluginRun', plugin: 'awsProcess', account: 'sso', code: null, callStatus: 'no_error' },
    ]);
    expect(await account.state()).toMatchObject({ state: 'ready', subject: 'ASIAEXAMPLE' });
    expect(JSON.stringify([obtained, events, await account.examine?.(noSignal)])).not.toContain('canary');
  });

  test('without an end they are asked for again after an hour', async () => {
    const { account, clock, answer } = bench();
    answer(keys);
    expect(await account.renew(noSignal)).toMatchObject({
      credential: { expiresAt: clock.now() + 3_600_000, noExpiry: { ownExpiry: null, onlyFor: null } },
    });
  });

  test.each<[what: string, outcome: RunOutcome | string, code: string, words: string]>([
    ['hangs', { how: 'timedOut' }, 'awsProcess.timedOut', 'it did not answer in 60 s'],
    ['floods', { how: 'tooLarge' }, 'awsProcess.tooLarge', 'it wrote more than 64 KiB'],
    ['fails', { how: 'exited', code: 3, stdout: new Secret('canary') }, 'awsProcess.failed', 'exit status 3'],
    ['is killed', { how: 'signalled', signal: 9 }, 'awsProcess.signalled', 'signal 9'],
    ['prints garbage', 'canary{', 'awsProcess.answer', 'returned no JSON'],
    ['prints old keys', oldKeys, 'awsProcess.expired', 'expired at'],
  ])(
    'one that %s: what it said is in the transcript, what it printed nowhere',
    async (_, outcome, code, words) => {
      const { account, state, memory, answer } = bench();
      state.said = 'line one\n\u001b[31mline two\u001b[0m\n';
      if (typeof outcome === 'string') {
        answer(outcome);
      } else {
        state.outcome = outcome;
      }
      const refused = await account.renew(noSignal);
      expect(refused).toMatchObject({ reason: 'provider', code, message: expect.stringContaining(words) });
      expect(memory.recent('sso')).toMatchObject([
        { problem: !refused.ok && refused.message, lines: ['line one', 'line two'] },
      ]);
      expect(await account.state()).toMatchObject({ state: 'failing' });
      expect(JSON.stringify([refused, memory.recent('sso')])).not.toContain('canary');
    },
  );

  test('the session has ended: what begins a new one', async () => {
    const { account, state } = bench();
    state.said = 'The SSO session associated with this profile has expired or is otherwise invalid.\n';
    state.outcome = { how: 'exited', code: 255, stdout: new Secret('') };
    expect(await account.renew(noSignal)).toMatchObject({
      code: 'awsProcess.sessionOver',
      hint: 'run: aws sso login --profile work',
    });
  });

  test('no program: nothing is run', async () => {
    const { account, state, orders, events } = bench();
    state.found = { ok: 'missing', kind: 'missing', path: null } as typeof state.found;
    expect(await account.renew(noSignal)).toMatchObject({ code: 'awsProcess.notFound' });
    expect(orders).toEqual([]);
    expect(events).toMatchObject([{ callStatus: 'plugin_not_found_error' }]);
  });

  test('its own limit of time', async () => {
    const { account, orders } = bench({ timeoutSeconds: 5 });
    await account.renew(noSignal);
    expect(orders[0]?.timeoutSeconds).toBe(5);
    expect(account.renewalLimitMilliseconds).toBe(25_000);
  });
});
