import { EntryForm } from '../../entries/entry-form.tsx';
import { RemoveEntry } from '../../entries/remove-entry.tsx';
import { ClusterTest } from './cluster-test.tsx';
import { EntryFields } from './entry-fields.tsx';
import { clusterRules } from './entry-values.ts';

/** Edits a cluster’s entry of config.yaml. Null: adds a new one. */
export function ClusterForm({ name }: { name: string | null }) {
  return (
    <EntryForm kind="cluster" name={name} rules={clusterRules} Fields={EntryFields} Test={ClusterTest}>
      {name !== null && <RemoveEntry kind="cluster" name={name} />}
    </EntryForm>
  );
}
