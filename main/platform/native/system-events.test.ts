import { describe, expect, it } from 'vitest';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import { createSystemEvents } from './system-events.ts';

const tick = 10_000;

function start(addresses: string[] = ['10.0.0.5']) {
  const clock = new ManualClock();
  const now = { addresses };
  const heard: string[] = [];
  const events = createSystemEvents({ clock, addresses: () => now.addresses });
  events.onWake(() => heard.push('wake'));
  const network = events.onNetwork(() => heard.push('network'));
  return { clock, now, heard, events, network };
}

describe('the machine’s events', () => {
  it('are none while nothing happens', () => {
    const { clock, heard } = start();
    for (let i = 0; i < 100; i++) {
      clock.advance(tick);
    }
    expect(heard).toEqual([]);
  });

  it('tell a wake: more time has passed than a timer can account for', () => {
    const { clock, heard } = start();
    clock.advance(tick);
    clock.advance(8 * 3_600_000);
    clock.advance(tick);
    expect(heard).toEqual(['wake']);
  });

  it('tell a wall clock that was set, both ways', () => {
    const { clock, heard } = start();
    clock.setWall(clock.now() + 3_600_000);
    clock.advance(tick);
    clock.setWall(clock.now() - 7_200_000);
    clock.advance(tick);
    clock.setWall(clock.now() + 1_000);
    clock.advance(tick);
    expect(heard).toEqual(['wake', 'wake']);
  });

  it.each([
    ['a network that comes back', ['10.0.0.5'], [], ['10.0.0.5'], ['network']],
    ['another network', ['10.0.0.5'], ['10.0.0.5'], ['192.168.1.7'], ['network']],
    ['a second network', ['10.0.0.5'], ['10.0.0.5'], ['10.0.0.5', '10.8.0.2'], ['network']],
    ['a network that goes', ['10.0.0.5', '10.8.0.2'], ['10.0.0.5'], ['10.0.0.5'], []],
  ])('tell %s', (_, first, second, third, expected) => {
    const { clock, now, heard } = start(first);
    now.addresses = second;
    clock.advance(tick);
    now.addresses = third;
    clock.advance(tick);
    clock.advance(tick);
    expect(heard).toEqual(expected);
  });

  it('tell a wake at once when the system says so, and not again at the next look', () => {
    const { clock, heard, events } = start();
    clock.advance(tick);
    clock.sleep(8 * 3_600_000);
    events.woke();
    expect(heard).toEqual(['wake']);
    clock.advance(tick);
    clock.advance(tick);
    expect(heard).toEqual(['wake']);
  });

  it('tell a wake once where a timer was faster than the system’s word, and the next one again', () => {
    const { clock, heard, events } = start();
    for (let night = 1; night <= 2; night++) {
      clock.advance(8 * 3_600_000);
      events.woke();
      expect(heard).toEqual(Array(night).fill('wake'));
      clock.advance(tick);
    }
  });

  it('tell a short sleep, which only the system sees', () => {
    const { clock, heard, events } = start();
    clock.sleep(12_000);
    events.woke();
    expect(heard).toEqual(['wake']);
  });

  it('tell a network when they are told to look', () => {
    const { now, heard, events } = start();
    now.addresses = ['192.168.1.7'];
    events.look();
    events.look();
    expect(heard).toEqual(['network']);
  });

  it('end with their subscription, and all with the source', () => {
    const { clock, now, heard, events, network } = start();
    void network.dispose();
    now.addresses = ['192.168.1.7'];
    clock.advance(tick);
    expect(heard).toEqual([]);
    void events.dispose();
    expect(clock.pending).toBe(0);
  });
});
