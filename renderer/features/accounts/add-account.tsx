import { useState } from 'react';
import { Field, Select } from '../../ui/field.tsx';
import { type Kind, kindWords } from './account-words.ts';
import { DraftDialog } from './draft-dialog.tsx';
import { useDraft } from './use-draft.ts';

const kinds = Object.keys(kindWords) as Kind[];

/** Adds an account of any kind. */
export function AddAccount({ onClose }: { onClose(): void }) {
  const [kind, setKind] = useState<Kind>('oidc');
  // Another kind has other fields: a form of its own.
  return <AddOfKind key={kind} kind={kind} onKind={setKind} onClose={onClose} />;
}

function AddOfKind({ kind, onKind, onClose }: { kind: Kind; onKind(kind: Kind): void; onClose(): void }) {
  const form = useDraft(kind, null);
  return (
    <DraftDialog
      title="Add an account"
      kind={kind}
      form={form}
      onClose={onClose}
      head={
        <Field label="Kind" hint={kindWords[kind].text}>
          <Select
            value={kind}
            onValueChange={onKind}
            options={kinds.map((each) => ({ value: each, label: kindWords[each].name }))}
          />
        </Field>
      }
    />
  );
}
