import { SerialQueue } from '../../../base/serial-queue.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { Log } from '../../../ports/log.ts';
import type { UiAccess, Vault } from '../../../ports/vault.ts';
import { isGoodAt } from './page-keys.ts';

export interface KeptSessionsDeps {
  vault: Pick<Vault, 'state' | 'read' | 'update'>;
  clock: Pick<Clock, 'now'>;
  log: Log;
}

/**
 * What lets open pages reconnect after a restart of the broker: their port and sessions, in an open vault. Never
 * throws: without it the user runs `lanyard ui` again.
 */
export interface KeptSessions {
  /** What was stored and is still valid. */
  read(): UiAccess | null;
  /** Null: deletes what was stored. */
  write(access: UiAccess | null): Promise<void>;
}

export function createKeptSessions({ vault, clock, log }: KeptSessionsDeps): KeptSessions {
  const writing = new SerialQueue();
  const isOpen = () => vault.state().kind === 'open';
  return {
    read() {
      const kept = isOpen() ? vault.read().ui : undefined;
      const sessions = kept?.sessions.filter((session) => isGoodAt(session, clock.now())) ?? [];
      return kept && sessions.length > 0 ? { port: kept.port, sessions } : null;
    },
    write: (access) =>
      writing.run(async () => {
        if (!isOpen() || (access === null && vault.read().ui === undefined)) {
          return;
        }
        try {
          await vault.update(({ ui: _, ...content }) => ({ ...content, ...(access && { ui: access }) }));
        } catch (error) {
          log.warn('ui.notKept', { error });
        }
      }),
  };
}
