import { join } from 'node:path';
import { type Disposable, Disposables } from '../base/disposables.ts';
import { createBroker } from '../broker/broker.ts';
import type { BrokerDeps } from '../broker/broker-deps.ts';
import { prepareHome, thisOwner } from '../config/home.ts';
import { createConfigStore } from '../config/store.ts';
import type { WindowHost } from '../consent/windows/window-host.ts';
import { BrokerError } from '../contract/broker-error.ts';
import { type Paths, resolvePaths } from '../domain/paths.ts';
import type { UiDoor } from '../doors/ui/index.ts';
import { createHistory } from '../history/index.ts';
import { withFileLock } from '../installed/file-lock.ts';
import { type Leaving, leaveHome, leaveLock } from '../installed/leave-home.ts';
import { createLedger } from '../installed/ledger.ts';
import { repairLaunchAgent } from '../installed/service/repair-launch-agent.ts';
import { openInventoryParts } from '../inventory/open-parts.ts';
import { createKeychain } from '../platform/keychain/create-keychain.ts';
import { createAccessLists, createPeerIdentity, loadAddon } from '../platform/native/addon.ts';
import { createClientProcesses } from '../platform/native/client-processes.ts';
import { openKernelTcpTable } from '../platform/native/kernel-tcp-table.ts';
import { createMemoryUpkeep } from '../platform/native/memory-upkeep.ts';
import { createSystemClock } from '../platform/native/system-clock.ts';
import { createSystemEvents } from '../platform/native/system-events.ts';
import { createPeerLookup, lookingUser } from '../platform/network/peer-user.ts';
import { createHelperRunner } from '../platform/programs/helper-runner.ts';
import { createProgramKeeper } from '../platform/programs/program-keeper.ts';
import { createPipeListener } from '../platform/socket/pipe-listener.ts';
import { createUnixListener } from '../platform/socket/unix-listener.ts';
import { createSystemTerminal } from '../platform/terminal/system-terminal.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { SystemEvents } from '../ports/system-events.ts';
import { noUserCheck, type UserCheck } from '../ports/user-check.ts';
import { openVault } from '../vault/index.ts';
import { readPassphraseWay } from './passphrase-way.ts';
import { placeHelper, type StartCommands, writeStartFile } from './place-helper.ts';
import { version } from './version.ts';

/** How long the keychain may delay the start; a locked one may ask the user first. */
const keychainMilliseconds = 3_000;

/** What was built beside the broker. */
export interface BuiltFiles {
  /** The helper's binary, copied to its stable place from here. */
  helper: string;
  /** The Node-API addon. */
  addon: string;
  /** The data plane of the request proxy. */
  proxyProgram: string;
  /** What loads PKCS#11 modules. */
  keysProgram: string;
  /** The folder of the UI's page. */
  pages: string;
  manPage: string;
}

/** As they lie under `dist`. */
export function filesUnder(dist: string): BuiltFiles {
  return {
    helper: join(dist, 'bin', process.platform === 'win32' ? 'lanyard.exe' : 'lanyard'),
    proxyProgram: join(dist, 'bin', process.platform === 'win32' ? 'lanyard-proxy.exe' : 'lanyard-proxy'),
    keysProgram: join(dist, 'bin', process.platform === 'win32' ? 'lanyard-keys.exe' : 'lanyard-keys'),
    addon: join(dist, 'native', 'lanyard.node'),
    pages: join(dist, 'renderer'),
    manPage: join(dist, 'main', 'lanyard.1'),
  };
}

export interface StartBrokerOptions {
  env: NodeJS.ProcessEnv;
  log: Log;
  files: BuiltFiles;
  /** How a helper starts this program again: what start.json says. */
  commands: StartCommands;
  browser: BrokerDeps['browser'];
  passphraseFile: string | undefined;
  /** The file is the one that start.json named: where it can't be used, the broker starts with a locked vault. */
  passphraseFileIsRemembered?: boolean | undefined;
  /** The desktop app around the broker; null: there is none. */
  desktop: BrokerDeps['desktop'];
  /** Where the broker’s own windows are shown; by default in the user’s browser. */
  windowHost?: WindowHost | undefined;
  /** The user check; by default there is none. */
  userCheck?: UserCheck | undefined;
  /** Sleep, wake and network changes; by default the broker detects them. */
  events?: SystemEvents | undefined;
  /** Where calls are put on record: history.db unless told otherwise. */
  openHistory?: typeof createHistory | undefined;
}

/** A broker that listens. */
export interface RunningBroker extends Disposable {
  paths: Paths;
  clock: Clock;
  ui: UiDoor;
  /** What the vault was found to be. */
  vault: string;
  /** Resolves when the broker wants to end because it was uninstalled. */
  left: Promise<void>;
}

/**
 * One home's broker in this process, under its lock (rule: one-broker). Throws BrokerError; then nothing of it runs on.
 */
export async function startBroker(options: StartBrokerOptions): Promise<RunningBroker> {
  const running = new Disposables();
  try {
    return await startIn(running, options);
  } catch (error) {
    await running.dispose();
    throw error;
  }
}

async function startIn(running: Disposables, options: StartBrokerOptions): Promise<RunningBroker> {
  const { env, log, files, passphraseFile } = options;
  const paths = resolvePaths(env, process.platform);
  const { promise: left, resolve: leave } = Promise.withResolvers<void>();
  let leaving: Leaving | null = null;
  const addon = loadAddon(files.addon);
  const access = createAccessLists(addon);
  await prepareHome(paths, thisOwner(access));
  addon.hardenProcess();
  const held = addon.acquireLock(paths.lock);
  if (!held) {
    throw new BrokerError('agent.running', `an agent already runs for ${paths.home}`, {
      reason: 'usage',
      hint: 'lanyard status shows it',
    });
  }
  if (process.platform === 'win32') {
    running.add({ dispose: () => (leaving ? leaveLock(paths, leaving) : undefined) });
  }
  running.add({ dispose: () => held.release() });
  // After all else has been closed, and under the lock.
  running.add({ dispose: () => (leaving ? leaveHome(paths, leaving, { log }) : undefined) });
  const way = await readPassphraseWay(passphraseFile, {
    remembered: options.passphraseFileIsRemembered === true,
    access,
  });
  const clock = createSystemClock(addon);
  running.add(
    createMemoryUpkeep({
      clock,
      release: () => addon.releaseFreeMemory(),
      // There with --expose-gc, as start.json has it. The last resort is the one that gives pages back.
      collect: () => globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' }),
    }),
  );
  const configFile = running.add(await createConfigStore({ file: paths.config, log, clock }));
  // Before the vault: what is issued from it has to be on record.
  const history = running.add((options.openHistory ?? createHistory)({ file: paths.history, clock, log }));
  const keychain = createKeychain({ limitMilliseconds: keychainMilliseconds, clock });
  const vault = running.add(await openVault({ home: paths.home, keychain, ...way, clock, log }));
  const { config, inventories } = await openInventoryParts(
    { config: configFile, vault, paths, clock, log },
    running,
  );
  await placeHelper(files.helper, paths.helper, { log });
  await writeStartFile(paths.start, { ...options.commands, passphraseFile: way.again });
  const ledger = createLedger({
    file: paths.installed,
    alone: withFileLock(paths.installedLock, { acquire: (path) => addon.acquireLock(path) }),
  });
  if (process.platform === 'darwin') {
    await repairLaunchAgent(options.commands.command, { ledger, now: () => clock.now() }).then(
      (path) => path !== null && log.info('service.repaired', { path }),
      (error: unknown) => log.warn('service.repair', { error }),
    );
  }
  const identity = createPeerIdentity(addon, process.pid);
  const broker = running.add(
    await createBroker({
      version,
      paths,
      access,
      clock,
      log,
      history,
      events: options.events ?? running.add(createSystemEvents({ clock })),
      identity,
      processes: createClientProcesses(identity.ownUid()),
      lookUpPeer: createPeerLookup({ kernel: openKernelTcpTable(addon), clock, uid: lookingUser() }),
      runProgram: createHelperRunner({ helper: paths.helper, clock, identity, log }),
      ...(process.platform === 'win32' && {
        isWrittenByOthers: (path: string) => addon.isWrittenByOthers(path),
      }),
      keepProgram: createProgramKeeper({ helper: paths.helper, clock, log }),
      listener:
        process.platform === 'win32'
          ? createPipeListener(files.addon, { name: addon.pipeName(paths.home), log, clock })
          : createUnixListener(paths.socket),
      config,
      inventories,
      vault,
      keychain,
      ledger,
      pages: files.pages,
      ownHelper: files.helper,
      proxyProgram: files.proxyProgram,
      keysProgram: files.keysProgram,
      manPage: files.manPage,
      leave: (what) => {
        leaving = what;
        leave();
      },
      browser: options.browser,
      terminals: createSystemTerminal({ platform: process.platform, env }),
      desktop: options.desktop,
      windowHost: options.windowHost ?? null,
      userCheck: options.userCheck ?? noUserCheck,
      environment: env,
    }),
  );
  return {
    paths,
    clock,
    ui: broker.ui,
    vault: vault.state().kind,
    left,
    dispose: () => running.dispose(),
  };
}
