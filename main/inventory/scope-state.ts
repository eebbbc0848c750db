import type { Clock } from '../ports/clock.ts';
import type { InventoryState } from './inventory-state.ts';
import type { SourceTrouble } from './source-fault.ts';

/** How one scope of a source stands. */
export class ScopeState {
  readonly #clock: Pick<Clock, 'now' | 'boottime'>;
  #trouble: SourceTrouble | null = null;
  #troubleSince: number | null = null;
  #retryAt: number | null = null;
  #servedVersion: string | null = null;
  #isInStep = false;
  /** When it was last in step, by both clocks. */
  #heard: { wall: number; boottime: number } | null = null;

  constructor(clock: Pick<Clock, 'now' | 'boottime'>) {
    this.#clock = clock;
  }

  get trouble(): SourceTrouble | null {
    return this.#trouble;
  }

  get troubleSince(): number | null {
    return this.#troubleSince;
  }

  get retryAt(): number | null {
    return this.#retryAt;
  }

  get servedVersion(): string | null {
    return this.#servedVersion;
  }

  get isInStep(): boolean {
    return this.#isInStep;
  }

  /** Null: not since the start. */
  get heard(): { wall: number; boottime: number } | null {
    return this.#heard;
  }

  serve(version: string): void {
    this.#servedVersion = version;
  }

  /** True: that is news. */
  hear(): boolean {
    this.#heard = { wall: this.#clock.now(), boottime: this.#clock.boottime() };
    const isNews = !this.#isInStep;
    this.#isInStep = true;
    this.#trouble = null;
    this.#troubleSince = null;
    this.#retryAt = null;
    return isNews;
  }

  /** True: that is news, not the same fault once more. */
  fail(trouble: SourceTrouble, retryAt: number | null): boolean {
    const isNews = this.#isInStep || this.#trouble?.text !== trouble.text || this.#retryAt !== retryAt;
    this.#isInStep = false;
    this.#trouble = { code: trouble.code, text: trouble.text };
    this.#troubleSince ??= this.#clock.now();
    this.#retryAt = retryAt;
    return isNews;
  }
}

/** The state of a whole inventory. `storedAt`: when it was last in step by what was on disk at the start. */
export function stateOf(
  scopes: ReadonlyMap<string | null, ScopeState>,
  clock: Pick<Clock, 'now' | 'boottime'>,
  storedAt: number | null,
  isOverQuota: boolean,
): InventoryState {
  const all = [...scopes.entries()];
  const failing = all.find(([, each]) => each.trouble !== null);
  const isLive = all.length > 0 && all.every(([, each]) => each.isInStep);
  const oldest = all.reduce<ScopeState['heard'] | undefined>(
    (found, [, { heard }]) =>
      found === undefined || heard === null || (found !== null && heard.boottime < found.boottime)
        ? heard
        : found,
    undefined,
  );
  const lastSyncAt = oldest ? oldest.wall : storedAt;
  return {
    kind: isLive ? 'live' : lastSyncAt === null && !failing ? 'starting' : 'stale',
    lastSyncAt,
    // Within one run by the clock that nothing sets; a stored time in the future tells nothing.
    lagMilliseconds: oldest
      ? clock.boottime() - oldest.boottime
      : storedAt === null
        ? null
        : Math.max(0, clock.now() - storedAt),
    trouble: failing ? troubleOf(...failing) : isOverQuota ? overQuota : null,
    troubleSince: failing?.[1].troubleSince ?? null,
    servedVersion: all[0]?.[1].servedVersion ?? null,
    retryAt: failing?.[1].retryAt ?? null,
  };
}

const overQuota: SourceTrouble = {
  code: 'overQuota',
  text: 'there are more profiles than an inventory may have: the rest is left out',
};

function troubleOf(namespace: string | null, { trouble }: ScopeState): SourceTrouble | null {
  return trouble === null || namespace === null
    ? trouble
    : { ...trouble, text: `namespace ${namespace}: ${trouble.text}` };
}
