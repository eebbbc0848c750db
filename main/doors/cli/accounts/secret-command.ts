import type { Secret } from '../../../base/secret.ts';
import { BrokerError } from '../../../contract/broker-error.ts';
import { hasManyLines, type KeepSecretDeps, keepSecret, nonEmpty } from '../../../operations/keep-secret.ts';
import { secretTarget } from '../../../operations/secret-target.ts';
import type { ConfigStore } from '../../../ports/config-store.ts';
import { type Command, type CommandCall, done, parseWords, usageError } from '../command.ts';

const secretLimitBytes = 1024 * 1024;

export interface SecretCommandDeps extends KeepSecretDeps {
  config: Pick<ConfigStore, 'current'>;
}

/** `lanyard secret set ACCOUNT[/PART]`: from stdin, or from the terminal without echo. Never from a word of the command line. */
export function secretSetCommand(deps: SecretCommandDeps): Command {
  return async (call) => {
    if (call.args.filter((word) => word !== '--partial').length > 1) {
      // What is too much may be the secret itself: it isn't repeated.
      throw usageError('secret set', 'it takes ACCOUNT alone; the secret comes from standard input');
    }
    const { positionals, values } = parseWords('secret set', call.args, ['ACCOUNT'], {
      partial: { type: 'boolean' },
    });
    const { account, part } = secretTarget(positionals[0] ?? '', deps.config);
    const partial = values.partial === true;
    if (partial && part !== 'certificate' && part !== 'key') {
      throw usageError('secret set', '--partial is for ACCOUNT/certificate and ACCOUNT/key');
    }
    // Checked before the user types: a locked vault must not lose what was typed.
    deps.vault.read();
    const value = await readValue(call, account, part);
    const kept = await keepSecret(deps, { account, part, partial }, value);
    return done(undefined, `${kept.text}${kept.hint === null ? '' : `\nhint: ${kept.hint}`}`);
  };
}

async function readValue(call: CommandCall, account: string, part: string | null): Promise<Secret> {
  call.terminal.extend(600);
  const fromStdin = await call.terminal.readStdin(secretLimitBytes);
  if (fromStdin) {
    return nonEmpty(fromStdin);
  }
  if (part === null || hasManyLines(part)) {
    throw usageError('secret set', 'PEM has many lines: give it on standard input (< FILE)');
  }
  const typed = await call.terminal.ask(`${part} of ${account} (not shown): `);
  if (!typed) {
    throw new BrokerError('secret.none', 'nothing was given', {
      reason: 'usage',
      hint: 'give it on standard input',
    });
  }
  return nonEmpty(typed);
}
