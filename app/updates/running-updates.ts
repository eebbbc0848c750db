import { join } from 'node:path';
import { raceAbort } from '../../main/base/abort.ts';
import { createListeners } from '../../main/base/listeners.ts';
import { BrokerError } from '../../main/contract/broker-error.ts';
import type { DesktopView } from '../../main/contract/ui/state.ts';
import { compareVersions } from './compare-versions.ts';
import { createDaily } from './daily.ts';
import { failures, inWords } from './failures.ts';
import { createFeed } from './feed.ts';
import { judge } from './judge.ts';
import { type Manifest, manifestName } from './manifest.ts';
import { type Memory, readMemory, writeMemory } from './memory.ts';
import type { PackageKind } from './package-kind.ts';
import type { PackageUpdater } from './package-updater.ts';
import type { Release } from './release.ts';
import type { Updates, UpdatesDeps } from './updates.ts';

type View = DesktopView['update'];
/** `look`: the daily check. Its failures aren't shown. */
type Step = 'look' | 'check' | 'fetch' | 'install';

export interface RunningUpdatesDeps extends UpdatesDeps {
  resources: string;
  release: Release;
  kind: PackageKind;
}

/** One step at a time: check, fetch, install. A version that was found stays found if a later check fails. */
export function createRunningUpdates(deps: RunningUpdatesDeps): Updates {
  const { electron, platform, arch, clock, log, release, folder } = deps;
  const feed = createFeed({ release, clock, fetch: (url, init) => electron.net.fetch(url, init) });
  const memoryFile = join(folder, 'feed.json');
  const current = electron.app.getVersion();
  const changed = createListeners();
  const ended = new AbortController();
  let view: View = { kind: 'idle', checkedAt: null };
  let found: Manifest | null = null;
  let fetched: { version: string; updater: PackageUpdater } | null = null;
  let memory: Memory = { highest: null, checkedAt: null };
  let step: { name: Step; done: Promise<void> } | null = null;

  const show = (next: View) => {
    view = next;
    changed.tell();
  };
  const rest = (): View => {
    if (fetched) {
      return { kind: 'ready', version: fetched.version };
    }
    return found
      ? { kind: 'available', version: found.version, notes: found.releaseNotes ?? null }
      : { kind: 'idle', checkedAt: memory.checkedAt };
  };
  /**
   * Runs steps one after another. A second call of the running step waits for it; a call of another step runs after
   * it.
   */
  const inTurn = async (name: Step, work: () => Promise<void>, signal: AbortSignal): Promise<void> => {
    while (step && step.name !== name) {
      await raceAbort(
        step.done.catch(() => undefined),
        signal,
      );
    }
    step ??= {
      name,
      done: work().finally(() => {
        step = null;
      }),
    };
    await raceAbort(step.done, signal);
  };

  const look = async (): Promise<void> => {
    const manifest = await feed.latest(manifestName(platform, arch), ended.signal);
    const verdict = judge({ offered: manifest.version, current, highest: memory.highest });
    if (verdict === 'replayed') {
      throw failures.replayed(manifest.version, memory.highest ?? '');
    }
    const isNewer = verdict === 'newer';
    memory = { highest: isNewer ? manifest.version : memory.highest, checkedAt: clock.now() };
    await writeMemory(memoryFile, memory).catch((error: unknown) => log.warn('update.memory', { error }));
    found = isNewer ? manifest : null;
    if (!found || (fetched && compareVersions(fetched.version, found.version) < 0)) {
      fetched = null;
    }
    log.info('update.checked', { offered: manifest.version, verdict });
  };

  const check = (isAsked: boolean) => async (): Promise<void> => {
    show({ kind: 'checking' });
    try {
      await look();
      show(rest());
    } catch (error) {
      log.warn('update.check', { error });
      // A failed daily check isn't shown: the machine may just be offline.
      show(isAsked ? { kind: 'failed', message: inWords(error) } : rest());
      throw error;
    }
  };

  const fetchFound = async (): Promise<void> => {
    if (!found) {
      throw failures.none();
    }
    if (fetched) {
      return;
    }
    const manifest = found;
    const { version } = manifest;
    show({ kind: 'fetching', version, share: 0 });
    try {
      const { createPackageUpdater } = await import('./package-updater.ts');
      const updater = createPackageUpdater({ ...deps, manifest, feed });
      await updater.fetch({ signal: ended.signal, onShare: showShare(version) });
      fetched = { version, updater };
      show(rest());
    } catch (error) {
      log.warn('update.fetch', { error });
      show({ kind: 'failed', message: inWords(error) });
      throw error instanceof BrokerError ? error : failures.notKept(error);
    }
  };
  /** Shows at most a hundred steps of progress. */
  const showShare = (version: string) => (share: number) => {
    const rounded = Math.floor(share * 100) / 100;
    if (view.kind === 'fetching' && rounded > view.share) {
      show({ kind: 'fetching', version, share: rounded });
    }
  };

  const refuseBusy = () => {
    const clause = deps.busy();
    if (clause !== null) {
      throw failures.busy(clause);
    }
  };
  const installFetched = async (): Promise<void> => {
    if (!fetched) {
      throw failures.none();
    }
    refuseBusy();
    try {
      await fetched.updater.check();
    } catch (error) {
      fetched = null;
      show({ kind: 'failed', message: inWords(error) });
      throw error;
    }
    // Reading a large file takes time, so a login may have begun.
    refuseBusy();
    log.info('update.install', { version: fetched.version });
    try {
      await fetched.updater.install(deps.handOver);
    } catch (error) {
      log.warn('update.install', { error });
      show({ kind: 'failed', message: inWords(error) });
      throw error;
    }
  };

  const known = readMemory(memoryFile).then((read) => {
    memory = read;
    if (view.kind === 'idle') {
      show(rest());
    }
    return createDaily({
      clock,
      random: deps.random,
      last: () => memory.checkedAt,
      isInTheWay: () => step !== null || deps.busy() !== null,
      run: () =>
        deps.isWanted()
          ? inTurn('look', check(false), ended.signal).catch(() => undefined)
          : Promise.resolve(),
    });
  });

  return {
    view: () => view,
    onChange: (listener) => changed.add(listener),
    check: async (signal) => {
      await known;
      await inTurn('check', check(true), signal);
    },
    fetch: (signal) => inTurn('fetch', fetchFound, signal),
    install: () => inTurn('install', installFetched, ended.signal),
    async dispose() {
      ended.abort(failures.off());
      (await known).dispose();
    },
  };
}
