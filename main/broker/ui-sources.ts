import type { Status } from '../access/status.ts';
import type { ClusterContext, DesktopView, LockView } from '../contract/ui/state.ts';
import { accountViews } from '../doors/ui/state/account-views.ts';
import { clusterViews } from '../doors/ui/state/cluster-views.ts';
import { contextsView, kubectlView } from '../doors/ui/state/contexts-view.ts';
import { inventoryViews } from '../doors/ui/state/inventory-views.ts';
import type { RecentEvents } from '../doors/ui/state/recent-events.ts';
import { registryViews } from '../doors/ui/state/registry-views.ts';
import type { StateSources } from '../doors/ui/state-feed.ts';
import { clusterContext } from '../operations/cluster-context.ts';
import type { Areas } from './areas.ts';

/** The state for the UI, from the broker's parts. One status is read for all sections that need it. */
export function createUiStateSources(
  areas: Areas,
  recent: RecentEvents,
  configRevision: () => number,
): StateSources {
  const { version, clock, config, browser, desktop, paths } = areas.deps;
  const { logins, grants } = areas.credentials;
  const { windows, board } = areas.consent;
  const { contextsWatch } = areas.kubeconfigs;
  const { serving } = areas.served;
  const { tools } = areas;
  const startedAt = clock.now();
  let status: Promise<Status> | null = null;
  /** The sections of one reading come one after the other: the first starts a new one. */
  const read = () => (status ??= areas.status.read());
  return {
    broker() {
      status = null;
      return {
        '': {
          version,
          home: paths.home,
          startedAt,
          platform: process.platform,
          canOpenBrowser: browser.available(),
          windows: windows.place(),
          configRevision: configRevision(),
        },
      };
    },
    lock: () => ({ '': lockView(areas) }),
    async problems() {
      const { config, history, metrics, undone } = await read();
      return {
        '': {
          config: config.problems.map(({ severity, file, line, path, message }) => ({
            severity,
            file,
            line,
            path: path.map(String),
            message,
          })),
          history: [...history.problems],
          undone: undone.map(({ file, text, command }) => ({ file, text, command })),
          metrics: metrics.problem,
        },
      };
    },
    accounts: async () => byName(accountViews(await read(), { config: serving, logins, grants })),
    clusters: async () =>
      byName(clusterViews(await read(), { config: serving, grants, recent, contextOf: contextOf(areas) })),
    registries: async () => byName(registryViews(await read(), { config: serving, grants, recent })),
    inventories: () =>
      byName(
        inventoryViews({
          config: areas.deps.config,
          inventories: areas.deps.inventories.inventories,
          profiles: areas.profiles,
          isOpen: () => areas.locking.gate() === null,
          isServed: (what, name) => areas.served.bindings.isServed(what, name),
        }),
      ),
    async held() {
      const { held } = await read();
      return Object.fromEntries(held.map((each) => [`${each.what} ${each.name}`, each]));
    },
    async imports() {
      const { imports } = await read();
      return Object.fromEntries(
        imports.map(({ file, importable }) => [file, { file, importable: [...importable] }]),
      );
    },
    questions: () => board.views(),
    strip: () => ({ '': recent.counts() }),
    window() {
      const view = windows.view();
      return view ? { '': view } : {};
    },
    contexts: () => ({
      '': {
        ...contextsView(contextsWatch.current()),
        kubectl: kubectlView(areas.kubeconfigs.userContexts, paths.kubeconfig),
      },
    }),
    desktop: (): Record<string, DesktopView> => (desktop ? { '': desktop.view() } : {}),
    async tools() {
      const view = await tools.view();
      return view ? { '': view } : {};
    },
    appearance() {
      const { appearance, notifications, updates } = config.current().settings;
      const { theme, favorites = [], dismissedWarnings = [] } = appearance;
      return { '': { theme, favorites, dismissedWarnings, notifications, updates } };
    },
  };
}

/** As the user’s kubectl is known to see it. */
function contextOf({
  deps,
  credentials,
  locking,
  kubeconfigs,
}: Areas): (name: string) => ClusterContext | null {
  const { contextsWatch, knownFiles, userContexts } = kubeconfigs;
  const view = { files: knownFiles(), contexts: contextsWatch.current() };
  const isLocked = locking.gate() !== null;
  return (name) => {
    const found = isLocked ? null : credentials.directory.cluster(name);
    return found?.ok
      ? clusterContext(found.cluster, view, { userContexts, managed: deps.paths.kubeconfig })
      : null;
  };
}

function lockView({ deps: { clock }, locking: { lock, idleLock } }: Areas): LockView {
  const state = lock.state();
  const idle = idleLock.state();
  return {
    kind: state.kind === 'locked' ? state.how : state.kind,
    reason: state.kind === 'open' ? null : state.reason,
    hint: state.kind === 'broken' ? state.hint : null,
    slots: state.kind === 'open' ? [...state.slots] : state.kind === 'locked' ? [...(state.ways ?? [])] : [],
    idle: idle && {
      afterSeconds: idle.afterIdleSeconds,
      // Rounded to seconds: it would otherwise be another value with each reading.
      locksAt: Math.round((clock.now() + idle.inSeconds * 1000) / 1000) * 1000,
    },
  };
}

function byName<Value extends { name: string }>(values: readonly Value[]): Record<string, Value> {
  return Object.fromEntries(values.map((value) => [value.name, value]));
}
