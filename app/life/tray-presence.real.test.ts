import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ownBusName } from '../../test/support/bus-name.ts';
import { unless } from '../../test/support/unless.ts';
import { findTray } from './tray-presence.ts';

const never = async () => {
  throw new Error('nobody waits');
};

describe('a tray', () => {
  it.each([
    ['darwin', true],
    ['win32', true],
    ['linux', false],
  ] as const)('without a bus on %s: %s', async (platform, expected) => {
    expect(await findTray({ platform, env: {}, patient: true, wait: never })).toBe(expected);
  });

  it('isn’t there where the bus doesn’t answer', async () => {
    const env = { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent' };
    expect(await findTray({ platform: 'linux', env, patient: false, wait: never })).toBe(false);
  });

  it('is searched for a while in a hidden start, and no longer', async () => {
    let waited = 0;
    const env = { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent' };
    const wait = async () => void waited++;
    expect(await findTray({ platform: 'linux', env, patient: true, wait, programs: [] })).toBe(false);
    expect(waited).toBe(9);
  });
});

const askers = ['/usr/bin/gdbus', '/usr/bin/busctl', '/usr/bin/dbus-send'];

/** Runs `look` with its own session bus. */
async function onBus<T>(look: (address: string) => Promise<T>): Promise<T> {
  const bus = spawn(
    '/usr/bin/dbus-run-session',
    ['--', '/bin/sh', '-c', 'echo $DBUS_SESSION_BUS_ADDRESS; read line'],
    {
      stdio: ['pipe', 'pipe', 'ignore'],
      env: { PATH: '/usr/bin:/bin' },
    },
  );
  try {
    const address = await new Promise<string>((resolve, reject) => {
      bus.once('error', reject);
      bus.stdout.once('data', (data: Buffer) => resolve(data.toString().trim()));
    });
    return await look(address);
  } finally {
    bus.stdin.end('\n');
    await new Promise((resolve) => bus.once('close', resolve));
  }
}

const noBus = existsSync('/usr/bin/dbus-run-session') ? null : 'missing: dbus-run-session';

describe('on a real bus', unless(noBus), () => {
  it.each(askers.filter((each) => existsSync(each)))('is found by %s, and only where it is', (asker) =>
    onBus(async (address) => {
      const env = { DBUS_SESSION_BUS_ADDRESS: address };
      const look = () => findTray({ platform: 'linux', env, patient: false, wait: never, programs: [asker] });
      expect(await look()).toBe(false);
      const other = await ownBusName(address, 'org.example.Panel');
      expect(await look()).toBe(false);
      const watcher = await ownBusName(address, 'org.kde.StatusNotifierWatcher');
      expect(await look()).toBe(true);
      watcher.dispose();
      other.dispose();
      await expect.poll(look).toBe(false);
    }),
  );
});
