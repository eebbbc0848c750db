import { resolve } from 'node:path';
import { BrokerError } from '../../../contract/broker-error.ts';
import { shownName } from '../../../domain/text/shown-name.ts';
import { visibleText } from '../../../domain/text/visible-text.ts';
import { envLine, type KubectlView } from '../../../operations/cluster-context.ts';
import { refusalAnswer } from '../../../ports/door.ts';
import { type Command, type CommandCall, done, json, parseWords, usageError, waitingOf } from '../command.ts';
import { askWay, callersKubectl, contextsOfClusters, type KubectlContextsDeps } from './kubectl-contexts.ts';

/** `lanyard kubeconfig contexts [--add-to FILE | --own-file | --off] [--json]` */
export function kubeconfigContextsCommand(deps: KubectlContextsDeps): Command {
  return async (call) => {
    const { values } = parseWords('kubeconfig contexts', call.args, [], {
      'add-to': { type: 'string' },
      'own-file': { type: 'boolean' },
      off: { type: 'boolean' },
      json: { type: 'boolean' },
    });
    const wanted = [values['add-to'] !== undefined, values['own-file'], values.off].filter(Boolean).length;
    if (wanted > 1) {
      throw usageError('kubeconfig contexts', 'choose one of --add-to FILE, --own-file and --off');
    }
    const refusal = deps.gate();
    if (refusal && !values.off) {
      return refusalAnswer(refusal);
    }
    const view = await callersKubectl(call, deps);
    const list = view.files.filter((file) => file !== deps.managed);
    const { userContexts } = deps;
    if (values.off) {
      const why = await userContexts.takeOut(null, waitingOf(call));
      if (why !== null) {
        throw new BrokerError('contexts.kept', why, {
          reason: 'denied',
          hint: 'Lanyard no longer adds contexts; fix the problem, then run this again',
        });
      }
    } else if (values['add-to'] !== undefined) {
      const file = resolve(call.cwd, values['add-to']);
      await addTo(file, list.includes(file) ? list : [file, ...list], call, deps);
    } else if (values['own-file']) {
      await userContexts.choose({ kind: 'own', list }, waitingOf(call));
    } else if (
      !values.json &&
      call.terminal.canPrompt &&
      isOpen(deps) &&
      !view.files.includes(deps.managed)
    ) {
      await askWay(call, view.files, deps);
    } else {
      await userContexts.reconcile();
    }
    return answer(
      { files: view.files, contexts: await deps.contexts(view.files) },
      values.json ?? false,
      deps,
    );
  };
}

function isOpen({ userContexts }: KubectlContextsDeps): boolean {
  return (userContexts.way()?.kind ?? 'none') === 'none';
}

async function addTo(
  file: string,
  list: readonly string[],
  call: CommandCall,
  { userContexts, managed }: KubectlContextsDeps,
): Promise<void> {
  const fault = file === managed ? 'is Lanyard’s own: choose --own-file' : await userContexts.faultOf(file);
  if (fault !== null) {
    throw new BrokerError('contexts.file', `${visibleText(file)} ${fault}, so it stays as it is`, {
      reason: 'usage',
      hint: 'lanyard kubeconfig contexts --own-file uses Lanyard’s own kubeconfig',
    });
  }
  await userContexts.choose({ kind: 'file', file, list }, waitingOf(call));
  const why = userContexts.fault();
  if (why !== null) {
    throw new BrokerError('contexts.file', `${visibleText(file)} ${why}`, {
      reason: 'usage',
      hint: 'Lanyard tries again when the file changes; or choose --own-file',
    });
  }
}

function answer(view: KubectlView, asJson: boolean, deps: KubectlContextsDeps) {
  const { userContexts, managed } = deps;
  const way = userContexts.way();
  const found = [...contextsOfClusters(view, deps)];
  if (asJson) {
    return done(
      json({
        way: way?.kind ?? null,
        file: way?.kind === 'file' ? way.file : way?.kind === 'own' ? managed : null,
        fault: userContexts.fault(),
        files: userContexts.files(),
        clusters: found.map(([cluster, { name, ...more }]) => ({ cluster, context: name, ...more })),
      }),
    );
  }
  const missing = found.filter(([, { name }]) => name === null);
  const by = Map.groupBy(missing, ([, { problem }]) => problem ?? '');
  return done(
    [
      wayText(deps),
      `${found.length - missing.length} of ${found.length} approved clusters have a context in your kubeconfig.`,
      ...[...by].map(
        ([problem, all]) => `  ${all.map(([cluster]) => shownName(cluster)).join(', ')}: ${problem}`,
      ),
      ...(way?.kind === 'own' && !view.files.includes(managed)
        ? [`To use it, in your shell and its startup file: ${envLine}`]
        : []),
    ].join('\n'),
  );
}

function wayText({ userContexts, managed }: KubectlContextsDeps): string {
  const way = userContexts.way();
  switch (way?.kind) {
    case 'file':
      return `Lanyard adds contexts to ${visibleText(way.file)}. To remove them: lanyard kubeconfig contexts --off`;
    case 'own':
      return `Lanyard keeps its contexts in ${visibleText(managed)}. Add that file to KUBECONFIG.`;
    default:
      return 'Lanyard doesn’t add contexts to your kubeconfigs. To add them: lanyard kubeconfig contexts --add-to FILE';
  }
}
