import { useEffect, useRef, useState } from 'react';
import type { ClusterEntry } from '../../../main/contract/ui/calls/cluster-editing.ts';
import { sentence } from '../../../main/contract/ui/sentence.ts';
import { useGo } from '../../navigation/use-route.ts';
import { useBroker } from '../../stores/use-broker.tsx';
import { useAction, useCall } from '../../stores/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { Field, TextInput } from '../../ui/field.tsx';
import { Failure, Loading } from '../../ui/states.tsx';
import { useToast } from '../../ui/toast.tsx';
import { useSettled } from '../../ui/use-settled.ts';
import { byField } from '../clusters/detail/entry-form.ts';
import { PendingNotice } from '../confirming/pending-notice.tsx';
import styles from './registries.module.css';
import { RegistryFields } from './registry-fields.tsx';
import { entryOf, faultsOf, type RegistryValues, valuesOf } from './registry-values.ts';

/** Edits a registry’s entry of config.yaml. Null: adds a new one. */
export function RegistryForm({ name }: { name: string | null }) {
  const isHeld = useBroker(
    (state) => name !== null && Object.hasOwn(state.sections.held, `registry ${name}`),
  );
  const read = useCall(
    'registry.config',
    { registry: name ?? '-' },
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
    <div className={styles.stack}>
      {read.value?.held && (
        <PendingNotice
          pending={{ what: 'registry', served: read.value.held.served }}
          lines={read.value.held.lines}
        />
      )}
      <Editor key={JSON.stringify(entry)} name={name} entry={entry} onSaved={read.reload} />
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
  const [values, setValues] = useState<RegistryValues>(() => valuesOf(entry));
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());
  const set = useAction('registry.set');
  const toast = useToast();
  const go = useGo();
  const body = useRef<HTMLFormElement>(null);
  const first = useRef<HTMLInputElement>(null);
  useEffect(() => first.current?.focus(), []);
  const next = entryOf(values, entry);
  const now = { registry: name ?? newName.trim(), isNew, entry: next };
  const settled = useSettled(now);
  // What only the broker can find: names that are taken, patterns that cover strangers’ registries.
  const checked = useCall('registry.check', settled);
  const problems = checked.value?.problems ?? [];
  const own = faultsOf(next);
  const faults: Readonly<Record<string, string>> = { ...byField(problems), ...own };
  const warnings = problems.flatMap(({ severity, field, message }) =>
    severity === 'warning' && field === 'matchImages' ? [message] : [],
  );
  const isChanged = isNew || JSON.stringify(next) !== JSON.stringify(entry);
  const shown = Object.fromEntries(Object.entries(faults).filter(([field]) => !isNew || touched.has(field)));
  const touch = (fields: readonly string[]) => setTouched((before) => new Set([...before, ...fields]));
  const save = async () => {
    touch([...Object.keys(values), 'name']);
    // Ignores the broker’s check of an earlier form. The broker checks the form again when it is saved.
    const isChecked = JSON.stringify(settled) === JSON.stringify(now);
    if (Object.keys(isChecked ? faults : own).length > 0) {
      setTimeout(() => body.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
      return;
    }
    const done = await set.run(now);
    if (done) {
      toast.show(
        `${now.registry} is written into config.yaml`,
        done.held ? 'It takes effect once you approve it.' : undefined,
      );
      if (isNew) {
        go('registries', now.registry);
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
              touch(['name']);
            }}
          />
        </Field>
      )}
      <RegistryFields
        values={values}
        faults={shown}
        warnings={warnings}
        onChange={(part) => {
          setValues((before) => ({ ...before, ...part }));
          touch(Object.keys(part));
        }}
      />
      {shown[''] && <p className={styles.problem}>{sentence(shown[''])}</p>}
      {set.failure && <Failure failure={set.failure} />}
      <p className={styles.faint}>
        It is written into config.yaml, and takes effect once you approve it in Lanyard’s approval window or
        on a terminal.
      </p>
      <div className={styles.actions}>
        <Button type="submit" busy={set.busy} aria-disabled={!isChanged}>
          {isNew ? 'Add the registry' : 'Save'}
        </Button>
        {!isNew && isChanged && <Button onClick={() => setValues(valuesOf(entry))}>Undo changes</Button>}
      </div>
    </form>
  );
}
