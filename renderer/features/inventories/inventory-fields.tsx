import { sentence } from '../../../main/contract/ui/sentence.ts';
import { useBroker } from '../../stores/use-broker.tsx';
import { Checkbox, Field, Select, TextArea, TextInput } from '../../ui/field.tsx';
import type { EntryFieldsProps } from '../entries/entry-rules.ts';
import type { InventoryValues } from './inventory-values.ts';
import { ProviderRows } from './provider-rows.tsx';

const ofHub = [
  { key: 'namespaces', label: 'Namespaces', hint: 'Of the hub, with commas between them. Empty: all.' },
  {
    key: 'labelSelector',
    label: 'Only profiles with these labels',
    hint: 'A label selector, such as env=prod. Empty: all.',
  },
] as const;
const ofContexts = [
  {
    key: 'select',
    label: 'Add profiles with these labels automatically',
    hint: 'A label selector, such as tier=critical. Each is pending until you approve it. Empty: you choose them.',
  },
  {
    key: 'contextName',
    label: 'Names of contexts',
    hint: 'Such as {clusterset}-{name}. Also {location}, {displayName}, {namespace} and {inventory}. Empty: {name}.',
  },
  { key: 'contexts', label: 'Contexts at most', hint: 'Each kubectl reads them all. Empty: 200.' },
] as const;

export function InventoryFields({ values, faults, onChange }: EntryFieldsProps<InventoryValues>) {
  const fault = (key: string) => (faults[key] === undefined ? null : sentence(faults[key]));
  const text = ({ key, label, hint }: (typeof ofHub)[number] | (typeof ofContexts)[number]) => (
    <Field key={key} label={label} error={fault(key)} hint={hint}>
      <TextInput mono value={values[key]} onChange={(event) => onChange({ [key]: event.target.value })} />
    </Field>
  );
  const lines = (key: 'files' | 'servers', label: string, hint: string) => (
    <Field label={label} error={fault(key)} hint={hint}>
      <TextArea
        mono
        rows={2}
        value={values[key]}
        onChange={(event) => onChange({ [key]: event.target.value })}
      />
    </Field>
  );
  return (
    <>
      <Field label="Profiles come from">
        <Select
          value={values.source}
          onValueChange={(source) => onChange({ source })}
          options={[
            { value: 'hub', label: 'A hub: one of your clusters' },
            { value: 'files', label: 'Files and folders' },
          ]}
        />
      </Field>
      {values.source === 'hub' ? (
        <>
          <HubField cluster={values.cluster} error={fault('cluster')} onChange={onChange} />
          {ofHub.map(text)}
        </>
      ) : (
        lines(
          'files',
          'Files and folders',
          'One path on each line, with ClusterProfiles as YAML or JSON. They are watched.',
        )
      )}
      <ProviderRows
        providers={values.providers}
        error={fault('providers')}
        onChange={(providers) => onChange({ providers })}
      />
      {lines(
        'servers',
        'Expected servers',
        'One on each line: api.example.com, *.example.com, 10.0.0.0/8. Any other server is marked when you approve it.',
      )}
      {ofContexts.map(text)}
      <Checkbox
        checked={values.trusted}
        onCheckedChange={(trusted) => onChange({ trusted })}
        label="Trust changes within the expected servers"
        hint="A new server or CA of a profile in use then needs no approval. Anyone who can write a profile on the hub can move its cluster there."
      />
    </>
  );
}

interface HubFieldProps {
  cluster: string;
  error: string | null;
  onChange(part: Partial<InventoryValues>): void;
}

/** A cluster of another inventory is none that this one could stand on: config.yaml doesn’t have it. */
function HubField({ cluster, error, onChange }: HubFieldProps) {
  const clusters = useBroker((state) =>
    Object.values(state.sections.clusters)
      .flatMap(({ name, origin }) => (origin === null ? [name] : []))
      .sort()
      .join('\n'),
  );
  const names = clusters === '' ? [] : clusters.split('\n');
  return (
    <Field label="Hub" error={error} hint="The cluster that has the ClusterProfiles.">
      <Select
        value={cluster}
        onValueChange={(next) => onChange({ cluster: next })}
        options={[...new Set([cluster, ...names])].map((name) => ({
          value: name,
          label: name === '' ? 'Choose a cluster' : name,
        }))}
      />
    </Field>
  );
}
