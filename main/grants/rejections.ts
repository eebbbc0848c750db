import { raceAbort } from '../base/abort.ts';
import { SingleFlight } from '../base/single-flight.ts';
import type { Refusal } from '../contract/refusal.ts';
import type { Obtained } from '../ports/account.ts';
import type { Clock } from '../ports/clock.ts';
import type { ClusterProbe, Verdict } from '../ports/cluster-probe.ts';
import type { LoadedCluster } from '../ports/config-store.ts';
import type { HistoryEvent, Recorder } from '../ports/history.ts';
import type { Grant } from './grant.ts';
import { grantKey, type Source } from './source.ts';

/** How long a cluster is waited for when it is asked. */
const probeMilliseconds = 3_000;

/** After a cluster took a credential it isn't asked about it again for so long: doubled each time, up to the second. */
const calm = { first: 1_000, longest: 15_000 };

/** Where the cluster can't be asked, a 401 may be inferred so often (rule 5). */
const blindMilliseconds = 60_000;

/**
 * What a cluster rejects so soon after a renewal of its own is fresh, whoever had it renewed meanwhile: two clusters
 * that reject everything must not renew for each other's renewals.
 */
const freshMilliseconds = 60_000;

/** A cluster that rejects what was renewed for it is left alone for so long: doubled each time. */
const rest = { first: 60_000, longest: 3_600_000 };

export interface RejectionsDeps {
  clock: Clock;
  recorder: Recorder;
  probe: ClusterProbe;
  renew(source: Source): Promise<Obtained>;
  /** What is held now. */
  held(source: Source): Grant | null;
  /** A renewal has failed, and its next try isn't due yet. */
  isResting(source: Source): boolean;
}

/** So many are remembered: a program may ask with ever new variables, and each is another source. */
const memoryLimit = 4096;

/** What is known of one cluster and one source. */
interface Memory {
  cluster: LoadedCluster;
  /** The one that was last looked at. */
  generation: number;
  /** How often in a row the cluster took it. */
  accepted: number;
  /** Not asked before this; boottime clock. */
  nextLook: number;
  /** The generation that a 401 of this very cluster brought about. */
  bornHere: number | null;
  /** When that was; boottime clock. */
  bornAt: number;
  /** Fresh credentials that were rejected, in a row. */
  rejected: number;
  /** Since when it rejects fresh credentials; milliseconds since 1970. */
  since: number;
}

/**
 * Rule 5: a client that asks again for the very credential it has may have been told 401. The cluster itself is
 * asked, and what it rejects is renewed, once per generation and cluster. Never with a person.
 */
export class Rejections {
  readonly #deps: RejectionsDeps;
  readonly #memories = new Map<string, Memory>();
  /** Those of them that reject fresh credentials: few, and asked for with every status of every cluster. */
  readonly #rejecting = new Set<Memory>();
  /** When a 401 was last inferred blindly; boottime clock. By source: many clusters that can't be asked are one reason. */
  readonly #blind = new WeakMap<Source, number>();
  readonly #flights = new SingleFlight<string, Refusal | null>();

  constructor(deps: RejectionsDeps) {
    this.#deps = deps;
  }

  /** Looks whether `cluster` still takes `grant`, and renews it where not. Null: hand out what is held now. */
  suspect(source: Source, cluster: LoadedCluster, grant: Grant): Promise<Refusal | null> {
    const key = JSON.stringify([cluster.name, source.account.name, grantKey(source)]);
    const memory = this.#memoryOf(key, cluster, grant);
    if (this.#deps.clock.boottime() < memory.nextLook) {
      return Promise.resolve(null);
    }
    return this.#flights.run(`${key} ${grant.generation}`, () => this.#look(source, memory, grant));
  }

  /** The cluster rejects credentials that are fresh: since when, in milliseconds since 1970; null: it doesn't. */
  rejectingSince(clusterName: string): number | null {
    for (const { cluster, since } of this.#rejecting) {
      if (cluster.name === clusterName) {
        return since;
      }
    }
    return null;
  }

  /** What was learned with the account's credentials counts no more: somebody has logged in, or out. */
  forget(accountName: string): void {
    for (const [key, memory] of this.#memories) {
      if (memory.cluster.config.account === accountName) {
        this.#memories.delete(key);
        this.#rejecting.delete(memory);
      }
    }
  }

  forgetAll(): void {
    this.#memories.clear();
    this.#rejecting.clear();
  }

  #memoryOf(key: string, cluster: LoadedCluster, grant: Grant): Memory {
    const known = this.#memories.get(key);
    // Another server under the same name has said nothing yet.
    const memory: Memory =
      known?.cluster.config.server === cluster.config.server
        ? known
        : {
            cluster,
            generation: grant.generation,
            accepted: 0,
            nextLook: 0,
            bornHere: null,
            bornAt: Number.NEGATIVE_INFINITY,
            rejected: 0,
            since: 0,
          };
    memory.cluster = cluster;
    if (memory.generation !== grant.generation) {
      memory.generation = grant.generation;
      memory.accepted = 0;
      // A cluster that rejects what is fresh is left alone all the same.
      memory.nextLook = memory.rejected > 0 ? memory.nextLook : 0;
    }
    if (known && known !== memory) {
      this.#rejecting.delete(known);
    }
    this.#memories.delete(key);
    this.#memories.set(key, memory);
    const [oldest] = this.#memories;
    if (this.#memories.size > memoryLimit && oldest !== undefined) {
      this.#memories.delete(oldest[0]);
      this.#rejecting.delete(oldest[1]);
    }
    return memory;
  }

  async #look(source: Source, memory: Memory, grant: Grant): Promise<Refusal | null> {
    const { clock } = this.#deps;
    const verdict = await this.#ask(memory.cluster, grant);
    const now = clock.boottime();
    const tell = (action: RejectionEvent['action']) => this.#tell(source, memory, grant, verdict, action);
    if (this.#deps.held(source) !== grant || grant.remaining(clock) <= 0) {
      return null; // renewed or ended meanwhile, or taken away: the caller looks again
    }
    if (verdict === 'accepted') {
      memory.accepted += 1;
      memory.rejected = 0;
      this.#rejecting.delete(memory);
      memory.nextLook = now + doubled(calm, memory.accepted);
      tell('kept');
      return null;
    }
    const isFresh = memory.bornHere === grant.generation || now - memory.bornAt < freshMilliseconds;
    if (verdict === 'rejected' && isFresh) {
      this.#leaveAlone(memory, now);
      tell('backedOff');
      return null;
    }
    const lastBlind = this.#blind.get(source) ?? Number.NEGATIVE_INFINITY;
    const isTooSoon = verdict === 'unknown' && now - lastBlind < blindMilliseconds;
    if (isTooSoon || this.#deps.isResting(source)) {
      memory.nextLook = now + calm.first;
      tell('kept');
      return null;
    }
    if (verdict === 'unknown') {
      this.#blind.set(source, now);
    }
    return this.#renew(source, memory, grant, verdict, tell);
  }

  async #renew(
    source: Source,
    memory: Memory,
    grant: Grant,
    verdict: Verdict,
    tell: (action: RejectionEvent['action']) => void,
  ): Promise<Refusal | null> {
    const renewed = await this.#deps.renew(source);
    const next = this.#deps.held(source);
    if (renewed.ok && next && next !== grant) {
      const isBornHere = verdict === 'rejected';
      memory.bornHere = isBornHere ? next.generation : null;
      memory.bornAt = isBornHere ? this.#deps.clock.boottime() : Number.NEGATIVE_INFINITY;
      tell('renewed');
      return null;
    }
    tell('notRenewed');
    if (verdict !== 'rejected') {
      return null;
    }
    if (renewed.ok) {
      // There is nothing newer to be had, as with a token that a person set.
      memory.bornHere = grant.generation;
      this.#leaveAlone(memory, this.#deps.clock.boottime());
      return null;
    }
    if (renewed.reason !== 'loginNeeded') {
      return null; // the provider fails: what is held is handed out while it lives (rule 4)
    }
    const { name } = memory.cluster;
    return {
      ...renewed,
      message: `${name} no longer takes the credential of ${source.account.name}, and it can’t be renewed: ${renewed.message}`,
    };
  }

  async #ask(cluster: LoadedCluster, grant: Grant): Promise<Verdict> {
    const limit = new AbortController();
    const timer = this.#deps.clock.after(probeMilliseconds, () =>
      limit.abort(new Error('no answer in time')),
    );
    try {
      return await raceAbort(this.#deps.probe(cluster, grant.credential, limit.signal), limit.signal);
    } catch {
      return 'unknown'; // callers wait behind this: not longer, whatever the probe still does
    } finally {
      timer.dispose();
    }
  }

  #leaveAlone(memory: Memory, now: number): void {
    if (memory.rejected === 0) {
      memory.since = this.#deps.clock.now();
    }
    memory.rejected += 1;
    this.#rejecting.add(memory);
    memory.nextLook = now + doubled(rest, memory.rejected);
    // After the rest it may be renewed once more: what is fresh now will be old then.
    memory.bornHere = null;
    memory.bornAt = Number.NEGATIVE_INFINITY;
  }

  #tell(
    source: Source,
    memory: Memory,
    grant: Grant,
    verdict: Verdict,
    action: RejectionEvent['action'],
  ): void {
    this.#deps.recorder.record({
      kind: 'rejection',
      account: source.account.name,
      cluster: memory.cluster.name,
      audience: source.audience,
      generation: grant.generation,
      verdict,
      action,
    });
  }
}

type RejectionEvent = Extract<HistoryEvent, { kind: 'rejection' }>;

function doubled(shape: { first: number; longest: number }, times: number): number {
  return Math.min(shape.longest, shape.first * 2 ** Math.min(times - 1, 20));
}
