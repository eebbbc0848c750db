import { stat } from 'node:fs/promises';
import { BrokerError } from '../../../contract/broker-error.ts';
import { nearestNames } from '../../../domain/text/nearest-name.ts';
import { callersShell, setVariableLines, shellByName, shellNames } from '../../../domain/text/shell-line.ts';
import { visibleText } from '../../../domain/text/visible-text.ts';
import { kubeconfigList } from '../../../kubeconfig/rules/kubeconfig-list.ts';
import type { UserContexts } from '../../../kubeconfig/user-contexts/user-contexts.ts';
import { callerEnvironment, kubeconfigVariables } from '../caller-environment.ts';
import { type Command, done, parseWords } from '../command.ts';

export interface EnvCommandDeps {
  /** The managed kubeconfig. */
  path: string;
  platform: string;
  userContexts: Pick<UserContexts, 'saw'>;
  /** The caller's kubeconfigs in order, absolute, by its variables. */
  pathsOf(environment: Readonly<Record<string, string>>, cwd: string): readonly string[];
}

/** `lanyard env [SHELL]`: the line that sets KUBECONFIG, for `eval`. */
export function envCommand(deps: EnvCommandDeps): Command {
  return async (call) => {
    const { positionals } = parseWords('env', call.args, ['[SHELL]'], {});
    const [asked] = positionals;
    const environment = await callerEnvironment(call, [...kubeconfigVariables, 'SHELL', 'PSModulePath']);
    const shell = asked === undefined ? callersShell(environment, deps.platform) : shellByName(asked);
    if (shell === null) {
      throw unknownShell(asked ?? environment['SHELL'] ?? '');
    }
    const paths = deps.pathsOf(environment, call.cwd);
    const others: string[] = [];
    for (const file of paths) {
      // The usual file counts only where it exists; what KUBECONFIG names stays, whether it exists or not.
      if (environment['KUBECONFIG'] || (await exists(file))) {
        others.push(file);
      }
    }
    const list = kubeconfigList(deps.path, others, deps.platform);
    // Its terminal is about to have it.
    await deps.userContexts.saw([deps.path]);
    const missing = (await exists(deps.path))
      ? undefined
      : 'lanyard: the managed kubeconfig is not there yet: lanyard kubeconfig import makes it from yours, or lanyard kubeconfig write';
    return done(setVariableLines(shell, 'KUBECONFIG', list), missing);
  };
}

function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}

function unknownShell(name: string): BrokerError {
  const near = nearestNames(name, shellNames);
  return new BrokerError('env.shell', `env: there is no line for the shell "${visibleText(name, 128)}"`, {
    reason: 'usage',
    hint: near.length > 0 ? `did you mean ${near.join(' or ')}?` : `it knows ${shellNames.join(', ')}`,
  });
}
