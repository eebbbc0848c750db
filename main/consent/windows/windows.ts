import { createAllowance } from '../../base/allowance.ts';
import type { Disposable } from '../../base/disposables.ts';
import { createListeners } from '../../base/listeners.ts';
import { SerialQueue } from '../../base/serial-queue.ts';
import { BrokerError } from '../../contract/broker-error.ts';
import type { BrokerView, WindowView } from '../../contract/ui/state.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';
import type { UserGate } from './user-gate.ts';
import { createWindowFlow, type WindowFlow, windowMilliseconds } from './window-flow.ts';
import type { WindowHost } from './window-host.ts';
import type { WindowKind } from './window-kind.ts';

/** More than the user opens, and too few to fill a screen with windows until one of them is clicked. */
const mayOpen = { atOnce: 12, perSecond: 0.2 };

export interface WindowsDeps {
  clock: Clock;
  log: Log;
  host: WindowHost;
  person: UserGate;
}

/** The broker's own windows: one at a time, where no page sees or answers them. */
export interface Windows extends Disposable {
  /** Every Yes is given in these windows, and in no page. */
  readonly decidesAll: boolean;
  /** Where one would be shown now. */
  place(): BrokerView['windows'];
  /** Resolves when it is shown. `command`: the terminal's line for the same, if any. Throws BrokerError. */
  open(kind: WindowKind, command: string | null): Promise<void>;
  /** The open one; null: none. */
  view(): WindowView | null;
  /** Something changed: closes a window whose content is outdated. */
  look(): void;
  onChange(listener: () => void): Disposable;
}

export function createWindows({ clock, log, host, person }: WindowsDeps): Windows {
  const changed = createListeners();
  const opening = new SerialQueue();
  const allowance = createAllowance(mayOpen, clock);
  let current: { kind: WindowKind; flow: WindowFlow } | null = null;

  async function open(kind: WindowKind, command: string | null): Promise<void> {
    if (!host.available()) {
      throw cannotOpen('no window can be opened here: there is no display', command);
    }
    if (!allowance.take(1)) {
      throw cannotOpen('too many windows were opened one after the other', command);
    }
    current?.flow.close('Another window was opened', 'This one is over: nothing was changed.');
    const flow = createWindowFlow(kind, { clock, log, person });
    current = { kind, flow };
    void flow.over.then(() => {
      if (current?.flow === flow) {
        current = null;
        changed.tell();
      }
    });
    changed.tell();
    if (!(await host.show(flow).catch(notShown))) {
      flow.leave('No window could be opened');
      throw cannotOpen('no window could be opened', command);
    }
    void flow.over.then(({ isAnswered }) => isAnswered || kind.left?.());
  }

  function notShown(error: unknown): false {
    log.error('window.show', { error });
    return false;
  }

  return {
    decidesAll: host.decidesAll,
    place() {
      if (!host.available()) {
        return 'none';
      }
      return host.decidesAll ? 'dialogs' : 'browser';
    },
    open: (kind, command) => opening.run(() => open(kind, command)),
    view() {
      if (!current || current.flow.end() !== null) {
        return null;
      }
      const { title, openedAt } = current.flow;
      return { title, openedAt, endsAt: openedAt + windowMilliseconds };
    },
    look() {
      const looked = current;
      void looked?.kind.over().then(
        (over) => over !== null && looked.flow.close('Nothing was changed', over),
        (error: unknown) => {
          log.error('window.look', { error });
          looked.flow.close('Nothing was changed', 'What it showed could not be looked at again.');
        },
      );
    },
    onChange: (listener) => changed.add(listener),
    dispose() {
      current?.flow.leave('Lanyard has quit');
    },
  };
}

function cannotOpen(message: string, command: string | null): BrokerError {
  return new BrokerError('window.none', message, {
    reason: 'notPermitted',
    hint: command === null ? 'answer it where it was asked for' : `run in a terminal: ${command}`,
  });
}
