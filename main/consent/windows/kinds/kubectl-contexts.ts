import { refusalError } from '../../../contract/broker-error.ts';
import { visibleText } from '../../../domain/text/visible-text.ts';
import type { KubectlWay } from '../../../kubeconfig/user-contexts/consent.ts';
import type { UserContexts } from '../../../kubeconfig/user-contexts/user-contexts.ts';
import { contextsCommand, envLine, fileForContexts } from '../../../operations/cluster-context.ts';
import type { Gate } from '../../../ports/broker-core.ts';
import type { Submitted, WindowKind } from '../window-kind.ts';

export interface KubectlContextsWindowDeps {
  gate: Gate;
  userContexts: UserContexts;
  /** What the user’s kubectl is known to read. */
  knownFiles(): readonly string[];
  /** The managed kubeconfig. */
  managed: string;
}

/**
 * How kubectl finds Lanyard’s clusters: asked where no page can answer, for it changes a file of the user’s. Where
 * contexts are added already, it asks whether to remove them.
 */
export async function kubectlContextsWindow(deps: KubectlContextsWindowDeps): Promise<WindowKind> {
  const locked = deps.gate();
  if (locked) {
    throw refusalError(locked);
  }
  const { userContexts, managed } = deps;
  const way = userContexts.way();
  const list = deps.knownFiles().filter((file) => file !== managed);
  const file = way?.kind === 'file' ? way.file : await fileForContexts(list, managed);
  const fault = file === null ? null : await userContexts.faultOf(file);
  const isAdding = way?.kind === 'file' && fault === null;
  const canAdd = way?.kind !== 'file' && file !== null && fault === null;
  const name = file === null ? '' : visibleText(file);
  const chosen = async (next: KubectlWay, heading: string, text: string): Promise<Submitted> => {
    await userContexts.choose(next, waiting());
    const why = userContexts.fault();
    return why === null
      ? { kind: 'done', good: true, heading, text: [text] }
      : { kind: 'done', good: false, heading: 'Contexts not added', text: [`${name} ${why}.`] };
  };
  const useOwn = () =>
    chosen(
      { kind: 'own', list },
      'Contexts are in Lanyard’s own kubeconfig',
      `Add it to KUBECONFIG, in your shell and its startup file: ${envLine}`,
    );
  const ownLabel = 'Use Lanyard’s own kubeconfig';
  return {
    title: 'Contexts for kubectl',
    content: isAdding
      ? {
          heading: `Remove Lanyard’s contexts from ${name}?`,
          text: [
            'kubectl then no longer finds Lanyard’s clusters there. All other entries stay as they are.',
          ],
          yes: 'Remove contexts',
          no: 'Keep',
        }
      : canAdd
        ? {
            heading: `Add contexts to ${name}?`,
            text: [
              'Each approved cluster gets a context, a cluster and a user entry, without secrets. Lanyard keeps them up to date. All other entries stay as they are.',
              `To remove them again: ${contextsCommand} --off, or Settings.`,
            ],
            yes: 'Add contexts',
            no: 'Not now',
            more: {
              label: 'Or leave that file as it is, and add Lanyard’s own kubeconfig to KUBECONFIG',
              answers: [{ answer: 'own', label: ownLabel }],
            },
          }
        : {
            heading: 'Use Lanyard’s own kubeconfig?',
            text: [
              ...(fault === null ? [] : [`${name} ${fault}. Lanyard leaves it as it is.`]),
              `You then add it to KUBECONFIG, in your shell and its startup file: ${envLine}`,
            ],
            rows: [['file', visibleText(managed)]],
            yes: ownLabel,
            no: 'Not now',
          },
    async over() {
      if (deps.gate()) {
        return 'Lanyard was locked meanwhile.';
      }
      return userContexts.way() === way ? null : 'Another answer was given meanwhile.';
    },
    async submit(_, answer) {
      if (isAdding) {
        const why = await userContexts.takeOut(file, waiting());
        return why === null
          ? {
              kind: 'done',
              good: true,
              heading: 'Contexts removed',
              text: [`${name} no longer has Lanyard’s contexts.`],
            }
          : { kind: 'done', good: false, heading: 'Contexts not removed', text: [`${why}.`] };
      }
      return canAdd && answer !== 'own'
        ? chosen(
            { kind: 'file', file, list: list.includes(file) ? list : [file, ...list] },
            'Contexts added',
            `kubectl --context NAME reaches each approved cluster, by ${name}.`,
          )
        : useOwn();
    },
    async refuse() {
      if (way === null) {
        // Asked once. The row still says that there is no context.
        await userContexts.choose({ kind: 'none' }, waiting());
      }
      return {
        kind: 'done',
        good: false,
        heading: 'Nothing was changed',
        text: [`To choose later: ${contextsCommand}`],
      };
    },
  };
}

function waiting() {
  return { signal: AbortSignal.timeout(lockMilliseconds), say: () => undefined };
}

/** How long another program may keep the file locked. */
const lockMilliseconds = 30_000;
