import { useState } from 'react';
import { useAction } from '../../../stores/use-call.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Failure } from '../../../ui/states.tsx';
import { useToast } from '../../../ui/toast.tsx';
import { ApprovalFields } from '../../entries/account-and-approval.tsx';
import { type ApprovalValues, policyText } from '../../entries/approval-policy.ts';
import { clustersText, SomeNames } from './some-names.tsx';

export interface SetApprovalProps {
  names: readonly string[];
  onClose(): void;
  onDone(): void;
}

/** When the user is asked, for all of the clusters by one change. */
export function SetApproval({ names, onClose, onDone }: SetApprovalProps) {
  const [values, setValues] = useState<ApprovalValues>({ approval: 'perTerminal', approvalFor: '15m' });
  const set = useAction('entry.setApproval');
  const toast = useToast();
  const what = clustersText(names);
  const run = async () => {
    const done = await set.run({ kind: 'cluster', names: [...names], approval: policyText(values) });
    if (done) {
      toast.show(
        `The approval of ${what} is changed`,
        done.held === 0
          ? undefined
          : done.held === names.length
            ? 'Pending your approval.'
            : `Pending approval: ${done.held} of them.`,
      );
      onClose();
      onDone();
    }
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title={`Set the approval of ${what}`}
      size="small"
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" busy={set.busy} onClick={() => void run()}>
            Save
          </Button>
        </>
      }
    >
      <SomeNames names={names} />
      <ApprovalFields
        values={values}
        error={null}
        onChange={(part) => setValues((before) => ({ ...before, ...part }))}
      />
      {set.failure && <Failure failure={set.failure} />}
    </Dialog>
  );
}
