import type { Health } from '../../../main/contract/ui/health.ts';
import { type Remedy, remedyOf } from '../../../main/contract/ui/health-words.ts';
import type { ClusterView } from '../../../main/contract/ui/state.ts';

/** What one login or secret does for several: `of` is the first of them. */
export interface SharedNeed<Of> {
  of: Of;
  remedy: Extract<Remedy, 'logIn' | 'setSecret'>;
  count: number;
}

/** A cluster or registry, as far as it tells what it needs of its account. */
type Needing = Pick<ClusterView, 'name' | 'account' | 'state' | 'kind'>;

/** By account, in the order of the list, the login or secret that several of these need. `names`: who needs one. */
export function sharedNeeds<Of extends Needing>(
  all: readonly { of: Of; health: Health }[],
): { needs: readonly SharedNeed<Of>[]; names: ReadonlySet<string> } {
  const byAccount = new Map<string, { of: Of; remedy: SharedNeed<Of>['remedy']; names: string[] }>();
  for (const { of, health } of all) {
    const remedy = remedyOf(of, health);
    const known = byAccount.get(of.account);
    if (remedy !== 'logIn' && remedy !== 'setSecret') {
      continue;
    }
    if (known) {
      known.names.push(of.name);
    } else {
      byAccount.set(of.account, { of, remedy, names: [of.name] });
    }
  }
  const several = [...byAccount.values()].filter(({ names }) => names.length > 1);
  return {
    needs: several.map(({ of, remedy, names }) => ({ of, remedy, count: names.length })),
    names: new Set(several.flatMap(({ names }) => names)),
  };
}
