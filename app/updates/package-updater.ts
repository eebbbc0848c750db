import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import {
  AppImageUpdater,
  type AppUpdater,
  DebUpdater,
  MacUpdater,
  NsisUpdater,
  Provider,
  type ResolvedUpdateFileInfo,
  RpmUpdater,
  type UpdateInfo,
} from 'electron-updater';
import type { ProviderRuntimeOptions } from 'electron-updater/out/providers/Provider.js';
import type { Log } from '../../main/ports/log.ts';
import type { ElectronModule } from '../electron.ts';
import { type AppOfUpdater, createAppOfUpdater } from './app-of-updater.ts';
import { failures } from './failures.ts';
import type { Feed, FetchOptions } from './feed.ts';
import { installAsRoot, type RunAsRoot } from './install-as-root.ts';
import { installOnMac } from './install-on-mac.ts';
import { installOnWindows } from './install-on-windows.ts';
import type { Manifest, PackageFile } from './manifest.ts';
import type { PackageKind } from './package-kind.ts';

/*
 * The only file that uses electron-updater. It is imported only when the user wants a version, because that takes 100
 * ms. electron-updater knows where packages are stored, and how each system installs one. It gets no network access:
 * the manifest comes from the feed, already checked, and so do packages.
 */

export interface PackageUpdaterDeps {
  electron: Pick<ElectronModule, 'app' | 'autoUpdater'>;
  kind: PackageKind;
  manifest: Manifest;
  feed: Feed;
  /** Electron's `resources` folder. */
  resources: string;
  /** The folder for packages. */
  folder: string;
  log: Log;
  /** Default: the system's own way. */
  runAsRoot?: RunAsRoot;
}

/** One version that is being installed. */
export interface PackageUpdater {
  /** Throws BrokerError. Doesn't fetch again what an earlier start fetched completely. */
  fetch(options: FetchOptions): Promise<void>;
  /** Checks again that the package is the signed one: it was in a folder of the user's. Throws BrokerError. */
  check(): Promise<void>;
  /** Gives the package to the system's updater, and ends the app. Throws BrokerError; then the app keeps running. */
  install(handOver: (last: () => void) => Promise<void>): Promise<void>;
}

export function createPackageUpdater(deps: PackageUpdaterDeps): PackageUpdater {
  const { electron, kind, manifest, feed, log } = deps;
  const files = manifest.files.filter(({ url }) => url.endsWith(`.${kind}`));
  const app = createAppOfUpdater(deps);
  const updater = createUpdater(kind, providerOf(manifest, files, feed), app);
  let wanted: FetchOptions = { onShare: () => undefined, signal: AbortSignal.abort() };
  let failure: unknown;
  updater.on('error', (error) => {
    failure = error;
  });
  updater.logger = {
    info: (text) => log.debug('update.step', { text: String(text) }),
    warn: (text) => log.warn('update.step', { text: String(text) }),
    error: (text) => log.warn('update.step', { text: String(text) }),
  };
  updater.autoDownload = false;
  updater.autoInstallOnAppQuit = false;
  updater.allowDowngrade = false;
  updater.disableWebInstaller = true;
  updater.disableDifferentialDownload = true;
  takeNetwork(updater, async (address, to) => {
    const file = files.find((each) => feed.addressOf(each).href === address.href);
    if (!file) {
      throw failures.noPackage(manifest.version);
    }
    await feed.fetchPackage(file, to, wanted);
  });
  let fetched: string | null = null;
  /** The signed file that the fetched one matches. Throws if it matches none. */
  const signedOne = async () => {
    const path = fetched;
    const digest = path !== null && (await digestOf(path).catch(() => null));
    const file = files.find(({ sha512 }) => sha512 === digest);
    if (path === null || !file) {
      throw failures.otherFile();
    }
    return { path, file };
  };
  return {
    async fetch(options) {
      if (files.length === 0) {
        throw failures.noPackage(manifest.version);
      }
      wanted = options;
      const found = await updater.checkForUpdates();
      if (!found?.isUpdateAvailable) {
        // electron-updater also checks the minimum version of the system.
        throw failures.noPackage(manifest.version);
      }
      [fetched = null] = await updater.downloadUpdate();
    },
    async check() {
      await signedOne();
    },
    async install(handOver) {
      failure = undefined;
      if (updater instanceof MacUpdater) {
        await installOnMac({ native: electron.autoUpdater, handOver });
        return;
      }
      if (kind === 'deb' || kind === 'rpm') {
        // electron-updater would have root open a path of the user's, and would block the app until the password is
        // typed.
        await installAsRoot({ kind, ...(await signedOne()), ...(deps.runAsRoot && { run: deps.runAsRoot }) });
        app.relaunch();
        await handOver(() => app.leave());
        return;
      }
      if (updater instanceof NsisUpdater) {
        await installOnWindows({ install: () => updater.install(true, true), app, handOver });
        return;
      }
      if (!updater.install(true, true)) {
        throw failures.notInstalled(failure);
      }
      await handOver(() => app.leave());
    },
  };
}

function createUpdater(
  kind: PackageKind,
  options: Feeding,
  app: AppOfUpdater,
): AppImageUpdater | DebUpdater | RpmUpdater | NsisUpdater | MacUpdater {
  switch (kind) {
    case 'AppImage':
      return new LaterAppImageUpdater(options, app);
    case 'deb':
      return new DebUpdater(options, app);
    case 'rpm':
      return new RpmUpdater(options, app);
    case 'exe':
      return new NsisUpdater(options, app);
    case 'zip':
      return new MacUpdater(options, app);
  }
}

/**
 * electron-updater would start the new version while this one still runs. The new one would find the home locked and
 * another app running, and end. Instead, Electron starts it after this one has ended.
 */
class LaterAppImageUpdater extends AppImageUpdater {
  readonly #later: AppOfUpdater;
  constructor(options: Feeding, app: AppOfUpdater) {
    super(options, app);
    this.#later = app;
  }
  protected override async spawnLog(program: string): Promise<boolean> {
    this.#later.relaunch(program);
    return true;
  }
}

type Feeding = ReturnType<typeof providerOf>;

/** Gives electron-updater the manifest that was already checked. */
function providerOf(manifest: Manifest, files: readonly PackageFile[], feed: Feed) {
  const [first] = files;
  class CheckedProvider extends Provider<UpdateInfo> {
    constructor(_options: unknown, _updater: unknown, runtime: ProviderRuntimeOptions) {
      super(runtime);
    }
    async getLatestVersion(): Promise<UpdateInfo> {
      const { version, releaseDate, minimumSystemVersion } = manifest;
      return {
        version,
        releaseDate,
        files: files.map(given),
        path: first?.url ?? '',
        sha512: first?.sha512 ?? '',
        ...(minimumSystemVersion !== undefined && { minimumSystemVersion }),
      };
    }
    resolveFiles(): ResolvedUpdateFileInfo[] {
      return files.map((file) => ({ url: feed.addressOf(file), info: given(file) }));
    }
  }
  return { provider: 'custom' as const, updateProvider: CheckedProvider };
}

function given({ url, sha512, size, isAdminRightsRequired }: PackageFile) {
  return { url, sha512, size, ...(isAdminRightsRequired !== undefined && { isAdminRightsRequired }) };
}

/**
 * Replaces electron-updater's own requests, which follow redirects to any server and have no limits. Also removes the
 * id of this installation, which it would generate and send.
 */
function takeNetwork(updater: AppUpdater, download: (address: URL, to: string) => Promise<void>): void {
  Object.defineProperty(updater, 'httpExecutor', { value: { download } });
  Object.defineProperty(updater, 'stagingUserIdPromise', { value: { value: Promise.resolve('') } });
}

async function digestOf(path: string): Promise<string> {
  const digest = createHash('sha512');
  await pipeline(createReadStream(path), digest);
  return digest.digest('base64');
}
