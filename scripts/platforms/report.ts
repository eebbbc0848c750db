export interface Outcome {
  what: string;
  how: 'held' | 'failed' | 'skipped';
  /** Why it failed; empty otherwise. */
  why: string;
}

export interface ReportedTry {
  /** What is known of the machine. */
  system: readonly string[];
  outcomes: readonly Outcome[];
  /** What only a person can look at. */
  byHand: readonly string[];
  /** Texts that are left out: folders and names of the user’s. */
  hidden: readonly string[];
}

const marks = { held: '✓', failed: '✗', skipped: '–' } as const;
/** The most characters of a failure’s text. */
const shown = 1_500;

/** In Markdown, for an issue. */
export function platformReport({ system, outcomes, byHand, hidden }: ReportedTry): string {
  const count = (how: Outcome['how']) => outcomes.filter((outcome) => outcome.how === how).length;
  const failures = outcomes.filter(({ how }) => how === 'failed');
  const lines = [
    `**Lanyard on ${system.join(', ')}**`,
    '',
    `${count('held')} held, ${count('failed')} failed, ${count('skipped')} skipped`,
    '',
    ...outcomes.map(({ what, how }) => `- ${marks[how]} ${what}`),
    ...failures.flatMap(({ what, why }) => [
      '',
      `<details><summary>${what}</summary>`,
      '',
      '```',
      why.slice(0, shown),
      '```',
      '',
      '</details>',
    ]),
    ...(byHand.length === 0 ? [] : ['', 'Please look at these, and tick what held:', '']),
    ...byHand.map((each) => `- [ ] ${each}`),
  ];
  return hidden
    .filter((text) => text.length > 1)
    .reduce((text, secret) => text.replaceAll(secret, '…'), lines.join('\n'));
}
