import type { Health } from '../../../../main/contract/ui/health.ts';
import { remedyOf } from '../../../../main/contract/ui/health-words.ts';
import type { ClusterView } from '../../../../main/contract/ui/state.ts';
import { Button } from '../../../ui/button.tsx';
import type { RowActions } from '../list/use-row-actions.ts';
import styles from './cluster.module.css';
import { UseInKubectl } from './use-in-kubectl.tsx';

export interface ClusterActionsProps {
  cluster: ClusterView;
  health: Health;
  actions: Omit<RowActions, 'open'> & Partial<RowActions>;
}

/** The actions that the cluster offers now, besides the one of its head. */
export function ClusterActions({ cluster, health, actions }: ClusterActionsProps) {
  const { open } = actions;
  const remedy = remedyOf(cluster, health);
  return (
    <div className={styles.actions}>
      {open && (
        <Button size="small" onClick={() => open(cluster)}>
          Open
        </Button>
      )}
      {remedy === null && cluster.kind !== 'pkcs11' && (
        <Button size="small" calls onClick={() => actions.renew(cluster)}>
          Renew now
        </Button>
      )}
      <Button size="small" calls onClick={() => actions.copy(cluster)}>
        Copy kubectl line
      </Button>
      <UseInKubectl cluster={cluster.name} addContexts={actions.addContexts} />
      {(cluster.kind === 'oidc' || cluster.kind === 'pkcs11') && cluster.state !== 'loginNeeded' && (
        <Button size="small" calls onClick={() => actions.logOut(cluster)}>
          Log out
        </Button>
      )}
    </div>
  );
}
