import type { CallClass } from '../doors.ts';
import { counted, countText } from './count-text.ts';

export type CallCounts = Readonly<Record<CallClass, number>>;

/** What became of a call, in the words of docs/GLOSSARY.md: in a list, a legend, a count. */
export const callClassNames: Readonly<Record<CallClass, string>> = {
  handedOut: 'Issued',
  noCredential: 'No credential',
  declined: 'Denied',
  failed: 'Failed',
};

/**
 * Calls by what became of them: `26 calls this hour: 20 issued, 5 denied, 1 failed`. The only words for such a count, so
 * that two places that count the same calls say the same.
 */
export function callsText(counts: CallCounts, when = ''): string {
  const shown = Object.entries(callClassNames).flatMap(([name, label]) => {
    const calls = counts[name as CallClass];
    return calls > 0 ? [{ calls, words: label.toLowerCase() }] : [];
  });
  const total = shown.reduce((sum, { calls }) => sum + calls, 0);
  const calls = `${total === 0 ? 'no calls' : counted(total, 'call')}${when === '' ? '' : ` ${when}`}`;
  const [first] = shown;
  if (first && shown.length === 1) {
    return `${calls}${total === 1 ? ':' : ', all'} ${first.words}`;
  }
  const parts = shown.map((each) => `${countText(each.calls)} ${each.words}`).join(', ');
  return parts === '' ? calls : `${calls}: ${parts}`;
}

/** How many calls of these steps had each outcome. */
export function callCounts(
  steps: readonly { counts: readonly { class: CallClass; calls: number }[] }[],
): Record<CallClass, number> {
  const total = { handedOut: 0, noCredential: 0, declined: 0, failed: 0 };
  for (const { counts } of steps) {
    for (const { class: name, calls } of counts) {
      total[name] += calls;
    }
  }
  return total;
}
