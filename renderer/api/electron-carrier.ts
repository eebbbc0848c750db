import { type BrokerMessage, brokerMessage } from '../../main/contract/ui/messages.ts';
import type { PageBridge } from '../../main/contract/ui/page-bridge.ts';
import type { Carrier } from './carrier.ts';
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
): Carrier {
  let listener: Parameters<Carrier['start']>[0] | null = null;
  let state: 'connecting' | 'open' | 'gone' = 'connecting';

  function begin(): void {
    state = 'connecting';
    listener?.onConnection({ kind: 'connecting' });
    bridge.listen(take);
  }

  function take(text: string): void {
    const message = read(text);
    if (state === 'gone') {
      return;
    }
    if (!message) {
      state = 'gone';
      listener?.onConnection({ kind: 'gone', since: Date.now() });
      window.setTimeout(retry, waitMilliseconds);
      return;
    }
    if (state === 'connecting') {
      // A session begins with the complete state. Messages before that were for another document.
      if (message.kind !== 'snapshot') {
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

function read(text: string): BrokerMessage | null {
  try {
    return brokerMessage.parse(JSON.parse(text));
  } catch {
    return null;
  }
}
