import { raceAbort } from '../base/abort.ts';
import { SingleFlight } from '../base/single-flight.ts';
import type { Refusal } from '../contract/refusal.ts';
import { doubled } from '../domain/backoff.ts';
import { nameOf, type Target, type TargetName, targetKey } from '../domain/target/target.ts';
import type { Obtained } from '../ports/account.ts';
import type { Clock } from '../ports/clock.ts';
import type { HistoryEvent, Recorder } from '../ports/history.ts';
import type { TargetProbe, Verdict } from '../ports/target-probe.ts';
import { Doubts } from './doubts.ts';
import type { Grant } from './grant.ts';
import { type Answer, type KnownRejecting, RejectingClusters, type Seen } from './rejecting-clusters.ts';
import { RejectionMemories, type RejectionMemory } from './rejection-memories.ts';
import type { Recipient } from './request.ts';
import { grantKey, type Source } from './source.ts';

/** How long to wait for a cluster's answer. */
const probeMilliseconds = 3_000;

/**
 * After a cluster took a credential, it isn't probed with it again for this time: doubled each time, up to the
 * second.
 */
const calm = { first: 1_000, longest: 15_000 };

/** How often a 401 may be inferred where the cluster's own answer is missing (rule: inferred-401). */
const blindMilliseconds = 60_000;

/**
 * A credential is fresh for a cluster for this long after a renewal that the cluster caused: two clusters that reject
 * everything must not renew for each other’s renewals.
 */
const freshMilliseconds = 60_000;

/** How long a cluster that rejects what was renewed for it isn't probed: doubled each time. */
const rest = { first: 60_000, longest: 3_600_000 };

export interface RejectionsDeps {
  clock: Clock;
  recorder: Recorder;
  probe: TargetProbe;
  renew(source: Source): Promise<Obtained>;
  /** The current grant. */
  cached(source: Source): Grant | null;
  /** The grant cached for a cluster, where both are approved and nothing is locked. */
  currentFor(target: TargetName): Promise<CurrentGrant | null>;
  /** A renewal has failed, and its next attempt isn't due yet. */
  isResting(source: Source): boolean;
}

interface CurrentGrant {
  source: Source;
  target: Target;
  grant: Grant;
}

/**
 * A client that asks again for the very credential that it has may have got a 401 (rule: inferred-401). The cluster
 * is probed, and a rejected credential is renewed, once per generation and cluster. Never involves the user.
 */
export class Rejections {
  readonly #deps: RejectionsDeps;
  readonly #memories = new RejectionMemories();
  readonly #rejectingClusters: RejectingClusters;
  readonly #doubts: Doubts;
  /**
   * When a 401 was last inferred without a probe; boottime clock. By source: many clusters that can't be probed are
   * one reason.
   */
  readonly #blind = new WeakMap<Source, number>();
  readonly #flights = new SingleFlight<string, Refusal | null>();

  constructor(deps: RejectionsDeps) {
    this.#deps = deps;
    this.#doubts = new Doubts(deps.clock);
    this.#rejectingClusters = new RejectingClusters({
      clock: deps.clock,
      recorder: deps.recorder,
      ask: (target) => this.#askNow(target),
      onAccepting: (target) => this.#memories.trust(target),
    });
  }

  /**
   * Probes whether `cluster` still takes `grant`, and renews it if not; null: issue the current credential. Doesn't
   * wait where the cluster was probed recently.
   */
  suspect(source: Source, recipient: Recipient, grant: Grant): Promise<Refusal | null> | null {
    const { target, client, onlyAfter401 } = recipient;
    const key = JSON.stringify([targetKey(target), source.account.name, grantKey(source)]);
    const memory = this.#memories.of(key, target, grant);
    this.#rejectingClusters.cameBack(target, client, onlyAfter401);
    const mayDoubt = onlyAfter401 && this.#mayDoubt(source, memory, grant);
    if (this.#deps.clock.boottime() < memory.nextProbe && !mayDoubt) {
      return null;
    }
    return this.#flights.run(`${key} ${grant.generation}`, () =>
      this.#check(source, memory, grant, onlyAfter401),
    );
  }

  /** A client gets a credential that is new to it. */
  issued(source: Source, target: TargetName, grant: Grant, client: string): void {
    this.#rejectingClusters.issued(seen(source, target, grant), client);
  }

  /** There is a new credential. */
  renewed(accountName: string): void {
    this.#rejectingClusters.renewed(accountName);
  }

  /** Another check has probed a cluster with the cached credential. */
  saw(source: Source, target: TargetName, grant: Grant, verdict: Verdict): void {
    const what = seen(source, target, grant);
    if (verdict === 'rejected') {
      this.#rejectingClusters.rejected(what);
    } else if (verdict === 'accepted') {
      this.#rejectingClusters.accepted(what);
    }
  }

  /** Since when the cluster rejects credentials, in milliseconds since 1970; null: it doesn't. */
  rejectingSince(target: TargetName): number | null {
    return this.#rejectingClusters.rejectingSince(target);
  }

  /** The state when the last broker ended. */
  restore(known: Iterable<KnownRejecting>): void {
    this.#rejectingClusters.restore(known);
  }

  /** Forgets what was learned with the account's credentials: the user has logged in, or out. */
  forget(accountName: string): void {
    this.#memories.forget(accountName);
    this.#rejectingClusters.forget(accountName);
  }

  stop(): void {
    this.#rejectingClusters.dispose();
  }

  async #check(
    source: Source,
    memory: RejectionMemory,
    grant: Grant,
    wasTold401: boolean,
  ): Promise<Refusal | null> {
    const { clock } = this.#deps;
    const answer = await this.#ask(memory.target, grant);
    const now = clock.boottime();
    const verdict = verdictOf(answer, wasTold401);
    const tell = (action: RejectionEvent['action']) => this.#tell(source, memory, grant, verdict, action);
    if (this.#deps.cached(source) !== grant || grant.remaining(clock) <= 0) {
      return null; // renewed, expired or removed meanwhile: the caller checks again
    }
    if (verdict !== 'unknown') {
      memory.unasked = 0;
    }
    if (verdict === 'accepted') {
      const isNews = this.#rejectingClusters.accepted(seen(source, memory.target, grant));
      memory.accepted += 1;
      memory.rejected = 0;
      memory.nextProbe = now + doubled(calm, memory.accepted);
      if (isNews) {
        return null; // the 401 was before that
      }
      if (wasTold401 && this.#mayDoubt(source, memory, grant)) {
        memory.doubted = grant.generation;
        this.#doubts.renewing(source);
        return this.#renew(source, memory, grant, verdict, tell);
      }
      tell('kept');
      return null;
    }
    const isFresh =
      memory.renewedFor401 === grant.generation || now - memory.renewedFor401At < freshMilliseconds;
    if (verdict === 'rejected' && isFresh) {
      this.#leaveAlone(source, memory, grant);
      tell('backedOff');
      return null;
    }
    const lastBlind = this.#blind.get(source) ?? Number.NEGATIVE_INFINITY;
    const isTooSoon = answer !== 'rejected' && now - lastBlind < blindMilliseconds;
    if (isTooSoon || this.#deps.isResting(source)) {
      memory.unasked += 1;
      memory.nextProbe = now + doubled(calm, memory.unasked);
      tell('kept');
      return null;
    }
    if (answer !== 'rejected') {
      this.#blind.set(source, now);
    }
    return this.#renew(source, memory, grant, verdict, tell);
  }

  async #renew(
    source: Source,
    memory: RejectionMemory,
    grant: Grant,
    verdict: Verdict,
    tell: (action: RejectionEvent['action']) => void,
  ): Promise<Refusal | null> {
    const renewed = await this.#deps.renew(source);
    const next = this.#deps.cached(source);
    if (renewed.ok && next && next !== grant) {
      const isBornHere = verdict === 'rejected';
      memory.renewedFor401 = isBornHere ? next.generation : null;
      memory.renewedFor401At = isBornHere ? this.#deps.clock.boottime() : Number.NEGATIVE_INFINITY;
      tell('renewed');
      if (isBornHere) {
        // Checks whether the new one helps. The client isn't told of this probe.
        void this.#rejectingClusters.probe(memory.target);
      }
      return null;
    }
    if (verdict === 'rejected' && renewed.ok) {
      // There is nothing newer, as with a token that the user set.
      this.#leaveAlone(source, memory, grant);
      tell('backedOff');
      return null;
    }
    tell('notRenewed');
    if (verdict !== 'rejected' || renewed.ok) {
      return null;
    }
    if (renewed.reason !== 'loginNeeded') {
      return null; // the provider fails: the current credential is issued until it expires (rule: issued-while-good)
    }
    const { name } = memory.target;
    return {
      ...renewed,
      message: `${name} no longer takes the credential of ${source.account.name}, and it can’t be renewed: ${renewed.message}`,
    };
  }

  /** `silent`: it did not answer in time. */
  async #ask(target: Target, grant: Grant): Promise<Verdict | 'silent'> {
    const limit = new AbortController();
    const timer = this.#deps.clock.after(probeMilliseconds, () =>
      limit.abort(new Error('no answer in time')),
    );
    try {
      return await raceAbort(this.#deps.probe(target, grant.credential, limit.signal), limit.signal);
    } catch {
      return limit.signal.aborted ? 'silent' : 'unknown'; // callers wait behind this: no longer, whatever the probe still does
    } finally {
      timer.dispose();
    }
  }

  /** Concerns the credential that is cached for the cluster now. */
  async #askNow(name: TargetName): Promise<Answer | null> {
    const held = await this.#deps.currentFor(name).catch(() => null);
    if (!held || held.grant.remaining(this.#deps.clock) <= 0) {
      return null;
    }
    const { source, target, grant } = held;
    const answer = await this.#ask(target, grant);
    return { ...seen(source, target, grant), verdict: verdictOf(answer, false) };
  }

  #mayDoubt(source: Source, memory: RejectionMemory, grant: Grant): boolean {
    return (
      memory.rejected === 0 &&
      memory.doubted !== grant.generation &&
      this.#doubts.mayRenew(source) &&
      !this.#deps.isResting(source)
    );
  }

  #leaveAlone(source: Source, memory: RejectionMemory, grant: Grant): void {
    this.#rejectingClusters.rejected(seen(source, memory.target, grant), { isOnRecord: true });
    memory.rejected += 1;
    memory.nextProbe = this.#deps.clock.boottime() + doubled(rest, memory.rejected);
    // After the wait it may be renewed again: the now fresh credential will be old then.
    memory.renewedFor401 = null;
    memory.renewedFor401At = Number.NEGATIVE_INFINITY;
  }

  #tell(
    source: Source,
    memory: RejectionMemory,
    grant: Grant,
    verdict: Verdict,
    action: RejectionEvent['action'],
  ): void {
    // A client may come back each second, and its credential stays all the while: that is one event.
    const isSaid = action === 'kept' && memory.kept === verdict;
    memory.kept = action === 'kept' ? verdict : null;
    if (isSaid) {
      return;
    }
    this.#deps.recorder.record({
      kind: 'rejection',
      account: source.account.name,
      target: nameOf(memory.target),
      audience: source.audience,
      generation: grant.generation,
      verdict,
      action,
    });
  }
}

/**
 * What the cluster makes of a credential. One that is silent takes its time over what it rejects, too: then a client counts
 * that only comes back after a 401.
 */
function verdictOf(answer: Verdict | 'silent', wasTold401: boolean): Verdict {
  return answer === 'silent' ? (wasTold401 ? 'rejected' : 'unknown') : answer;
}

type RejectionEvent = Extract<HistoryEvent, { kind: 'rejection' }>;

function seen({ account, audience }: Source, target: TargetName, { generation }: Grant): Seen {
  return { account: account.name, target: nameOf(target), audience, generation };
}
