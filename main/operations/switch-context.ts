import { BrokerError } from '../contract/broker-error.ts';
import { unknownName } from '../domain/text/unknown-name.ts';
import { visibleText } from '../domain/text/visible-text.ts';
import type { Contexts } from '../kubeconfig/contexts.ts';
import type { SetCurrentContext } from '../kubeconfig/set-current-context.ts';
import type { KubeconfigStateFile } from '../kubeconfig/watch/state-file.ts';

export interface SwitchContextDeps {
  kubeconfigState: KubeconfigStateFile;
  /** Writes `current-context` into this file, and leaves all else of it as it is. */
  setCurrentContext(wanted: SetCurrentContext): Promise<void>;
}

/**
 * Changes to another of these contexts, as `kubectl config use-context` does, and remembers the one before. Throws
 * BrokerError where there is no such context, or its file can't be written.
 */
export async function switchContext(
  { kubeconfigState, setCurrentContext }: SwitchContextDeps,
  contexts: Contexts,
  name: string,
  waiting: Pick<SetCurrentContext, 'signal' | 'onWait'>,
): Promise<void> {
  // kubectl writes the first file that exists (clientcmd.ModifyConfig); an earlier file's value wins.
  const [file] = contexts.files;
  if (file === undefined || !contexts.entries.has(name)) {
    const refused = unknownName('context', name, contexts.entries.keys());
    const broken = faultsOf(contexts);
    throw broken === undefined
      ? refused
      : new BrokerError(refused.code, refused.message, { reason: 'notFound', hint: broken });
  }
  const before = contexts.current?.name;
  if (name === before) {
    return;
  }
  await setCurrentContext({ file, context: name, ...waiting });
  if (before !== undefined) {
    await kubeconfigState.update((state) => ({
      ...state,
      previousContexts: { ...state.previousContexts, [file]: before },
    }));
  }
}

/** The context that was left with the last change. Throws BrokerError where there was none. */
export function contextBefore(
  { kubeconfigState }: Pick<SwitchContextDeps, 'kubeconfigState'>,
  { files: [file] }: Contexts,
): string {
  const before = file === undefined ? undefined : kubeconfigState.current().previousContexts[file];
  if (before === undefined) {
    throw new BrokerError('context.noneBefore', 'no context was changed with lanyard context yet', {
      reason: 'notFound',
      hint: 'lanyard context shows what there is',
    });
  }
  return before;
}

/** What of the files can't be read, a line for each; undefined: nothing. */
export function faultsOf({ problems }: Pick<Contexts, 'problems'>): string | undefined {
  const lines = problems
    .filter(({ severity }) => severity === 'error')
    .map(({ file, line, message }) => `${visibleText(file)}${line === null ? '' : `:${line}`}: ${message}`);
  return lines.length === 0 ? undefined : lines.join('\n');
}
