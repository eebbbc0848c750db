import type { CallName } from '../../main/contract/ui/calls/index.ts';
import type { BrokerMessage } from '../../main/contract/ui/messages.ts';
import type { BrokerView } from '../../main/contract/ui/state.ts';

export interface ReaderListener {
  onMessage(message: BrokerMessage): void;
  /** This page doesn’t know all of a message: one of the two is newer. `value`: a message that it doesn’t know at all. */
  onStrange(value?: unknown): void;
  /** What would parse this broker’s messages can’t be loaded: nothing of it can be shown. */
  onUnreadable(): void;
  /** The call that has this number; null: none waits. */
  nameOf(id: number): CallName | null;
}

export interface MessageReader {
  /** One message, a JSON value, as it came. */
  read(value: unknown): void;
  /** The connection has ended: what still waits to be read belongs to it. */
  end(): void;
}

/** How the messages of a connection are read. */
type Way = (value: unknown) => void;

/**
 * Reads a broker’s messages, in their order. The first broker that the page met has parsed them by the same schemas, so
 * they are taken as they are: then the page loads no schema. One of another version, or started later, may be of another
 * build: its messages are parsed. Which of the two it is, the snapshot says that each connection begins with; what comes
 * before waits for it.
 */
export function createMessageReader(
  pageVersion: string,
  { onMessage, onStrange, onUnreadable, nameOf }: ReaderListener,
  loadParser: () => Promise<typeof import('./parse-message.ts')> = () => import('./parse-message.ts'),
): MessageReader {
  let first: ToldBroker | null = null;
  let connection = begin();

  function begin(): { way: Way | null; held: unknown[] } {
    return { way: null, held: [] };
  }

  /** Messages that are parsed, one after the other, as long as the connection is the same. */
  function parsing(): Way {
    const mine = connection;
    const loaded = loadParser();
    let before: Promise<void> = loaded.then(
      () => undefined,
      () => {
        if (mine === connection) {
          onUnreadable();
        }
      },
    );
    return (value) => {
      before = before
        .then(() => loaded)
        .then(({ parseMessage }) => {
          if (mine !== connection) {
            return;
          }
          const parsed = parseMessage(value, nameOf);
          if (parsed) {
            onMessage(parsed.message);
          }
          if (!parsed || parsed.strange) {
            onStrange(parsed ? undefined : value);
          }
        })
        // It couldn’t be loaded, which was told.
        .catch(() => undefined);
    };
  }

  return {
    read(value) {
      if (!connection.way) {
        connection.held.push(value);
        const told = brokerOf(value);
        if (!told) {
          return;
        }
        first ??= told;
        const isOwn = told.version === pageVersion && told.startedAt === first.startedAt;
        connection.way = isOwn ? (message) => onMessage(message as BrokerMessage) : parsing();
        connection.held.splice(0).forEach(connection.way);
        return;
      }
      connection.way(value);
    },
    end() {
      connection = begin();
    },
  };
}

type ToldBroker = Partial<Pick<BrokerView, 'version' | 'startedAt'>>;

/** The broker that a snapshot tells of; null: it is no snapshot. */
function brokerOf(value: unknown): ToldBroker | null {
  const { kind, entries }: { kind?: unknown; entries?: unknown } = Object(value);
  if (kind !== 'snapshot') {
    return null;
  }
  const entry = Array.isArray(entries) && entries.find((each) => Array.isArray(each) && each[0] === 'broker');
  return Object(entry ? entry[2] : null);
}
