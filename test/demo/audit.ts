/** A line of the broker's audit, as far as the demo looks at it. */
export interface AuditLine {
  outcome: 'handedOut' | 'refused';
  /** `held`, `renewed`, `loggedIn`, or a refusal's code. */
  reason: string;
  account: string;
  cluster: string | null;
  generation: number | null;
}

/** The audit lines of a broker's log. Other lines are left out. */
export function readAudit(log: string): AuditLine[] {
  return log.split('\n').flatMap((line) => {
    if (!line.includes('"msg":"audit"')) {
      return [];
    }
    try {
      return [JSON.parse(line) as AuditLine];
    } catch {
      // The last line may be under way still.
      return [];
    }
  });
}

/** In words, such as `5 handed out (held)`; empty where there was none. */
export function describeAudit(lines: readonly AuditLine[]): string {
  const counts = new Map<string, number>();
  for (const { outcome, reason } of lines) {
    const key =
      outcome === 'handedOut' ? `handed out (${reasonWords[reason] ?? reason})` : `refused (${reason})`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return [...counts].map(([key, count]) => `${count} ${key}`).join(', ');
}

const reasonWords: Record<string, string> = { held: 'held', renewed: 'renewed', loggedIn: 'just logged in' };
