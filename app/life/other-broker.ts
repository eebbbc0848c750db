import { connect, type Socket } from 'node:net';
import { createPeerIdentity, type NativeAddon } from '../../main/platform/native/addon.ts';
import { descriptorOf } from '../../main/platform/socket/descriptor.ts';
import type { PeerIdentity } from '../../main/ports/peer-identity.ts';

/** A broker of the same user that runs for the same home. */
export interface OtherBroker {
  pid: number;
  /** The name of its program, without folders; null: the system doesn't tell. */
  program: string | null;
  /** Tells it to end as a service manager does (SIGTERM), and waits for that; false: it is still there. */
  stop(): Promise<boolean>;
}

export interface OtherBrokerDeps {
  /** The home's. */
  socket: string;
  identity: Pick<PeerIdentity, 'peer' | 'process' | 'brief' | 'ownUid' | 'ownPid'>;
  wait(milliseconds: number): Promise<unknown>;
}

const connectMilliseconds = 2_000;
/** Longer than a broker takes that drains what is under way (10 s). */
const stop = { stepMilliseconds: 100, steps: 150 };

/** The process that listens at the home's socket, as the system names it; null: none of this user's. */
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
    // With its start time a pid names one process for good: another's is never told to end.
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
    // It ended meanwhile, or the system doesn't tell who it is.
    return null;
  } finally {
    connection.destroy();
  }
}

/** Windows has no way to ask a program to end that is not a window: there it has to be ended by hand. */
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
