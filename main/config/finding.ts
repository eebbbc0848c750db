import type { Path } from './yaml-text.ts';

/** A fault in the parsed value, before its line is known. */
export interface Finding {
  severity: 'error' | 'warning';
  path: Path;
  at: 'key' | 'value';
  /** Lower case; begins with the dotted path, such as `clusters.prod.server: `. */
  message: string;
  /** The message without the path. */
  text: string;
  /** It names an account or a cluster that isn’t there. */
  isMissing: boolean;
}

export type Raw = Record<string, unknown>;
export type Report = (severity: Finding['severity'], path: Path, message: string, at?: Finding['at']) => void;

/** What the rules of an entry look at, and where they report what they find. */
export interface Looking {
  /** As they are written. */
  accounts: Raw;
  clusters: Raw;
  report: Report;
  /** An entry names one that isn’t there. */
  reportMissing(what: 'account' | 'cluster', name: string, path: Path): void;
}

/** The items of what should be a list. */
export function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
