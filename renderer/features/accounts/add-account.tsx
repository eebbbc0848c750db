import { useState } from 'react';
import { Field, Select } from '../../ui/field.tsx';
import { type Kind, kindWords } from './account-words.ts';
import { DraftDialog } from './draft-dialog.tsx';
import { useDraft } from './use-draft.ts';

const kinds = Object.keys(kindWords) as Kind[];

/** Adds an account of any kind. The choice of the kind keeps the focus when the fields below it change. */
export function AddAccount({
  onClose,
  onSaved,
}: {
  onClose(): void;
  onSaved?: ((name: string) => void) | undefined;
}) {
  const [kind, setKind] = useState<Kind>('oidc');
  const form = useDraft(kind, null);
  return (
    <DraftDialog
      title="Add an account"
      kind={kind}
      form={form}
      onClose={onClose}
      onSaved={onSaved}
      head={
        <Field label="Kind" hint={kindWords[kind].text}>
          <Select<Kind>
            value={kind}
            onValueChange={setKind}
            options={kinds.map((each) => ({ value: each, label: kindWords[each].name }))}
          />
        </Field>
      }
    />
  );
}
