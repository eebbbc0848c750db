import { userInfo } from 'node:os';
import type { Disposable } from '../base/disposables.ts';
import { createListeners } from '../base/listeners.ts';
import { SerialQueue } from '../base/serial-queue.ts';
import { toRefusal } from '../contract/broker-error.ts';
import type { ToolsView } from '../contract/ui/state.ts';
import {
  binFolders,
  type InstallEnvironment,
  type InstallPlaces,
  installPlaces,
  ownShell,
  pathLine,
} from '../installed/install-plan.ts';
import {
  type InstallDeps,
  type InstallOptions,
  type InstallReport,
  installTools,
  placesFor,
} from '../installed/install-tools.ts';
import { wouldPlace } from '../installed/place.ts';
import { isProgram, isTool, wantedPrograms } from '../installed/programs.ts';
import { inOrder, type Removal, removeEntry } from '../installed/remove-entry.ts';
import { repairTools } from '../installed/repair.ts';
import type { Clock } from '../ports/clock.ts';
import type { Recorder } from '../ports/history.ts';
import type { Log } from '../ports/log.ts';

export interface CommandToolsDeps extends InstallDeps {
  clock: Pick<Clock, 'boottime'>;
  log: Log;
  recorder: Pick<Recorder, 'record'>;
  /** The folder in which a package of the system's put them; null: none did. */
  packaged(): Promise<string | null>;
  /** The broker's own: what counts where no caller tells its own. */
  environment: InstallEnvironment;
}

export interface RemovedTool {
  path: string;
  outcome: Removal;
}

/** `lanyard`, kubectl's plugin and their completions, on the user's PATH: for the command line and for pages. */
export interface CommandTools {
  /** Their present state; null: there is no folder for them. Checked again after ten seconds. */
  view(): Promise<ToolsView | null>;
  /** Without an environment the broker's own counts. Throws BrokerError. */
  install(options: Partial<InstallOptions>): Promise<InstallReport>;
  /** Takes these alone back; what was changed since is left. */
  remove(): Promise<readonly RemovedTool[]>;
  /**
   * While `work` runs nothing is installed: a repair that checked before must not restore what an uninstallation
   * removes meanwhile.
   */
  alone<T>(work: () => Promise<T>): Promise<T>;
  /** Once at each start: restores links that an update has broken or outdated. */
  repair(): Promise<void>;
  onChange(listener: () => void): Disposable;
}

const viewMilliseconds = 10_000;

export function createCommandTools(deps: CommandToolsDeps): CommandTools {
  const { ledger, clock, recorder, log } = deps;
  const changed = createListeners();
  // Each checks the present state first: two at once would disturb each other.
  const queue = new SerialQueue();
  const own = ownEnvironment(deps.environment);
  let seen: { at: number; view: Promise<ToolsView | null> } | null = null;
  const change = <T>(work: () => Promise<T>): Promise<T> =>
    queue.run(async () => {
      try {
        return await work();
      } finally {
        seen = null;
        changed.tell();
      }
    });
  return {
    view() {
      if (seen === null || clock.boottime() - seen.at > viewMilliseconds) {
        seen = { at: clock.boottime(), view: look(own, deps) };
      }
      return seen.view;
    },
    install: ({ environment = own, into, dryRun = false }) =>
      change(async () => {
        const report = await installTools({ environment, into, dryRun }, deps);
        if (!dryRun) {
          recorder.record({ kind: 'change', what: 'install', name: null });
        }
        return report;
      }),
    remove: () =>
      change(async () => {
        const removed: RemovedTool[] = [];
        const entries = await ledger.entries();
        const tools = entries.filter(isTool);
        const folders = entries.filter(
          ({ kind, path }) => kind === 'folder' && tools.some((tool) => isBelow(tool.path, path)),
        );
        for (const entry of inOrder([...tools, ...folders])) {
          const outcome = await removeEntry(entry, ledger);
          if (entry.kind !== 'folder') {
            removed.push({ path: entry.path, outcome });
          }
        }
        recorder.record({ kind: 'change', what: 'install.remove', name: null });
        return removed;
      }),
    alone: change,
    repair: () =>
      change(async () => {
        const paths = await repairTools(deps);
        if (paths.length > 0) {
          log.info('tools.repaired', { paths });
        }
      }).catch((error: unknown) => log.warn('tools.repair', { error })),
    onChange: (listener) => changed.add(listener),
  };
}

async function look(environment: InstallEnvironment, deps: CommandToolsDeps): Promise<ToolsView | null> {
  try {
    const [usual] = binFolders(environment, deps.platform);
    return await lookAtPrograms(environment, deps).catch((error: unknown) => ({
      kind: 'damaged' as const,
      ...stateOf(installPlaces(environment, deps.platform, usual), environment, deps),
      trouble: [{ path: deps.ledger.file, what: toRefusal(error).message }],
    }));
  } catch {
    // The owner of such tools would be unknown.
    return null;
  }
}

async function lookAtPrograms(environment: InstallEnvironment, deps: CommandToolsDeps): Promise<ToolsView> {
  const places = await placesFor({ environment }, deps);
  const entries = await deps.ledger.entries();
  const trouble: ToolsView['trouble'] = [];
  let good = 0;
  let all = 0;
  for (const wanted of await wantedPrograms(places.bin, entries, deps)) {
    const would = await wouldPlace(wanted, deps.ledger);
    all += 1;
    good += would.kind === 'present' ? 1 : 0;
    if (would.kind === 'left') {
      trouble.push({ path: wanted.path, what: would.what });
    } else if (would.kind === 'made' && entries.some(({ path }) => path === wanted.path)) {
      trouble.push({ path: wanted.path, what: 'it is missing' });
    }
  }
  const isThere = good > 0 || entries.some(isProgram);
  const folder = isThere ? null : await deps.packaged();
  if (folder !== null) {
    return { kind: 'packaged', folder, isOnPath: true, pathLine: null, trouble: [] };
  }
  const kind = good === all ? 'installed' : isThere ? 'damaged' : 'none';
  return { kind, ...stateOf(places, environment, deps), trouble };
}

function stateOf(
  { bin, isOnPath }: InstallPlaces,
  environment: InstallEnvironment,
  { platform }: Pick<CommandToolsDeps, 'platform'>,
): Pick<ToolsView, 'folder' | 'isOnPath' | 'pathLine'> {
  const line = platform === 'win32' ? null : pathLine(bin, ownShell(environment));
  return { folder: bin, isOnPath, pathLine: line };
}

/** A broker that a helper started has no SHELL: the system knows the user's. */
function ownEnvironment(environment: InstallEnvironment): InstallEnvironment {
  return environment['SHELL'] ? environment : { ...environment, SHELL: shellOfPerson() };
}

function shellOfPerson(): string | undefined {
  try {
    return userInfo().shell ?? undefined;
  } catch {
    // A container's user may have no entry.
    return undefined;
  }
}

function isBelow(path: string, folder: string): boolean {
  return path.startsWith(`${folder}/`) || path.startsWith(`${folder}\\`);
}
