import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { start } from './processes.ts';

/** No service folders: nothing of the machine's own (prompters, another keyring) is started on this bus. */
const configuration = (folder: string) => `<!DOCTYPE busconfig PUBLIC
 "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <listen>unix:path=${folder}/bus</listen>
  <auth>EXTERNAL</auth>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
    <allow own="*"/>
  </policy>
</busconfig>
`;

/** A session's bus of its own, with nobody on it. */
export interface SessionBus {
  /** Its own folder, which goes with it. */
  readonly folder: string;
  /** Where programs find it. */
  readonly env: Readonly<Record<'DBUS_SESSION_BUS_ADDRESS' | 'XDG_RUNTIME_DIR', string>>;
  dispose(): Promise<void>;
}

export async function startSessionBus(): Promise<SessionBus> {
  const folder = await mkdtemp(join(tmpdir(), 'ly-bus-'));
  const file = join(folder, 'bus.conf');
  await writeFile(file, configuration(folder));
  const env = { XDG_RUNTIME_DIR: folder, DBUS_SESSION_BUS_ADDRESS: `unix:path=${folder}/bus` };
  const bus = start('dbus-daemon', [`--config-file=${file}`, '--nofork', '--nopidfile', '--print-address'], {
    env,
  });
  const dispose = async () => {
    await bus.dispose();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await bus.waitForLine(/unix:path=/);
  } catch (error) {
    await dispose();
    throw error;
  }
  return { folder, env, dispose };
}
