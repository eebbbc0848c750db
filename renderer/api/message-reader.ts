import type { CallName } from '../../main/contract/ui/calls/index.ts';
import type { BrokerMessage } from '../../main/contract/ui/messages.ts';
import type { BrokerView } from '../../main/contract/ui/state.ts';

export interface ReaderListener {
  onMessage(message: BrokerMessage): void;
  /** This page doesn’t know all of a message: one of the two is newer. `value`: a message that it doesn’t know at all. */
  onStrange(value?: unknown): void;
  /** The call that has this number; null: none waits. */
  nameOf(id: number): CallName | null;
}

export interface MessageReader {
  /** One message, a JSON value, as it came. */
  read(value: unknown): void;
  /** The connection has ended: what still waits to be parsed belongs to it. */
  end(): void;
}

/**
 * Reads a broker’s messages, in their order. The broker that the page came from has parsed them by the same schemas, so
 * they are taken as they are: then the page loads no schema. One of another version, or started later, may be of another
 * build: its messages are parsed.
 */
export function createMessageReader(
  pageVersion: string,
  { onMessage, onStrange, nameOf }: ReaderListener,
): MessageReader {
  let first: ToldBroker | null = null;
  let isOwn = false;
  let connection = 0;
  let parsing: Promise<void> = Promise.resolve();

  async function parse(value: unknown, at: number): Promise<void> {
    const parsed = await import('./parse-message.ts').then(({ parseMessage }) => parseMessage(value, nameOf));
    if (at !== connection) {
      return;
    }
    if (parsed) {
      onMessage(parsed.message);
    }
    if (!parsed || parsed.strange) {
      onStrange(parsed ? undefined : value);
    }
  }

  return {
    read(value) {
      const told = brokerOf(value);
      if (told) {
        first ??= told;
        isOwn = told.version === pageVersion && told.startedAt === first.startedAt;
      }
      if (isOwn) {
        onMessage(value as BrokerMessage);
        return;
      }
      const at = connection;
      parsing = parsing.then(() => parse(value, at)).catch(() => onStrange(value));
    },
    end() {
      connection += 1;
      isOwn = false;
    },
  };
}

type ToldBroker = Partial<Pick<BrokerView, 'version' | 'startedAt'>>;

/** The broker that a snapshot tells of. A connection begins with one. */
function brokerOf(value: unknown): ToldBroker | null {
  const { kind, entries }: { kind?: unknown; entries?: unknown } = Object(value);
  if (kind !== 'snapshot' || !Array.isArray(entries)) {
    return null;
  }
  const entry = entries.find((each) => Array.isArray(each) && each[0] === 'broker');
  return Object(entry?.[2]);
}
