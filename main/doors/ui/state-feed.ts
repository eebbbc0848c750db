import type { Disposable } from '../../base/disposables.ts';
import type { BrokerMessage } from '../../contract/ui/messages.ts';
import { type StateValue, stateSections } from '../../contract/ui/state.ts';
import type { StateSection } from '../../contract/ui/state-sections.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';

/** The sources of the state: each call reads a section anew, by key. */
export type StateSources = {
  readonly [Section in StateSection]: () =>
    | Readonly<Record<string, StateValue<Section>>>
    | Promise<Readonly<Record<string, StateValue<Section>>>>;
};

export interface StateFeedDeps {
  clock: Pick<Clock, 'after' | 'boottime' | 'now'>;
  log: Log;
  sources: StateSources;
}

export interface StateSubscription extends Disposable {
  /** Sends a whole snapshot again. */
  resync(): void;
}

/** The state for pages: read only while one is subscribed, and sent as deltas. */
export interface StateFeed extends Disposable {
  /**
   * Something may have changed: read soon, once for many of these. `byCall`: because of a program’s call, of which
   * there may be hundreds a second; may be read later.
   */
  changed(what?: 'byCall'): void;
  /** `send` gets a snapshot first, then deltas. */
  subscribe(send: (message: BrokerMessage) => void, options?: StateSubscriptionOptions): StateSubscription;
}

export interface StateSubscriptionOptions {
  /** Calls alone cause no new reading for this subscriber within this time; default 0. */
  callsEveryMilliseconds?: number | undefined;
}

/** The shortest time between two readings; the user sees no difference. */
const gapMilliseconds = 20;
/** The largest share of the time that readings take, however many calls there are. */
const readingShare = 0.1;
/** The state is also read this often: some of it depends on the time alone. */
const checkMilliseconds = 15_000;

/** What pages were sent, by section and key. Parsed by its schema, so that other fields never leave. */
type Sent = ReadonlyMap<string, Entry>;
interface Entry {
  section: StateSection;
  key: string;
  json: string;
  value: unknown;
}

interface Subscriber {
  send(message: BrokerMessage): void;
  readonly callsEveryMilliseconds: number;
  /** The version that it has; null: it needs a snapshot. */
  version: number | null;
}

export function createStateFeed({ clock, log, sources }: StateFeedDeps): StateFeed {
  const subscribers = new Set<Subscriber>();
  let state: Sent = new Map();
  let version = 0;
  let dirty: 'no' | 'byCall' | 'yes' = 'no';
  let reading = false;
  let timer: { at: number; running: Disposable } | null = null;
  let changedAt = 0;
  let notBefore = 0;
  let lastCheck = 0;
  /** When `state` was read; null: never, or the last reading failed. */
  let readAt: number | null = null;
  let ended = false;

  /** A reading that is due is not delayed by further changes. */
  function schedule(): void {
    const at = dueAt();
    if (timer?.at !== at) {
      timer?.running.dispose();
      const wait = Math.max(0, (at ?? 0) - clock.boottime());
      timer = at === null ? null : { at, running: clock.after(wait, () => void look()) };
    }
  }

  function dueAt(): number | null {
    if (ended || reading || subscribers.size === 0) {
      return null;
    }
    const patience = Math.min(...[...subscribers].map((each) => each.callsEveryMilliseconds));
    const soon = Math.max(changedAt + gapMilliseconds / 2, notBefore);
    const byTime = Math.max(lastCheck + checkMilliseconds, notBefore);
    return Math.min(byTime, { no: byTime, byCall: Math.max(soon, lastCheck + patience), yes: soon }[dirty]);
  }

  /** Whether what was read last is as good as what an open page shows. */
  const isKnown = () =>
    !reading && dirty !== 'yes' && readAt !== null && clock.boottime() - readAt < checkMilliseconds;

  async function look(): Promise<void> {
    reading = true;
    dirty = 'no';
    schedule();
    const began = clock.boottime();
    try {
      const next = await readAll();
      publish(next);
      readAt = clock.boottime();
    } catch (error) {
      readAt = null;
      log.error('ui.state', { error });
    } finally {
      reading = false;
      lastCheck = clock.boottime();
      notBefore = lastCheck + Math.max(gapMilliseconds, (lastCheck - began) / readingShare);
      schedule();
    }
  }

  async function readAll(): Promise<Sent> {
    const found = new Map<string, Entry>();
    for (const section of Object.keys(stateSections) as StateSection[]) {
      for (const [key, value] of Object.entries(await sources[section]())) {
        const id = `${section} ${key}`;
        const json = JSON.stringify(value);
        const before = state.get(id);
        found.set(
          id,
          before?.json === json ? before : { section, key, json, value: stateSections[section].parse(value) },
        );
      }
    }
    return found;
  }

  function publish(next: Sent): void {
    const entries: [string, string, unknown][] = [];
    for (const [id, entry] of next) {
      if (state.get(id) !== entry) {
        entries.push([entry.section, entry.key, entry.value]);
      }
    }
    for (const [id, { section, key }] of state) {
      if (!next.has(id)) {
        entries.push([section, key, null]);
      }
    }
    state = next;
    const from = version;
    if (entries.length > 0) {
      version += 1;
    }
    for (const subscriber of subscribers) {
      if (subscriber.version !== from) {
        subscriber.send(snapshot());
      } else if (entries.length > 0) {
        subscriber.send({ kind: 'delta', from, version, entries });
      }
      subscriber.version = version;
    }
  }

  const snapshot = (): BrokerMessage => ({
    kind: 'snapshot',
    version,
    now: clock.now(),
    entries: [...state.values()].map(({ section, key, value }) => [section, key, value]),
  });

  const changed: StateFeed['changed'] = (what) => {
    if (dirty === 'no') {
      changedAt = clock.boottime();
    }
    dirty = dirty === 'yes' ? 'yes' : (what ?? 'yes');
    schedule();
  };
  return {
    changed,
    subscribe(send, { callsEveryMilliseconds = 0 } = {}) {
      const subscriber: Subscriber = { send, callsEveryMilliseconds, version: null };
      const resync = () => {
        subscriber.version = null;
        changed();
      };
      // Reading takes long where there are many clusters, and a page that opens waits for it.
      if (isKnown()) {
        subscriber.version = version;
        send(snapshot());
        subscribers.add(subscriber);
        schedule();
      } else {
        subscribers.add(subscriber);
        resync();
      }
      return {
        resync,
        dispose() {
          subscribers.delete(subscriber);
          schedule();
        },
      };
    },
    dispose() {
      ended = true;
      subscribers.clear();
      schedule();
    },
  };
}
