import type { StatusReader } from '../../../access/status.ts';
import { leftText } from '../../../contract/ui/time-texts.ts';
import type { ContextReader } from '../../../kubeconfig/contexts.ts';
import type { VaultState } from '../../../ports/vault.ts';
import { callerEnvironment, kubeconfigVariables } from '../caller-environment.ts';
import type { CommandCall } from '../command.ts';
import { type PromptValues, parsePromptText, promptText } from '../rules/prompt-text.ts';

export interface PromptDeps {
  pathsOf(environment: Readonly<Record<string, string>>, cwd: string): readonly string[];
  contexts: ContextReader;
  status: Pick<StatusReader, 'readOne'>;
  lock: { state(): VaultState };
}

/** `lanyard status --format TEXT`: the current context in one line, for a shell's prompt. */
export async function formattedStatus(
  deps: PromptDeps,
  call: Pick<CommandCall, 'terminal' | 'cwd'>,
  template: string,
): Promise<string> {
  const parts = parsePromptText(template);
  const environment = await callerEnvironment(call, kubeconfigVariables);
  const { current, entries } = await deps.contexts(deps.pathsOf(environment, call.cwd));
  const context = current === null ? undefined : entries.get(current.name);
  const none: PromptValues = {
    context: current?.name ?? '',
    namespace: context?.namespace ?? '',
    cluster: '',
    account: '',
    as: '',
    state: '',
    left: '',
    vault: deps.lock.state().kind,
  };
  if (!context?.lanyard) {
    return promptText(parts, none);
  }
  const { account, cluster } = context.lanyard;
  const { state, subject, secondsLeft } = await deps.status.readOne(context.lanyard);
  return promptText(parts, {
    ...none,
    cluster: cluster ?? '',
    account,
    as: subject ?? '',
    state,
    left: secondsLeft === null ? '' : leftText(secondsLeft * 1000),
  });
}
