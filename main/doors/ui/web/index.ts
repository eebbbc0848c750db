import type { Disposable } from '../../../base/disposables.ts';
import { SerialQueue } from '../../../base/serial-queue.ts';
import { closeCodes } from '../../../contract/ui/handshake.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { Log } from '../../../ports/log.ts';
import type { LookUpPeer } from '../../../ports/peer-user.ts';
import type { UiAccess, Vault } from '../../../ports/vault.ts';
import type { UiDoor } from '../index.ts';
import { createKeptSessions } from './kept-sessions.ts';
import { readPageFiles } from './page-files.ts';
import { PageKeys, sessionMilliseconds } from './page-keys.ts';
import { openWebListener, type WebListener } from './web-listener.ts';

/** The listener closes after this long without use. Time in which the machine sleeps doesn’t count. */
export const idleMilliseconds = 10 * 60 * 1000;

export interface WebUiDeps {
  clock: Clock;
  log: Log;
  door: Pick<UiDoor, 'connect'>;
  vault: Pick<Vault, 'state' | 'read' | 'update'>;
  lookUpPeer: LookUpPeer;
  /** The folder with the built page. */
  folder: string;
}

/** An address that lets one page in, once, within a minute. It is a secret. */
export interface Invitation {
  address: string;
  port: number;
  /** Resolves when the address was used, or has expired. */
  done: Promise<void>;
}

/** The UI for a browser of this machine. It only listens after an invitation, and while it is used. */
export interface WebUi extends Disposable {
  /** Throws BrokerError where the page’s files or the port are not available. */
  invite(): Promise<Invitation>;
  /** Call it when the vault may be open: pages from before the broker’s restart are let in again. */
  vaultChanged(): Promise<void>;
}

interface Open {
  listener: WebListener;
  keys: PageKeys;
}

export function createWebUi({ clock, log, door, vault, lookUpPeer, folder }: WebUiDeps): WebUi {
  const kept = createKeptSessions({ vault, clock, log });
  const changes = new SerialQueue();
  let open: Open | null = null;
  let idle: Disposable | null = null;
  let looked = false;
  let ended = false;
  /** When the sessions in the vault expire. */
  let keptUntil = 0;

  function touch(): void {
    idle?.dispose();
    idle = open && clock.after(idleMilliseconds, () => void changes.run(() => close(closeCodes.idle)));
  }

  async function listen(access: UiAccess | null): Promise<Open> {
    const keys = new PageKeys({ clock, known: access?.sessions ?? [] });
    const listener = await openWebListener({
      clock,
      log,
      door,
      keys,
      lookUpPeer,
      files: await readPageFiles(folder),
      port: access?.port ?? 0,
      async onLetIn({ isNew }) {
        // Pages also reconnect automatically: that isn’t the user, and extends no session.
        touch();
        if (isNew) {
          await keep();
        }
      },
      onUsed(by, session) {
        touch();
        if (by === 'person') {
          keys.extend(session);
          // Rarely, since each write is a write of the vault.
          if (keptUntil < clock.now() + sessionMilliseconds / 2) {
            void keep();
          }
        }
      },
    });
    open = { listener, keys };
    log.info('ui.listening', { port: listener.port });
    touch();
    return open;
  }

  async function keep(): Promise<void> {
    if (open && vault.state().kind === 'open') {
      keptUntil = clock.now() + sessionMilliseconds;
      await kept.write({ port: open.listener.port, sessions: open.keys.sessions() });
    }
  }

  async function close(code: number): Promise<void> {
    const closing = open;
    open = null;
    idle?.dispose();
    if (!closing) {
      return;
    }
    closing.keys.clear();
    await closing.listener.close(code);
    log.info('ui.closed', { port: closing.listener.port, code });
    // When the broker ends, pages wait for the next one.
    if (code === closeCodes.idle) {
      await kept.write(null);
    }
  }

  async function restore(): Promise<void> {
    if (vault.state().kind !== 'open' || ended) {
      return;
    }
    if (open) {
      looked = true;
      await keep();
      return;
    }
    const access = looked ? null : kept.read();
    looked = true;
    if (access) {
      try {
        await listen(access);
        keptUntil = Math.min(...access.sessions.map(({ goodUntil }) => goodUntil));
        return;
      } catch (error) {
        log.warn('ui.notRestored', { port: access.port, error });
      }
    }
    await kept.write(null);
  }

  return {
    invite: () =>
      changes.run(async () => {
        const { listener, keys } = open ?? (await listen(null));
        touch();
        const { id, secret, done } = keys.issue();
        const address = `http://${listener.host}/#ticket=${id}.${secret.reveal()}`;
        return { address, port: listener.port, done };
      }),
    vaultChanged: () => changes.run(restore),
    async dispose() {
      ended = true;
      await changes.run(() => close(closeCodes.ending));
    },
  };
}
