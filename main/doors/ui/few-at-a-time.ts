import type { UiHandlers } from './handlers.ts';
import type { WorkBudget } from './work-budget.ts';

/** A handler, reduced to what is used here. */
type Call = (input: unknown, context: { signal: AbortSignal }) => Promise<unknown>;

/**
 * Limits the calls of `names` to `most` at a time, over all pages: they use the thread that kubectl waits for, and a
 * page that was taken over would make hundreds. The others wait for their turn, or until their caller cancels. With
 * `budget`, they also wait while those before them have used too much of the thread’s time. None of `names` may wait
 * for the user.
 */
export function fewAtATime<Handlers extends Partial<UiHandlers>>(
  most: number,
  handlers: Handlers,
  names: readonly (keyof Handlers)[],
  budget?: WorkBudget,
): Handlers {
  const waiting = new Set<() => void>();
  let running = 0;

  async function turn(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (running < most) {
      running += 1;
      return;
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const leave = () => {
      waiting.delete(resolve);
      reject(signal.reason);
    };
    waiting.add(resolve);
    signal.addEventListener('abort', leave, { once: true });
    await promise.finally(() => signal.removeEventListener('abort', leave));
  }

  /** Passes a free place to the call that has waited longest. */
  function next(): void {
    const [first] = waiting;
    if (first) {
      waiting.delete(first);
      first();
    } else {
      running -= 1;
    }
  }

  const limited = names.map((name) => {
    const handler = handlers[name] as Call;
    const call: Call = async (input, context) => {
      await turn(context.signal);
      try {
        if (!budget) {
          return await handler(input, context);
        }
        await budget.ready(context.signal);
        return await budget.spend(() => handler(input, context));
      } finally {
        next();
      }
    };
    return [name, call];
  });
  return { ...handlers, ...(Object.fromEntries(limited) as Partial<Handlers>) };
}
