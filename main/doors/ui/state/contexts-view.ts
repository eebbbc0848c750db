import type { ContextsView } from '../../../contract/ui/state.ts';
import type { Contexts } from '../../../kubeconfig/contexts.ts';
import type { UserContexts } from '../../../kubeconfig/user-contexts/user-contexts.ts';

/** The most contexts shown, in the files’ order. */
const most = 50;
/** Longer names don’t fit a menu. They are only counted: a shortened name would be another context. */
const mostCharacters = 256;

/** The user’s contexts, as pages show them. */
export function contextsView({ entries, current, files }: Contexts): Omit<ContextsView, 'kubectl'> {
  const named = [...entries.values()].filter(({ name }) => name !== '' && name.length <= mostCharacters);
  const shown = named.slice(0, most);
  const inUse = named.find(({ name }) => name === current?.name);
  if (inUse && !shown.includes(inUse)) {
    shown[shown.length - 1] = inUse;
  }
  return {
    file: files[0] ?? null,
    current: inUse?.name ?? null,
    contexts: shown.map(({ name, lanyard }) => ({ name, cluster: lanyard?.cluster ?? null })),
    more: entries.size - shown.length,
  };
}

/** How kubectl finds Lanyard’s clusters. */
export function kubectlView(
  userContexts: Pick<UserContexts, 'way' | 'fault' | 'seesManaged'>,
  managed: string,
): ContextsView['kubectl'] {
  const way = userContexts.way();
  return {
    way: way?.kind ?? null,
    file: way?.kind === 'file' ? way.file : way?.kind === 'own' ? managed : null,
    fault: userContexts.fault(),
    isSeen: userContexts.seesManaged(),
  };
}
