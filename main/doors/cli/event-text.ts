import { localTime } from '../../domain/local-time.ts';
import { visibleText } from '../../domain/visible-text.ts';
import type { Caller } from '../../ports/caller.ts';
import type { CallEvent } from '../../ports/history.ts';
import type { RecordedEvent } from '../../ports/history-reader.ts';

/** What the file says is shown as text and nothing else, whoever may have written it there. */
export function shown(text: string): string {
  return visibleText(text, 512);
}

/** `kubectl` of `/usr/local/bin/kubectl`. */
export function programName(executable: string | null): string {
  return executable === null ? 'unknown' : shown(executable.split(/[\\/]/).at(-1) || executable);
}

/** The caller for a table: its program, its pid, and where it isn't this machine's own. */
export function callerText({ executable, pid, origin, sure }: Caller): string {
  const where = origin === 'local' ? '' : ` ${shown(origin)}`;
  return `${programName(executable)}[${pid}]${where}${sure ? '' : ' ?'}`;
}

/**
 * One event as one line of JSON; `at` is this machine's time with its offset. What steers a terminal stands there as
 * an escape: JSON itself escapes no more than the first 32 characters, and a pager shows the rest as it is.
 */
export function eventJson({ id, at, event }: RecordedEvent): string {
  return JSON.stringify({ id, at: localTime(at, 'milliseconds'), ...event }).replace(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    (character) =>
      [...Array(character.length).keys()]
        .map((unit) => `\\u${character.charCodeAt(unit).toString(16).padStart(4, '0')}`)
        .join(''),
  );
}

export const auditHeading = ['TIME', 'PROGRAM', 'DOOR', 'CLUSTER', 'ACCOUNT', 'DECISION', 'REASON', 'MS'];

/** The cells under `auditHeading`. */
export function auditCells(at: number, event: CallEvent): string[] {
  return [
    localTime(at),
    callerText(event.caller),
    shown(event.door),
    event.cluster === null ? '-' : shown(event.cluster),
    shown(event.account),
    event.outcome === 'handedOut' ? 'handed out' : 'refused',
    shown(event.reason),
    (event.microseconds / 1000).toFixed(1),
  ];
}
