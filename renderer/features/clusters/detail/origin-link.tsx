import type { ClusterView } from '../../../../main/contract/ui/state.ts';
import { hrefOf } from '../../../navigation/route.ts';

/** Which profile a cluster is, with links to its inventory and to itself. */
export function OriginLink({
  origin: { inventory, namespace, name },
}: {
  origin: NonNullable<ClusterView['origin']>;
}) {
  return (
    <>
      From the inventory <a href={hrefOf('inventories', inventory)}>{inventory}</a>:{' '}
      <a href={hrefOf('inventories', `${inventory}/${namespace}/${name}`)}>
        {namespace}/{name}
      </a>
    </>
  );
}
