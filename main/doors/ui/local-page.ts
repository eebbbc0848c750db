import type { Disposable } from '../../base/disposables.ts';
import { createListeners } from '../../base/listeners.ts';
import { applyEntries, emptyState } from '../../contract/ui/apply-entries.ts';
import type { CallInput, CallName, CallOutput, CallProgress } from '../../contract/ui/calls/index.ts';
import type { BrokerMessage, PageMessage, UiFailure } from '../../contract/ui/messages.ts';
import type { UiState } from '../../contract/ui/state.ts';
import type { UiDoor } from './index.ts';

/** The state and the calls for tray, notifications and dialogs: like a page, in the broker’s own process. */
export interface LocalPage extends Disposable {
  /** The last state that was received; empty until `ready`. */
  state(): UiState;
  /** Resolves with the first state. */
  readonly ready: Promise<void>;
  /** Called after each change of `state()`, with what it was before. */
  onChange(listener: (before: UiState) => void): Disposable;
  /** Rejects with CallRefused. Aborting ends what runs for this call alone. */
  call<Name extends CallName>(
    name: Name,
    input: CallInput<Name>,
    options?: { signal?: AbortSignal; onProgress?(value: CallProgress<Name>): void },
  ): Promise<CallOutput<Name>>;
}

/** A failed call, with the failure as pages show it. */
export class CallRefused extends Error {
  readonly failure: UiFailure;
  constructor(failure: UiFailure) {
    super(failure.message);
    this.name = 'CallRefused';
    this.failure = failure;
  }
}

const ended = () => new CallRefused({ reason: 'internal', code: 'ui.ended', message: 'the agent stops' });

interface Waiting {
  resolve(output: unknown): void;
  reject(error: unknown): void;
  onProgress(value: unknown): void;
}

/** Tray and notifications don’t show single calls, and reading the whole state slows calls down. */
const callsEveryMilliseconds = 1_000;

/** A page without a window: same contract, same parsing, no carrier. */
export function createLocalPage(door: Pick<UiDoor, 'connect'>): LocalPage {
  const { promise: ready, resolve: becomeReady } = Promise.withResolvers<void>();
  const changed = createListeners<[before: UiState]>();
  const waiting = new Map<number, Waiting>();
  let state = emptyState();
  let version: number | null = null;
  let lastId = 0;
  let isOver = false;

  const session = door.connect({ send: take, refuse: endAll, callsEveryMilliseconds, isOwn: true });
  const say = (message: PageMessage) => session.receive(JSON.stringify(message));

  function take(message: BrokerMessage): void {
    if (message.kind === 'snapshot' || message.kind === 'delta') {
      takeState(message);
      return;
    }
    const call = waiting.get(message.id);
    if (message.kind === 'progress') {
      call?.onProgress(message.value);
      return;
    }
    waiting.delete(message.id);
    if (message.kind === 'reply') {
      call?.resolve(message.output);
    } else {
      call?.reject(new CallRefused(message.failure));
    }
  }

  function takeState(message: Extract<BrokerMessage, { kind: 'snapshot' | 'delta' }>): void {
    if (message.kind === 'delta' && message.from !== version) {
      say({ kind: 'resync' });
      return;
    }
    const before = state;
    state = applyEntries(before, message.entries, message.kind === 'snapshot');
    version = message.version;
    becomeReady();
    changed.tell(before);
  }

  function endAll(): void {
    for (const { reject } of waiting.values()) {
      reject(ended());
    }
    waiting.clear();
  }

  return {
    state: () => state,
    ready,
    onChange: (listener) => changed.add(listener),
    call<Name extends CallName>(
      name: Name,
      input: CallInput<Name>,
      { signal, onProgress }: { signal?: AbortSignal; onProgress?(value: CallProgress<Name>): void } = {},
    ) {
      return new Promise<CallOutput<Name>>((resolve, reject) => {
        if (signal?.aborted || isOver) {
          reject(isOver ? ended() : signal?.reason);
          return;
        }
        lastId += 1;
        const id = lastId;
        const cancel = () => {
          waiting.delete(id);
          say({ kind: 'cancel', id });
          reject(signal?.reason);
        };
        signal?.addEventListener('abort', cancel, { once: true });
        const over = () => signal?.removeEventListener('abort', cancel);
        waiting.set(id, {
          resolve(output) {
            over();
            // The session has parsed it by the call’s output schema.
            resolve(output as CallOutput<Name>);
          },
          reject(error) {
            over();
            reject(error);
          },
          onProgress: (value) => onProgress?.(value as CallProgress<Name>),
        });
        say({ kind: 'call', id, name, input });
      });
    },
    dispose() {
      isOver = true;
      session.dispose();
      endAll();
    },
  };
}
