import { type FormEvent, useEffect, useRef, useState } from 'react';
import { importedName } from '../../../main/contract/config/names.ts';
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
  /** The form was left: the focus goes back to where it came from. */
  const [isBack, setBack] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const [issue] = (text !== null && importedName.safeParse(text.trim()).error?.issues) || [];
  const error = issue && text !== name ? sentence(fieldFault(issue, 'name')) : null;
  // In the last row of a list that scrolls, the form and what is wrong would be below its edge.
  const isOpen = text !== null;
  useEffect(() => {
    if (isOpen || error !== null) {
      form.current?.scrollIntoView({ block: 'nearest' });
    }
  }, [isOpen, error]);
  if (text === null) {
    return (
      <Button
        size="small"
        kind="quiet"
        aria-label={`Change name of ${of}`}
        autoFocus={isBack}
        onClick={() => setText(name)}
      >
        Change name
      </Button>
    );
  }
  const leave = () => {
    setText(null);
    setBack(true);
  };
  return (
    <form
      ref={form}
      className={styles.naming}
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        if (!issue) {
          leave();
          if (text.trim() !== name) {
            onName(text.trim());
          }
        }
      }}
    >
      <Field label={`Name in Lanyard for ${of}`} error={error}>
        <TextInput
          // The button that was pressed is gone.
          autoFocus
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            // Input methods of other scripts end a composition by Esc, too.
            if (event.key === 'Escape' && !event.nativeEvent.isComposing) {
              event.stopPropagation();
              leave();
            }
          }}
        />
      </Field>
      <div className={styles.row}>
        <Button type="submit" size="small">
          Save
        </Button>
        <Button size="small" kind="quiet" onClick={leave}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
