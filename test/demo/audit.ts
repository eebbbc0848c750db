/** A line of `lanyard audit --json`, as far as the demo looks at it. */
export interface AuditLine {
  kind: string;
  id: number;
  outcome: 'handedOut' | 'refused';
  /** `held`, `renewed`, `loggedIn`, or a refusal's code. */
  reason: string;
  account: string;
  cluster: string | null;
  generation: number | null;
}

/** The calls among the lines. */
export function readAudit(lines: string): AuditLine[] {
  return lines.split('\n').flatMap((line) => {
    const event = line === '' ? null : (JSON.parse(line) as AuditLine);
    return event?.kind === 'call' ? [event] : [];
  });
}

/** In words, such as `5 issued (cached)`; empty where there was none. */
export function describeAudit(lines: readonly AuditLine[]): string {
  const counts = new Map<string, number>();
  for (const { outcome, reason } of lines) {
    const key = outcome === 'handedOut' ? `issued (${reasonWords[reason] ?? reason})` : `denied (${reason})`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return [...counts].map(([key, count]) => `${count} ${key}`).join(', ');
}

const reasonWords: Record<string, string> = {
  held: 'cached',
  renewed: 'renewed',
  loggedIn: 'just logged in',
};
