import type { Status } from '../../../access/status.ts';
import type { AccountView } from '../../../contract/ui/state.ts';
import { clustersByAccount } from '../../../domain/target/clusters-by-account.ts';
import { namesByAccount } from '../../../domain/target/names-by-account.ts';
import type { Grants } from '../../../grants/grants.ts';
import type { Logins } from '../../../grants/logins.ts';
import type { ConfigStore } from '../../../ports/config-store.ts';
import { indexCredentials } from './credential-index.ts';
import { asRenewed, isByHand, keptByAccount } from './kept-credential.ts';

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
    grants: Pick<Grants, 'failuresOf' | 'overview'>;
  },
): AccountView[] {
  const clusters = clustersByAccount(config.current());
  const cached = indexCredentials(grants.overview());
  const registries = namesByAccount(status.registries.map(({ name, account }) => [account, name]));
  return status.accounts.map((each) => ({
    name: each.name,
    kind: each.kind,
    state: each.state,
    subject: each.subject,
    issuer: each.issuer,
    expiresAt: each.expiresAt,
    credential: asRenewed(cached.ofAccount(each.name) ?? keptByAccount(each, null, each), isByHand(each)),
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
