import { isSameTarget, type Target, type TargetName } from '../domain/target/target.ts';
import type { Verdict } from '../ports/target-probe.ts';
import type { Grant } from './grant.ts';

/** Limit: a program may ask with ever new variables, and each is another source. */
const memoryLimit = 4096;

/** What is known of one cluster and one source. */
export interface RejectionMemory {
  target: Target;
  /** The one that was probed last. */
  generation: number;
  /** How often in a row the cluster took it. */
  accepted: number;
  /** How often in a row it could not be asked, or nothing could be renewed. */
  unasked: number;
  /** The verdict with which this generation was kept, as it is on record; null: it wasn’t. */
  kept: Verdict | null;
  /** No probe before this; boottime clock. */
  nextProbe: number;
  /** The generation that a 401 of this very cluster caused. */
  renewedFor401: number | null;
  /** When that was; boottime clock. */
  renewedFor401At: number;
  /** Number of fresh credentials that were rejected in a row. */
  rejected: number;
  /** The generation that was renewed although the cluster itself takes it. */
  doubted: number | null;
}

/** What is known by cluster and source. */
export class RejectionMemories {
  readonly #byKey = new Map<string, RejectionMemory>();

  of(key: string, target: Target, { generation }: Pick<Grant, 'generation'>): RejectionMemory {
    const known = this.#byKey.get(key);
    // Another server under the same name has said nothing yet.
    const memory = known?.target.address === target.address ? known : fresh(target, generation);
    memory.target = target;
    if (memory.generation !== generation) {
      memory.generation = generation;
      memory.accepted = 0;
      memory.unasked = 0;
      memory.kept = null;
      // A cluster that rejects a fresh credential stays on its wait.
      memory.nextProbe = memory.rejected > 0 ? memory.nextProbe : 0;
    }
    this.#byKey.delete(key);
    this.#byKey.set(key, memory);
    const [oldest] = this.#byKey.keys();
    if (this.#byKey.size > memoryLimit && oldest !== undefined) {
      this.#byKey.delete(oldest);
    }
    return memory;
  }

  /** The cluster takes credentials again: its clients' next 401 is probed immediately. */
  trust(target: TargetName): void {
    for (const memory of this.#byKey.values()) {
      if (isSameTarget(memory.target, target) && memory.rejected > 0) {
        memory.rejected = 0;
        memory.nextProbe = 0;
      }
    }
  }

  forget(account: string): void {
    for (const [key, memory] of this.#byKey) {
      if (memory.target.account === account) {
        this.#byKey.delete(key);
      }
    }
  }
}

function fresh(target: Target, generation: number): RejectionMemory {
  return {
    target,
    generation,
    accepted: 0,
    unasked: 0,
    kept: null,
    nextProbe: 0,
    renewedFor401: null,
    renewedFor401At: Number.NEGATIVE_INFINITY,
    rejected: 0,
    doubted: null,
  };
}
