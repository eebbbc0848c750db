import { groupOf } from '../../../contract/config/config.ts';
import { durationMilliseconds } from '../../../contract/duration.ts';
import { clusterCalled } from '../../../domain/naming/cluster-called.ts';
import { unknownName } from '../../../domain/text/unknown-name.ts';
import type { ConfigStore } from '../../../ports/config-store.ts';
import type { HistoryReader } from '../../../ports/history-reader.ts';
import { usageError } from '../command.ts';

/** `--since 1h` as a point in time, milliseconds since 1970. Throws BrokerError (usage). */
export function sinceOption(command: string, text: string, now: number): number {
  const milliseconds = durationMilliseconds(text);
  if (milliseconds === null) {
    throw usageError(command, '--since takes a time such as 30s, 15m, 8h or 90d');
  }
  return now - milliseconds;
}

/** `--limit`: an integer from 1 to `most`. Throws BrokerError (usage). */
export function limitOption(command: string, text: string | undefined, usual: number, most: number): number {
  if (text === undefined) {
    return usual;
  }
  const limit = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > most) {
    throw usageError(command, `--limit takes a number from 1 to ${most}`);
  }
  return limit;
}

/**
 * The account or the cluster. An alias counts only where neither config.yaml nor the history has the name: the history
 * of a removed cluster stays in reach. Throws BrokerError (notFound) for what none of them has.
 */
export function knownName(
  what: 'account' | 'cluster',
  said: string,
  deps: { config: Pick<ConfigStore, 'current'>; history: Pick<HistoryReader, 'names'> },
): string {
  const configured = deps.config.current()[groupOf(what)];
  if (configured.has(said)) {
    return said;
  }
  const remembered = deps.history.names(what);
  if (remembered.includes(said)) {
    return said;
  }
  const { clusters } = deps.config.current();
  const name = what === 'cluster' ? clusterCalled(said, clusters.values()) : said;
  if (!configured.has(name)) {
    throw unknownName(what, name, new Set([...configured.keys(), ...remembered]));
  }
  return name;
}
