import { clusterKind, type TargetName } from '../../contract/target-name.ts';
import type { LoadedCluster } from '../loaded-config.ts';

export { clusterKind, clusterOf, type TargetName, targetText } from '../../contract/target-name.ts';

/**
 * What a credential is asked for. Each door makes its own kind of target; checks, approvals, grants and the history
 * treat them all alike.
 */
export interface Target extends TargetName {
  /** The account whose credential goes there. */
  readonly account: string;
  /** The account's token is exchanged for one with this audience (RFC 8693); null: it goes there as it is. */
  readonly audience: string | null;
  /**
   * All that was approved of it, as one text (rule: confirmed-binding). With another text it is another target: an
   * earlier approval doesn’t cover it.
   */
  readonly shape: string;
  /** When you are asked before its credential is issued: `approval` of config.yaml. */
  readonly approval: string;
  /** Where its credential goes, for display: a server’s address. */
  readonly address: string;
  /** What an exec plugin is told with provideClusterInfo (KEP-541), or gets in addition; null: the target is no cluster. */
  readonly cluster: LoadedCluster | null;
}

/**
 * One text for a target’s name, as history.db stores it: `KIND NAME`, and for a cluster only its name. Names in
 * config.yaml have no spaces; a client may send any text as a cluster’s name.
 */
export function targetKey({ kind, name }: TargetName): string {
  return kind === clusterKind && !name.includes(' ') ? name : `${kind} ${name}`;
}

/** `targetKey` of a cluster. */
export function clusterKey(name: string): string {
  return targetKey(clusterName(name));
}

/** Parses what `targetKey` made. */
export function targetOfKey(key: string): TargetName {
  const space = key.indexOf(' ');
  return space < 0
    ? { kind: clusterKind, name: key }
    : { kind: key.slice(0, space), name: key.slice(space + 1) };
}

/** False where one of them is null. */
export function isSameTarget(a: TargetName | null, b: TargetName | null): boolean {
  return a !== null && b !== null && a.kind === b.kind && a.name === b.name;
}

export function clusterName(name: string): TargetName {
  return { kind: clusterKind, name };
}

/** Only the name: for the record, which stores nothing else of a target. */
export function nameOf({ kind, name }: TargetName): TargetName {
  return { kind, name };
}
