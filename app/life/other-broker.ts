import { connect, type Socket } from 'node:net';
import { createPeerIdentity, type NativeAddon } from '../../main/platform/native/addon.ts';
import { descriptorOf } from '../../main/platform/socket/descriptor.ts';
import type { PeerIdentity } from '../../main/ports/peer-identity.ts';

/** Another process that is the broker for the same home and user. */
export interface OtherBroker {
  pid: number;
  /** The name of its program, without folders. Null: the system doesn't tell. */
  program: string | null;
  /** Sends SIGTERM, as a service manager does, and waits for the process to end. False: it still runs. */
  stop(): Promise<boolean>;
}

export interface OtherBrokerDeps {
  /** The home's socket. */
  socket: string;
  identity: Pick<PeerIdentity, 'peer' | 'process' | 'brief' | 'ownUid' | 'ownPid'>;
  wait(milliseconds: number): Promise<unknown>;
}

const connectMilliseconds = 2_000;
/** Longer than a broker needs to drain (10 s). */
const stop = { stepMilliseconds: 100, steps: 150 };

/** The process that listens at the home's socket. Null if no other process of this user does. */
export async function findOtherBroker({
  socket,
  identity,
  wait,
}: OtherBrokerDeps): Promise<OtherBroker | null> {
  const connection = await reach(socket);
  if (!connection) {
    return null;
  }
  try {
    const { uid, pid } = identity.peer(descriptorOf(connection));
    const found = identity.process(pid);
    if (uid !== identity.ownUid() || pid === identity.ownPid() || !found) {
      return null;
    }
    // The pid and the start time identify the process, so that no other process gets the signal.
    const isThere = () => identity.brief(pid)?.startTime === found.startTime;
    return {
      pid,
      program: found.executable?.split('/').at(-1) ?? null,
      async stop() {
        if (isThere()) {
          process.kill(pid, 'SIGTERM');
        }
        for (let step = 0; step < stop.steps && isThere(); step += 1) {
          await wait(stop.stepMilliseconds);
        }
        return !isThere();
      },
    };
  } catch {
    // It ended meanwhile, or the system doesn't tell its identity.
    return null;
  } finally {
    connection.destroy();
  }
}

/** Null on Windows: it can ask only windows to close, so the user has to end that process. */
export async function otherBrokerOf({
  platform,
  addon,
  ...rest
}: Omit<OtherBrokerDeps, 'identity'> & {
  platform: NodeJS.Platform;
  addon: NativeAddon;
}): Promise<OtherBroker | null> {
  return platform === 'win32'
    ? null
    : findOtherBroker({ ...rest, identity: createPeerIdentity(addon, process.pid) });
}

function reach(path: string): Promise<Socket | null> {
  return new Promise((resolve) => {
    const socket = connect(path);
    const fail = () => {
      socket.destroy();
      resolve(null);
    };
    socket.setTimeout(connectMilliseconds, fail);
    socket.once('error', fail);
    socket.once('connect', () => {
      socket.setTimeout(0);
      resolve(socket);
    });
  });
}
