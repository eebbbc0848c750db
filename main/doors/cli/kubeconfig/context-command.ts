import type { Status, StatusReader } from '../../../access/status.ts';
import { calledText } from '../../../domain/naming/called-text.ts';
import { visibleText } from '../../../domain/text/visible-text.ts';
import type { ContextEntry, ContextReader, Contexts } from '../../../kubeconfig/contexts.ts';
import {
  contextBefore,
  faultsOf,
  type SwitchContextDeps,
  switchContext,
} from '../../../operations/switch-context.ts';
import type { DoorAnswer } from '../../../ports/door.ts';
import { callerEnvironment, kubeconfigVariables } from '../caller-environment.ts';
import { type Command, type CommandCall, done, json, parseWords, usageError } from '../command.ts';
import { heading, stateText } from '../status/state-text.ts';
import { columnsOf, table } from '../table.ts';

export interface ContextCommandDeps extends SwitchContextDeps {
  pathsOf(environment: Readonly<Record<string, string>>, cwd: string): readonly string[];
  contexts: ContextReader;
  status: Pick<StatusReader, 'read'>;
}

/**
 * `lanyard context [CONTEXT] [--wide] [--json]`: lists the contexts of the caller's kubeconfigs, or changes to another one, as
 * `kubectl config use-context` does; `-` is the one before.
 */
export function contextCommand(deps: ContextCommandDeps): Command {
  return async (call) => {
    const { values, positionals } = parseWords('context', call.args, ['[CONTEXT]'], {
      wide: { type: 'boolean' },
      json: { type: 'boolean' },
    });
    const [wanted] = positionals;
    if (wanted !== undefined && values.json) {
      throw usageError('context', '--json lists the contexts: it goes without CONTEXT');
    }
    const environment = await callerEnvironment(call, kubeconfigVariables);
    const contexts = await deps.contexts(deps.pathsOf(environment, call.cwd));
    if (wanted !== undefined) {
      return change(deps, contexts, wanted, call);
    }
    const rows = listed(contexts, await deps.status.read());
    return done(
      values.json ? json(rows) : listText(rows, columnsOf(call.terminal, values.wide)),
      faultsOf(contexts),
    );
  };
}

async function change(
  deps: ContextCommandDeps,
  contexts: Contexts,
  wanted: string,
  { signal, terminal }: Pick<CommandCall, 'signal' | 'terminal'>,
): Promise<DoorAnswer> {
  const name = wanted === '-' ? contextBefore(deps, contexts) : wanted;
  const onWait = (sentence: string) => terminal.print(`lanyard: ${sentence}\n`);
  await switchContext(deps, contexts, name, { signal, onWait });
  return done(`Switched to context "${visibleText(name)}".`);
}

interface Row extends ContextEntry {
  current: boolean;
  /** Of the cluster in `lanyard status`; null where the context isn't Lanyard's. */
  state: string | null;
  /** What the user calls that cluster; null: by its name. */
  displayName: string | null;
}

function listed({ entries, current }: Contexts, status: Status): Row[] {
  const clusters = new Map(status.clusters.map((each) => [each.name, each]));
  const accounts = new Map(status.accounts.map((each) => [each.name, each.state]));
  return [...entries.values()].map((entry) => ({
    ...entry,
    current: entry.name === current?.name,
    state: entry.lanyard && stateOf(entry.lanyard, clusters, accounts),
    displayName: clusters.get(entry.lanyard?.cluster ?? '')?.displayName ?? null,
  }));
}

function stateOf(
  { account, cluster }: { account: string; cluster: string | null },
  clusters: ReadonlyMap<string, { state: string }>,
  accounts: ReadonlyMap<string, string>,
): string {
  return (cluster === null ? accounts.get(account) : clusters.get(cluster)?.state) ?? 'unknown';
}

function listText(rows: readonly Row[], columns: number | null): string {
  if (rows.length === 0) {
    return 'no contexts';
  }
  return table(
    [
      heading('', 'CONTEXT', 'CLUSTER', 'NAMESPACE', 'ACCOUNT', 'STATE'),
      ...rows.map((row) => [
        row.current ? '*' : '',
        visibleText(row.name),
        calledText(visibleText(row.cluster), row.displayName),
        ...[row.namespace ?? '', row.lanyard?.account ?? ''].map((cell) => visibleText(cell)),
        row.state === null ? '' : stateText(row.state),
      ]),
    ],
    columns,
  );
}
