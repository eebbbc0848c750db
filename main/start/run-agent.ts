import { parseArgs } from 'node:util';
import { BrokerError, toRefusal } from '../contract/broker-error.ts';
import { exitCodes } from '../contract/exit-codes.ts';
import { argumentFault } from '../domain/text/argument-fault.ts';
import { readPassphraseFile } from '../doors/cli/vault/passphrase-file.ts';
import type { createHistory } from '../history/index.ts';
import { runServiceCommand } from '../installed/service/service-command.ts';
import { createSystemBrowser } from '../platform/browser/system-browser.ts';
import { createLog } from '../platform/logging/create-log.ts';
import { openLog } from '../platform/logging/open-log.ts';
import { createAccessLists, loadAddon } from '../platform/native/addon.ts';
import { endSignals } from './end-signals.ts';
import type { StartCommands } from './place-helper.ts';
import { runDoctor } from './run-doctor.ts';
import { type BuiltFiles, startBroker } from './start-broker.ts';
import { version } from './version.ts';

export interface AgentOptions {
  files: BuiltFiles;
  /** How a helper starts a broker of this program again. */
  commands: StartCommands;
  /** Why this program must not be named by what lasts: start.json, the service. Null: it may. */
  refusal?: BrokerError | null;
  /** The words after the program's name. */
  args: string[];
  env: NodeJS.ProcessEnv;
  /** Where calls are put on record: history.db unless told otherwise. */
  openHistory?: typeof createHistory;
}

/**
 * What `lanyard agent` and `lanyard doctor` become: the words of the first, or `doctor` with its own. Doesn't come back.
 */
export async function runHeadless(options: AgentOptions): Promise<never> {
  const [first, ...args] = options.args;
  return first === 'doctor'
    ? runDoctor({ args, env: options.env, addon: options.files.addon })
    : runAgent(options);
}

/** The headless broker as a process: runs until SIGTERM or SIGINT, and ends with an exit code that says how it went. */
export async function runAgent(options: AgentOptions): Promise<never> {
  try {
    const words = parseArguments(options.args);
    if (options.refusal && words.service !== 'uninstall') {
      throw options.refusal;
    }
    if (words.service) {
      await runService(words.service, words.passphraseFile, options);
    } else {
      await serveUntilSignal(options, words);
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
  { files, commands, env }: AgentOptions,
): Promise<void> {
  const addon = loadAddon(files.addon);
  if (passphraseFile !== undefined) {
    // Found out now, not at the next login.
    await readPassphraseFile(passphraseFile, 'file', createAccessLists(addon));
  }
  const lines = await runServiceCommand({
    what,
    command: commands.command,
    passphraseFile,
    env,
    addon,
  });
  process.stdout.write(`${lines.join('\n')}\n`);
}

async function serveUntilSignal(
  { files, commands, env, openHistory }: AgentOptions,
  words: AgentWords,
): Promise<void> {
  const log = openLog(files.addon);
  const stopping = untilSignal();
  const broker = await startBroker({
    env,
    log,
    files,
    commands,
    browser: createSystemBrowser({ platform: process.platform, env }),
    passphraseFile: words.passphraseFile ?? words.rememberedFile,
    passphraseFileIsRemembered: words.passphraseFile === undefined,
    desktop: null,
    openHistory,
  });
  try {
    const { paths } = broker;
    log.keepSmall(paths.log, paths.earlierLog);
    if (process.stdout.isTTY) {
      process.stdout.write(`Lanyard ${version} is ready at ${paths.home}. Ctrl-C ends it.\n`);
    }
    log.info('agent.listening', { socket: paths.socket, vault: broker.vault, pid: process.pid });
    log.info('agent.stopping', {
      signal: await Promise.race([stopping, broker.left.then(() => 'uninstalled')]),
    });
  } finally {
    await broker.dispose();
    log.flush();
  }
}

interface AgentWords {
  passphraseFile: string | undefined;
  /** The one of start.json, which a helper names. */
  rememberedFile: string | undefined;
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
        'remembered-passphrase-file': { type: 'string' },
        install: { type: 'boolean' },
        uninstall: { type: 'boolean' },
      },
      strict: true,
    });
    if (values.install && values.uninstall) {
      throw usage('either --install or --uninstall');
    }
    const service = values.install ? 'install' : values.uninstall ? 'uninstall' : null;
    return {
      passphraseFile: values['passphrase-file'],
      rememberedFile: values['remembered-passphrase-file'],
      service,
    };
  } catch (error) {
    throw error instanceof BrokerError ? error : usage(argumentFault(error));
  }
}

function untilSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    for (const signal of endSignals(process.platform)) {
      process.once(signal, () => resolve(signal));
    }
  });
}
