import { memo, useEffect, useState } from 'react';
import type { Health } from '../../../../main/contract/ui/health.ts';
import type { ClusterView } from '../../../../main/contract/ui/state.ts';
import { SidePanel } from '../../entries/side-panel.tsx';
import { ClusterActions } from '../detail/cluster-actions.tsx';
import { ClusterHead } from '../detail/cluster-head.tsx';
import { ClusterSummary } from '../detail/cluster-summary.tsx';
import type { RowActions } from './use-row-actions.ts';

export interface ClusterPanelProps {
  cluster: ClusterView;
  health: Health;
  actions: RowActions;
}

/** The selected cluster, beside the list in a wide window. Not rendered again by a letter of the search. */
export const ClusterPanel = memo(function ClusterPanel({ cluster, health, actions }: ClusterPanelProps) {
  const rests = useResting(cluster.name);
  return (
    <SidePanel
      label={`Cluster ${cluster.name}`}
      actions={<ClusterActions cluster={cluster} health={health} actions={actions} />}
    >
      <ClusterHead cluster={cluster} health={health} actions={actions} />
      {rests && <ClusterSummary key={cluster.name} cluster={cluster} />}
    </SidePanel>
  );
});

/**
 * Whether the selection has stayed at this cluster for a moment. The page requests only the details of the row at
 * which the arrow keys stop.
 */
function useResting(name: string): boolean {
  const [resting, setResting] = useState<string | null>(null);
  useEffect(() => {
    const timer = setTimeout(() => setResting(name), 120);
    return () => clearTimeout(timer);
  }, [name]);
  return resting === name;
}
