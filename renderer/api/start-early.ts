import type { Carrier, CarrierListener } from './carrier.ts';

/** A carrier that is running. */
export interface EarlyCarrier {
  /** Keeps what arrives until it is started. */
  carrier: Carrier;
  /** Resolves when the broker has been asked for the state, or can’t be reached. */
  asked: Promise<void>;
}

/** Starts a carrier at once, before its listener has loaded. `create`: `onAsked` is called when the broker was asked. */
export function startEarly(create: (onAsked: () => void) => Carrier): EarlyCarrier {
  let held: ((listener: CarrierListener) => void)[] = [];
  let listener: CarrierListener | null = null;
  const { promise: asked, resolve: onAsked } = Promise.withResolvers<void>();

  function pass(tell: (listener: CarrierListener) => void): void {
    if (listener) {
      tell(listener);
    } else {
      held.push(tell);
    }
  }

  const carrier = create(onAsked);
  carrier.start({
    onConnection(connection) {
      if (connection.kind !== 'connecting') {
        onAsked();
      }
      pass((listener) => listener.onConnection(connection));
    },
    onMessage: (message) => pass((listener) => listener.onMessage(message)),
  });
  return {
    asked,
    carrier: {
      ...carrier,
      start(given) {
        listener = given;
        const before = held;
        held = [];
        for (const tell of before) {
          tell(given);
        }
      },
    },
  };
}
