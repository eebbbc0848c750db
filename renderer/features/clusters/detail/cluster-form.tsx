import { accountForCluster } from '../../../navigation/add-cluster.ts';
import { useHashQuery } from '../../../stores/use-hash-query.ts';
import { EntryForm } from '../../entries/entry-form.tsx';
import { RemoveEntry } from '../../entries/remove-entry.tsx';
import { ClusterTest } from './cluster-test.tsx';
import { EntryFields } from './entry-fields.tsx';
import { clusterRules } from './entry-values.ts';

/** Edits a cluster’s entry of config.yaml. Null: adds a new one, with the account that the address chooses. */
export function ClusterForm({ name }: { name: string | null }) {
  const [query] = useHashQuery();
  const account = accountForCluster(query);
  return (
    <EntryForm
      kind="cluster"
      name={name}
      rules={clusterRules}
      Fields={EntryFields}
      chosen={name === null && account !== '' ? { account } : undefined}
      Test={ClusterTest}
    >
      {name !== null && <RemoveEntry kind="cluster" name={name} />}
    </EntryForm>
  );
}
