import type { z } from 'zod';
import type { uiCalls } from '../contract/ui/calls/index.ts';
import { callClass } from '../domain/figures/call-class.ts';
import { programName } from '../domain/program/program-name.ts';
import type { TargetName } from '../domain/target/target.ts';
import { visibleText } from '../domain/text/visible-text.ts';
import type { HistoryReader } from '../ports/history-reader.ts';

/** The last calls for one target, newest first. */
export async function readLastCalls(
  target: TargetName,
  most: number,
  history: Pick<HistoryReader, 'events'>,
): Promise<z.output<(typeof uiCalls)['cluster.lastCalls']['output']>> {
  const { events } = await history.events({ since: 0, kinds: ['call'], target, limit: most });
  return {
    calls: events.toReversed().flatMap(({ id, at, event }) =>
      event.kind === 'call'
        ? [
            {
              id,
              at,
              program: programName(event.caller.executable, 100),
              pid: event.caller.pid,
              door: event.door,
              outcome: event.outcome,
              class: callClass(event.outcome, event.reason),
              reason: visibleText(event.reason, 100),
              microseconds: event.microseconds,
            },
          ]
        : [],
    ),
  };
}
