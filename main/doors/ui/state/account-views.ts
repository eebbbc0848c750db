import type { AccountStatus, Status } from '../../../access/status.ts';
import type { AccountView } from '../../../contract/ui/state.ts';
import { clustersByAccount } from '../../../domain/target/clusters-by-account.ts';
import { namesByAccount } from '../../../domain/target/names-by-account.ts';
import type { Grants } from '../../../grants/grants.ts';
import type { Logins } from '../../../grants/logins.ts';
import type { ConfigStore } from '../../../ports/config-store.ts';

/** The section `accounts`. */
export function accountViews(
  status: Status,
  {
    config,
    logins,
    grants,
  }: {
    config: Pick<ConfigStore, 'current'>;
    logins: Pick<Logins, 'underWay'> & { wanted: Pick<Logins['wanted'], 'view'> };
    grants: Pick<Grants, 'failuresOf'>;
  },
): AccountView[] {
  const clusters = clustersByAccount(config.current());
  const registries = namesByAccount(status.registries.map(({ name, account }) => [account, name]));
  return status.accounts.map((each) => ({
    name: each.name,
    kind: each.kind,
    state: each.state,
    subject: each.subject,
    issuer: each.issuer,
    expiresAt: each.expiresAt,
    endIs: each.endIs ?? null,
    problem: each.problem,
    clockOffSeconds: each.clockOffSeconds ?? null,
    clusters: [...(clusters.get(each.name) ?? [])],
    registries: [...(registries.get(each.name) ?? [])],
    login: logins.underWay(each.name),
    wanted: logins.wanted.view(each.name),
    byHand: isByHand(each),
    failures: grants.failuresOf(each.name),
    waitsAtToken: each.waitsAtToken ?? false,
    tokenIsOut: each.tokenIsOut ?? false,
  }));
}

/** Whether only the user can replace the credential. */
export function isByHand({ byHand, kind }: Pick<AccountStatus, 'byHand' | 'kind'>): boolean {
  return byHand ?? (kind === 'staticToken' || kind === 'clientCertificate');
}
