import { useState } from 'react';
import type { AccountDetails } from '../../../main/contract/ui/calls/accounts.ts';
import { DraftDialog } from './draft-dialog.tsx';
import { useDraft } from './use-draft.ts';

export interface EditAccountProps {
  details: AccountDetails;
  /** The key of the field that is focused first; null or one without a field: the first. */
  field: string | null;
  onClose(): void;
}

/** Changes an account. Settings that the form doesn't show stay as they are. */
export function EditAccount({ details, field, onClose }: EditAccountProps) {
  // The account when the dialog opened: later changes must not replace what is typed.
  const [before] = useState(details);
  const form = useDraft(before.kind, before);
  return (
    <DraftDialog
      title={`Edit ${before.name}`}
      kind={before.kind}
      form={form}
      hidden={before.hidden}
      field={field}
      onClose={onClose}
    />
  );
}
