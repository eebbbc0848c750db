import { useEffect, useState } from 'react';
import type { Health } from '../../../../main/contract/ui/health.ts';
import type { ClusterView } from '../../../../main/contract/ui/state.ts';
import { ClusterActions } from '../detail/cluster-actions.tsx';
import { ClusterHead } from '../detail/cluster-head.tsx';
import { ClusterSummary } from '../detail/cluster-summary.tsx';
import styles from './clusters.module.css';
import type { RowActions } from './use-row-actions.ts';

export interface ClusterPanelProps {
  cluster: ClusterView;
  health: Health;
  actions: RowActions;
}

/** The selected cluster, beside the list in a wide window. */
export function ClusterPanel({ cluster, health, actions }: ClusterPanelProps) {
  const rests = useResting(cluster.name);
  return (
    <aside className={styles.panel} aria-label={`Cluster ${cluster.name}`}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
      <section aria-label="At a glance" tabIndex={0} className={styles.content}>
        <ClusterHead cluster={cluster} health={health} />
        {rests && <ClusterSummary key={cluster.name} cluster={cluster} />}
      </section>
      <div className={styles.foot}>
        <ClusterActions cluster={cluster} health={health} actions={actions} />
      </div>
    </aside>
  );
}

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
