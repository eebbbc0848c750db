import { BrokerError, refusalError } from '../../../contract/broker-error.ts';
import { programLines } from '../../../domain/program/program.ts';
import { unknownName } from '../../../domain/text/unknown-name.ts';
import { visibleText } from '../../../domain/text/visible-text.ts';
import type { InstalledModule } from '../../../operations/pkcs11/installed-modules.ts';
import {
  isTokenAccount,
  type ListedTokens,
  type ListTokensDeps,
  listModuleFile,
  listSeconds,
  listTokens,
} from '../../../operations/pkcs11/list-tokens.ts';
import { selectedBy } from '../../../operations/pkcs11/selected.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { ActiveConfig } from '../../../ports/config-store.ts';
import { moduleVariables } from '../accounts/pkcs11-options.ts';
import { askYes, type Command, type CommandCall, done, json, parseWords, usageError } from '../command.ts';
import { pathOption } from '../edit-config.ts';
import { table } from '../table.ts';
import { moduleText } from './tokens-text.ts';

export interface Pkcs11ListDeps extends ListTokensDeps {
  config: ActiveConfig;
  clock: Pick<Clock, 'now'>;
  installed(): Promise<InstalledModule[]>;
}

/**
 * `lanyard pkcs11 list [ACCOUNT] [--module FILE] [--json]`. Logs in nowhere. What is loaded is the approved module of an
 * account, or the file that the user names here.
 */
export function pkcs11ListCommand(deps: Pkcs11ListDeps): Command {
  return async (call) => {
    const { positionals, values } = parseWords('pkcs11 list', call.args, ['[ACCOUNT]'], {
      module: { type: 'string' },
      env: { type: 'string', multiple: true },
      json: { type: 'boolean' },
    });
    const [name] = positionals;
    if (name !== undefined && values.module !== undefined) {
      throw usageError('pkcs11 list', 'an account has a module already: say ACCOUNT or --module');
    }
    if (values.env !== undefined && values.module === undefined) {
      throw usageError('pkcs11 list', '--env goes with --module');
    }
    const module = pathOption(call, values.module);
    const listed =
      module !== undefined
        ? [await namedModule(call, module, moduleVariables('pkcs11 list', values.env), deps)]
        : await ofAccounts(call, name ?? null, deps);
    const installed = module === undefined && name === undefined ? await others(listed, deps) : [];
    return done(
      values.json
        ? json({ modules: listed.map(moduleJson), installed })
        : tokensText(listed, installed, deps.clock.now()),
    );
  };
}

/** Throws BrokerError where it can’t be listed. */
async function namedModule(
  call: CommandCall,
  module: string,
  env: ReturnType<typeof moduleVariables>,
  deps: Pkcs11ListDeps,
): Promise<ListedTokens> {
  if (call.caller.origin === 'container') {
    throw new BrokerError('pkcs11.container', 'that is another container, where other files are', {
      reason: 'notPermitted',
      hint: 'run it where Lanyard runs',
    });
  }
  call.terminal.extend(listSeconds);
  const listed = await listModuleFile(deps, { module, env }, [], call.signal, async (program) => {
    // Whoever can write a file of the user’s own could have it loaded, unless they are asked.
    if (program.owner?.uid === 0) {
      return true;
    }
    call.terminal.print(`module: ${programLines(program).join('\n  ')}\n`);
    return call.terminal.canPrompt && askYes(call, 'Load it?');
  });
  return mustBeListed(listed);
}

async function ofAccounts(
  call: CommandCall,
  name: string | null,
  deps: Pkcs11ListDeps,
): Promise<ListedTokens[]> {
  const all = [...deps.config.current().accounts.values()];
  const tokens = all.filter(isTokenAccount);
  const meant = name === null ? tokens : tokens.filter((each) => each.name === name);
  if (name !== null && meant.length === 0) {
    throw all.some((each) => each.name === name)
      ? new BrokerError('pkcs11.other', `the account ${name} has no key on a token`, { reason: 'usage' })
      : unknownName(
          'account',
          name,
          tokens.map((each) => each.name),
        );
  }
  call.terminal.extend(listSeconds * meant.length);
  const listed = await listTokens(deps, meant, call.signal);
  return name === null ? listed : listed.map(mustBeListed);
}

/** What was asked for by name, and can’t be listed, is an error. */
function mustBeListed(listed: ListedTokens): ListedTokens {
  if (!listed.ok) {
    throw refusalError(listed);
  }
  return listed;
}

/** Modules that are installed, and of no account. */
async function others(listed: readonly ListedTokens[], deps: Pkcs11ListDeps): Promise<InstalledModule[]> {
  const used = listed.map((each) => (each.ok ? each.report.module : each.module));
  return (await deps.installed()).filter(({ module }) => !used.includes(module));
}

function tokensText(
  listed: readonly ListedTokens[],
  installed: readonly InstalledModule[],
  now: number,
): string {
  const sections = listed.map((each) => moduleText(each, now));
  if (installed.length > 0) {
    const rows = installed.map(({ module, name }) => [`  ${visibleText(module)}`, name]);
    const hint = 'To see what is in one of them: lanyard pkcs11 list --module FILE';
    sections.push(['Installed here, and not loaded:', table(rows), hint].join('\n'));
  }
  return sections.length === 0
    ? 'No account has a key on a token, and no known PKCS#11 module is installed. To add one, see: lanyard help account add'
    : sections.join('\n\n');
}

function moduleJson(listed: ListedTokens) {
  if (!listed.ok) {
    const { module, accounts, code, message, hint = null } = listed;
    return { module, accounts, library: null, problem: { code, message, hint }, slots: [], selected: [] };
  }
  const { module, accounts, library, slots } = listed.report;
  const selected = accounts.map((account) => ({ account, state: selectedBy(account, slots).state }));
  return { module, accounts, library, problem: null, slots, selected };
}
