import { programName as nameOf } from '../domain/program/program-name.ts';
import { clusterOf, type TargetName } from '../domain/target/target.ts';
import { localTime } from '../domain/text/local-time.ts';
import { plainJson } from '../domain/text/plain-json.ts';
import { visibleText } from '../domain/text/visible-text.ts';
import type { Caller } from '../ports/caller.ts';
import type { HistoryEvent } from '../ports/history.ts';
import type { RecordedEvent } from '../ports/history-reader.ts';

const shownLimit = 512;

/** Anyone may have written the file: its content is shown as plain text. */
export function shown(text: string): string {
  return visibleText(text, shownLimit);
}

/** `kubectl` of `/usr/local/bin/kubectl`. */
export function programName(executable: string | null): string {
  return nameOf(executable, shownLimit) ?? 'unknown';
}

/** The caller for a table: its program, its pid, and where it isn't this machine's own. */
export function callerText({ executable, pid, origin, sure }: Caller): string {
  const where = origin === 'local' ? '' : ` ${shown(origin)}`;
  return `${programName(executable)}[${pid}]${where}${sure ? '' : ' ?'}`;
}

/** One event as one line of JSON; `at` is this machine's time with its offset. A pager shows it as it is. */
export function eventJson({ id, at, event }: RecordedEvent): string {
  return plainJson(JSON.stringify({ id, at: localTime(at, 'milliseconds'), ...plainEvent(event) }));
}

/** An event as scripts read it: `cluster` names a cluster or is null, `target` what is no cluster. */
export function plainEvent(event: HistoryEvent): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(event).flatMap(([key, value]): [string, unknown][] => {
      if (key !== 'target') {
        return [[key, value]];
      }
      const target = value as TargetName | null;
      const cluster: [string, unknown] = ['cluster', clusterOf(target)];
      return target === null || cluster[1] !== null ? [cluster] : [cluster, ['target', target]];
    }),
  );
}
