import type { Disposable } from '../../base/disposables.ts';
import type { BrokerMessage } from '../../contract/ui/messages.ts';
import { type StateSection, type StateValue, stateSections } from '../../contract/ui/state.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';

/** Where the state comes from: each section anew, by key, whenever it is asked for. */
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
  /** Sends a whole snapshot once more. */
  resync(): void;
}

/** The state as pages have it: read only while somebody looks, sent as what has changed since. */
export interface StateFeed extends Disposable {
  /** Something may have changed: looked at soon, and once for many such words. */
  changed(): void;
  /** `send` gets a snapshot first, then deltas. */
  subscribe(send: (message: BrokerMessage) => void): StateSubscription;
}

/** The shortest time between two readings, in milliseconds: a person sees no difference. */
const gapMilliseconds = 20;
/** Reading takes at most this share of the time, however many calls there are. */
const readingShare = 0.1;
/** Some of it changes with the clock alone. */
const lookMilliseconds = 15_000;

/** By section and key, what pages were sent: parsed by its schema, so that what that doesn't name never leaves. */
type Sent = ReadonlyMap<string, Entry>;
interface Entry {
  section: StateSection;
  key: string;
  json: string;
  value: unknown;
}

export function createStateFeed({ clock, log, sources }: StateFeedDeps): StateFeed {
  const subscribers = new Map<object, { send(message: BrokerMessage): void; version: number | null }>();
  let state: Sent = new Map();
  let version = 0;
  let dirty = false;
  let reading = false;
  let timer: Disposable | null = null;
  let notBefore = 0;
  let ended = false;

  function schedule(milliseconds: number): void {
    timer?.dispose();
    timer = ended || subscribers.size === 0 ? null : clock.after(milliseconds, () => void look());
  }

  async function look(): Promise<void> {
    if (reading) {
      return;
    }
    reading = true;
    dirty = false;
    const began = clock.boottime();
    try {
      const next = await readAll();
      publish(next);
    } catch (error) {
      log.error('ui.state', { error });
    } finally {
      reading = false;
      const took = clock.boottime() - began;
      notBefore = clock.boottime() + Math.max(gapMilliseconds, took / readingShare);
      schedule(dirty ? notBefore - clock.boottime() : lookMilliseconds);
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
    for (const subscriber of subscribers.values()) {
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

  const changed = () => {
    dirty = true;
    if (!reading) {
      schedule(Math.max(gapMilliseconds / 2, notBefore - clock.boottime()));
    }
  };
  return {
    changed,
    subscribe(send) {
      const key = {};
      const subscriber = { send, version: null as number | null };
      subscribers.set(key, subscriber);
      const resync = () => {
        subscriber.version = null;
        changed();
      };
      resync();
      return {
        resync,
        dispose() {
          subscribers.delete(key);
          schedule(lookMilliseconds);
        },
      };
    },
    dispose() {
      ended = true;
      timer?.dispose();
      subscribers.clear();
    },
  };
}
