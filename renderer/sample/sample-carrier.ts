import type { CallName } from '../../main/contract/ui/calls/index.ts';
import type { BrokerMessage, PageMessage, UiFailure } from '../../main/contract/ui/messages.ts';
import type { Carrier } from '../api/carrier.ts';
import { sampleHandlers } from './calls/index.ts';
import { type SampleCall, SampleRefusal } from './sample-calls.ts';
import { beginLife } from './sample-life.ts';
import { fillWorld, type SampleState } from './sample-states.ts';
import { createSampleWorld, type SampleChange, type SampleTime } from './sample-world.ts';

export interface SampleCarrier extends Carrier {
  /** Stops its clock. */
  stop(): void;
}

/** How long the invented broker takes to answer. Loading is visible, but no one has to wait. */
const answerMilliseconds = 60;

/** A broker with invented data, in the page itself. It uses no real data, and sends nothing. */
export function createSampleCarrier(
  state: SampleState = 'usual',
  time: SampleTime = pageTime(),
): SampleCarrier {
  const world = createSampleWorld(time);
  fillWorld(world, state);
  const running = new Map<number, () => void>();
  let version = 1;
  let pending: SampleChange[] = [];
  let stopLife = () => {};
  let onMessage: (message: BrokerMessage) => void = () => {};
  let onConnection: Parameters<Carrier['start']>[0]['onConnection'] = () => {};

  const snapshot = () => onMessage({ kind: 'snapshot', version, now: time.now(), entries: world.entries() });

  world.onChange((change) => {
    pending.push(change);
    if (pending.length === 1) {
      time.after(0, () => {
        const entries = pending;
        pending = [];
        version += 1;
        onMessage({ kind: 'delta', from: version - 1, version, entries });
      });
    }
  });

  async function answer({ id, name, input }: Extract<PageMessage, { kind: 'call' }>): Promise<void> {
    let live = true;
    let cancelled = () => {};
    running.set(id, () => {
      live = false;
      running.delete(id);
      cancelled();
    });
    const wait = (milliseconds: number) =>
      new Promise<void>((resolve) => void time.after(milliseconds, () => live && resolve()));
    const call: SampleCall<CallName> = {
      world,
      wait,
      onCancel: (run) => {
        cancelled = run;
      },
      progress: (value) => live && onMessage({ kind: 'progress', id, value }),
    };
    await wait(answerMilliseconds);
    try {
      if (state === 'failing') {
        throw new SampleRefusal('in this demo everything fails', 'leave the demo');
      }
      // The compiler can't tell from the name which handler's input this is.
      const handler = sampleHandlers[name as CallName] as (
        input: unknown,
        call: SampleCall<CallName>,
      ) => unknown;
      const output = await handler(input, call);
      if (live) {
        onMessage({ kind: 'reply', id, output });
      }
    } catch (error) {
      if (live) {
        onMessage({ kind: 'failed', id, failure: failureOf(error) });
      }
    } finally {
      running.delete(id);
    }
  }

  function connect(): void {
    if (state === 'connecting') {
      onConnection({ kind: 'connecting' });
      return;
    }
    if (state === 'refused') {
      onConnection({ kind: 'refused', why: 'This page’s way in has been used, or has run out.' });
      return;
    }
    onConnection({ kind: 'open' });
    snapshot();
    stopLife = beginLife(world);
    if (state === 'gone') {
      time.after(1500, () => {
        stopLife();
        onConnection({ kind: 'gone', since: time.now() });
      });
    }
  }

  return {
    start(listener) {
      ({ onMessage, onConnection } = listener);
      connect();
    },
    send(message) {
      if (message.kind === 'resync') {
        snapshot();
      } else if (message.kind === 'cancel') {
        running.get(message.id)?.();
      } else if (message.kind === 'call') {
        void answer(message);
      }
    },
    retry() {},
    stop: () => stopLife(),
  };
}

function failureOf(error: unknown): UiFailure {
  const refusal = error instanceof SampleRefusal ? error : null;
  return {
    reason: refusal ? 'denied' : 'internal',
    code: 'demo.refused',
    message: refusal?.message ?? 'something went wrong in the demo',
    ...(refusal?.hint !== undefined && { hint: refusal.hint }),
  };
}

function pageTime(): SampleTime {
  return {
    now: () => Date.now(),
    after(milliseconds, run) {
      const timer = setTimeout(run, milliseconds);
      return () => clearTimeout(timer);
    },
  };
}
