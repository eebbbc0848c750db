import type { ImportPlan } from '../../../domain/import/import-plan.ts';
import { shownName } from '../../../domain/text/shown-name.ts';
import { visibleText } from '../../../domain/text/visible-text.ts';

/** Shown of what may be thousands; `--json` has all. */
const limits = { reasons: 40, names: 8 };
const longestReason = 1000;

/** What no import takes, and why: each reason once, for that of a user keeps its contexts, too. None: nothing stays. */
export function staysText({ users, clusters }: Pick<ImportPlan, 'users' | 'clusters'>): string[] {
  const byReason = new Map<string, string[]>();
  const add = (who: string, becomes: object) => {
    if ('left' in becomes) {
      const reason = String(becomes.left);
      byReason.set(reason, [...(byReason.get(reason) ?? []), who]);
    }
  };
  for (const { user, becomes } of users) {
    add(`user ${shownName(user)}`, becomes);
  }
  for (const { context, becomes } of clusters) {
    add(`context ${shownName(context)}`, becomes);
  }
  if (byReason.size === 0) {
    return [];
  }
  const more = byReason.size - limits.reasons;
  return [
    [
      'Not imported:',
      ...[...byReason].slice(0, limits.reasons).map(([reason, who]) => `  ${reasonText(reason, who)}`),
      ...(more > 0 ? [`  … and ${more} more reasons (--json shows all)`] : []),
    ].join('\n'),
  ];
}

function reasonText(reason: string, who: readonly string[]): string {
  const more = who.length - limits.names;
  const names = `${who.slice(0, limits.names).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  return `${names}: ${visibleText(reason, longestReason)}`;
}
