import { createAllowance } from '../base/allowance.ts';
import type { Disposable } from '../base/disposables.ts';
import { SerialQueue } from '../base/serial-queue.ts';
import { BrokerError } from '../contract/broker-error.ts';
import type { WindowView } from '../contract/ui/state.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import { type OpenWindow, openWindow, windowMilliseconds } from './open-window.ts';
import type { WindowKind } from './window-kind.ts';

/** More than a person asks for, and less than fills a browser with windows until one of them is pressed. */
const mayOpen = { atOnce: 12, perSecond: 0.2 };

export interface WindowsDeps {
  clock: Clock;
  log: Log;
  browser: { available(): boolean };
  /** Opens an address that nobody else may read, and forgets it when `done`. */
  redirect: { open(address: string, done: Promise<unknown>): Promise<boolean> };
}

/** The windows of the broker's own: one at a time, in the person's browser, at an address that no page learns. */
export interface Windows extends Disposable {
  /** Resolves when the browser was told to open it. `command`: the terminal's line for the same. Throws BrokerError. */
  open(kind: WindowKind, command: string): Promise<void>;
  /** The one that is open; null: none. */
  view(): WindowView | null;
  /** Something changed: closes one whose content is no more what it shows. */
  look(): void;
  onChange(listener: () => void): Disposable;
}

export function createWindows(deps: WindowsDeps): Windows {
  const { clock, log, browser, redirect } = deps;
  const listeners = new Set<() => void>();
  const opened = new Set<OpenWindow>();
  const opening = new SerialQueue();
  const allowance = createAllowance(mayOpen, clock);
  let current: OpenWindow | null = null;
  const tell = () => {
    for (const listener of [...listeners]) {
      listener();
    }
  };

  async function open(kind: WindowKind, command: string): Promise<void> {
    if (!browser.available()) {
      throw cannotOpen('no window can be opened here: there is no display', command);
    }
    if (!allowance.take(1)) {
      throw cannotOpen('too many windows were opened one after the other', command);
    }
    current?.close('Another window was opened', 'This one is over: nothing was changed.');
    const made: OpenWindow = await openWindow(kind, {
      clock,
      log,
      onOver() {
        if (current?.kind === kind) {
          current = null;
          tell();
        }
      },
      onClosed: () => opened.delete(made),
    });
    opened.add(made);
    current = made;
    tell();
    if (!(await redirect.open(made.address.reveal(), made.reached))) {
      made.dispose();
      throw cannotOpen('no browser could be started', command);
    }
  }

  return {
    open: (kind, command) => opening.run(() => open(kind, command)),
    view() {
      return (
        current && {
          title: current.kind.title,
          openedAt: current.openedAt,
          endsAt: current.openedAt + windowMilliseconds,
        }
      );
    },
    look() {
      const looked = current;
      void looked?.kind.over().then(
        (over) => over !== null && looked.close('Nothing was changed', over),
        (error: unknown) => {
          log.error('window.look', { error });
          looked.close('Nothing was changed', 'What it showed could not be looked at again.');
        },
      );
    },
    onChange(listener) {
      const own = () => listener();
      listeners.add(own);
      return { dispose: () => void listeners.delete(own) };
    },
    dispose() {
      for (const each of [...opened]) {
        each.dispose();
      }
    },
  };
}

function cannotOpen(message: string, command: string): BrokerError {
  return new BrokerError('window.none', message, {
    reason: 'notPermitted',
    hint: `run in a terminal: ${command}`,
  });
}
