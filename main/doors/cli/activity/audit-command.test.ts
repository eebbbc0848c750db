import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ManualClock } from '../../../../test/support/manual-clock.ts';
import { defaultSettings } from '../../../contract/config/settings.ts';
import { clusterName } from '../../../domain/target/target.ts';
import { noEntries } from '../../../domain/testing/no-entries.ts';
import type { History } from '../../../history/index.ts';
import { HistoryBench } from '../../../history/testing/history-bench.ts';
import { callEvent, kubectl, recordAll, requestEvent } from '../../../history/testing/sample-events.ts';
import type { DoorAnswer } from '../../../ports/door.ts';
import { commandCall } from '../testing/command-call.ts';
import { auditCommand } from './audit-command.ts';

const clock = new ManualClock();
let bench: HistoryBench;
let history: History;
let written: string[];
let extended: number[];
let helperKnowsStdout: boolean;

beforeEach(() => {
  bench = new HistoryBench(clock);
  history = bench.open();
  written = [];
  extended = [];
  helperKnowsStdout = true;
});
afterEach(() => bench[Symbol.dispose]());

function run(args: string[], signal = new AbortController().signal): Promise<DoorAnswer> {
  const command = auditCommand({
    history: history.reader,
    clock,
    config: {
      current: () => ({ ...noEntries, settings: defaultSettings }),
    },
  });
  const call = commandCall(args);
  const writeStdout = (text: string) => {
    written.push(text);
    return helperKnowsStdout;
  };
  const extend = (seconds: number) => void extended.push(seconds);
  return command({ ...call, signal, terminal: { ...call.terminal, extend, writeStdout } });
}

const reasons = (answer: DoorAnswer) =>
  (answer.stdout ?? '')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).reason);

describe('lanyard audit', () => {
  it('shows the last hour unless told otherwise', async () => {
    history.record(callEvent({ reason: 'long ago' }));
    clock.advance(2 * 3_600_000);
    history.record(callEvent({ reason: 'now' }));
    expect(reasons(await run(['--json']))).toEqual(['now']);
    expect(reasons(await run(['--json', '--since', '3h']))).toEqual(['long ago', 'now']);
  });

  it('shows a cluster’s name as it was sent, and finds it by that name', async () => {
    for (const name of ['a b', 'cluster a b']) {
      history.record(callEvent({ target: clusterName(name), reason: name }));
    }
    const { stdout = '' } = await run(['--cluster', 'a b']);
    expect(stdout).toMatch(/ a b +corp /);
    expect(stdout).not.toContain('cluster a b');
    expect(reasons(await run(['--json', '--cluster', 'cluster a b']))).toEqual(['cluster a b']);
  });

  it('shows text from outside as text', async () => {
    const executable = '/tmp/\u001b[2Jevil\n\u202e';
    history.record(callEvent({ caller: { ...kubectl, executable }, target: null, account: 'a\u0007b' }));
    const { stdout = '' } = await run([]);
    expect(stdout.split('\n')).toHaveLength(3);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these must not be there
    expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
  });

  it('says why in words, and scripts get the code', async () => {
    history.record(callEvent({ outcome: 'refused', reason: 'oidc.login.needed' }));
    history.record(callEvent({ outcome: 'handedOut', reason: 'held' }));
    const { stdout = '' } = await run([]);
    expect(stdout).toMatch(/ denied +log in first +/);
    expect(stdout).toMatch(/ issued +cached +/);
    expect(reasons(await run(['--json']))).toEqual(['oidc.login.needed', 'held']);
  });

  it('shows requests through the request proxy where they are asked for, and there alone', async () => {
    history.record(callEvent());
    history.record(requestEvent({ path: '/api/v1/pods' }));
    history.record({
      kind: 'moreRequests',
      target: clusterName('prod'),
      requests: 70,
      bytesUp: 0,
      bytesDown: 1,
    });
    const { stdout = '' } = await run(['--requests']);
    expect(stdout.trim().split('\n')).toEqual([
      expect.stringMatching(/^TIME +PROGRAM +CLUSTER +METHOD +STATUS +MS +SENT +RECEIVED +PATH$/),
      expect.stringMatching(/ kubectl\[4711\] +prod +GET +200 +12 +0 +5120 +\/api\/v1\/pods$/),
      expect.stringMatching(/ prod .* 70 more requests$/),
    ]);
    expect((await run([])).stdout).not.toContain('/api');
    const kinds = async (...args: string[]) =>
      ((await run(['--json', ...args])).stdout ?? '')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).kind);
    expect(await kinds()).toEqual(['call']);
    expect(await kinds('--requests')).toEqual(['request', 'moreRequests']);
    expect(await kinds('--requests', '--cluster', 'prod')).toEqual(['request', 'moreRequests']);
  });

  it('gives no more than a frame takes, the newest, and says so', async () => {
    for (let count = 1; count <= 6_500; count++) {
      history.record(callEvent({ audience: 'ä'.repeat(400), generation: count }));
    }
    const answer = await run(['--json', '--limit', '10000']);
    const lines = (answer.stdout ?? '').trim().split('\n');
    expect(Buffer.byteLength(answer.stdout ?? '')).toBeLessThan(6 * 1024 * 1024);
    expect(lines.length).toBeLessThan(6_500);
    expect(JSON.parse(lines.at(-1) ?? '').generation).toBe(6_500);
    expect(answer.stderr).toContain(`the newest ${lines.length}`);
  });

  it('knows names that are in the history alone', async () => {
    recordAll(history);
    expect((await run(['--cluster', 'prod'])).code).toBe(0);
    await expect(run(['--cluster', 'prodd'])).rejects.toMatchObject({ hint: 'did you mean prod?' });
  });
});

describe('lanyard audit --follow', () => {
  it('tells a helper that is too old for it which side to update', async () => {
    helperKnowsStdout = false;
    const answer = await run(['--follow']);
    expect(answer).toMatchObject({ code: 18, stderr: expect.stringContaining('the helper is too old') });
  });

  it('shows what comes, no event twice, and keeps the helper waiting', async () => {
    const gone = new AbortController();
    history.record(callEvent({ reason: 'before' }));
    const ended = run(['--follow', '--json'], gone.signal);
    const shown = async (count: number) => {
      while (written.join('').split('\n').length <= count) {
        await new Promise(setImmediate);
      }
      return written
        .join('')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).reason ?? JSON.parse(line).what);
    };
    expect(await shown(1)).toEqual(['before']);
    history.record(callEvent({ reason: 'one' }));
    history.record({ kind: 'change', what: 'account.add', name: 'x' });
    expect(await shown(3)).toEqual(['before', 'one', 'account.add']);
    extended.length = 0;
    clock.advance(3_000_000);
    expect(extended).toEqual([3_600]);
    gone.abort();
    expect((await ended).code).toBe(0);
    expect(clock.pending).toBe(1); // the upkeep's own
  });

  it.each([
    [['--requests'], /^TIME .* PATH\n[^\n]* \/one\n[^\n]* \/two\n$/],
    [[], /^TIME .* MS\n[^\n]* cached .*\n$/],
  ])('with %j shows calls or requests, never both', async (args, expected) => {
    const gone = new AbortController();
    history.record(requestEvent({ path: '/one' }));
    const ended = run(['--follow', ...args], gone.signal);
    history.record(callEvent());
    history.record(requestEvent({ path: '/two' }));
    for (let turn = 0; turn < 20; turn++) {
      await new Promise(setImmediate);
    }
    gone.abort();
    await ended;
    expect(written.join('')).toMatch(expected);
  });
});
