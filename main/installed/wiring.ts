import { readFile } from 'node:fs/promises';
import type { Paths } from '../domain/paths.ts';
import type { UserContexts } from '../kubeconfig/user-contexts/user-contexts.ts';
import { runBriefly } from '../platform/programs/run-briefly.ts';
import type { Clock } from '../ports/clock.ts';
import type { Recorder } from '../ports/history.ts';
import type { Keychain } from '../ports/keychain.ts';
import type { UndoKubeconfigs } from '../ports/undo-kubeconfigs.ts';
import { keychainService, type VaultControl } from '../vault/index.ts';
import type { DockerConfigs } from './docker/docker-configs.ts';
import type { Leaving } from './leave-home.ts';
import type { Ledger } from './ledger.ts';
import { createServiceManager } from './service/manager.ts';
import { stopAfterAnswer } from './stop-after-answer.ts';

const helperMilliseconds = 5_000;

export interface InstalledParts {
  platform: string;
  paths: Paths;
  clock: Clock;
  ledger: Ledger;
  manPage: string;
}

/** What an installation of the command line tools needs. The helper prints the scripts, so that they match it. */
export function createInstallDeps({ platform, paths, clock, ledger, manPage }: InstalledParts) {
  return {
    platform,
    ledger,
    now: () => clock.now(),
    helper: paths.helper,
    readHelper: () => readFile(paths.helper),
    completion: async (shell: string) => {
      const ran = await runBriefly(paths.helper, ['completion', shell], {
        environment: {},
        limitMilliseconds: helperMilliseconds,
      });
      return ran.ok && ran.stdout !== '' ? ran.stdout : null;
    },
    manPage: () => readFile(manPage).catch(() => null),
  };
}

export interface UninstallParts extends Omit<InstalledParts, 'manPage'> {
  recorder: Pick<Recorder, 'record'>;
  userContexts: UserContexts;
  kubeconfigs: UndoKubeconfigs;
  docker: Pick<DockerConfigs, 'list' | 'undo'>;
  keychain: Pick<Keychain, 'delete'>;
  vault: Pick<VaultControl, 'state' | 'dispose'>;
  leave(what: Leaving): void;
  tools: { alone<T>(work: () => Promise<T>): Promise<T> };
}

/** What `lanyard uninstall` needs. */
export function createUninstallDeps(parts: UninstallParts) {
  const { platform, paths, clock, vault, keychain, leave } = parts;
  return {
    ledger: parts.ledger,
    userContexts: parts.userContexts,
    kubeconfigs: parts.kubeconfigs,
    docker: parts.docker,
    recorder: parts.recorder,
    now: () => clock.now(),
    alone: parts.tools.alone,
    vault: { state: () => vault.state(), close: () => vault.dispose(), keychain, keychainService },
    managed: paths.kubeconfig,
    places: { ...paths, platform, keychainService },
    manager: (environment: Readonly<Record<string, string>>) =>
      createServiceManager(platform === 'darwin' ? 'darwin' : 'linux', environment),
    stop: (what: Leaving, { signal }: { signal: AbortSignal }) =>
      stopAfterAnswer(() => leave(what), signal, clock),
  };
}
