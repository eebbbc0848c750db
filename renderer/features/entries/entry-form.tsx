import { type ComponentType, type ReactNode, useEffect, useRef, useState } from 'react';
import type { ConfigEntry, EntryKind } from '../../../main/contract/ui/calls/entries.ts';
import { sentence } from '../../../main/contract/ui/sentence.ts';
import { useGo } from '../../navigation/use-route.ts';
import { useConfigRevision } from '../../stores/use-broker.tsx';
import { useAction, useCall } from '../../stores/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { Field, TextInput } from '../../ui/field.tsx';
import { Failure, Loading } from '../../ui/states.tsx';
import { useToast } from '../../ui/toast.tsx';
import { useSettled } from '../../ui/use-settled.ts';
import { PendingNotice } from '../confirming/pending-notice.tsx';
import styles from './entries.module.css';
import {
  byField,
  type EntryFieldsProps,
  type EntryRules,
  type EntryTestProps,
  type Faults,
} from './entry-rules.ts';
import { showField } from './show-field.ts';
import { viewOf } from './view-of.ts';

export interface EntryFormProps<Values> {
  kind: EntryKind;
  /** Null: adds a new one. */
  name: string | null;
  rules: EntryRules<Values>;
  Fields: ComponentType<EntryFieldsProps<Values>>;
  /** What the address chooses for a new one. */
  chosen?: Partial<Values> | undefined;
  /** Tests what is typed, before it is saved. */
  Test?: ComponentType<EntryTestProps<Values>> | undefined;
  /** What comes after the form. */
  children?: ReactNode;
}

/** Edits an entry of config.yaml. What is saved is pending until the user approves it (rule: confirmed-binding). */
export function EntryForm<Values extends object>({
  kind,
  name,
  rules,
  Fields,
  chosen,
  Test,
  children,
}: EntryFormProps<Values>) {
  const revision = useConfigRevision();
  const read = useCall(
    'entry.config',
    { kind, name: name ?? '-' },
    { skip: name === null, refreshOn: revision },
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
          pending={{ what: kind, served: read.value.held.served }}
          lines={read.value.held.lines}
        />
      )}
      <Editor
        key={JSON.stringify(entry)}
        kind={kind}
        name={name}
        rules={rules}
        Fields={Fields}
        chosen={chosen}
        Test={Test}
        entry={entry}
        onSaved={read.reload}
      />
      {children}
    </div>
  );
}

interface EditorProps<Values> extends Omit<EntryFormProps<Values>, 'children'> {
  entry: ConfigEntry | null;
  onSaved(): void;
}

function Editor<Values extends object>({
  kind,
  name,
  rules,
  Fields,
  chosen,
  Test,
  entry,
  onSaved,
}: EditorProps<Values>) {
  const isNew = name === null;
  const [newName, setNewName] = useState('');
  const [values, setValues] = useState<Values>(() => ({ ...rules.valuesOf(entry), ...chosen }));
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());
  const set = useAction('entry.set');
  const toast = useToast();
  const go = useGo();
  const body = useRef<HTMLFormElement>(null);
  const first = useRef<HTMLInputElement>(null);
  // Focuses the first field when the form opens.
  useEffect(() => first.current?.focus(), []);
  const next = rules.entryOf(values, entry);
  const now = { kind, name: name ?? newName.trim(), isNew, entry: next };
  const settled = useSettled(now);
  // The faults that only the broker can find: names that are taken, files that don’t exist.
  const checked = useCall('entry.check', settled);
  const problems = checked.value?.problems ?? [];
  const own = rules.faultsOf(next, values, entry);
  // Ignores the broker’s check of an earlier form. The broker checks the form again when it is saved.
  const isChecked = JSON.stringify(settled) === JSON.stringify(now);
  const faults: Faults = { ...(isChecked && byField(problems)), ...own };
  const isChanged = isNew || JSON.stringify(next) !== JSON.stringify(entry);
  const shown = Object.fromEntries(Object.entries(faults).filter(([field]) => !isNew || touched.has(field)));
  const touch = (fields: readonly string[]) => setTouched((before) => new Set([...before, ...fields]));
  // Focuses the first field with a fault.
  const focusFirstFault = () =>
    setTimeout(() => body.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
  const change = (part: Partial<Values>) => {
    setValues((before) => ({ ...before, ...part }));
    touch(Object.keys(part));
  };
  const save = async () => {
    touch([...Object.keys(values), 'name', '']);
    if (Object.keys(faults).length > 0) {
      focusFirstFault();
      return;
    }
    const done = await set.run(now);
    if (done) {
      toast.show(
        `${now.name} is written into config.yaml`,
        done.held ? 'It takes effect once you approve it.' : undefined,
      );
      if (isNew) {
        go(viewOf[kind], now.name);
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
          hint="Shown in the list and used in commands."
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
      <Fields values={values} faults={shown} problems={problems} onChange={change} />
      {shown[''] && <p className={styles.problem}>{sentence(shown[''])}</p>}
      {Test && (
        <Test
          entry={next}
          // An account can be chosen afterwards.
          isSound={Object.keys(own).every((field) => field === 'account')}
          showFaults={() => {
            touch(Object.keys(values));
            focusFirstFault();
          }}
          onChange={change}
          onShow={(key) => showField(body.current, key)}
        />
      )}
      {set.failure && <Failure failure={set.failure} />}
      <p className={styles.faint}>
        It is written into config.yaml, and takes effect once you approve it in Lanyard’s approval window or
        on a terminal.
      </p>
      <div className={styles.actions}>
        <Button type="submit" busy={set.busy} aria-disabled={!isChanged}>
          {isNew ? `Add the ${kind}` : 'Save'}
        </Button>
        {!isNew && isChanged && (
          <Button onClick={() => setValues(rules.valuesOf(entry))}>Undo changes</Button>
        )}
      </div>
    </form>
  );
}
