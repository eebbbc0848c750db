import { useState } from 'react';
import type { Standing } from '../../../main/contract/ui/standing.ts';
import type { ClusterView } from '../../../main/contract/ui/state.ts';
import { Button } from '../../ui/button.tsx';
import { LogOutDialog } from '../clusters/log-out-dialog.tsx';
import { remedyLabels, remedyOf } from '../clusters/standing-words.ts';
import { useRowActions } from '../clusters/use-row-actions.ts';
import styles from './cluster.module.css';

/** What can be done with it now. */
export function ClusterActions({ cluster, standing }: { cluster: ClusterView; standing: Standing }) {
  const [leaving, setLeaving] = useState<string | null>(null);
  const actions = useRowActions({ open: () => undefined, goTo, logIn, logOut: setLeaving });
  const remedy = remedyOf(cluster.state, standing);
  const act = { logIn: actions.logIn, setSecret: actions.setSecret, confirm: actions.confirm };
  return (
    <div className={styles.actions}>
      {remedy !== null && remedy !== 'why' && (
        <Button size="small" onClick={() => act[remedy](cluster)}>
          {remedyLabels[remedy]}
        </Button>
      )}
      {remedy === null && (
        <Button size="small" onClick={() => actions.renew(cluster)}>
          Renew now
        </Button>
      )}
      <Button size="small" onClick={() => actions.copy(cluster)}>
        Copy kubectl line
      </Button>
      {cluster.kind === 'oidc' && cluster.state !== 'loginNeeded' && (
        <Button size="small" onClick={() => actions.logOut(cluster)}>
          Log out
        </Button>
      )}
      <LogOutDialog account={leaving} onClose={() => setLeaving(null)} />
    </div>
  );
}

function goTo(path: string): void {
  window.location.hash = path;
}

/** The login's own view is at its account. */
function logIn(account: string): void {
  goTo(`/accounts/${encodeURIComponent(account)}?login`);
}
