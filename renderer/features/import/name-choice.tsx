import { type FormEvent, useState } from 'react';
import { configName } from '../../../main/contract/config/names.ts';
import { sentence } from '../../../main/contract/ui/sentence.ts';
import { Button } from '../../ui/button.tsx';
import { Field, TextInput } from '../../ui/field.tsx';
import { fieldFault } from '../entries/field-fault.ts';
import styles from './import.module.css';

/** A new entry whose name isn’t the kubeconfig’s gets another one here: the plan is then made again. */
export function NameChoice({
  of,
  name,
  onName,
}: {
  /** What it is called in the kubeconfig, for display. */
  of: string;
  name: string;
  onName(name: string): void;
}) {
  const [text, setText] = useState<string | null>(null);
  if (text === null) {
    return (
      <Button size="small" kind="quiet" aria-label={`Change name of ${of}`} onClick={() => setText(name)}>
        Change name
      </Button>
    );
  }
  const [issue] = configName.safeParse(text.trim()).error?.issues ?? [];
  const save = (event: FormEvent) => {
    event.preventDefault();
    if (!issue) {
      onName(text.trim());
      setText(null);
    }
  };
  return (
    <form className={styles.naming} onSubmit={save}>
      <Field
        label={`Name in Lanyard for ${of}`}
        error={issue && text !== name ? sentence(fieldFault(issue, 'name')) : null}
      >
        <TextInput
          // The button that was pressed is gone.
          autoFocus
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Escape') {
              event.stopPropagation();
              setText(null);
            }
          }}
        />
      </Field>
      <div className={styles.row}>
        <Button type="submit" size="small">
          Save
        </Button>
        <Button size="small" kind="quiet" onClick={() => setText(null)}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
