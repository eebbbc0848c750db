import { clusterCalled } from '../../../domain/naming/cluster-called.ts';
import { terminalPrompter } from '../../../grants/login-prompter.ts';
import type { Logins } from '../../../grants/logins.ts';
import type { Directory, Gate } from '../../../ports/broker-core.ts';
import { refusalAnswer } from '../../../ports/door.ts';
import { type Command, done, parseWords, usageError } from '../command.ts';

/** How long a login may take before the helper gives up. */
const loginSeconds = 900;

export interface LoginCommandDeps {
  directory: Pick<Directory, 'account' | 'clusters' | 'registries'>;
  logins: Pick<Logins, 'login'>;
  gate: Gate;
}

/** `lanyard login ACCOUNT|CLUSTER|REGISTRY [--browser|--device|--paste]` */
export function loginCommand(deps: LoginCommandDeps): Command {
  return async (call) => {
    const { positionals, values } = parseWords('login', call.args, ['ACCOUNT|CLUSTER|REGISTRY'], {
      browser: { type: 'boolean' },
      device: { type: 'boolean' },
      paste: { type: 'boolean' },
    });
    const ways = (['browser', 'device', 'paste'] as const).filter((way) => values[way]);
    if (ways.length > 1) {
      throw usageError('login', 'use one of --browser, --device and --paste');
    }
    const { canPrompt } = call.terminal;
    if (values.paste && !canPrompt) {
      throw usageError('login', '--paste asks for an address at a terminal, and there is none');
    }
    const flow = ways[0] ?? null;
    const refusal = deps.gate();
    if (refusal) {
      return refusalAnswer(refusal);
    }
    const { account: name, said } = meantAccount(positionals[0] ?? '', deps);
    const found = deps.directory.account(name);
    if (!found.ok) {
      return refusalAnswer(found);
    }
    if (said !== null) {
      call.terminal.print(`${said}\n`);
    }
    call.terminal.extend(loginSeconds);
    const outcome = await deps.logins.login(found.account, {
      prompter: terminalPrompter(name, call.terminal, { paste: canPrompt }),
      wish: { flow, atThisMachine: call.caller.origin === 'local', canBring: canPrompt },
      signal: call.signal,
    });
    if (!outcome.ok) {
      return refusalAnswer(outcome);
    }
    const note = outcome.note === null ? '' : `\nnote: ${outcome.note}`;
    return done(undefined, `Logged in to ${name} as ${outcome.displayName}.${note}`);
  };
}

/**
 * What the user means: the account of that name, else that of the cluster or registry, or of the cluster’s alias. `said`: which, where it is
 * another name.
 */
function meantAccount(
  name: string,
  { directory }: LoginCommandDeps,
): { account: string; said: string | null } {
  const found = directory.account(name);
  const user = (what: string, all: readonly { name: string; config: { account: string } }[]) => {
    const one = all.find((each) => each.name === name);
    const account = one?.config.account;
    return account === undefined
      ? []
      : [{ account, said: `${name} is a ${what} of the account ${account}.` }];
  };
  if (found.ok || found.reason !== 'notFound') {
    return { account: name, said: null };
  }
  const clusters = directory.clusters();
  const [first] = [...user('cluster', clusters), ...user('registry', directory.registries())];
  const called = first ? name : clusterCalled(name, clusters);
  const account = clusters.find((each) => each.name === called)?.config.account;
  return (
    first ?? {
      account: account ?? name,
      said: account === undefined ? null : `${name} is the cluster ${called} of the account ${account}.`,
    }
  );
}
