import type { StatusReader } from '../../../access/status.ts';
import { usualKinds } from '../../../contract/ui/activity-kinds.ts';
import { clockText, spanText } from '../../../contract/ui/time-texts.ts';
import { addsToPlugin } from '../../../domain/target/plugin-additions.ts';
import { clusterOf } from '../../../domain/target/target.ts';
import { rowTime } from '../../../domain/text/local-time.ts';
import { eventSentence } from '../../../operations/event-sentence.ts';
import { plainEvent, programName, shown } from '../../../operations/event-text.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { ConfigStore, LoadedAccount } from '../../../ports/config-store.ts';
import type { HistoryReader, ProgramUse, RecordedEvent } from '../../../ports/history-reader.ts';
import { type Command, done, json, parseWords } from '../command.ts';
import { columnsOf, table } from '../table.ts';
import { knownName, sinceOption } from './history-options.ts';

const eventLimit = 1_000;

export interface HistoryCommandDeps {
  history: HistoryReader;
  config: Pick<ConfigStore, 'current'>;
  status: StatusReader;
  clock: Pick<Clock, 'now'>;
}

interface ClusterHistory {
  cluster: string;
  /** Null: it is no longer in config.yaml. */
  server: string | null;
  account: string | null;
  /** Expiry of the current credential; milliseconds since 1970. */
  expiresAt: number | null;
  programs: ProgramUse[];
  events: RecordedEvent[];
  cut: boolean;
}

/** `lanyard history CLUSTER [--since 24h] [--json]`. Also while locked: it holds no secret. */
export function historyCommand(deps: HistoryCommandDeps): Command {
  return async (call) => {
    const { positionals, values } = parseWords('history', call.args, ['CLUSTER'], {
      since: { type: 'string' },
      json: { type: 'boolean' },
    });
    const since = sinceOption('history', values.since ?? '24h', deps.clock.now());
    const cluster = knownName('cluster', positionals[0] ?? '', deps);
    call.terminal.extend(300);
    const found = await read(cluster, since, deps);
    if (values.json) {
      const { events, ...rest } = found;
      return done(
        json({ ...rest, events: events.map(({ id, at, event }) => ({ id, at, ...plainEvent(event) })) }),
      );
    }
    return done(text(found, deps.clock.now(), columnsOf(call.terminal)));
  };
}

async function read(cluster: string, since: number, deps: HistoryCommandDeps): Promise<ClusterHistory> {
  const configured = deps.config.current().clusters.get(cluster)?.config;
  const { clusters } = await deps.status.read();
  const named = new Set(configured ? [configured.account] : deps.history.accountsOf(cluster));
  const subject = {
    name: cluster,
    accounts: named,
    audience: configured?.audience ?? null,
    hasOwn:
      configured !== undefined &&
      (addsToPlugin({ config: configured }) ||
        isMadePerCluster(deps.config.current().accounts.get(configured.account))),
  };
  const { events, cut } = await deps.history.events({
    since,
    limit: eventLimit,
    // Who asked is told by the programs.
    kinds: usualKinds.filter((kind) => kind !== 'call'),
    matching: (event) => concerns(event, subject),
  });
  return {
    cluster,
    server: configured?.server ?? null,
    account: configured?.account ?? null,
    expiresAt: clusters.find(({ name }) => name === cluster)?.expiresAt ?? null,
    programs: await deps.history.programs({ cluster, since }),
    events,
    cut,
  };
}

interface Subject {
  name: string;
  accounts: ReadonlySet<string>;
  audience: string | null;
  /** Its account's plugin is told the cluster, or gets more for it: what it gives for others is none of this one's. */
  hasOwn: boolean;
}

function isMadePerCluster(account: LoadedAccount | undefined): boolean {
  return (
    account !== undefined && 'execPlugin' in account.config && account.config.execPlugin.provideClusterInfo
  );
}

/** Also the account's own token, which one for an audience is exchanged for; not one for another cluster's audience. */
function concerns(event: RecordedEvent['event'], { name, accounts, audience, hasOwn }: Subject): boolean {
  if (event.kind === 'lock') {
    return true;
  }
  if (event.kind === 'inventory') {
    return event.context === name;
  }
  if (event.kind === 'change') {
    return event.name === null || event.name === name || accounts.has(event.name);
  }
  if (event.kind === 'generation' || event.kind === 'pluginRun') {
    const isOthers = event.target !== null && clusterOf(event.target) !== name;
    if (isOthers && (event.kind === 'generation' || hasOwn)) {
      return false;
    }
  } else if ('target' in event) {
    return clusterOf(event.target) === name;
  }
  const isForOther = 'audience' in event && event.audience !== null && event.audience !== audience;
  return accounts.has(event.account) && !isForOther;
}

function text(found: ClusterHistory, now: number, columns: number | null): string {
  const { server, account, expiresAt, events, programs } = found;
  const sections = [
    table([
      [
        'cluster',
        `${shown(found.cluster)}${server === null ? ' (no longer in config.yaml)' : `, ${server}`}`,
      ],
      ...(account === null ? [] : [['account', account]]),
      ['credential', expiresAt === null ? 'no expiry known' : endText(expiresAt, now)],
    ]),
  ];
  if (programs.length > 0) {
    sections.push(
      table(
        [
          ['PROGRAM', 'ISSUED', 'DENIED', 'LAST', 'PATH'],
          ...programs.map((each) => [
            programName(each.executable),
            String(each.handedOut),
            String(each.refused),
            rowTime(each.lastAt, now),
            each.executable === null ? '' : shown(each.executable),
          ]),
        ],
        columns,
      ),
    );
  } else {
    sections.push('No requests for it in that time.');
  }
  const lines = events.map(({ at, event }) => [
    rowTime(at, now),
    eventSentence(event, { time: (each) => rowTime(each, now) }),
  ]);
  if (lines.length > 0) {
    sections.push(table([['TIME', 'WHAT'], ...lines]));
  }
  if (found.cut) {
    sections.push('There is more before that: see a shorter --since.');
  }
  return sections.join('\n\n');
}

function endText(expiresAt: number, now: number): string {
  return expiresAt - now < 1000
    ? `expired at ${clockText(expiresAt, now)}`
    : `expires in ${spanText(expiresAt - now)} (${clockText(expiresAt, now)})`;
}
