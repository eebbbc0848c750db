import { useState } from 'react';
import type { AccountDetails } from '../../../main/contract/ui/calls/accounts.ts';
import { DraftDialog } from './draft-dialog.tsx';
import { useDraft } from './use-draft.ts';

/** Changes an account; what the form doesn't show stays as it is written. */
export function EditAccount({ details, onClose }: { details: AccountDetails; onClose(): void }) {
  // As it was when the dialog opened: what arrives meanwhile doesn't move what is typed.
  const [before] = useState(details);
  const form = useDraft(before.kind, before);
  return (
    <DraftDialog
      title={`Edit ${before.name}`}
      kind={before.kind}
      form={form}
      hidden={before.hidden}
      onClose={onClose}
    />
  );
}
