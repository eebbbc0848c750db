import type { Status } from '../../../access/status.ts';
import { BrokerError } from '../../../contract/broker-error.ts';
import { clusterCalled } from '../../../domain/naming/cluster-called.ts';
import { nearestNames } from '../../../domain/text/nearest-name.ts';
import { unknownName } from '../../../domain/text/unknown-name.ts';
import { visibleText } from '../../../domain/text/visible-text.ts';
import type { InventoryFigures } from '../../../operations/inventories/inventory-figures.ts';

/** What a user asked about; null: everything. */
export interface StatusFilter {
  /** Of an account, a cluster, a registry or an inventory, or a cluster’s alias. */
  name: string | null;
  account: string | null;
}

/**
 * Only what the filter names: an account with all that uses it; a cluster or registry with its account. Throws
 * BrokerError (notFound) where nothing has the name.
 */
export function filteredStatus<Of extends { status: Status; inventories: readonly InventoryFigures[] }>(
  of: Of,
  { name, account }: StatusFilter,
  called: Parameters<typeof clusterCalled>[1],
): Of {
  const { status, inventories } = of;
  const said = account ?? name;
  if (said === null) {
    return of;
  }
  const all = [status.accounts, status.clusters, status.registries, inventories].flat();
  const isAlias = account === null && !all.some((each) => each.name === said);
  const wanted = isAlias ? clusterCalled(said, called) : said;
  const isMeant = (each: { name: string; account: string }) =>
    each.account === wanted || (account === null && each.name === wanted);
  const clusters = status.clusters.filter(isMeant);
  const registries = status.registries.filter(isMeant);
  const users = new Set([...clusters, ...registries].map((each) => each.account));
  const accounts = status.accounts.filter((each) => each.name === wanted || users.has(each.name));
  const ownInventories = account === null ? inventories.filter((each) => each.name === wanted) : [];
  const named = { account: accounts, cluster: clusters, registry: registries, inventory: ownInventories };
  if (Object.values(named).every((found) => found.length === 0)) {
    throw account === null
      ? unknownTo(wanted, all)
      : unknownName(
          'account',
          wanted,
          status.accounts.map((each) => each.name),
        );
  }
  const isNamed = ({ what, name: own }: Status['held'][number]) =>
    (named[what as keyof typeof named] ?? accounts).some((each) => each.name === own);
  return {
    ...of,
    status: { ...status, accounts, clusters, registries, held: status.held.filter(isNamed) },
    inventories: ownInventories,
  };
}

function unknownTo(name: string, known: readonly { name: string }[]): BrokerError {
  const near = nearestNames(name, [...new Set(known.map((each) => each.name))]);
  return new BrokerError(
    'status.unknown',
    `there is no account, cluster, registry or inventory named "${visibleText(name, 128)}"`,
    {
      reason: 'notFound',
      hint:
        near.length > 0 ? `did you mean ${near.join(' or ')}?` : 'lanyard status --all shows what there is',
    },
  );
}
