import { clusterOf } from '../../../domain/target/target.ts';
import { rowTime } from '../../../domain/text/local-time.ts';
import { shown } from '../../../operations/event-text.ts';
import type { HistoryEvent, RequestEvent } from '../../../ports/history.ts';

export const requestHeading = [
  'TIME',
  'PROGRAM',
  'CLUSTER',
  'METHOD',
  'STATUS',
  'MS',
  'SENT',
  'RECEIVED',
  'PATH',
];

/** The cells under `requestHeading`; bytes are those of bodies. */
export function requestCells(
  at: number,
  event: RequestEvent | Extract<HistoryEvent, { kind: 'moreRequests' }>,
  now: number,
): string[] {
  const cluster = shown(clusterOf(event.target) ?? '-');
  const bytes = [String(event.bytesUp), String(event.bytesDown)];
  return event.kind === 'moreRequests'
    ? [rowTime(at, now), '-', cluster, '-', '-', '-', ...bytes, `${event.requests} more requests`]
    : [
        rowTime(at, now),
        `${shown(event.program ?? 'unknown')}[${event.pid}]`,
        cluster,
        shown(event.method),
        event.status === 0 ? '-' : String(event.status),
        String(event.milliseconds),
        ...bytes,
        shown(event.path),
      ];
}
