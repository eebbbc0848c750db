import { exitCodes } from '../../../contract/exit-codes.ts';
import { requestKinds, usualKinds } from '../../../contract/ui/activity-kinds.ts';
import { clusterOf } from '../../../domain/target/target.ts';
import { eventJson } from '../../../operations/event-text.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { ConfigStore } from '../../../ports/config-store.ts';
import type { DoorAnswer } from '../../../ports/door.ts';
import type { HistoryEvent } from '../../../ports/history.ts';
import type { HistoryReader, RecordedEvent } from '../../../ports/history-reader.ts';
import { type Command, type CommandCall, done, parseWords } from '../command.ts';
import { columnsOf, table } from '../table.ts';
import { auditCells, auditHeading } from './audit-cells.ts';
import { followEvents } from './follow-events.ts';
import { knownName, limitOption, sinceOption } from './history-options.ts';
import { requestCells, requestHeading } from './request-cells.ts';

const usualLimit = 1_000;
/** What fits a frame of 8 MiB, with text of ordinary length. */
const mostLimit = 10_000;
const answerCharacters = 4 * 1024 * 1024;

export interface AuditCommandDeps {
  history: HistoryReader;
  config: Pick<ConfigStore, 'current'>;
  clock: Clock;
}

/** What is shown: the table has calls alone, or requests through the request proxy. */
interface View {
  json: boolean;
  requests: boolean;
  cluster?: string;
  account?: string;
}

/**
 * `lanyard audit [--since 1h] [--cluster NAME] [--account NAME] [--requests] [--limit N] [--wide] [--json] [--follow]`. Also
 * while locked: it holds no secret, and who asked meanwhile is what one wants to see then.
 */
export function auditCommand(deps: AuditCommandDeps): Command {
  return async (call) => {
    const { values } = parseWords('audit', call.args, [], {
      since: { type: 'string' },
      cluster: { type: 'string' },
      account: { type: 'string' },
      requests: { type: 'boolean' },
      limit: { type: 'string' },
      wide: { type: 'boolean' },
      json: { type: 'boolean' },
      follow: { type: 'boolean' },
    });
    const limit = limitOption('audit', values.limit, usualLimit, mostLimit);
    const since = sinceOption('audit', values.since ?? '1h', deps.clock.now());
    const view: View = {
      json: values.json ?? false,
      requests: values.requests ?? false,
      ...(values.cluster !== undefined && { cluster: knownName('cluster', values.cluster, deps) }),
      ...(values.account !== undefined && { account: knownName('account', values.account, deps) }),
    };
    call.terminal.extend(300);
    const lastId = deps.history.lastId();
    const { events, cut } = await deps.history.events({
      ...view,
      since,
      limit,
      kinds: kindsOf(view),
    });
    if (values.follow) {
      return follow(call, deps, view, events, lastId);
    }
    const columns = columnsOf(call.terminal, values.wide);
    return wholeAnswer(events, view, { cut, columns, now: deps.clock.now() });
  };
}

function wholeAnswer(
  events: readonly RecordedEvent[],
  view: View,
  { cut, columns, now }: { cut: boolean; columns: number | null; now: number },
): DoorAnswer {
  let left = answerCharacters;
  const fitting = events.toReversed().filter((event) => {
    left -= eventJson(event).length;
    return left >= 0;
  });
  const kept = fitting.toReversed();
  const hint =
    cut || kept.length < events.length
      ? `hint: these are the newest ${kept.length}, there are more; see --since and --limit`
      : undefined;
  if (view.json) {
    return kept.length === 0 ? done(undefined, hint) : done(kept.map(eventJson).join('\n'), hint);
  }
  const rows = kept.flatMap((event) => cellsOf(event, now));
  return rows.length === 0
    ? done(undefined, 'No requests in that time.')
    : done(table([view.requests ? requestHeading : auditHeading, ...rows], columns), hint);
}

function kindsOf({ json, requests }: View): readonly HistoryEvent['kind'][] {
  return requests ? requestKinds : json ? usualKinds : ['call'];
}

function cellsOf({ at, event }: RecordedEvent, now: number): string[][] {
  switch (event.kind) {
    case 'call':
      return [auditCells(at, event, now)];
    case 'request':
    case 'moreRequests':
      return [requestCells(at, event, now)];
    default:
      return [];
  }
}

/** Wide enough for most; what comes later can't be known. */
const followWidths = {
  calls: [15, 20, 5, 16, 12, 10, 17, 0],
  requests: [15, 20, 16, 7, 6, 8, 10, 10, 0],
};

async function follow(
  call: CommandCall,
  deps: AuditCommandDeps,
  view: View,
  past: readonly RecordedEvent[],
  lastId: number,
): Promise<DoorAnswer> {
  const widths = view.requests ? followWidths.requests : followWidths.calls;
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd();
  const textOf = (events: readonly RecordedEvent[]) =>
    events
      .filter(({ event }) => matches(event, view))
      .map((each) => {
        if (view.json) {
          return `${eventJson(each)}\n`;
        }
        return cellsOf(each, deps.clock.now())
          .map((cells) => `${line(cells)}\n`)
          .join('');
      })
      .join('');
  const heading = view.json ? '' : `${line(view.requests ? requestHeading : auditHeading)}\n`;
  const isShown = call.terminal.writeStdout(heading + textOf(past.filter(({ id }) => id <= lastId)));
  if (!isShown) {
    return {
      code: exitCodes.version,
      stderr:
        'lanyard: the helper is too old for --follow\nhint: start the agent again: it puts its own helper in place\n',
    };
  }
  await followEvents({
    history: deps.history,
    clock: deps.clock,
    after: lastId,
    signal: call.signal,
    show: (events) => {
      const text = textOf(events);
      if (text !== '') {
        call.terminal.writeStdout(text);
      }
    },
    stay: (seconds) => call.terminal.extend(seconds),
  });
  return done();
}

function matches(event: RecordedEvent['event'], view: View): boolean {
  const { cluster, account } = view;
  return (
    kindsOf(view).includes(event.kind) &&
    (cluster === undefined || ('target' in event && clusterOf(event.target) === cluster)) &&
    (account === undefined || ('account' in event && event.account === account))
  );
}
