import type { PageBridge } from '../../main/contract/ui/page-bridge.ts';
import type { Carrier, CarrierListener } from './carrier.ts';
import { watchPresence } from './presence.ts';

/**
 * How long to wait before a new session after an unreadable message. Page and app are of one build, so none is
 * expected.
 */
const waitMilliseconds = 1_000;

export type ElectronCarrierWindow = Pick<
  Window,
  'document' | 'addEventListener' | 'setInterval' | 'setTimeout'
>;

/** The carrier of the desktop app's window. Its broker runs in the app, and lives as long as the page. */
export function createElectronCarrier(
  window: ElectronCarrierWindow,
  bridge: Pick<PageBridge, 'send' | 'listen'>,
  onAsked: () => void = () => {},
): Carrier {
  let listener: CarrierListener | null = null;
  let state: 'connecting' | 'open' | 'gone' = 'connecting';

  function begin(): void {
    state = 'connecting';
    listener?.onConnection({ kind: 'connecting' });
    bridge.listen(take);
    onAsked();
  }

  function take(text: string): void {
    const message = read(text);
    if (state === 'gone') {
      return;
    }
    if (message === undefined) {
      state = 'gone';
      listener?.onConnection({ kind: 'gone', since: Date.now() });
      window.setTimeout(retry, waitMilliseconds);
      return;
    }
    if (state === 'connecting') {
      // A session begins with the complete state. Messages before that were for another document.
      if (Object(message).kind !== 'snapshot') {
        return;
      }
      state = 'open';
      listener?.onConnection({ kind: 'open' });
    }
    listener?.onMessage(message);
  }

  function retry(): void {
    if (state === 'gone') {
      begin();
    }
  }

  const send: Carrier['send'] = (message) => {
    if (state === 'open') {
      bridge.send(JSON.stringify(message));
    }
  };
  return {
    start(given) {
      listener = given;
      begin();
      watchPresence(window, { onSeen: retry, onPresent: (input) => send({ kind: 'present', input }) });
    },
    send,
    retry,
  };
}

/** Its JSON value; undefined: it is none. */
function read(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
