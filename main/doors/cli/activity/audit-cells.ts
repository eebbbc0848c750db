import { sourceNames } from '../../../contract/doors.ts';
import { targetText } from '../../../domain/target/target.ts';
import { rowTime } from '../../../domain/text/local-time.ts';
import { callReason } from '../../../operations/call-result.ts';
import { callerText, shown } from '../../../operations/event-text.ts';
import type { CallEvent } from '../../../ports/history.ts';

export const auditHeading = ['TIME', 'PROGRAM', 'SOURCE', 'FOR', 'ACCOUNT', 'DECISION', 'REASON', 'MS'];

const decisions = { handedOut: 'issued', noCredential: 'no credential', refused: 'denied' } as const;

/** Reasons that the history has under an older word. */
const reasons: Readonly<Record<string, string>> = { held: 'cached' };

/** The cells under `auditHeading`. */
export function auditCells(at: number, event: CallEvent, now: number): string[] {
  return [
    rowTime(at, now),
    callerText(event.caller),
    sourceNames[event.door],
    event.target === null ? '-' : shown(targetText(event.target)),
    event.account === null ? '-' : shown(event.account),
    decisions[event.outcome],
    callReason(event) ?? reasons[event.reason] ?? shown(event.reason),
    (event.microseconds / 1000).toFixed(1),
  ];
}
