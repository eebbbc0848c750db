import { X } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { healthOf } from '../../../../main/contract/ui/health.ts';
import { addingName } from '../../../navigation/route.ts';
import { useBroker } from '../../../stores/use-broker.tsx';
import { IconButton } from '../../../ui/button.tsx';
import { isLost } from '../../../ui/lost-focus.ts';
import { Empty, Loading } from '../../../ui/states.tsx';
import { Tabs } from '../../../ui/tabs.tsx';
import { useOfNow } from '../../../ui/time/index.ts';
import { closeCluster } from '../list/close-cluster.ts';
import { useRowActions } from '../list/use-row-actions.ts';
import styles from './cluster.module.css';
import { ClusterActions } from './cluster-actions.tsx';
import { ClusterForm } from './cluster-form.tsx';
import { ClusterHead } from './cluster-head.tsx';
import { ClusterSummary } from './cluster-summary.tsx';
import { CredentialPart } from './credential-part.tsx';
import { LaneExplorer } from './lane-explorer.tsx';
import { OfInventory } from './of-inventory.tsx';
import { ProxyPart } from './proxy-part.tsx';

type Part = 'summary' | 'credential' | 'proxy' | 'time' | 'settings';

/** One cluster, beside the list or instead of it. `new`: a form to add one. */
export function View({ name }: { name: string | null }) {
  const cluster = useBroker((state) => (name === null ? undefined : state.sections.clusters[name]));
  const { open: _, ...actions } = useRowActions(alreadyOpen);
  const isThere = useBroker((state) => state.version !== null);
  const [part, setPart] = useState<Part>('summary');
  const how = useOfNow((now) => (cluster ? healthOf(cluster, now) : 'idle'));
  if (!cluster && name === addingName) {
    return (
      <Detail name={name}>
        <h2 className={styles.name}>Add a cluster</h2>
        <p>A cluster is an API server. Its account gets the credential that is used there.</p>
        <ClusterForm name={null} />
      </Detail>
    );
  }
  if (!cluster) {
    return (
      <Detail name={name}>
        {isThere ? (
          <Empty
            title={`There is no cluster named ${name}`}
            text="It may have been removed or renamed in config.yaml meanwhile."
            action={<a href="#/clusters">All clusters</a>}
          />
        ) : (
          <Loading label="Reading the clusters" />
        )}
      </Detail>
    );
  }
  return (
    <Detail name={name}>
      <ClusterHead cluster={cluster} health={how} actions={actions} />
      <ClusterActions cluster={cluster} health={how} actions={actions} />
      <Tabs<Part>
        label={`Cluster ${cluster.name}`}
        value={part === 'proxy' && !cluster.isProxied ? 'summary' : part}
        onValueChange={setPart}
        tabs={[
          { value: 'summary', label: 'Overview', panel: <ClusterSummary cluster={cluster} /> },
          { value: 'credential', label: 'Credential', panel: <CredentialPart cluster={cluster} /> },
          ...(cluster.isProxied
            ? [{ value: 'proxy', label: 'Requests', panel: <ProxyPart cluster={cluster} /> } as const]
            : []),
          {
            value: 'time',
            label: 'Time',
            panel: <LaneExplorer key={cluster.name} cluster={cluster} health={how} />,
          },
          {
            value: 'settings',
            label: 'Settings',
            panel: cluster.origin ? (
              <OfInventory name={cluster.name} origin={cluster.origin} />
            ) : (
              <ClusterForm name={cluster.name} />
            ),
          },
        ]}
      />
    </Detail>
  );
}

const alreadyOpen = { open: () => undefined };

/** Takes the list's focus if it replaces the list. */
function Detail({ name, children }: { name: string | null; children: ReactNode }) {
  const own = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isLost(document.activeElement)) {
      own.current?.focus({ preventScroll: true });
    }
  }, []);
  return (
    <div ref={own} tabIndex={-1} className={styles.detail}>
      <IconButton
        className={styles.close}
        label="Close"
        icon={<X />}
        size="small"
        onClick={() => closeCluster(name === addingName ? null : name)}
      />
      {children}
    </div>
  );
}
