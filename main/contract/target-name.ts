/** Names a target: unique within its kind. */
export interface TargetName {
  /** `cluster` for an entry under `clusters` of config.yaml. Shared code compares kinds, and has no list of them. */
  readonly kind: string;
  readonly name: string;
}

export const clusterKind = 'cluster';

/** A target’s name for people: a cluster’s as it is, else with its kind before it. */
export function targetText(target: TargetName): string {
  const { kind, name } = target;
  return clusterOf(target) ?? `${Object.hasOwn(kindWords, kind) ? kindWords[kind] : kind} ${name}`;
}

/** Kinds whose word for users is another one than that of history.db. */
const kindWords: Readonly<Record<string, string>> = { 'registry-login': 'stored entry' };

/** The cluster’s name; null: the target is of another kind, or there is none. */
export function clusterOf(target: TargetName | null): string | null {
  return target?.kind === clusterKind ? target.name : null;
}
