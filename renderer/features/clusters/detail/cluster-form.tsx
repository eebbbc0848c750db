import { useEffect, useRef, useState } from 'react';
import type { ClusterEntry } from '../../../../main/contract/ui/calls/cluster-editing.ts';
import { sentence } from '../../../../main/contract/ui/sentence.ts';
import { useBroker } from '../../../stores/use-broker.tsx';
import { useAction, useCall } from '../../../stores/use-call.ts';
import { Button } from '../../../ui/button.tsx';
import { Field, TextInput } from '../../../ui/field.tsx';
import { Failure, Loading } from '../../../ui/states.tsx';
import { useToast } from '../../../ui/toast.tsx';
import { useSettled } from '../../../ui/use-settled.ts';
import { PendingNotice } from '../../confirming/pending-notice.tsx';
import styles from './cluster.module.css';
import { EntryFields } from './entry-fields.tsx';
import { byField, type EntryForm, entryOf, faultsOf, formOf, typedFaultsOf } from './entry-form.ts';
import { RemoveCluster } from './remove-cluster.tsx';

/** Edits a cluster's entry of config.yaml. Null: adds a new one. */
export function ClusterForm({ name }: { name: string | null }) {
  const isHeld = useBroker((state) => name !== null && Object.hasOwn(state.sections.held, `cluster ${name}`));
  const read = useCall(
    'cluster.config',
    { cluster: name ?? '-' },
    { skip: name === null, refreshOn: isHeld },
  );
  if (name !== null && !read.value) {
    return read.failure ? (
      <Failure failure={read.failure} onRetry={read.reload} />
    ) : (
      <Loading label="Reading config.yaml" />
    );
  }
  const entry = read.value?.entry ?? null;
  return (
    <div className={styles.parts}>
      {read.value?.held && (
        <PendingNotice
          pending={{ what: 'cluster', served: read.value.held.served }}
          lines={read.value.held.lines}
        />
      )}
      <Editor key={JSON.stringify(entry)} name={name} entry={entry} onSaved={read.reload} />
      {name !== null && <RemoveCluster name={name} />}
    </div>
  );
}

interface EditorProps {
  name: string | null;
  entry: ClusterEntry | null;
  onSaved(): void;
}

function Editor({ name, entry, onSaved }: EditorProps) {
  const isNew = name === null;
  const [newName, setNewName] = useState('');
  const [form, setForm] = useState<EntryForm>(() => formOf(entry));
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());
  const set = useAction('cluster.set');
  const toast = useToast();
  const body = useRef<HTMLFormElement>(null);
  const first = useRef<HTMLInputElement>(null);
  // Focuses the first field when the form opens.
  useEffect(() => first.current?.focus(), []);
  const next = entryOf(form, entry);
  const now = { cluster: name ?? newName, isNew, entry: next };
  const settled = useSettled(now);
  const own = { ...faultsOf(next), ...typedFaultsOf(form, entry) };
  // The faults that only the broker can find: names that are taken, files that don't exist.
  const checked = useCall('cluster.check', settled);
  const faults: Readonly<Record<string, string>> = { ...byField(checked.value?.problems ?? []), ...own };
  const isChanged = isNew || JSON.stringify(next) !== JSON.stringify(entry);
  const shown = Object.fromEntries(Object.entries(faults).filter(([field]) => !isNew || touched.has(field)));
  const change = (part: Partial<EntryForm>) => {
    setForm((before) => ({ ...before, ...part }));
    setTouched((before) => new Set([...before, ...Object.keys(part)]));
  };
  const save = async () => {
    setTouched(new Set([...Object.keys(form), 'name']));
    // Ignores the broker's check of an earlier form. The broker checks the form again when it is saved.
    const isChecked = JSON.stringify(settled) === JSON.stringify(now);
    if (Object.keys(isChecked ? faults : own).length > 0) {
      // Focuses the first field with a fault.
      setTimeout(() => body.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
      return;
    }
    const cluster = name ?? newName.trim();
    const done = await set.run({ cluster, isNew, entry: next });
    if (done) {
      toast.show(
        `${cluster} is written into config.yaml`,
        done.held ? 'It takes effect once you approve it.' : undefined,
      );
      if (isNew) {
        window.location.hash = `/clusters/${encodeURIComponent(cluster)}`;
      } else {
        onSaved();
      }
    }
  };
  return (
    <form
      ref={body}
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      {isNew && (
        <Field
          label="Name"
          error={shown['name'] ? sentence(shown['name']) : null}
          hint="As you will call it."
        >
          <TextInput
            ref={first}
            value={newName}
            onChange={(event) => {
              setNewName(event.target.value);
              setTouched((before) => new Set([...before, 'name']));
            }}
          />
        </Field>
      )}
      <EntryFields form={form} faults={shown} onChange={change} />
      {shown[''] && <p className={styles.problem}>{sentence(shown[''])}</p>}
      {set.failure && <Failure failure={set.failure} />}
      <p className={styles.faint}>
        It is written into config.yaml, and counts once you have confirmed it in a window of Lanyard’s own or
        on a terminal.
      </p>
      <div className={styles.actions}>
        <Button type="submit" busy={set.busy} aria-disabled={!isChanged}>
          {isNew ? 'Add the cluster' : 'Save'}
        </Button>
        {!isNew && isChanged && <Button onClick={() => setForm(formOf(entry))}>Undo changes</Button>}
      </div>
    </form>
  );
}
