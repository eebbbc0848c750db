import { describe, expect, it } from 'vitest';
import { createStandIn } from '../../test/support/electron/index.ts';
import { ManualClock } from '../../test/support/manual-clock.ts';
import { createPowerEvents } from './power-events.ts';

function start(platform: NodeJS.Platform) {
  const { electron, power } = createStandIn();
  const clock = new ManualClock();
  const now = { addresses: ['10.0.0.5'] };
  const heard: string[] = [];
  const events = createPowerEvents({
    powerMonitor: electron.powerMonitor,
    clock,
    platform,
    addresses: () => now.addresses,
  });
  events.onSleep(() => heard.push('sleep'));
  events.onWake(() => heard.push('wake'));
  events.onNetwork(() => heard.push('network'));
  events.onScreenLock(() => heard.push('screen'));
  return { power, clock, now, heard, events };
}

describe('the system’s events', () => {
  it.each(['darwin', 'win32', 'linux'] as const)(
    'reports a suspend and its resume on %s immediately, and once',
    (platform) => {
      const { power, clock, heard } = start(platform);
      power.happen('suspend');
      clock.sleep(3_600_000);
      power.happen('resume');
      expect(heard).toEqual(['sleep', 'wake']);
      clock.advance(10_000);
      expect(heard).toEqual(['sleep', 'wake']);
    },
  );

  it('reports the screen’s lock, and a network that is found when it is unlocked', () => {
    const { power, now, heard } = start('darwin');
    power.happen('lock-screen');
    now.addresses = ['192.168.1.7'];
    expect(heard).toEqual(['screen']);
    power.happen('unlock-screen');
    expect(heard).toEqual(['screen', 'network']);
  });

  it('polls the screen on Linux, and reports each lock once', () => {
    const { power, clock, now, heard } = start('linux');
    power.idleState = 'idle';
    clock.advance(3_000);
    power.idleState = 'locked';
    clock.advance(3_000);
    clock.advance(3_000);
    expect(heard).toEqual(['screen']);
    now.addresses = ['192.168.1.7'];
    power.idleState = 'active';
    clock.advance(3_000);
    power.idleState = 'locked';
    clock.advance(3_000);
    expect(heard).toEqual(['screen', 'network', 'screen']);
  });

  it('nothing is heard, and no timer waits, after the end', async () => {
    const { power, clock, heard, events } = start('linux');
    await events.dispose();
    power.happen('suspend');
    power.happen('resume');
    power.happen('lock-screen');
    power.happen('unlock-screen');
    expect([heard, clock.pending]).toEqual([[], 0]);
  });
});
