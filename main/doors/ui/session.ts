import type { Disposable } from '../../base/disposables.ts';
import { parseJson } from '../../base/parse-json.ts';
import { BrokerError, toRefusal } from '../../contract/broker-error.ts';
import { callSpec } from '../../contract/ui/calls/index.ts';
import {
  type BrokerMessage,
  callLimit,
  type PageMessage,
  pageMessage,
  type UiFailure,
} from '../../contract/ui/messages.ts';
import type { Log } from '../../ports/log.ts';
import type { UiHandlers } from './handlers.ts';
import type { StateFeed } from './state-feed.ts';

export interface UiSessionDeps {
  handlers: UiHandlers;
  feed: StateFeed;
  log: Log;
  /** Called when the user uses the page, or has it visible. */
  used(by: 'person' | 'page'): void;
  /** Sends one message to the page, by its carrier. */
  send(message: BrokerMessage): void;
  /** The page sent an invalid message: the carrier ends the connection. */
  refuse(): void;
  callsEveryMilliseconds?: number | undefined;
  /** The app itself, not a page. */
  isOwn?: true | undefined;
}

/** One page that was let in, over any carrier. */
export interface UiSession extends Disposable {
  /** Handles one message, as it was received. */
  receive(text: string): void;
}

/**
 * Sends the state immediately, and handles calls until it is disposed; calls that still run are then aborted. A field
 * that an output’s schema doesn’t name is not sent (rule: page-without-secrets).
 */
export function createUiSession(deps: UiSessionDeps): UiSession {
  const { feed, log, send, callsEveryMilliseconds } = deps;
  const running = new Map<number, AbortController>();
  const gone = new AbortController();
  const subscription = feed.subscribe(send, { callsEveryMilliseconds });

  async function answer(
    message: Extract<PageMessage, { kind: 'call' }>,
    call: AbortController,
  ): Promise<void> {
    const { id } = message;
    const failed = (error: unknown) => send({ kind: 'failed', id, failure: failureOf(error) });
    try {
      const output = await run(message, call.signal);
      if (!call.signal.aborted) {
        send({ kind: 'reply', id, output });
      }
    } catch (error) {
      if (call.signal.aborted) {
        return;
      }
      if (!(error instanceof BrokerError)) {
        log.error('ui.callFailed', { call: message.name, error });
      }
      failed(error);
    } finally {
      running.delete(id);
    }
  }

  async function run({ id, name, input }: Extract<PageMessage, { kind: 'call' }>, signal: AbortSignal) {
    const spec = callSpec(name);
    if (!spec) {
      throw new BrokerError('ui.unknownCall', 'this version of Lanyard doesn’t know that call', {
        reason: 'usage',
        hint: 'reload the page',
      });
    }
    const parsed = spec.input.safeParse(input);
    if (!parsed.success) {
      throw new BrokerError('ui.input', 'the page asked for something that makes no sense', {
        reason: 'usage',
      });
    }
    if (!spec.background) {
      deps.used('person');
    }
    // Each handler is typed by its own schemas; the compiler can’t tell which by a name that is only known at run time.
    const handler = deps.handlers[name as keyof UiHandlers] as (
      input: unknown,
      context: { signal: AbortSignal; isOwn?: true | undefined; progress(value: unknown): void },
    ) => Promise<unknown>;
    const output = await handler(parsed.data, {
      signal,
      isOwn: deps.isOwn,
      progress(value) {
        if (!signal.aborted) {
          send({ kind: 'progress', id, value: spec.progress?.parse(value) });
        }
      },
    });
    // The output is parsed, too: a field that the schema doesn’t name never leaves.
    return spec.output.parse(output);
  }

  return {
    receive(text) {
      if (gone.signal.aborted) {
        return;
      }
      const parsed = pageMessage.safeParse(parseJson(text));
      if (!parsed.success) {
        deps.refuse();
        return;
      }
      const message = parsed.data;
      if (message.kind === 'resync') {
        subscription.resync();
      } else if (message.kind === 'present') {
        deps.used(message.input ? 'person' : 'page');
      } else if (message.kind === 'cancel') {
        running.get(message.id)?.abort(new Error('the page doesn’t want it any more'));
      } else if (running.has(message.id) || running.size >= callLimit) {
        deps.refuse();
      } else {
        const call = new AbortController();
        running.set(message.id, call);
        void answer(message, call);
      }
    },
    dispose() {
      gone.abort();
      subscription.dispose();
      for (const call of running.values()) {
        call.abort(new Error('the page is gone'));
      }
    },
  };
}

function failureOf(error: unknown): UiFailure {
  const { reason, code, message, hint } = toRefusal(error);
  return { reason, code, message, ...(hint !== undefined && { hint }) };
}
