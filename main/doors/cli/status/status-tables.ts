import { type AccountStatus, type ClusterStatus, whenText } from '../../../access/status.ts';
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
export function clustersTable(clusters: readonly ClusterStatus[], columns: number | null): string {
  return table(
    [
      heading('CLUSTER', 'SERVER', 'ACCOUNT', 'STATE'),
      ...clusters.map((each) => [each.name, each.server, each.account, stateText(each.state, each.pending)]),
    ],
    columns,
  );
}
