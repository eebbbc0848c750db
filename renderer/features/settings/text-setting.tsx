import { type FormEvent, useEffect, useState } from 'react';
import { Field, TextInput } from '../../ui/field.tsx';
import { useOutOfReach } from '../../ui/out-of-reach.ts';

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

/** One line of text. Saved by Enter, or when the user leaves the field; Esc restores what was there. */
export function TextSetting({ label, hint, value, held, pattern, expected, onSave }: TextSettingProps) {
  const [text, setText] = useState(value);
  const outOfReach = useOutOfReach();
  useEffect(() => setText(value), [value]);
  const typed = text.trim();
  const isRight = typed === value || pattern.test(typed);
  const save = () => {
    if (isRight && typed !== value) {
      void onSave(typed);
    }
  };
  return (
    <form
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        save();
      }}
    >
      <Field
        label={label}
        hint={held ? `${hint} The change is pending approval.` : hint}
        error={isRight ? null : `Expected ${expected}.`}
      >
        <TextInput
          mono
          value={text}
          disabled={outOfReach !== null}
          onChange={(event) => setText(event.target.value)}
          onBlur={save}
          onKeyDown={(event) => {
            if (event.key === 'Escape') {
              setText(value);
            }
          }}
        />
      </Field>
    </form>
  );
}
