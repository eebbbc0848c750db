import { readFileSync } from 'node:fs';
import { BrokerError } from '../../main/contract/broker-error.ts';
import type { Ledger } from '../../main/installed/ledger.ts';
import { place } from '../../main/installed/place.ts';
import { removeEntry } from '../../main/installed/remove-entry.ts';
import { autostartEntry, isActive } from './autostart-entry.ts';

export interface AutostartDeps {
  /** The entry's file. */
  path: string;
  command: readonly string[];
  /** LANYARD_HOME if it is set, else null. */
  home: string | null;
  /** Records the entry, so that uninstalling removes it. */
  ledger: Ledger;
  now(): number;
}

/** The entry that a Linux desktop starts the app by at login. */
export interface Autostart {
  isOn(): boolean;
  /** Throws BrokerError. */
  set(on: boolean): Promise<void>;
  /** Updates the entry after the program moved. Keeps an entry that the user removed or changed. */
  repair(): Promise<void>;
}

export function createAutostart({ path, command, home, ledger, now }: AutostartDeps): Autostart {
  const put = async () => {
    const content = Buffer.from(autostartEntry(command, home));
    const placed = await place({ kind: 'file', path, content }, { ledger, now });
    if (placed.kind === 'left') {
      throw left(path, placed.what);
    }
  };
  const own = async () => (await ledger.entries()).find((entry) => entry.path === path);
  return {
    isOn() {
      const text = read(path);
      return text !== null && isActive(text);
    },
    async set(on) {
      if (on) {
        await put();
        return;
      }
      const entry = await own();
      const outcome = entry ? await removeEntry(entry, ledger) : null;
      if (outcome?.kind === 'left' || outcome?.kind === 'failed') {
        throw left(path, outcome.what);
      }
      if (read(path) !== null) {
        throw left(path, 'Lanyard didn’t make it');
      }
    },
    async repair() {
      if (!(await own())) {
        return;
      }
      if (read(path) === null) {
        await this.set(false);
      } else {
        await put();
      }
    },
  };
}

function left(path: string, what: string): BrokerError {
  return new BrokerError('loginItem.left', `${path} was left as it is: ${what}`, {
    reason: 'notPermitted',
    hint: 'check it, remove it if it isn’t needed, and try again',
  });
}

function read(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
