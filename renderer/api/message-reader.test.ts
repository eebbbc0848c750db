import { beforeEach, describe, expect, it } from 'vitest';
import { createMessageReader, type MessageReader } from './message-reader.ts';

const broker = (version: string, startedAt: number) => ({
  version,
  home: '/home/dev/.lanyard',
  configRevision: 1,
  startedAt,
  platform: 'linux',
  canOpenBrowser: true,
  windows: 'browser',
});
const snapshot = (version: string, startedAt: number, ...more: unknown[]) => ({
  kind: 'snapshot',
  version: 1,
  now: 0,
  entries: [['broker', '', broker(version, startedAt)], ...more],
});
/** No change that this page knows. */
const newer = ['held', 'account a', { what: 'newer' }];
const delta = (...entries: unknown[]) => ({ kind: 'delta', from: 1, version: 2, entries });

let heard: unknown[];
let strange: unknown[];
let unreadable: number;
/** Whether the parser can be loaded. */
let isThere: boolean;
let reader: MessageReader;
const brokers = (length: number) =>
  expect.poll(() => heard.length + strange.length).toBeGreaterThanOrEqual(length);
beforeEach(() => {
  [heard, strange, unreadable, isThere] = [[], [], 0, true];
  reader = createMessageReader(
    '1.2.3',
    {
      onMessage: (message) => heard.push(message),
      onStrange: (value) => strange.push(value),
      onUnreadable: () => void unreadable++,
      nameOf: (id) => (id === 1 ? 'lock.close' : null),
    },
    () => (isThere ? import('./parse-message.ts') : Promise.reject(new Error('not there'))),
  );
});

describe('messages of a broker', () => {
  it('that the page came from are taken as they are, at once', () => {
    const all = [snapshot('1.2.3', 5, newer), delta(newer), { kind: 'reply', id: 1, output: 'new' }];
    all.forEach(reader.read);
    expect([heard, strange]).toEqual([all, []]);
    reader.end();
    reader.read(snapshot('1.2.3', 5, newer));
    expect(heard).toHaveLength(4);
  });

  it.each([
    ['of another version', () => reader.read(snapshot('1.2.4', 5, newer))],
    [
      'that was started later',
      () => {
        reader.read(snapshot('1.2.3', 5));
        reader.end();
        heard = [];
        reader.read(snapshot('1.2.3', 6, newer));
      },
    ],
  ])('%s are parsed: what doesn’t fit is left out, and reported', async (_what, say) => {
    say();
    await brokers(2);
    expect(heard).toEqual([expect.objectContaining({ kind: 'snapshot', entries: [expect.anything()] })]);
    expect(strange).toEqual([undefined]);
  });

  it.each(['1.2.3', '1.2.4'])('of version %s keep their order around the snapshot', async (version) => {
    const failed = (id: number) => ({
      kind: 'failed',
      id,
      failure: { reason: 'denied', code: 'x', message: 'no' },
    });
    reader.read(failed(1));
    expect(heard).toEqual([]);
    reader.read(snapshot(version, 5));
    reader.read(failed(2));
    await brokers(3);
    expect(heard).toEqual([failed(1), snapshot(version, 5), failed(2)]);
  });

  it('that nothing can parse are told once, and none of them is taken', async () => {
    isThere = false;
    reader.read(snapshot('1.2.4', 5));
    reader.read(delta());
    await expect.poll(() => unreadable).toBe(1);
    isThere = true;
    reader.end();
    reader.read(snapshot('1.2.4', 6));
    await brokers(1);
    expect([heard, strange, unreadable]).toEqual([[snapshot('1.2.4', 6)], [], 1]);
  });

  it('that the page doesn’t know are reported, each with what it was', async () => {
    const unknown = [{ kind: 'other' }, { kind: 'failed', id: 1, failure: { reason: 'newer' } }, null];
    reader.read(snapshot('1.2.4', 5));
    unknown.forEach(reader.read);
    await brokers(4);
    expect([heard.length, strange]).toEqual([1, unknown]);
  });

  it('for a call that nobody waits for any more are nothing strange', async () => {
    reader.read(snapshot('1.2.4', 5));
    reader.read({ kind: 'reply', id: 7, output: 'anything' });
    await brokers(2);
    expect(strange).toEqual([]);
  });

  it('of a connection that has ended are dropped', async () => {
    reader.read(snapshot('1.2.4', 5));
    reader.end();
    reader.read(snapshot('1.2.4', 6));
    await brokers(1);
    expect(heard).toEqual([snapshot('1.2.4', 6)]);
  });
});
