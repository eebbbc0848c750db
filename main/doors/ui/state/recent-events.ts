import type { Disposable } from '../../../base/disposables.ts';
import type { RegistryView } from '../../../contract/ui/state.ts';
import { programName } from '../../../domain/program/program-name.ts';
import { clusterOf, targetKey } from '../../../domain/target/target.ts';
import { visibleText } from '../../../domain/text/visible-text.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { HistoryReader, RecordedEvent } from '../../../ports/history-reader.ts';
import type { Log } from '../../../ports/log.ts';
import { createCallTally } from './call-tally.ts';

export interface RecentEventsDeps {
  history: Pick<HistoryReader, 'onRecorded' | 'lastCalls' | 'callsSince'>;
  clock: Pick<Clock, 'now'>;
  log: Log;
  /** Called when the events of before this start have been read from the history. */
  changed(): void;
}

/** The events that lists show, in memory, since they are read often. */
export interface RecentEvents extends Disposable {
  /**
   * Reads the events of before this broker’s start, for targets (as `targetKey` names them) that were not seeded before.
   * Returns immediately.
   */
  seed(targets: readonly string[]): void;
  lastCall(target: string): RegistryView['lastCall'];
  /** Changes with each event that this cluster’s timeline shows. */
  laneVersion(cluster: { name: string; account: string; audience: string | null }): number;
  counts(): ReturnType<ReturnType<typeof createCallTally>['read']>;
}

const hourMilliseconds = 3_600_000;

export function createRecentEvents({ history, clock, log, changed }: RecentEventsDeps): RecentEvents {
  const tally = createCallTally();
  const lastCalls = new Map<string, { id: number; view: RegistryView['lastCall'] }>();
  const marks = new Map<string, number>();
  const asked = new Set<string>();
  let firstId: number | null = null;
  let isHourSeeded = false;

  const live = history.onRecorded((recorded) => {
    const { id, event } = recorded;
    firstId ??= id;
    if (event.kind === 'call') {
      tally.note({ ...event, at: recorded.at });
      noteCall(recorded);
      return;
    }
    for (const key of markKeys(event)) {
      marks.set(key, id);
    }
  });

  function noteCall({ id, at, event }: RecordedEvent): void {
    const target = event.kind === 'call' && event.target !== null ? targetKey(event.target) : null;
    if (event.kind !== 'call' || target === null || (lastCalls.get(target)?.id ?? -1) >= id) {
      return;
    }
    const { door, caller, outcome, reason, microseconds } = event;
    const program = programName(caller.executable, 64);
    const parent = caller.parentName ? visibleText(caller.parentName, 64) : null;
    lastCalls.set(target, { id, view: { at, door, program, parent, outcome, reason, microseconds } });
  }

  async function seed(targets: readonly string[]): Promise<void> {
    const before = firstId ?? Number.POSITIVE_INFINITY;
    try {
      if (!isHourSeeded) {
        isHourSeeded = true;
        await history.callsSince(clock.now() - hourMilliseconds, (calls) => {
          for (const call of calls) {
            // Newer calls were noted when they came; the first of them may have come during this read.
            if (call.id < Math.min(before, firstId ?? Number.POSITIVE_INFINITY)) {
              tally.note(call);
            }
          }
        });
      }
      for (const recorded of (await history.lastCalls(targets)).values()) {
        noteCall(recorded);
      }
    } catch (error) {
      // The history itself reports this in the log and in the state’s problems.
      log.warn('ui.seed', { error });
    }
    changed();
  }

  return {
    seed(targets) {
      const unknown = targets.filter((name) => !asked.has(name));
      if (unknown.length > 0 || !isHourSeeded) {
        for (const name of unknown) {
          asked.add(name);
        }
        void seed(unknown);
      }
    },
    lastCall: (target) => lastCalls.get(target)?.view ?? null,
    laneVersion: ({ name, account, audience }) =>
      Math.max(
        marks.get(`account ${account}`) ?? 0,
        marks.get(grantMark(account, audience, null)) ?? 0,
        marks.get(grantMark(account, audience, name)) ?? 0,
        marks.get(`cluster ${name}`) ?? 0,
      ),
    counts: () => tally.read(clock.now()),
    dispose: () => live.dispose(),
  };
}

/** The keys of the timelines that show an event. */
function markKeys(event: RecordedEvent['event']): string[] {
  switch (event.kind) {
    case 'login':
    case 'logout':
      return [`account ${event.account}`];
    case 'generation':
      return [grantMark(event.account, event.audience, clusterOf(event.target))];
    case 'renewal':
      return event.outcome === 'failed' ? [grantMark(event.account, event.audience, null)] : [];
    case 'rejection':
      return [`cluster ${clusterOf(event.target)}`];
    default:
      return [];
  }
}

function grantMark(account: string, audience: string | null, cluster: string | null): string {
  return JSON.stringify([account, audience, cluster]);
}
