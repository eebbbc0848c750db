import { startCommand } from '../../main/contract/start-command.ts';
import type { CallInput, CallName, CallOutput, CallProgress } from '../../main/contract/ui/calls/index.ts';
import type { BrokerMessage, UiFailure } from '../../main/contract/ui/messages.ts';
import type { Carrier, Connection } from './carrier.ts';
import { createMessageReader } from './message-reader.ts';

/** A call that the broker denied, or that never reached it. */
export class CallFailed extends Error {
  readonly failure: UiFailure;
  constructor(failure: UiFailure) {
    super(failure.message);
    this.name = 'CallFailed';
    this.failure = failure;
  }
}

export interface CallOptions<Name extends CallName> {
  /** Aborting it cancels the call at the broker; the promise rejects with the signal's reason. */
  signal?: AbortSignal;
  onProgress?(value: CallProgress<Name>): void;
}

/** The typed contract, from the page's side. */
export interface ContractClient {
  /** Rejects with `CallFailed`. */
  call<Name extends CallName>(
    name: Name,
    input: CallInput<Name>,
    options?: CallOptions<Name>,
  ): Promise<CallOutput<Name>>;
  /** One listener: the store. */
  start(listener: {
    onState(message: Extract<BrokerMessage, { kind: 'snapshot' | 'delta' }>): void;
    onConnection(connection: Connection): void;
    /** The broker sent something that this page doesn’t know: one of them is newer. */
    onStrange(): void;
    /** Nothing that this broker sends can be read: the page has to be reloaded. */
    onUnreadable(): void;
  }): void;
  resync(): void;
  retry(): void;
}

interface Waiting {
  name: CallName;
  resolve(output: unknown): void;
  reject(error: unknown): void;
  onProgress(value: unknown): void;
}

/** `pageVersion`: of this page, to know a broker of the same build by. */
export function createContractClient(carrier: Carrier, pageVersion: string): ContractClient {
  const waiting = new Map<number, Waiting>();
  let lastId = 0;
  let isOpen = false;

  function take(message: Extract<BrokerMessage, { id: number }>): void {
    const call = waiting.get(message.id);
    if (message.kind === 'progress') {
      call?.onProgress(message.value);
      return;
    }
    waiting.delete(message.id);
    if (message.kind === 'failed') {
      call?.reject(new CallFailed(message.failure));
    } else {
      call?.resolve(message.output);
    }
  }

  function endCalls(failure: UiFailure): void {
    for (const call of waiting.values()) {
      call.reject(new CallFailed(failure));
    }
    waiting.clear();
  }

  /** Its call would wait for ever. Progress that this page doesn’t know is left out: it may still know the result. */
  function giveUp(value: unknown): void {
    const { kind, id } = Object(value);
    if (kind !== 'progress' && typeof id === 'number') {
      waiting.get(id)?.reject(new CallFailed(notUnderstood));
      waiting.delete(id);
    }
  }

  return {
    call(name, input, { signal, onProgress } = {}) {
      return new Promise((resolve, reject) => {
        if (signal?.aborted) {
          reject(signal.reason);
          return;
        }
        if (!isOpen) {
          reject(new CallFailed(gone));
          return;
        }
        const id = ++lastId;
        signal?.addEventListener(
          'abort',
          () => {
            if (waiting.delete(id)) {
              carrier.send({ kind: 'cancel', id });
              reject(signal.reason);
            }
          },
          { once: true },
        );
        waiting.set(id, {
          name,
          resolve: resolve as (output: unknown) => void,
          reject,
          onProgress: (value) => onProgress?.(value as CallProgress<typeof name>),
        });
        carrier.send({ kind: 'call', id, name, input });
      });
    },
    start({ onState, onConnection, onStrange, onUnreadable }) {
      const reader = createMessageReader(pageVersion, {
        onMessage(message) {
          if (message.kind === 'snapshot' || message.kind === 'delta') {
            onState(message);
          } else {
            take(message);
          }
        },
        onStrange(value) {
          onStrange();
          giveUp(value);
        },
        onUnreadable() {
          onUnreadable();
          endCalls(notUnderstood);
        },
        nameOf: (id) => waiting.get(id)?.name ?? null,
      });
      carrier.start({
        onMessage: reader.read,
        onConnection(connection) {
          isOpen = connection.kind === 'open';
          if (!isOpen) {
            reader.end();
            endCalls(gone);
          }
          onConnection(connection);
        },
      });
    },
    resync: () => carrier.send({ kind: 'resync' }),
    retry: () => carrier.retry(),
  };
}

const gone: UiFailure = {
  reason: 'unreachable',
  code: 'ui.gone',
  message: 'Lanyard can’t be reached at the moment',
  hint: `this page reconnects automatically; to start it: ${startCommand}`,
};
const notUnderstood: UiFailure = {
  reason: 'version',
  code: 'ui.answer',
  message: 'Lanyard returned something that this page doesn’t know',
  hint: 'reload the page',
};
