import { type AccountStatus, type ClusterStatus, whenText } from '../../../access/status.ts';
import { insecureWords } from '../../../contract/ui/health-words.ts';
import type { ClusterContext } from '../../../contract/ui/state.ts';
import { calledText } from '../../../domain/naming/called-text.ts';
import { styled } from '../../../domain/text/style.ts';
import { noContextWords } from '../../../operations/cluster-context.ts';
import { table } from '../table.ts';
import { heading, kindText, stateText } from './state-text.ts';

/** Accounts with the kind, state, identity and expiry of each. `columns`: of the terminal. */
export function accountsTable(accounts: readonly AccountStatus[], columns: number | null): string {
  return table(
    [
      heading('ACCOUNT', 'KIND', 'STATE', 'AS', 'EXPIRES'),
      ...accounts.map((each) => [
        each.name,
        kindText(each.kind),
        stateText(each.state, each.pending),
        each.subject ?? '',
        whenText(each),
      ]),
    ],
    columns,
  );
}

/** Clusters with the server, account and state of each. */
export function clustersTable(
  clusters: readonly ClusterStatus[],
  columns: number | null,
  contexts: ReadonlyMap<string, Pick<ClusterContext, 'name'>> = new Map(),
): string {
  return table(
    [
      heading('CLUSTER', 'SERVER', 'ACCOUNT', 'STATE'),
      ...clusters.map((each) => [
        calledText(each.name, each.displayName),
        each.server,
        each.account,
        clusterStateText(each, contexts.get(each.name)),
      ]),
    ],
    columns,
  );
}

/** The state of a cluster, that its server isn’t verified, and that kubectl has no context for it. */
export function clusterStateText(
  { state, pending, isInsecure }: Pick<ClusterStatus, 'state' | 'pending' | 'isInsecure'>,
  context?: Pick<ClusterContext, 'name'>,
): string {
  return [
    stateText(state, pending),
    ...(isInsecure ? [styled.yellow(insecureWords)] : []),
    ...(context?.name === null ? [noContextWords] : []),
  ].join(', ');
}
