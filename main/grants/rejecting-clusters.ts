import type { Disposable } from '../base/disposables.ts';
import { doubled } from '../domain/backoff.ts';
import { type TargetName, targetKey } from '../domain/target/target.ts';
import type { Clock } from '../ports/clock.ts';
import type { Recorder } from '../ports/history.ts';
import type { Verdict } from '../ports/target-probe.ts';

/** A cluster that rejects is asked again by itself after so long: doubled each time. */
const rest = { first: 60_000, longest: 3_600_000 };

/** However many clients ask, a cluster that rejects is asked no more often than this for their sake. */
const spacingMilliseconds = 1_000;

/** A client that was told 401 comes back within this time, where it comes back at all. */
const silenceMilliseconds = 10_000;

/** So many clients of one cluster are waited for. */
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
  /** Asks a cluster about what is held for it now; null: nothing is, or it may not be asked. Never rejects. */
  ask(target: TargetName): Promise<Answer | null>;
  /** It takes credentials again. */
  onAccepting(target: TargetName): void;
}

/** A cluster that was shown as rejecting when the broker ended. */
export interface KnownRejecting {
  target: TargetName;
  account: string;
  /** Milliseconds since 1970. */
  since: number;
}

interface RejectingCluster extends KnownRejecting {
  /** What the cluster said last when it was asked. */
  verdict: Verdict;
  /** How often in a row it was asked in vain. */
  probes: number;
  isProbing: boolean;
  /** A client came while it was asked: the answer may be older than what that client will hear. */
  isWantedAgain: boolean;
  /** Boottime clock. */
  probedAt: number;
  next: { at: number; timer: Disposable } | null;
  /** Clients that got a credential and have not come back so far. */
  silent: Map<string, Disposable>;
}

/**
 * Which clusters reject with 401 what they are given (rule: inferred-401). What was seen last counts, whoever saw it: a
 * client, the broker's own question, `lanyard doctor`. Outlives a lock, and by `restore` a restart.
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
    const { target, account } = seen;
    this.#begin({ target, account, since: this.#deps.clock.now() });
    if (!isOnRecord) {
      this.#record({ ...seen, verdict: 'rejected' }, 'shown');
    }
  }

  /** It took a credential; `verdict` is `unknown` where only its client says so. True where that is news. */
  accepted(seen: Seen, verdict: Verdict = 'accepted'): boolean {
    const isNews = this.#end(seen.target);
    if (isNews) {
      this.#deps.onAccepting(seen.target);
      this.#record({ ...seen, verdict }, 'cleared');
    }
    return isNews;
  }

  /** A client gets a credential for it: where it was rejecting, now is the time to ask again. */
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

  /** The client asks again for the very credential that it has. */
  cameBack(target: TargetName, client: string): void {
    const silent = this.#of(target)?.silent;
    silent?.get(client)?.dispose();
    silent?.delete(client);
  }

  /** A new credential of the account: does the cluster take this one? */
  renewed(account: string): void {
    for (const entry of this.#rejecting.values()) {
      if (entry.account === account) {
        this.#probeSoon(entry);
      }
    }
  }

  /** Asks a cluster now, and remembers what it says. */
  async probe(target: TargetName): Promise<void> {
    if (this.#of(target)) {
      return; // asked after each renewal as it is
    }
    const answer = await this.#deps.ask(target);
    if (answer?.verdict === 'accepted') {
      this.accepted(answer);
    } else if (answer?.verdict === 'rejected') {
      this.rejected(answer);
    }
  }

  /** What was seen with the account's credentials counts no more. */
  forget(account: string): void {
    for (const entry of [...this.#rejecting.values()]) {
      if (entry.account === account) {
        this.#end(entry.target);
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

  /** It didn't come back: a success, unless the cluster itself says otherwise; some clients give up on a 401 silently. */
  #isSilent(entry: RejectingCluster, seen: Seen, client: string): void {
    entry.silent.delete(client);
    if (this.#of(entry.target) === entry && entry.verdict === 'unknown') {
      this.accepted(seen, 'unknown');
    }
  }

  #of(target: TargetName): RejectingCluster | undefined {
    return this.#rejecting.get(targetKey(target));
  }

  #record({ account, target, audience, generation, verdict }: Answer, action: 'shown' | 'cleared'): void {
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
