import { access, mkdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { delimiter, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { baseEnvironment, type Running, run, start } from './processes.ts';
import { startSessionBus } from './session-bus.ts';

const programs = ['dbus-daemon', 'dbus-send', 'gnome-keyring-daemon'];

/** A real Secret Service of its own: a private bus with gnome-keyring, everything under one temporary folder. */
export interface SecretService extends AsyncDisposable {
  /** What a program needs in its environment to use it. */
  readonly env: Readonly<Record<string, string>>;
  /** Locks the keyring, as it is after the session was locked or before the first login. */
  lock(): Promise<void>;
  /** Unlocks it with its password. */
  unlock(): Promise<void>;
  /** Ends the keyring and starts it again without its password: locked, as after an automatic login. */
  restartLocked(): Promise<void>;
}

/** Starts it, unlocked. Throws with what to install where a part is missing. */
export async function startSecretService(): Promise<SecretService> {
  await needPrograms();
  const bus = await startSessionBus();
  const { folder } = bus;
  const home = join(folder, 'home');
  const control = join(folder, 'control');
  await mkdir(home);
  await mkdir(control, { mode: 0o700 });
  const env = {
    HOME: home,
    XDG_DATA_HOME: join(home, 'data'),
    XDG_CONFIG_HOME: join(home, 'config'),
    XDG_CACHE_HOME: join(home, 'cache'),
    ...bus.env,
  };
  const password = 'keyring password';
  const daemon = 'gnome-keyring-daemon';
  const shared = [`--control-directory=${control}`, '--components=secrets'];

  let keyring: Running | null = null;

  const call = (...args: string[]) =>
    run('dbus-send', ['--session', '--print-reply', '--dest=org.freedesktop.secrets', ...args], { env });

  const startKeyring = async (unlocked: boolean) => {
    const running = start(daemon, ['--foreground', ...(unlocked ? ['--unlock'] : []), ...shared], {
      env,
      input: unlocked ? password : '',
    });
    keyring = running;
    for (let tries = 0; ; tries += 1) {
      const { code } = await call('/org/freedesktop/secrets', 'org.freedesktop.DBus.Peer.Ping');
      if (code === 0) {
        return;
      }
      if (!running.isRunning() || tries > 200) {
        throw new Error(`gnome-keyring did not start: ${running.stdout()} ${running.stderr()}`);
      }
      await delay(25);
    }
  };

  const end = async () => {
    await keyring?.dispose();
    await bus.dispose();
  };

  try {
    await startKeyring(true);
  } catch (error) {
    await end();
    throw error;
  }
  return {
    env,
    lock: async () => {
      const done = await call(
        '/org/freedesktop/secrets',
        'org.freedesktop.Secret.Service.Lock',
        'array:objpath:/org/freedesktop/secrets/collection/login',
      );
      if (done.code !== 0) {
        throw new Error(`the keyring was not locked: ${done.stderr}`);
      }
    },
    unlock: () => unlockAtControlSocket(join(control, 'control'), password),
    restartLocked: async () => {
      await keyring?.dispose();
      await startKeyring(false);
    },
    [Symbol.asyncDispose]: end,
  };
}

/**
 * What PAM does when a person logs in: one byte that carries the sender's identity, then length, operation
 * (1: unlock), password; the answer is length and result (0: done). gnome-keyring, daemon/control/gkd-control-codes.h
 */
async function unlockAtControlSocket(path: string, password: string): Promise<void> {
  const message = Buffer.alloc(13 + password.length);
  message.writeUInt32BE(message.length - 1, 1);
  message.writeUInt32BE(1, 5);
  message.writeUInt32BE(password.length, 9);
  message.write(password, 13, 'latin1');
  const socket = connect(path);
  socket.setTimeout(20_000, () => socket.destroy(new Error('gnome-keyring’s control socket did not answer')));
  socket.write(message);
  let answer = Buffer.alloc(0);
  for await (const piece of socket as AsyncIterable<Buffer>) {
    answer = Buffer.concat([answer, piece]);
    if (answer.length >= 8) {
      break;
    }
  }
  if (answer.length < 8 || answer.readUInt32BE(4) !== 0) {
    throw new Error(`the keyring was not unlocked: ${answer.toString('hex')}`);
  }
}

async function needPrograms(): Promise<void> {
  const folders = (baseEnvironment()['PATH'] ?? '').split(delimiter);
  const missing: string[] = [];
  for (const program of programs) {
    const there = await Promise.all(
      folders.map((folder) =>
        access(join(folder, program)).then(
          () => true,
          () => false,
        ),
      ),
    );
    if (!there.includes(true)) {
      missing.push(program);
    }
  }
  if (missing.length > 0) {
    throw new Error(
      `missing: ${missing.join(', ')}; on Debian and Ubuntu: apt-get install gnome-keyring libsecret-1-0 dbus`,
    );
  }
}
