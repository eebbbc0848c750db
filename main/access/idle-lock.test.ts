import { beforeEach, describe, expect, it } from 'vitest';
import { ManualClock } from '../../test/support/manual-clock.ts';
import { refuse } from '../contract/refusal.ts';
import type { Door, DoorContext } from '../ports/door.ts';
import { silentLog } from '../ports/log.ts';
import { IdleLock } from './idle-lock.ts';

let clock: ManualClock;
let limit: number | null;
let closed: string[];
let idle: IdleLock;
beforeEach(() => {
  clock = new ManualClock();
  limit = 900_000;
  closed = [];
  const lock = {
    gate: () => (closed.length > 0 ? refuse('locked', 'vault.locked', 'locked') : null),
    close: async (why: string) => void closed.push(why),
    settled: async () => undefined,
  };
  idle = new IdleLock({ clock, log: silentLog, lock, limit: () => limit });
});

function ask(name: string, caller: { pid?: number; startTime?: string; hasTerminal?: boolean } = {}) {
  const door: Door = async () => ({ code: idle.gate() === null ? 0 : 11 });
  const context = { caller: { pid: 7, startTime: 's', hasTerminal: true, ...caller } } as DoorContext;
  return idle.guard(door, () => (name === 'cli' ? 'person' : 'program'))({}, context);
}

/** The machine sleeps: time passes on the clock, timers don't run. */
function sleep(milliseconds: number): void {
  idle.dispose();
  clock.advance(milliseconds);
}

it('closes when the time has run out', () => {
  clock.advance(899_999);
  expect(closed).toEqual([]);
  clock.advance(1);
  expect(closed).toEqual(['idle']);
});

it.each<[string, string, Parameters<typeof ask>[1], boolean]>([
  ['a command at a terminal', 'cli', {}, true],
  ['a command without one', 'cli', { hasTerminal: false }, false],
  ['a program with a terminal', 'kube', {}, true],
  ['a program without one', 'kube', { hasTerminal: false }, false],
  ['a caller that can’t be seen', 'kube', { pid: 0 }, false],
])('%s (%s) counts as a person: %s', async (_, door, caller, counts) => {
  clock.advance(600_000);
  await ask(door, caller);
  clock.advance(600_000);
  expect(closed).toEqual(counts ? [] : ['idle']);
});

it('a request that the user didn’t type (a prompt’s) keeps nothing open, and closes what has run out', async () => {
  const door: Door = async () => ({ code: idle.gate() === null ? 0 : 11 });
  const context = { caller: { pid: 7, startTime: 's', hasTerminal: true } } as DoorContext;
  const guarded = idle.guard(door, () => 'nobody');
  clock.advance(600_000);
  expect(await guarded('prompt', context)).toEqual({ code: 0 });
  clock.advance(300_000);
  expect(await guarded('prompt', context)).toEqual({ code: 11 });
  expect(closed).toEqual(['idle']);
});

it('a program that lives on and asks again holds nothing open; another of the same pid counts', async () => {
  await ask('kube');
  clock.advance(600_000);
  await ask('kube', { startTime: 'later' });
  clock.advance(600_000);
  expect(closed).toEqual([]);
  await ask('kube', { startTime: 'later' });
  clock.advance(300_000);
  expect(closed).toEqual(['idle']);
});

describe('a machine that slept', () => {
  it('answers no one first', async () => {
    sleep(900_000);
    expect(await ask('kube')).toEqual({ code: 11 });
    expect(closed).toEqual(['idle']);
  });

  it('hands nothing to a request that was under way', () => {
    sleep(900_000);
    expect(idle.gate()).toMatchObject({ reason: 'locked' });
  });
});

it('obeys a limit that has changed at its next look, and none at all', () => {
  limit = null;
  clock.advance(10_000_000);
  expect([closed, idle.state()]).toEqual([[], null]);
  idle.touch();
  limit = 60_000;
  expect(idle.state()).toEqual({ afterIdleSeconds: 60, inSeconds: 60 });
  clock.advance(59_000);
  clock.advance(15_000);
  expect(closed).toEqual(['idle']);
});

it('leaves no timer behind', () => {
  idle.dispose();
  expect(clock.pending).toBe(0);
});
