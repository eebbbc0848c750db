import { startCommand } from '../../main/contract/start-command.ts';
import type { CallSpec } from '../../main/contract/ui/call.ts';
import type { CallInput, CallName, CallOutput, CallProgress } from '../../main/contract/ui/calls/index.ts';
import { type BrokerMessage, brokerMessage, type UiFailure } from '../../main/contract/ui/messages.ts';
import { callSpecOf } from './call-specs.ts';
import type { Carrier, Connection } from './carrier.ts';

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
  }): void;
  resync(): void;
  retry(): void;
}

interface Waiting {
  /**
   * Loaded from the broker, too, at the same time as the call. Messages that arrive meanwhile wait, and keep their
   * order.
   */
  spec: Promise<CallSpec>;
  resolve(output: unknown): void;
  reject(error: unknown): void;
  onProgress(value: unknown): void;
}

export function createContractClient(carrier: Carrier): ContractClient {
  const waiting = new Map<number, Waiting>();
  let lastId = 0;
  let isOpen = false;

  function take(message: BrokerMessage): void {
    if (message.kind === 'snapshot' || message.kind === 'delta') {
      return;
    }
    const call = waiting.get(message.id);
    call?.spec.then(
      (spec) => {
        if (waiting.get(message.id) === call) {
          understand(message, call, spec);
        }
      },
      // `call` reports the failure.
      () => {},
    );
  }

  /** Its call would wait for ever. */
  function giveUp(id: unknown): void {
    if (typeof id === 'number') {
      waiting.get(id)?.reject(new CallFailed(notUnderstood));
      waiting.delete(id);
    }
  }

  function understand(message: Extract<BrokerMessage, { id: number }>, call: Waiting, spec: CallSpec): void {
    if (message.kind === 'progress') {
      const value = spec.progress?.safeParse(message.value);
      // Ignores progress that this page can't parse. It may still know the call's result.
      if (value?.success) {
        call.onProgress(value.data);
      }
      return;
    }
    waiting.delete(message.id);
    if (message.kind === 'failed') {
      call.reject(new CallFailed(message.failure));
      return;
    }
    const parsed = spec.output.safeParse(message.output);
    if (parsed.success) {
      call.resolve(parsed.data);
    } else {
      call.reject(new CallFailed(notUnderstood));
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
        const spec = callSpecOf(name);
        spec.catch(() => {
          if (waiting.delete(id)) {
            reject(new CallFailed(notLoaded));
          }
        });
        waiting.set(id, {
          spec,
          resolve: resolve as (output: unknown) => void,
          reject,
          onProgress: (value) => onProgress?.(value as CallProgress<typeof name>),
        });
        carrier.send({ kind: 'call', id, name, input });
      });
    },
    start({ onState, onConnection, onStrange }) {
      carrier.start({
        onMessage(value) {
          const { success, data: message } = brokerMessage.safeParse(value);
          if (!success) {
            onStrange();
            giveUp(Object(value).id);
          } else if (message.kind === 'snapshot' || message.kind === 'delta') {
            onState(message);
          } else {
            take(message);
          }
        },
        onConnection(connection) {
          isOpen = connection.kind === 'open';
          if (!isOpen) {
            for (const call of waiting.values()) {
              call.reject(new CallFailed(gone));
            }
            waiting.clear();
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
const notLoaded: UiFailure = {
  reason: 'unreachable',
  code: 'ui.part',
  message: 'a part of this page could not be loaded',
  hint: 'reload the page',
};
const notUnderstood: UiFailure = {
  reason: 'version',
  code: 'ui.answer',
  message: 'Lanyard returned something that this page doesn’t know',
  hint: 'reload the page',
};
