import type { ClusterContext } from '../../../contract/ui/state.ts';
import { visibleText } from '../../../domain/text/visible-text.ts';
import type { ContextReader } from '../../../kubeconfig/contexts.ts';
import type { KubectlWay } from '../../../kubeconfig/user-contexts/consent.ts';
import type { UserContexts } from '../../../kubeconfig/user-contexts/user-contexts.ts';
import {
  type ClusterContextDeps,
  clusterContext,
  fileForContexts,
  type KubectlView,
} from '../../../operations/cluster-context.ts';
import type { Directory, Gate } from '../../../ports/broker-core.ts';
import { kubeconfigVariables } from '../caller-environment.ts';
import { type CommandCall, waitingOf } from '../command.ts';

export interface KubectlContextsDeps extends ClusterContextDeps {
  userContexts: UserContexts;
  contexts: ContextReader;
  /** The caller's kubeconfigs in order, absolute, by its variables. */
  pathsOf(environment: Readonly<Record<string, string>>, cwd: string): readonly string[];
  /** What is known where the caller can’t tell. */
  knownFiles(): readonly string[];
  directory: Pick<Directory, 'clusters' | 'cluster'>;
  gate: Gate;
}

/** How the caller’s kubectl finds clusters, for commands that say so. */
export interface KubectlContexts {
  /** The context of each approved cluster; none while locked. */
  of(call: CommandCall): Promise<ReadonlyMap<string, ClusterContext>>;
  /** See `nextWithKubectl`. */
  next(call: CommandCall, clusters: readonly string[]): Promise<string>;
}

export function createKubectlContexts(deps: KubectlContextsDeps): KubectlContexts {
  return {
    of: async (call) => contextsOfClusters(await callersKubectl(call, deps), deps),
    next: (call, clusters) => nextWithKubectl(call, clusters, deps),
  };
}

/** What the caller’s kubectl reads now. A terminal’s is remembered: pages go by it. */
export async function callersKubectl(call: CommandCall, deps: KubectlContextsDeps): Promise<KubectlView> {
  const environment = await call.terminal.environment(kubeconfigVariables);
  const files = environment === null ? deps.knownFiles() : deps.pathsOf(environment, call.cwd);
  if (environment !== null && isUsersOwn(call)) {
    await deps.userContexts.saw(files);
  }
  return { files, contexts: await deps.contexts(files) };
}

/** A container’s kubeconfigs, and a script’s, are others. */
function isUsersOwn({ terminal, caller }: CommandCall): boolean {
  return terminal.canPrompt && caller.origin !== 'container';
}

/** The context of each approved cluster; none while locked. */
export function contextsOfClusters(view: KubectlView, deps: KubectlContextsDeps) {
  const clusters = deps.gate() === null ? deps.directory.clusters() : [];
  const approved = clusters.filter(({ name }) => deps.directory.cluster(name).ok);
  return new Map(approved.map((cluster) => [cluster.name, clusterContext(cluster, view, deps)]));
}

/**
 * After clusters were approved: asks once how kubectl is to find them, has the kubeconfigs follow, and returns what the
 * user does next with one of these.
 */
async function nextWithKubectl(
  call: CommandCall,
  clusters: readonly string[],
  deps: KubectlContextsDeps,
): Promise<string> {
  let view = await callersKubectl(call, deps);
  const isAsked = deps.userContexts.way() === null && !view.files.includes(deps.managed);
  if (isAsked && isUsersOwn(call)) {
    await askWay(call, view.files, deps);
  } else {
    await deps.userContexts.reconcile();
  }
  view = { files: view.files, contexts: await deps.contexts(view.files) };
  const found = contextsOfClusters(view, deps);
  const [first] = clusters.flatMap((name) => found.get(name) ?? []);
  return first?.name != null
    ? `kubectl --context ${first.name} get namespaces`
    : (first?.command ?? 'lanyard confirm');
}

/** Asks which way, and goes it. Without an answer nothing is remembered. */
export async function askWay(
  call: CommandCall,
  files: readonly string[],
  { userContexts, managed }: Pick<KubectlContextsDeps, 'userContexts' | 'managed'>,
): Promise<void> {
  const file = await fileForContexts(files, managed);
  const fault = file === null ? null : await userContexts.faultOf(file);
  const name = file === null ? '' : visibleText(file);
  const canAdd = file !== null && fault === null;
  call.terminal.print(
    [
      'How should kubectl find Lanyard’s clusters? To change it later: lanyard kubeconfig contexts',
      ...(canAdd ? [`  1  Add contexts to ${name} (recommended). Its other entries stay as they are.`] : []),
      ...(file !== null && fault !== null ? [`     ${name} ${fault}, so it stays as it is.`] : []),
      '  2  Use Lanyard’s own kubeconfig, which you add to KUBECONFIG.',
      '',
    ].join('\n'),
  );
  call.terminal.extend(900);
  const answer = await call.terminal.ask(`${canAdd ? 'Type 1, 2' : 'Type 2'} or Enter for neither: `, {
    echo: true,
  });
  const list = files.filter((each) => each !== managed);
  const ways: Readonly<Record<string, KubectlWay>> = {
    ...(canAdd && { 1: { kind: 'file', file, list } }),
    2: { kind: 'own', list },
  };
  const way = ways[answer?.reveal().trim() ?? ''];
  if (answer !== null) {
    await userContexts.choose(way ?? { kind: 'none' }, waitingOf(call));
  }
}
