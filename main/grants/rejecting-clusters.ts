import type { Disposable } from '../base/disposables.ts';
import { doubled } from '../domain/backoff.ts';
import { type TargetName, targetKey } from '../domain/target/target.ts';
import type { Clock } from '../ports/clock.ts';
import type { Recorder } from '../ports/history.ts';
import type { Verdict } from '../ports/target-probe.ts';

/** A cluster that rejects is probed again automatically after this time: doubled each time. */
const rest = { first: 60_000, longest: 3_600_000 };

/** Requests of clients don't make a rejecting cluster be probed more often than this. */
const spacingMilliseconds = 1_000;

/**
 * A client that got a 401 comes back within this time, if at all: an API server answers within a minute
 * (--request-timeout).
 */
const silenceMilliseconds = 60_000;

/** Limit of the awaited clients of one cluster. */
const silentLimit = 64;

/** Which credential was seen, and where. */
export interface Seen {
  account: string;
  target: TargetName;
  audience: string | null;
  generation: number;
}

export interface Answer extends Seen {
  verdict: Verdict;
}

export interface RejectingClustersDeps {
  clock: Clock;
  recorder: Recorder;
  /** Probes a cluster with its cached credential; null: there is none, or it may not be probed. Never rejects. */
  ask(target: TargetName): Promise<Answer | null>;
  /** It takes credentials again. */
  onAccepting(target: TargetName): void;
}

/** A cluster that counts as rejecting, and what it rejected. */
export interface KnownRejecting extends Seen {
  /** Milliseconds since 1970. */
  since: number;
}

interface RejectingCluster extends KnownRejecting {
  /** The cluster's answer to the last probe. */
  verdict: Verdict;
  /** How often in a row it was probed in vain. */
  probes: number;
  isProbing: boolean;
  /** A client came during the probe: the answer may be older than the one that client gets. */
  isWantedAgain: boolean;
  /** Boottime clock. */
  probedAt: number;
  next: { at: number; timer: Disposable } | null;
  /** Clients that got a credential and have not come back so far. */
  silent: Map<string, Disposable>;
}

/**
 * Which clusters reject their credentials with 401 (rule: inferred-401). The last observation applies, whoever made
 * it: a client, the broker's own probe, `lanyard doctor`. Survives a lock, and by `restore` a restart.
 */
export class RejectingClusters implements Disposable {
  readonly #deps: RejectingClustersDeps;
  /** By `targetKey`. */
  readonly #rejecting = new Map<string, RejectingCluster>();

  constructor(deps: RejectingClustersDeps) {
    this.#deps = deps;
  }

  /** Since when, in milliseconds since 1970; null: it doesn't reject. */
  rejectingSince(target: TargetName): number | null {
    return this.#of(target)?.since ?? null;
  }

  restore(known: Iterable<KnownRejecting>): void {
    for (const each of known) {
      if (!this.#of(each.target)) {
        this.#begin(each);
      }
    }
  }

  /** It answered 401. `isOnRecord`: the caller has recorded that. */
  rejected(seen: Seen, { isOnRecord = false } = {}): void {
    const known = this.#of(seen.target);
    if (known) {
      known.verdict = 'rejected';
      return;
    }
    this.#begin({ ...seen, since: this.#deps.clock.now() });
    if (!isOnRecord) {
      this.#record({ ...seen, verdict: 'rejected' }, 'shown');
    }
  }

  /** It took a credential; `verdict` is `unknown` where only its client says so. Returns true where that is new. */
  accepted(seen: Seen, verdict: Verdict = 'accepted'): boolean {
    const isNews = this.#end(seen.target);
    if (isNews) {
      this.#deps.onAccepting(seen.target);
      this.#record({ ...seen, verdict }, 'cleared');
    }
    return isNews;
  }

  /** A client gets a credential for it: if it was rejecting, probe it again now. */
  issued(seen: Seen, client: string): void {
    const entry = this.#of(seen.target);
    if (!entry) {
      return;
    }
    entry.silent.get(client)?.dispose();
    entry.silent.delete(client);
    if (entry.silent.size < silentLimit) {
      entry.silent.set(
        client,
        this.#deps.clock.after(silenceMilliseconds, () => this.#isSilent(entry, seen, client)),
      );
    }
    this.#probeSoon(entry);
  }

  /** The client asks again for the very credential that it has. `had401`: then the silence of others means no success. */
  cameBack(target: TargetName, client: string, had401: boolean): void {
    const silent = this.#of(target)?.silent;
    for (const each of had401 ? [...(silent?.keys() ?? [])] : [client]) {
      silent?.get(each)?.dispose();
      silent?.delete(each);
    }
  }

  /** A new credential of the account: does the cluster take this one? */
  renewed(account: string): void {
    for (const entry of this.#rejecting.values()) {
      if (entry.account === account) {
        this.#probeSoon(entry);
      }
    }
  }

  /** Probes a cluster now, and remembers its answer. */
  async probe(target: TargetName): Promise<void> {
    if (this.#of(target)) {
      return; // probed after each renewal anyway
    }
    const answer = await this.#deps.ask(target);
    if (answer?.verdict === 'accepted') {
      this.accepted(answer);
    } else if (answer?.verdict === 'rejected') {
      this.rejected(answer);
    }
  }

  /** Forgets what was seen with the account's credentials: it says nothing of those that come. */
  forget(account: string): void {
    for (const entry of [...this.#rejecting.values()]) {
      if (entry.account === account) {
        this.#end(entry.target);
        this.#record({ ...entry, verdict: 'unknown' }, 'forgotten');
      }
    }
  }

  dispose(): void {
    for (const { target } of [...this.#rejecting.values()]) {
      this.#end(target);
    }
  }

  #begin(known: KnownRejecting): void {
    const entry: RejectingCluster = {
      ...known,
      verdict: 'rejected',
      probes: 0,
      isProbing: false,
      isWantedAgain: false,
      probedAt: Number.NEGATIVE_INFINITY,
      next: null,
      silent: new Map(),
    };
    this.#rejecting.set(targetKey(known.target), entry);
    this.#probeAt(entry, this.#deps.clock.boottime() + rest.first);
  }

  #end(target: TargetName): boolean {
    const entry = this.#of(target);
    entry?.next?.timer.dispose();
    for (const timer of entry?.silent.values() ?? []) {
      timer.dispose();
    }
    return this.#rejecting.delete(targetKey(target));
  }

  #probeSoon(entry: RejectingCluster): void {
    if (entry.isProbing) {
      entry.isWantedAgain = true;
      return;
    }
    const at = entry.probedAt + spacingMilliseconds;
    if (at <= this.#deps.clock.boottime()) {
      void this.#probeNow(entry);
    } else {
      this.#probeAt(entry, at);
    }
  }

  #probeAt(entry: RejectingCluster, at: number): void {
    if (entry.next && entry.next.at <= at) {
      return;
    }
    entry.next?.timer.dispose();
    const { clock } = this.#deps;
    const timer = clock.after(Math.max(0, at - clock.boottime()), () => void this.#probeNow(entry));
    entry.next = { at, timer };
  }

  async #probeNow(entry: RejectingCluster): Promise<void> {
    const { clock } = this.#deps;
    entry.next?.timer.dispose();
    entry.next = null;
    entry.isProbing = true;
    entry.isWantedAgain = false;
    const answer = await this.#deps.ask(entry.target);
    entry.isProbing = false;
    entry.probedAt = clock.boottime();
    if (this.#of(entry.target) !== entry) {
      return;
    }
    if (answer?.verdict === 'accepted') {
      this.accepted(answer);
      return;
    }
    entry.verdict = answer?.verdict ?? entry.verdict;
    entry.probes += 1;
    const pause = entry.isWantedAgain ? spacingMilliseconds : doubled(rest, entry.probes);
    this.#probeAt(entry, entry.probedAt + pause);
  }

  /**
   * The client didn't come back: a success, unless the cluster itself says otherwise; some clients silently give up
   * on a 401.
   */
  #isSilent(entry: RejectingCluster, seen: Seen, client: string): void {
    entry.silent.delete(client);
    if (this.#of(entry.target) === entry && entry.verdict === 'unknown') {
      this.accepted(seen, 'unknown');
    }
  }

  #of(target: TargetName): RejectingCluster | undefined {
    return this.#rejecting.get(targetKey(target));
  }

  #record(
    { account, target, audience, generation, verdict }: Answer,
    action: 'shown' | 'cleared' | 'forgotten',
  ): void {
    this.#deps.recorder.record({
      kind: 'rejection',
      account,
      target,
      audience,
      generation,
      verdict,
      action,
    });
  }
}
