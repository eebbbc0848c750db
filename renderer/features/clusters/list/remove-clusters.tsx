import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Failure } from '../../../ui/states.tsx';
import type { useRemoveEntries } from '../../entries/use-remove-entries.ts';
import { clustersText, SomeNames } from './some-names.tsx';

export interface RemoveClustersProps {
  names: readonly string[];
  /** Of what stays: the message about it is there after the dialog. */
  remove: ReturnType<typeof useRemoveEntries>;
  onClose(): void;
  onDone(): void;
}

/** Removes clusters by one change, after one question. */
export function RemoveClusters({ names, remove, onClose, onDone }: RemoveClustersProps) {
  const what = clustersText(names);
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title={`Remove ${what}?`}
      description="Tools can no longer use them. Their accounts and history are kept. You can undo it in the message that follows."
      size="small"
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            kind="danger"
            busy={remove.busy}
            onClick={async () => {
              if (await remove.run(names, what)) {
                onClose();
                onDone();
              }
            }}
          >
            Remove
          </Button>
        </>
      }
    >
      <SomeNames names={names} />
      {remove.failure && <Failure failure={remove.failure} />}
    </Dialog>
  );
}
