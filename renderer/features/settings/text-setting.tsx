import { type FormEvent, useEffect, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Field, TextInput } from '../../ui/field.tsx';
import styles from './settings.module.css';

export interface TextSettingProps {
  label: string;
  hint: string;
  value: string;
  /** The value in config.yaml is pending approval. */
  held: boolean;
  pattern: RegExp;
  /** What a valid value is, for users. */
  expected: string;
  onSave(value: string): Promise<void>;
}

/** One line of text. Saved when it is valid and the user clicks Save. */
export function TextSetting({ label, hint, value, held, pattern, expected, onSave }: TextSettingProps) {
  const [text, setText] = useState(value);
  const [busy, setBusy] = useState(false);
  useEffect(() => setText(value), [value]);
  const typed = text.trim();
  const isRight = pattern.test(typed);
  const save = async (event: FormEvent) => {
    event.preventDefault();
    if (isRight && typed !== value) {
      setBusy(true);
      await onSave(typed);
      setBusy(false);
    }
  };
  return (
    <form onSubmit={(event) => void save(event)}>
      <Field
        label={label}
        hint={held ? `${hint} The change is pending approval.` : hint}
        error={isRight ? null : `Expected ${expected}.`}
      >
        <div className={styles.line}>
          <TextInput mono value={text} onChange={(event) => setText(event.target.value)} />
          <Button type="submit" busy={busy} disabled={!isRight || typed === value}>
            Save
          </Button>
        </div>
      </Field>
    </form>
  );
}
