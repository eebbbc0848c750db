import type { AccountConfig } from '../../contract/config/accounts/account.ts';
import {
  type CallObjective,
  callObjective,
  dayMilliseconds,
  type HourOfRuns,
  type Rotation,
  type RotationObjective,
  rotationObjective,
} from '../../domain/figures/plugin-objectives.ts';
import { type PluginTrouble, pluginTroubles } from '../../domain/program/plugin-trouble.ts';
import { noInterpreterText } from '../../domain/program/program.ts';
import type { Gate } from '../../ports/broker-core.ts';
import type { Clock } from '../../ports/clock.ts';
import type { ConfigStore, LoadedAccount } from '../../ports/config-store.ts';
import type { HistoryReader, RecordedEvent } from '../../ports/history-reader.ts';
import type { PluginPrograms } from '../../ports/plugin-programs.ts';
import { type CachedExpiry, cachedExpiry, isKept } from './cached-expiry.ts';
import type { CachedCredential } from './certificates.ts';
import type { PluginMemory, PluginRunReport } from './memory.ts';
import { countedVariables } from './rules/counted-variables.ts';
import { type InteractiveMode, interactiveModeOf } from './rules/interactive-mode.ts';
import { awsProcessSeconds, providerRunSeconds, timeLimits } from './rules/time-limits.ts';

/** Rotations are few: those of so many days are counted, and of all accounts the newest so many. */
export const rotationDays = 30;
const rotationLimit = 5_000;
const runLimit = 10;

/** How a plugin, or its share for one cluster, keeps to KEP-541's objectives. */
export interface PluginHealth {
  calls: CallObjective;
  rotations: RotationObjective;
  troubles: readonly PluginTrouble[];
}

export type PluginKind = RecordedRun['plugin'];
type RecordedRun = Extract<RecordedEvent['event'], { kind: 'pluginRun' }>;
export type PluginRun = Omit<RecordedRun, 'kind' | 'plugin' | 'account'> & {
  /** Milliseconds since 1970. */
  at: number;
};

export interface CachedOfPlugin extends CachedExpiry {
  /** The cluster that it was made for; null: it serves any. */
  cluster: string | null;
  /** It is for the clients that waited for it, as the plugin stated no expiry (KEP-541). */
  forItsClientsAlone: boolean;
  /** Names of the caller’s variables that shaped it. */
  variables: readonly string[];
}

/**
 * One exec plugin, provider plugin, program for AWS keys or program that signs requests: how it is run, its runs, its
 * cached credentials. Contains no secret. All but the first have no terminal and no variables of a caller, and KEP-541’s
 * objectives are not for them: their `isMet` is null.
 */
export interface PluginReport extends PluginHealth {
  account: string;
  plugin: PluginKind;
  command: string;
  args: readonly string[];
  interactiveMode: InteractiveMode;
  /** Seconds. */
  limits: { alone: number; atTerminal: number };
  /** The caller's variables that its answer depends on: names, and beginnings of names with a `*`. */
  variables: readonly string[];
  provideClusterInfo: boolean;
  /** A client with a lock file gets a run and a proxy of its own (KEP-2718). */
  passProxyConfig: boolean;
  share: boolean;
  pin: boolean;
  /** How long a provider plugin’s answer without its own duration is cached, such as `12h`; null: it is none. */
  defaultCacheDuration: string | null;
  lastRun: PluginRun | null;
  /** By cluster, of the last 24 hours' runs and the rotations that count. */
  clusters: readonly (PluginHealth & { cluster: string | null })[];
  held: readonly CachedOfPlugin[];
}

export interface PluginDetails extends PluginReport {
  program: { path: string | null; problem: string | null };
  /** The newest last. */
  runs: readonly PluginRun[];
  /** The last run that failed, and the last that said something, since the broker's start; the newest last, as of `runs`. */
  said: readonly Pick<PluginRunReport, 'at' | 'cluster' | 'problem' | 'lines'>[];
}

export interface PluginReportDeps {
  config: Pick<ConfigStore, 'current'>;
  history: Pick<HistoryReader, 'events' | 'pluginRuns' | 'rotations'>;
  pluginMemory: Pick<PluginMemory, 'recent'>;
  programs: Pick<PluginPrograms, 'check'>;
  clock: Pick<Clock, 'now'>;
  gate: Gate;
  heldOf(accountName: string): readonly CachedCredential[];
}

export interface PluginReader {
  all(): Promise<readonly PluginReport[]>;
  /** Null: the account runs no plugin, or there is none of that name. */
  one(accountName: string): Promise<PluginDetails | null>;
}

export function createPluginReader(deps: PluginReportDeps): PluginReader {
  const read = async () => {
    const now = deps.clock.now();
    const since = now - rotationDays * dayMilliseconds;
    return {
      now,
      hours: await deps.history.pluginRuns(now),
      rotations: await deps.history.rotations({ since, limit: rotationLimit }),
    };
  };
  const runsOf = async (account: string, limit: number): Promise<PluginRun[]> => {
    const { events } = await deps.history.events({ since: 0, kinds: ['pluginRun'], account, limit });
    return events.flatMap(({ at, event }) => {
      if (event.kind !== 'pluginRun') {
        return [];
      }
      const { kind: _, plugin: __, account: ___, ...run } = event;
      return [{ at, ...run }];
    });
  };
  const reportOf = (
    name: string,
    settings: PluginSettings,
    kept: Awaited<ReturnType<typeof read>>,
    lastRun: PluginRun | null,
  ): PluginReport => {
    const hours = kept.hours.filter(({ account }) => account === name);
    const rotations = kept.rotations.filter(({ account }) => account === name);
    const clusters = new Set([...hours, ...rotations].map(({ cluster }) => cluster));
    return {
      account: name,
      ...settings,
      lastRun,
      ...healthOf(settings.plugin, hours, rotations, kept.now),
      clusters: [...clusters]
        .toSorted((a, b) => (a ?? '').localeCompare(b ?? ''))
        .map((cluster) => {
          const isOf = (each: { cluster: string | null }) => each.cluster === cluster;
          return {
            cluster,
            ...healthOf(settings.plugin, hours.filter(isOf), rotations.filter(isOf), kept.now),
          };
        }),
      held: deps
        .heldOf(name)
        .filter(({ credential }) => settings.plugin === 'execPlugin' || isKept(credential))
        .map((each) => ({
          cluster: each.target?.name ?? null,
          ...cachedExpiry([each], null),
          forItsClientsAlone: (each.credential.noExpiry?.onlyFor ?? null) !== null,
          variables: each.variables ?? [],
        })),
    };
  };
  return {
    async all() {
      const kept = await read();
      const reports: PluginReport[] = [];
      for (const { name, config } of deps.config.current().accounts.values()) {
        const settings = settingsOf(config);
        if (settings) {
          reports.push(reportOf(name, settings, kept, (await runsOf(name, 1)).at(-1) ?? null));
        }
      }
      return reports;
    },
    async one(name) {
      const account = deps.config.current().accounts.get(name);
      const settings = account && settingsOf(account.config);
      if (!account || !settings) {
        return null;
      }
      const runs = await runsOf(name, runLimit);
      return {
        ...reportOf(name, settings, await read(), runs.at(-1) ?? null),
        program: await programOf(account, deps.programs),
        runs,
        // What a plugin says may be a code or a name: nothing of it while locked.
        said: deps.gate() === null ? saidBy(deps.pluginMemory.recent(name)) : [],
      };
    },
  };
}

type PluginSettings = Omit<PluginReport, keyof PluginHealth | 'account' | 'lastRun' | 'clusters' | 'held'>;

/** Null: the account runs no plugin. */
function settingsOf(config: AccountConfig): PluginSettings | null {
  if ('execPlugin' in config) {
    const { command, args, provideClusterInfo, passProxyConfig, share, pin } = config.execPlugin;
    return {
      plugin: 'execPlugin',
      command,
      args,
      interactiveMode: interactiveModeOf(config.execPlugin),
      limits: timeLimits(config.execPlugin),
      variables: countedVariables(config.execPlugin),
      provideClusterInfo,
      passProxyConfig,
      share,
      pin,
      defaultCacheDuration: null,
    };
  }
  if ('awsProcess' in config) {
    const { command, args, pin } = config.awsProcess;
    const seconds = awsProcessSeconds(config.awsProcess);
    return {
      ...alone,
      plugin: 'awsProcess',
      command,
      args,
      limits: { alone: seconds, atTerminal: seconds },
      pin,
      defaultCacheDuration: null,
    };
  }
  if ('requestSigner' in config) {
    const { command, args, pin, timeoutSeconds } = config.requestSigner;
    return {
      ...alone,
      plugin: 'requestSigner',
      command,
      args,
      limits: { alone: timeoutSeconds, atTerminal: timeoutSeconds },
      pin,
      defaultCacheDuration: null,
    };
  }
  if (!('credentialProvider' in config)) {
    return null;
  }
  const { command, args, pin, defaultCacheDuration } = config.credentialProvider;
  return {
    ...alone,
    plugin: 'credentialProvider',
    command,
    args,
    limits: { alone: providerRunSeconds, atTerminal: providerRunSeconds },
    pin,
    defaultCacheDuration,
  };
}

/** Of a program that has no terminal and no variables of a caller. */
const alone = {
  interactiveMode: 'Never',
  variables: [],
  provideClusterInfo: false,
  passProxyConfig: false,
  share: true,
} as const;

/** A cluster's troubles are its plugin's: what rises or comes too soon for one is drowned in the sum of all. */
function healthOf(
  plugin: PluginKind,
  hours: readonly HourOfRuns[],
  rotations: readonly Rotation[],
  now: number,
): PluginHealth {
  const lately = rotations.filter(({ at }) => at > now - dayMilliseconds);
  const clusters = new Set([...hours, ...lately].map(({ cluster }) => cluster));
  const troubles = [...clusters].flatMap((cluster) =>
    pluginTroubles(
      hours.filter((each) => each.cluster === cluster),
      lately.filter((each) => each.cluster === cluster),
    ),
  );
  const calls = callObjective(hours);
  return {
    calls: plugin === 'execPlugin' ? calls : { ...calls, isMet: null },
    rotations: rotationObjective(rotations),
    troubles: [...new Set(troubles)],
  };
}

/** Where the program of a plugin is, or the module of a token, and why it can’t be run; null: it can. */
export async function programOf(
  account: LoadedAccount,
  programs: PluginReportDeps['programs'],
): Promise<PluginDetails['program']> {
  try {
    const { facts, fault } = await programs.check(account);
    if (facts.kind !== 'program') {
      return { path: facts.path, problem: missing[facts.kind] };
    }
    const stuck = facts.interpreter?.isMissing
      ? `it can’t be run: ${noInterpreterText(facts.interpreter)}`
      : null;
    return { path: facts.path, problem: fault ? faults[fault] : stuck };
  } catch {
    return { path: null, problem: 'locked: whether it is the confirmed one can’t be told' };
  }
}

const faults = {
  unsafe: 'others can write it or a folder above it: it isn’t run',
  moved: 'it is another one than was confirmed: lanyard confirm',
  changed: 'it has changed since it was confirmed: lanyard confirm',
} as const;
const missing = {
  missing: 'there is no such program',
  notExecutable: 'it can’t be executed',
  folder: 'it is a folder',
  notAFile: 'it is no file',
  otherKind: 'Windows runs no files of its kind directly',
  elsewhere: 'it is on another machine',
} as const;

function saidBy(recent: readonly PluginRunReport[]): PluginDetails['said'] {
  const failed = recent.findLast(({ problem }) => problem !== null);
  const spoke = recent.findLast(({ lines }) => lines.length > 0);
  return recent
    .filter((each) => each === failed || each === spoke)
    .map(({ at, cluster, problem, lines }) => ({ at, cluster, problem, lines }));
}
