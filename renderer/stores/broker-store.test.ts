import { beforeEach, describe, expect, it } from 'vitest';
import type { StoreApi } from 'zustand/vanilla';
import type { BrokerMessage } from '../../main/contract/ui/messages.ts';
import type { Connection } from '../api/carrier.ts';
import { type BrokerState, createBrokerStore } from './broker-store.ts';

type StateMessage = Extract<BrokerMessage, { kind: 'snapshot' | 'delta' }>;

let say: (message: StateMessage) => void;
let saysStrange: () => void;
let connect: (connection: Connection) => void;
let resyncs: number;
let store: StoreApi<BrokerState>;
beforeEach(() => {
  resyncs = 0;
  store = createBrokerStore({
    start: ({ onState, onStrange, onConnection }) => {
      say = onState;
      connect = onConnection;
      saysStrange = onStrange;
    },
    resync: () => void resyncs++,
  });
});

const held = (name: string, change = 'new') => ({ what: 'account', name, change, served: false });
const snapshot = (version: number, ...names: string[]): StateMessage => ({
  kind: 'snapshot',
  version,
  now: Date.now(),
  entries: names.map((name) => ['held', `account ${name}`, held(name)]),
});
const keys = () => Object.keys(store.getState().sections.held);

describe('the store', () => {
  it('takes a delta that follows what it has', () => {
    say(snapshot(3, 'a', 'b'));
    const before = store.getState().sections;
    say({
      kind: 'delta',
      from: 3,
      version: 4,
      entries: [
        ['held', 'account a', null],
        ['held', 'account c', held('c')],
      ],
    });
    const { sections, version } = store.getState();
    expect([version, ...keys()]).toEqual([4, 'account b', 'account c']);
    // Other entries stay the same objects, so their components aren't rendered.
    expect(sections.held['account b']).toBe(before.held['account b']);
    expect(sections.clusters).toBe(before.clusters);
  });

  it('requests a snapshot after it missed something, and shows its last state meanwhile', () => {
    say(snapshot(3, 'a'));
    say({ kind: 'delta', from: 4, version: 5, entries: [['held', 'account b', held('b')]] });
    expect([resyncs, store.getState().version, ...keys()]).toEqual([1, 3, 'account a']);
    say(snapshot(5, 'a', 'b'));
    expect([store.getState().version, ...keys()]).toEqual([5, 'account a', 'account b']);
  });

  it('takes no delta of a new connection before its snapshot: it may be another broker’s', () => {
    say(snapshot(3, 'a'));
    connect({ kind: 'gone', since: 0 });
    connect({ kind: 'open' });
    say({ kind: 'delta', from: 3, version: 4, entries: [['held', 'account b', held('b')]] });
    expect([resyncs, ...keys()]).toEqual([1, 'account a']);
    say(snapshot(1, 'c'));
    expect(keys()).toEqual(['account c']);
  });

  it('has nothing under a name that doesn’t exist, whatever the name is', () => {
    const names = ['constructor', '__proto__', 'toString', 'hasOwnProperty'];
    const found = () => names.map((name) => store.getState().sections.clusters[name]);
    expect(found()).toEqual(names.map(() => undefined));
    say(snapshot(3, 'a'));
    say({ kind: 'delta', from: 3, version: 4, entries: [['clusters', 'gone', null]] });
    expect(found()).toEqual(names.map(() => undefined));
  });

  it('forgets with a snapshot what was removed, and keeps what is the same as the same object', () => {
    say(snapshot(3, 'a', 'b'));
    const before = store.getState().sections.held['account a'];
    say(snapshot(1, 'a'));
    expect(keys()).toEqual(['account a']);
    expect(store.getState().sections.held['account a']).toBe(before);
  });

  it('leaves out sections that it doesn’t know', () => {
    say({
      ...snapshot(1, 'a'),
      entries: [
        ['unknown', 'x', {}],
        ['__proto__', 'x', {}],
      ],
    } as StateMessage);
    expect(Object.keys(store.getState().sections)).not.toContain('unknown');
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
  });

  it('is strange after a message that the page doesn’t know, until the next snapshot', () => {
    say(snapshot(1, 'a'));
    saysStrange();
    expect([store.getState().strange, ...keys()]).toEqual([true, 'account a']);
    say(snapshot(2, 'a'));
    expect(store.getState().strange).toBe(false);
  });
});
