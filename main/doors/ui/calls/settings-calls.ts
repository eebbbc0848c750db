import { isDeepStrictEqual } from 'node:util';
import { silenceWindow } from '../../../consent/windows/kinds/silence.ts';
import type { Windows } from '../../../consent/windows/windows.ts';
import type { Settings } from '../../../contract/config/settings.ts';
import { usualKinds } from '../../../contract/ui/activity-kinds.ts';
import { type BrokerSide, brokerChecks } from '../../../doctor/broker-checks.ts';
import { type GroupedFinding, runChecks } from '../../../doctor/run-checks.ts';
import { userChecks } from '../../../doctor/user/user-checks.ts';
import { userVariables } from '../../../doctor/user/user-environment.ts';
import type { LoadedCluster } from '../../../domain/loaded-config.ts';
import type { Paths } from '../../../domain/paths.ts';
import type { InventoryFiguresReader } from '../../../operations/inventories/inventory-figures.ts';
import { type BundleProxy, type BundleStatus, supportBundle } from '../../../operations/support-bundle.ts';
import { chooseProxy, type ProxyEnvironment } from '../../../platform/network/choose-proxy.ts';
import { trustedAuthorities } from '../../../platform/network/trusted-authorities.ts';
import type { Browser } from '../../../ports/browser.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { ConfigStore, LoadedConfig } from '../../../ports/config-store.ts';
import type { HistoryEvent, Recorder } from '../../../ports/history.ts';
import type { HistoryReader } from '../../../ports/history-reader.ts';
import type { Log } from '../../../ports/log.ts';
import type { RequestProxy } from '../../../ports/request-proxy.ts';
import type { Vault } from '../../../ports/vault.ts';
import type { UiHandlers } from '../handlers.ts';
import { openOrElse } from './open-or-else.ts';
import { mustHaveVault } from './vault-made.ts';

export interface SettingsCallsDeps extends BrokerSide {
  version: string;
  paths: Paths;
  clock: Clock;
  log: Log;
  recorder: Recorder;
  config: Pick<ConfigStore, 'edit' | 'file' | 'current' | 'problems'>;
  vault: Pick<Vault, 'state'>;
  browser: Browser;
  /** The broker’s environment. */
  environment: ProxyEnvironment;
  history: BrokerSide['history'] & { reader: Pick<HistoryReader, 'events'> };
  status: { read(): Promise<BundleStatus> };
  inventoryFigures: Pick<InventoryFiguresReader, 'read'>;
  requestProxy: BrokerSide['requestProxy'] & { proxy: Pick<RequestProxy, 'requests'> };
  windows: Pick<Windows, 'open'>;
}

const eventLimit = 200;
/** As many as config.yaml takes. */
const mostFavorites = 256;
const mostDismissed = 64;

/** Shows and changes settings, runs the doctor, and makes the support bundle. */
export function createSettingsCalls(
  deps: SettingsCallsDeps,
): Pick<
  UiHandlers,
  | 'settings.read'
  | 'settings.set'
  | 'settings.dismissWarning'
  | 'cluster.favorite'
  | 'doctor.run'
  | 'bundle.make'
> {
  const { config, clock, log, paths } = deps;
  const platform = process.platform;
  const examine = (
    signal: AbortSignal,
    onProgress: (ended: number, all: number) => void,
  ): Promise<GroupedFinding[]> => {
    const variables = Object.fromEntries(
      userVariables.flatMap((name) => {
        const value = deps.environment[name];
        return value === undefined ? [] : [[name, value] as const];
      }),
    );
    const checks = [
      ...brokerChecks(deps, undefined),
      ...userChecks(
        { platform, cwd: paths.home, variables },
        paths,
        clock,
        config.current(),
        deps.requestProxy.proxy.knownPlace()?.port ?? null,
        deps.access,
      ),
    ];
    return runChecks(checks, { clock, log, onProgress }, signal);
  };
  /** Puts an item into a list of the look, or takes it out. What `known` no longer names is dropped; the newest stay. */
  const list = async (
    key: 'favorites' | 'dismissedWarnings',
    item: string,
    isIn: boolean,
    most: number,
    known: (now: LoadedConfig) => readonly string[],
  ): Promise<void> => {
    await config.edit((now) => {
      const { [key]: listed = [], ...others } = now.settings.appearance;
      const stays = new Set(known(now));
      const rest = listed.filter((each) => each !== item);
      const next = (isIn ? [...rest, item] : rest).filter((each) => stays.has(each)).slice(-most);
      const value = { ...others, ...(next.length > 0 && { [key]: next }) };
      return [{ kind: 'setSetting', name: 'appearance', value: withoutUnsaid(value) }];
    });
    deps.recorder.record({ kind: 'change', what: 'setting.set', name: 'appearance' });
  };
  return {
    'settings.read': async () => ({
      settings: config.current().settings,
      held: deps.gate()
        ? []
        : deps.bindings.changes().flatMap(({ what, name }) => (what === 'setting' ? [name] : [])),
      paths: pathsShown(paths),
      proxies: proxiesOf(deps.environment),
      authorities: trustedAuthorities()?.length ?? null,
      versions: versionsOf(deps.version),
      canOpenBrowser: deps.browser.available(),
    }),
    'settings.set': async ({ name, value }, { isOwn }) => {
      if (isBound(name)) {
        mustHaveVault(deps.vault);
      }
      const write = async () => {
        await config.edit(({ settings }) => {
          // A page sets the theme alone, and leaves the rest as it is.
          const kept = name === 'appearance' ? settings.appearance : {};
          return [{ kind: 'setSetting', name, value: withoutUnsaid({ ...kept, ...value }) }];
        });
        deps.recorder.record({ kind: 'change', what: 'setting.set', name });
      };
      const before = config.current().settings[name];
      const lines = isOwn || isBound(name) ? [] : turnedOff(before, value);
      if (lines.length > 0) {
        const wanted = {
          title: name === 'updates' ? 'Turn off the update check' : 'Turn off notifications',
          heading: name === 'updates' ? 'Turn off the update check?' : 'Turn off these notifications?',
          text:
            name === 'updates'
              ? 'Lanyard doesn’t look for newer versions any more, security fixes included.'
              : 'Lanyard doesn’t notify you of these any more.',
          yes: 'Turn off',
          changes: [{ title: name, lines }],
          isCurrent: () => isDeepStrictEqual(config.current().settings[name], before),
          apply: write,
        };
        await openOrElse(deps.windows, silenceWindow(wanted), `set ${name} in ${config.file}`);
        return { held: false, asks: true };
      }
      await write();
      return { held: isBound(name), asks: false };
    },
    'cluster.favorite': async ({ cluster, favorite }) => {
      await list('favorites', cluster, favorite, mostFavorites, ({ clusters }) => [
        ...clusters.keys(),
        ...deps.inventories.used.current().map(({ contextName }) => contextName),
      ]);
      return {};
    },
    'settings.dismissWarning': async ({ message, dismissed }) => {
      await list('dismissedWarnings', message, dismissed, mostDismissed, () =>
        config.problems().flatMap(({ severity, message }) => (severity === 'warning' ? [message] : [])),
      );
      return {};
    },
    'doctor.run': async (_, { signal, progress }) => ({
      findings: await examine(signal, (ended, all) => progress({ ended, all })),
    }),
    'bundle.make': async ({ names }, { signal, progress }) => {
      const findings = await examine(signal, (ended, all) => progress({ ended, all }));
      const { accounts, clusters } = await deps.status.read();
      const { events } = await deps.history.reader.events({
        since: 0,
        kinds: usualKinds,
        matching: wentWrong,
        limit: eventLimit,
      });
      const { accounts: known, clusters: places, inventories, settings } = config.current();
      const used = deps.inventories.used.current();
      const { rows } = await deps.inventories.profiles.read();
      const figures = await deps.inventoryFigures.read();
      const text = supportBundle(
        {
          now: clock.now(),
          versions: versionsOf(deps.version),
          findings,
          status: {
            vault: JSON.stringify(deps.vault.state()),
            accounts,
            clusters,
            inventories: figures.map((each) => ({
              ...each,
              hub: inventories.get(each.name)?.config.cluster ?? null,
            })),
            requestProxy: await inNumbers(deps.requestProxy.proxy, [...places.values()]),
            problems: [
              ...config
                .problems()
                .map(({ severity, line, message }) => `config.yaml:${line}: ${severity}: ${message}`),
              ...deps.history.problems(),
            ],
          },
          settings: {
            ...settings,
            // Its path and arguments may name a user or a host.
            terminal: { chosen: settings.terminal.command !== undefined },
            // Its rules and favorites are names.
            ...(!names && { appearance: { theme: settings.appearance.theme } }),
          },
          events,
        },
        names
          ? null
          : {
              accounts: [...known.keys()],
              clusters: [...places.keys(), ...used.map(({ contextName }) => contextName)],
              inventories: [...inventories.keys()],
              profiles: new Set(
                [...rows.map(({ profile }) => profile), ...used].map(
                  ({ namespace, name }) => `${namespace}/${name}`,
                ),
              ),
              home: deps.environment['HOME'] ?? paths.home,
              user: deps.environment['USER'] ?? '',
            },
      );
      const day = new Date(clock.now()).toISOString().slice(0, 10);
      return { fileName: `lanyard-support-${day}.txt`, text };
    },
  };
}

async function inNumbers(
  proxy: SettingsCallsDeps['requestProxy']['proxy'],
  clusters: readonly LoadedCluster[],
): Promise<BundleProxy> {
  return {
    isRunning: proxy.running() !== null,
    clusters: clusters.filter(({ config }) => config.proxy !== undefined).length,
    requests: (await proxy.requests(null)).length,
    faults: proxy.faults().length,
  };
}

/** False for settings that only change looks, notifications and the update check (rule: confirmed-binding). */
function isBound(name: keyof Settings): boolean {
  return name !== 'appearance' && name !== 'notifications' && name !== 'updates';
}

/** What is turned off, as lines of a difference. Turning on needs no approval. */
function turnedOff(before: object, after: object): string[] {
  const kept = new Map<string, unknown>(Object.entries(after));
  return Object.entries(before).flatMap(([key, on]) =>
    on === true && kept.get(key) !== true ? [`- ${key}: true`, `+ ${key}: false`] : [],
  );
}

/** config.yaml only gets what the user set. */
function withoutUnsaid(value: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined && each !== ''));
}

function pathsShown(paths: Paths) {
  return [
    { what: 'Home', path: paths.home },
    { what: 'Configuration', path: paths.config },
    { what: 'Vault (encrypted)', path: paths.vault },
    { what: 'History', path: paths.history },
    { what: 'Separate kubeconfig', path: paths.kubeconfig },
    { what: 'Helper', path: paths.helper },
    { what: 'Socket', path: paths.socket },
    { what: 'Log', path: paths.log },
  ];
}

/** The proxy variables, without user name and password. */
function proxiesOf(environment: ProxyEnvironment): { variable: string; value: string }[] {
  return ['HTTPS_PROXY', 'HTTP_PROXY', 'ALL_PROXY', 'NO_PROXY'].flatMap((variable) => {
    const found = [variable, variable.toLowerCase()].find((name) => environment[name]);
    if (found === undefined) {
      return [];
    }
    const text = environment[found] ?? '';
    if (variable === 'NO_PROXY') {
      return [{ variable: found, value: text }];
    }
    const choice = chooseProxy(new URL('https://cluster.invalid'), text, {});
    const value =
      choice.kind === 'proxy' ? choice.proxy.name : choice.kind === 'unusable' ? 'can’t be used' : 'none';
    return [{ variable: found, value }];
  });
}

function versionsOf(version: string) {
  return [
    { what: 'Lanyard', version },
    { what: 'Node', version: process.versions.node },
    { what: 'System', version: `${process.platform} ${process.arch}` },
  ];
}

function wentWrong(event: HistoryEvent): boolean {
  switch (event.kind) {
    case 'call':
      return event.outcome === 'refused';
    case 'login':
      return event.outcome === 'refused';
    case 'renewal':
      return event.outcome === 'failed';
    case 'pluginRun':
      return event.code !== null;
    case 'inventory':
      return event.what === 'failing';
    case 'rejection':
      return event.verdict !== 'accepted' && event.action !== 'cleared' && event.action !== 'forgotten';
    default:
      return false;
  }
}
