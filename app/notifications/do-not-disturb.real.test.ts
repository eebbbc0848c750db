import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Running, start } from '../../test/support/processes.ts';
import { type SecretService, startSecretService } from '../../test/support/secret-service.ts';
import { unless } from '../../test/support/unless.ts';
import { createDoNotDisturb } from './do-not-disturb.ts';

/** Owns the service on a real bus, as KDE's does, and answers as the test says. */
const owner = `
import sys
from gi.repository import Gio, GLib
node = Gio.DBusNodeInfo.new_for_xml('<node><interface name="org.freedesktop.Notifications"><property name="Inhibited" type="b" access="read"/></interface></node>')
loop = GLib.MainLoop()
def get(*a):
    return GLib.Variant('b', sys.argv[1] == 'true')
def begin(bus, name):
    bus.register_object('/org/freedesktop/Notifications', node.interfaces[0], None, get, None)
Gio.bus_own_name(Gio.BusType.SESSION, 'org.freedesktop.Notifications', 0, begin, lambda *a: print('owned', flush=True), lambda *a: loop.quit())
loop.run()
`;
const python = '/usr/bin/python3';
const missing =
  process.platform !== 'linux' || !existsSync(python) || spawnSync(python, ['-c', 'import gi']).status !== 0
    ? 'no python3-gi to own org.freedesktop.Notifications with'
    : spawnSync('sh', ['-c', 'command -v busctl || command -v gdbus']).status !== 0
      ? 'neither busctl nor gdbus is there'
      : null;

describe('do not disturb, on a real bus', unless(missing), () => {
  let bus: SecretService;
  let running: Running | null = null;
  beforeEach(async () => {
    bus = await startSecretService();
  });
  afterEach(async () => {
    await running?.dispose();
    running = null;
    await bus[Symbol.asyncDispose]();
  });
  const asks = () =>
    createDoNotDisturb({ platform: 'linux', env: { ...bus.env, PATH: process.env['PATH'] } })();

  it.each([true, false])('is what its owner says: %s', async (inhibited) => {
    running = start(python, ['-c', owner, String(inhibited)], { env: { ...bus.env } });
    await running.waitForLine(/owned/);
    expect(await asks()).toBe(inhibited);
  });

  it('is off where no service owns the name', async () => {
    expect(await asks()).toBe(false);
  });
});

it('asks nothing without a bus, nor where the system itself delays notifications', async () => {
  for (const platform of ['linux', 'darwin', 'win32'] as const) {
    expect(await createDoNotDisturb({ platform, env: { PATH: '/nowhere' } })()).toBe(false);
  }
});
