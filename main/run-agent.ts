import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Disposables } from './base/disposables.ts';
import { createBroker } from './broker.ts';
import { createSystemBrowser } from './browser/system-browser.ts';
import { prepareHome } from './config/home.ts';
import { createConfigStore } from './config/store.ts';
import { BrokerError, toRefusal } from './contract/broker-error.ts';
import { exitCodes } from './contract/exit-codes.ts';
import { argumentFault } from './domain/argument-fault.ts';
import { resolvePaths } from './domain/paths.ts';
import { readPassphraseFile } from './doors/cli/passphrase-file.ts';
import { createHistory } from './history/index.ts';
import { installHelper, writeStartFile } from './install.ts';
import { aloneUnder } from './installed/alone.ts';
import { type Leaving, leaveHome } from './installed/leave-home.ts';
import { createLedger } from './installed/ledger.ts';
import { runServiceCommand } from './installed/service/service-command.ts';
import { createKeychain } from './keychain/create-keychain.ts';
import { createClusterProbe } from './kubernetes/probe.ts';
import { createLog } from './logging/create-log.ts';
import { createPeerIdentity, loadAddon } from './native/addon.ts';
import { createMemoryUpkeep } from './native/memory-upkeep.ts';
import { createSystemClock } from './native/system-clock.ts';
import { createSystemEvents } from './native/system-events.ts';
import { createHelperRunner } from './programs/helper-runner.ts';
import { createPipeListener } from './socket/pipe-listener.ts';
import { createUnixListener } from './socket/unix-listener.ts';
import { openVault } from './vault/index.ts';
import { version } from './version.ts';

/** How long the keychain may keep the start waiting; a locked one may ask a person first. */
const keychainMilliseconds = 3_000;

/** dist/main/agent.js and main/agent.ts both lie one folder below what holds `dist` or is it. */
const here = dirname(fileURLToPath(import.meta.url));
const dist = here.endsWith(join('dist', 'main')) ? dirname(here) : join(dirname(here), 'dist');
const addonPath = join(dist, 'native', 'lanyard.node');

export interface AgentOptions {
  /** The program's own file: what a helper starts again. */
  entry: string;
  /** The words after the program's name. */
  args: string[];
  env: NodeJS.ProcessEnv;
  /** Where calls are put on record: history.db unless told otherwise. */
  openHistory?: typeof createHistory;
}

/** The headless broker as a process: runs until SIGTERM or SIGINT, and ends with an exit code that says how it went. */
export async function runAgent(options: AgentOptions): Promise<never> {
  try {
    const words = parseArguments(options.args);
    if (words.service) {
      await runService(words.service, words.passphraseFile, options);
    } else {
      await serveUntilSignal(options, words.passphraseFile);
    }
    // At once: what a provider still owes after the drain must not keep an ended broker alive.
    process.exit(exitCodes.good);
  } catch (error) {
    const refusal = toRefusal(error);
    if (refusal.reason === 'internal') {
      createLog().error('agent.failed', { error });
    }
    process.stderr.write(
      `lanyard: ${refusal.message}\n${refusal.hint === undefined ? '' : `hint: ${refusal.hint}\n`}`,
    );
    process.exit(exitCodes[refusal.reason]);
  }
}

async function runService(
  what: 'install' | 'uninstall',
  passphraseFile: string | undefined,
  { entry, env }: AgentOptions,
): Promise<void> {
  if (passphraseFile !== undefined) {
    // Found out now, not at the next login.
    await readPassphraseFile(passphraseFile, 'file');
  }
  const addon = loadAddon(addonPath);
  const lines = await runServiceCommand({ what, command: startCommand(entry), passphraseFile, env, addon });
  process.stdout.write(`${lines.join('\n')}\n`);
}

const startCommand = (entry: string) => [process.execPath, ...process.execArgv, entry];

async function serveUntilSignal(
  { entry, env, openHistory = createHistory }: AgentOptions,
  passphraseFile: string | undefined,
): Promise<void> {
  const log = createLog();
  const paths = resolvePaths(env, process.platform);
  await prepareHome(paths);

  const running = new Disposables();
  let stop: (why: string) => void = () => undefined;
  const stopping = Promise.race([untilSignal(), new Promise<string>((resolve) => (stop = resolve))]);
  let leaving: Leaving | null = null;
  try {
    const addon = loadAddon(addonPath);
    addon.hardenProcess();
    const held = addon.acquireLock(paths.lock);
    if (!held) {
      throw new BrokerError('agent.running', `a broker already runs for ${paths.home}`, {
        reason: 'usage',
        hint: 'lanyard status shows it',
      });
    }
    running.add({ dispose: () => held.release() });
    // After all else has been closed, and under the lock.
    running.add({ dispose: () => (leaving ? leaveHome(paths, leaving) : undefined) });
    const passphrase =
      passphraseFile === undefined ? undefined : await readPassphraseFile(passphraseFile, 'fileOrPipe');
    const clock = createSystemClock(addon);
    running.add(
      createMemoryUpkeep({
        clock,
        release: () => addon.releaseFreeMemory(),
        // There with --expose-gc, as start.json has it. The last resort is the one that gives pages back.
        collect: () => globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' }),
      }),
    );
    const config = running.add(await createConfigStore({ file: paths.config, log, clock }));
    // Before the vault: what is handed out from it has to be on record.
    const history = running.add(openHistory({ file: paths.history, clock, log }));
    const keychain = createKeychain({ limitMilliseconds: keychainMilliseconds, clock });
    const vault = running.add(await openVault({ home: paths.home, keychain, passphrase, clock, log }));
    await installHelper(join(dist, 'bin', 'lanyard'), paths.helper);
    await writeStartFile(paths.start, startCommand(entry));
    const identity = createPeerIdentity(addon, process.pid);
    running.add(
      await createBroker({
        version,
        paths,
        clock,
        log,
        history,
        probe: createClusterProbe(env),
        events: running.add(createSystemEvents({ clock })),
        identity,
        runProgram: createHelperRunner({ helper: paths.helper, clock, identity, log }),
        listener:
          process.platform === 'win32'
            ? createPipeListener(addonPath, addon.pipeName(paths.home))
            : createUnixListener(paths.socket),
        config,
        vault,
        keychain,
        ledger: createLedger({
          file: paths.installed,
          alone: aloneUnder(paths.installedLock, { acquire: (path) => addon.acquireLock(path) }),
        }),
        pages: join(dist, 'renderer'),
        manPage: join(dist, 'main', 'lanyard.1'),
        leave: (what) => {
          leaving = what;
          stop('uninstalled');
        },
        browser: createSystemBrowser({ platform: process.platform, env }),
        environment: env,
      }),
    );
    if (process.stdout.isTTY) {
      process.stdout.write(`Lanyard ${version} is ready at ${paths.home}. Ctrl-C ends it.\n`);
    }
    log.info('agent.listening', { socket: paths.socket, vault: vault.state().kind, pid: process.pid });
    log.info('agent.stopping', { signal: await stopping });
  } finally {
    await running.dispose();
  }
}

interface AgentWords {
  passphraseFile: string | undefined;
  service: 'install' | 'uninstall' | null;
}

function parseArguments(args: string[]): AgentWords {
  const usage = (what: string) =>
    new BrokerError('agent.usage', `agent: ${what}`, { reason: 'usage', hint: 'lanyard agent --help' });
  try {
    const { values } = parseArgs({
      args,
      options: {
        'passphrase-file': { type: 'string' },
        install: { type: 'boolean' },
        uninstall: { type: 'boolean' },
      },
      strict: true,
    });
    if (values.install && values.uninstall) {
      throw usage('either --install or --uninstall');
    }
    const service = values.install ? 'install' : values.uninstall ? 'uninstall' : null;
    return { passphraseFile: values['passphrase-file'], service };
  } catch (error) {
    throw error instanceof BrokerError ? error : usage(argumentFault(error));
  }
}

function untilSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
      process.once(signal, () => resolve(signal));
    }
  });
}
