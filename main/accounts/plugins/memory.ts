/** One run of a wrapped plugin, as it is kept in memory for people. */
export interface PluginRunReport {
  account: string;
  /** The cluster that it was told; null: none. */
  cluster: string | null;
  /** When it ended, as the history has it; milliseconds since 1970. */
  at: number;
  milliseconds: number;
  where: 'broker' | 'caller';
  /** Null: it gave a credential; else one sentence, lower case. */
  problem: string | null;
  /** The user ended it at their terminal: no failure of the plugin's. */
  isByHand: boolean;
  /** The last lines that it wrote to stderr, stripped: they may say anything, and are never written to disk. */
  lines: readonly string[];
}

const runLimit = 20;

/** What wrapped plugins did lately, by account; in memory alone. */
export class PluginMemory {
  readonly #byAccount = new Map<string, PluginRunReport[]>();

  note(report: PluginRunReport): void {
    const known = this.#byAccount.get(report.account) ?? [];
    this.#byAccount.set(report.account, [...known, report].slice(-runLimit));
  }

  /** The last run that says how the plugin does; null: none since the broker's start. */
  lastOf(account: string): PluginRunReport | null {
    return this.recent(account).findLast(({ isByHand }) => !isByHand) ?? null;
  }

  /** The newest last. */
  recent(account: string): readonly PluginRunReport[] {
    return this.#byAccount.get(account) ?? [];
  }

  /** The account was changed, removed or logged out. */
  forget(account: string): void {
    this.#byAccount.delete(account);
  }
}
