import { useState } from 'react';
import type { AccountDetails } from '../../../main/contract/ui/calls/accounts.ts';
import { DraftDialog } from './draft-dialog.tsx';
import { useDraft } from './use-draft.ts';

/** Changes an account. Settings that the form doesn't show stay as they are. */
export function EditAccount({ details, onClose }: { details: AccountDetails; onClose(): void }) {
  // The account when the dialog opened: later changes must not replace what is typed.
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
