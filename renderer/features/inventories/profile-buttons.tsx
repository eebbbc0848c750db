import type { ProfileRowView } from '../../../main/contract/ui/calls/inventories.ts';
import { useGo } from '../../navigation/use-route.ts';
import { useBroker } from '../../stores/use-broker.tsx';
import { Button } from '../../ui/button.tsx';
import type { ProfileActions } from './use-profile-actions.ts';

/** Adds one profile to kubectl, or removes it; and its cluster. */
export function ProfileButtons({ row, actions }: { row: ProfileRowView; actions: ProfileActions }) {
  const go = useGo();
  const { state, context } = row;
  const isCluster = useBroker(
    (all) => context !== null && all.sections.clusters[context]?.origin?.inventory === row.inventory,
  );
  const canAdd = state === 'available' || state === 'remade' || state === 'refused';
  return (
    <>
      {canAdd && (
        <Button size="small" busy={actions.busy === 'add'} onClick={() => void actions.add([row])}>
          {state === 'available' ? 'Add to kubectl' : 'Add again'}
        </Button>
      )}
      {isCluster && context !== null && (
        <Button size="small" onClick={() => go('clusters', context)}>
          Open cluster
        </Button>
      )}
      {context !== null && (
        <Button size="small" busy={actions.busy === 'remove'} onClick={() => void actions.remove([row])}>
          Remove from kubectl
        </Button>
      )}
    </>
  );
}
