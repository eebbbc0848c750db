import type { Disposable } from '../base/disposables.ts';
import { type BackoffShape, backoffMilliseconds } from '../domain/backoff.ts';
import { readProfile } from '../domain/inventory/read-profile.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import { emptiedMilliseconds, emptiedTrouble } from './emptied.ts';
import { type HubConnection, hubFault } from './hub-connection.ts';
import type { HubScope } from './hub-path.ts';
import { listProfiles, type Position } from './list-profiles.ts';
import type { ScopeSink } from './scope-sink.ts';
import { SourceFault } from './source-fault.ts';
import { answeredInTime, type SyncOutcome } from './sync-limit.ts';
import { watchProfiles } from './watch-profiles.ts';

export interface ReflectorDeps {
  hub: HubConnection;
  scope: HubScope;
  /** The inventory’s name. */
  inventory: string;
  sink: ScopeSink;
  clock: Clock;
  /** From 0 up to 1. */
  random(): number;
  log: Log;
}

/** Keeps one scope of a hub in step: a list, then watches from there, and a list again where a watch can't go on. */
export interface Reflector extends Disposable {
  /** Lists anew now, whatever it waits for. Answers in time, also where the hub doesn’t. */
  sync(): Promise<SyncOutcome>;
  /** The network, the credential or the machine is back: comes again now, from where it was, unless the hub said when. */
  wake(): void;
}

export const hubBackoff: BackoffShape = { first: 1_000, longest: 120_000 };

/** A watch that lasted so long, in milliseconds, shows that all is well: the next fault is a first one. */
const steadyMilliseconds = 60_000;

/** One that ends sooner than this, in milliseconds, would be begun again in a loop. */
const briefMilliseconds = 5_000;

/**
 * How often, in milliseconds, it is seen whether time has jumped: while the machine sleeps, timers stand still, and a
 * connection dies unheard.
 */
const tickMilliseconds = 15_000;

export function startReflector(deps: ReflectorDeps): Reflector {
  const reflector = new HubReflector(deps);
  reflector.start();
  return reflector;
}

class HubReflector implements Reflector {
  readonly #deps: ReflectorDeps;
  readonly #over = new AbortController();
  #running: Promise<void> = Promise.resolve();
  /** Null: a list is needed. */
  #position: Position | null = null;
  #failures = 0;
  /** It waits as long as the hub said. */
  #isThrottled = false;
  #watchSince: number | null = null;
  /** When to list once more, because most of what is known was missing from one; boottime. */
  #confirmAt: number | null = null;
  /** Ends the watch or the wait that is under way. */
  #interrupt: (() => void) | null = null;
  #syncs: ((outcome: SyncOutcome) => void)[] = [];
  #waitsFor = 'the end of its watch';

  constructor(deps: ReflectorDeps) {
    this.#deps = deps;
  }

  start(): void {
    this.#running = this.#run();
  }

  sync(): Promise<SyncOutcome> {
    if (this.#over.signal.aborted) {
      return Promise.resolve(ended);
    }
    const outcome = new Promise<SyncOutcome>((resolve) => this.#syncs.push(resolve));
    this.#failures = 0;
    this.#interrupt?.();
    return answeredInTime(this.#deps.clock, outcome, () => this.#waitsFor);
  }

  wake(): void {
    this.#failures = 0;
    if (!this.#isThrottled) {
      this.#interrupt?.();
    }
  }

  async dispose(): Promise<void> {
    this.#over.abort();
    await this.#running;
    this.#answerSyncs(this.#syncs.splice(0), ended);
  }

  async #run(): Promise<void> {
    while (!this.#over.signal.aborted) {
      const fault = await this.#step();
      if (fault !== null && !this.#over.signal.aborted) {
        await this.#afterFault(fault);
      }
    }
  }

  /** A list where one is needed, then one watch. Null: go on at once. */
  async #step(): Promise<SourceFault | null> {
    try {
      if (this.#position === null || this.#syncs.length > 0 || this.#confirmIsDue()) {
        this.#position = null;
        this.#position = await this.#list();
      }
      return this.#syncs.length > 0 ? null : await this.#watch(this.#position);
    } catch (error) {
      return hubFault(error, this.#deps.hub.host, this.#over.signal);
    }
  }

  async #list(): Promise<Position> {
    const { hub, scope, inventory, sink, clock, log } = this.#deps;
    // Who asks from now on wants a list that begins from now on.
    const waiting = this.#syncs.splice(0);
    let listing = sink.beginListing();
    try {
      let count = 0;
      const position = await listProfiles({
        hub,
        scope,
        clock,
        signal: this.#over.signal,
        take: (object) => {
          count++;
          listing.put(readProfile(object, inventory));
        },
        again: () => {
          listing.abandon();
          listing = sink.beginListing();
        },
        waitsFor: (what) => {
          this.#waitsFor = what;
        },
      });
      const outcome = listing.complete();
      sink.served(position.version);
      if (outcome === 'taken') {
        this.#confirmAt = null;
        sink.heard();
      } else {
        this.#confirmAt ??= clock.boottime() + emptiedMilliseconds;
      }
      log.debug('inventory.listed', { inventory, namespace: scope.namespace, count, outcome });
      this.#answerSyncs(waiting, outcome === 'taken' ? { ok: true } : { ok: false, ...emptiedTrouble });
      return position;
    } catch (error) {
      listing.abandon();
      const { code, text } = hubFault(error, hub.host, this.#over.signal);
      this.#answerSyncs(waiting, { ok: false, code, text });
      throw error;
    }
  }

  async #watch(position: Position): Promise<SourceFault | null> {
    const { hub, scope, inventory, sink, clock, random } = this.#deps;
    const interrupted = new AbortController();
    this.#interrupt = () => interrupted.abort();
    this.#watchSince = null;
    const tick = this.#tick(() => interrupted.abort());
    const isBrief = () =>
      this.#watchSince === null || clock.boottime() - this.#watchSince < briefMilliseconds;
    try {
      await watchProfiles(position, {
        hub,
        scope,
        clock,
        random,
        signal: AbortSignal.any([this.#over.signal, interrupted.signal]),
        begun: () => {
          this.#watchSince = clock.boottime();
          sink.heard();
        },
        changed: (object) => sink.put(readProfile(object, inventory)),
        deleted: (namespace, name) => sink.remove(namespace, name),
        heard: () => sink.heard(),
      });
      return isBrief() ? new SourceFault('unreachable', 'the hub ends each watch at once') : null;
    } catch (error) {
      // What breaks after a while, as behind a load balancer, is no fault yet: the next watch says more.
      const broke = error instanceof SourceFault && error.code === 'unreachable' && !isBrief();
      if (interrupted.signal.aborted || broke) {
        return null;
      }
      throw error;
    } finally {
      if (this.#watchSince !== null && clock.boottime() - this.#watchSince >= steadyMilliseconds) {
        this.#failures = 0;
      }
      tick.dispose();
      this.#interrupt = null;
    }
  }

  /** Interrupts the watch where the machine slept, or where a list is due to be confirmed. */
  #tick(interrupt: () => void): Disposable {
    const { clock } = this.#deps;
    let seen = clock.boottime();
    let timer: Disposable;
    const look = () => {
      const now = clock.boottime();
      if (now - seen > 3 * tickMilliseconds || this.#confirmIsDue()) {
        interrupt();
        return;
      }
      seen = now;
      timer = clock.after(tickMilliseconds, look);
    };
    timer = clock.after(tickMilliseconds, look);
    return { dispose: () => timer.dispose() };
  }

  #confirmIsDue(): boolean {
    return this.#confirmAt !== null && this.#deps.clock.boottime() >= this.#confirmAt;
  }

  async #afterFault(fault: SourceFault): Promise<void> {
    const { inventory, sink, clock, random, log, scope } = this.#deps;
    if (fault.goingOn === 'list') {
      this.#position = null;
    }
    this.#failures++;
    const backoff = backoffMilliseconds(this.#failures, hubBackoff, random);
    // What is usual of a hub that compacts: a new list at once, once.
    const isUsual = fault.code === 'expired' && this.#failures === 1;
    const wait =
      fault.retryAfterSeconds !== null
        ? fault.retryAfterSeconds * 1000 * (1 + random() / 10)
        : isUsual
          ? 0
          : backoff;
    sink.failed(fault, clock.now() + wait);
    if (fault.code === 'internal') {
      log.error('inventory.error', { inventory, error: String(fault.cause) });
    }
    log.debug('inventory.fault', { inventory, namespace: scope.namespace, code: fault.code, wait });
    if (this.#syncs.length === 0) {
      this.#isThrottled = fault.retryAfterSeconds !== null;
      await this.#pause(wait);
      this.#isThrottled = false;
    }
  }

  #pause(milliseconds: number): Promise<void> {
    const { clock } = this.#deps;
    const { signal } = this.#over;
    return new Promise((resolve) => {
      const go = () => {
        timer.dispose();
        signal.removeEventListener('abort', go);
        this.#interrupt = null;
        resolve();
      };
      const timer = clock.after(milliseconds, go);
      this.#interrupt = go;
      signal.addEventListener('abort', go);
    });
  }

  #answerSyncs(waiting: readonly ((outcome: SyncOutcome) => void)[], outcome: SyncOutcome): void {
    for (const answer of waiting) {
      answer(outcome);
    }
  }
}

const ended: SyncOutcome = { ok: false, code: 'unreachable', text: 'the inventory is no longer followed' };
