import { useBroker } from '../../stores/use-broker.tsx';
import { useCall } from '../../stores/use-call.ts';

/** An offer to import users that other programs added to a kubeconfig, or to finish an import. */
export interface ShownOffer {
  file: string;
  importable: readonly string[];
  stands: 'new' | 'inForce';
}

/** Null: there is none. */
export function useOffer(): ShownOffer | null {
  const offers = useBroker((state) => state.sections.imports);
  const nothing = useBroker(
    (state) =>
      Object.keys(state.sections.clusters).length === 0 && Object.keys(state.sections.accounts).length === 0,
  );
  // If nothing is imported yet, the page itself offers the import.
  const [offer] = nothing ? [] : Object.values(offers);
  // The offers may change with what is active or pending.
  const version = useBroker(({ sections: { held, accounts, clusters, lock } }) =>
    [
      ...Object.keys(held),
      Object.keys(accounts).length,
      Object.keys(clusters).length,
      lock['']?.kind ?? '',
    ].join(' '),
  );
  const { value, loading } = useCall(
    'import.stands',
    { file: offer?.file ?? '' },
    { skip: !offer, refreshOn: `${version} ${offer?.importable.join(' ') ?? ''}` },
  );
  const stands = value?.stands ?? 'new';
  // The strip of pending changes shows a pending import. Before the answer arrives, no user is called new.
  return !offer || stands === 'held' || (loading && value === null) ? null : { ...offer, stands };
}
