import type { Status } from '../../../access/status.ts';
import type { RegistryView } from '../../../contract/ui/state.ts';
import { coversStrangers } from '../../../domain/image/shared-domains.ts';
import { registryName } from '../../../domain/target/registry-target.ts';
import { targetKey } from '../../../domain/target/target.ts';
import type { ClusterViewsDeps } from './cluster-views.ts';
import { indexCredentials } from './credential-index.ts';
import { asRenewed, isByHand, keptByAccount } from './kept-credential.ts';
import { problemText } from './problem-text.ts';

export type RegistryViewsDeps = Omit<ClusterViewsDeps, 'recent' | 'contextOf'> & {
  recent: Pick<ClusterViewsDeps['recent'], 'seed' | 'lastCall'>;
};

/** The section `registries`: each registry of config.yaml, with how its account and its credential are. */
export function registryViews(status: Status, { config, grants, recent }: RegistryViewsDeps): RegistryView[] {
  const { registries } = config.current();
  const accounts = new Map(status.accounts.map((account) => [account.name, account]));
  const cached = indexCredentials(grants.overview());
  recent.seed([...registries.keys()].map(keyOf));
  return status.registries.flatMap((registry): RegistryView[] => {
    const { name, account, matchImages } = registry;
    const own = registries.get(name)?.config;
    if (own === undefined) {
      return [];
    }
    const of = accounts.get(account) ?? null;
    const audience = own.audience ?? null;
    const state = registry.state as RegistryView['state'];
    const credential =
      cached.ofTarget(registryName(name), { account, audience }) ?? keptByAccount(registry, audience, of);
    const byHand = of !== null && isByHand(of);
    return [
      {
        name,
        matchImages: [...matchImages],
        coversStrangers: matchImages.filter(coversStrangers),
        account,
        kind: of?.kind ?? null,
        state,
        isPending: registry.pending,
        problem: problemText({ account, problem: null }, state, of, credential?.trouble, 'registry'),
        credential: asRenewed(credential, byHand),
        byHand,
        audience,
        userName: own.userName ?? null,
        approval: own.approval,
        cacheDuration: own.cacheDuration,
        calledAs: own.calledAs ?? null,
        tokenServers: [...(own.tokenServers ?? [])],
        lastCall: recent.lastCall(keyOf(name)),
      },
    ];
  });
}

function keyOf(name: string): string {
  return targetKey(registryName(name));
}
