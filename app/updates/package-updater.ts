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
 * The only file that knows electron-updater, and loaded only when a person wants a version: it takes 100 ms. What it is
 * asked for is where packages are kept, and how each system takes one. What it would ask the network for by itself is
 * taken from it: the manifest comes from the feed, checked, and packages through the feed, too.
 */

export interface PackageUpdaterDeps {
  electron: Pick<ElectronModule, 'app' | 'autoUpdater'>;
  kind: PackageKind;
  manifest: Manifest;
  feed: Feed;
  /** Electron's `resources`. */
  resources: string;
  /** Where packages are kept. */
  folder: string;
  log: Log;
  /** The system's own way unless told otherwise. */
  runAsRoot?: RunAsRoot;
}

/** One version on its way to being installed. */
export interface PackageUpdater {
  /** Throws BrokerError. What an earlier start fetched whole isn't fetched again. */
  fetch(options: FetchOptions): Promise<void>;
  /** Looks once more whether the package is the signed one: it lay in a folder of the person's. Throws BrokerError. */
  check(): Promise<void>;
  /** Hands the package to the system, and the app over to it. Throws BrokerError; then the app goes on. */
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
  /** Which of the signed ones the fetched file is; throws where it is none, or none any more. */
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
        // It asks more of a version than being newer: the least version of the system.
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
        // Not by electron-updater: it has root open a path of the person's, and all stands still for the password.
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
 * It would start the new one while this one still runs; the new one would find the home locked and the app there
 * already, and end. Electron starts it when this one has ended.
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

/** Says what was checked already. */
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
 * In the place of its own requests, which follow redirects anywhere, and read on without end. And it knows no number of
 * this installation: it would make one and send it along.
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
