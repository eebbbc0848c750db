import 'vitest';

declare module 'vitest' {
  interface TaskMeta {
    /** Why it is skipped. */
    why?: string | null;
  }
}

/**
 * Options of a `test` or a `describe` that is skipped for a reason, null where it runs. Reasons are counted at the end of
 * a run. One that begins with `missing: ` names a part that `./scripts/setup.sh test` fetches: it fails in CI.
 */
export const unless = (why: string | null) => ({ skip: why !== null, meta: { why } });
