import { sentence } from '../../../main/contract/ui/sentence.ts';
import { useCall } from '../../stores/use-call.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Failure, Loading } from '../../ui/states.tsx';

/** The objects of an inventory that are no profiles, or are left out, and why. */
export function ProblemsDialog({ inventory, onClose }: { inventory: string; onClose(): void }) {
  const { value, failure, reload } = useCall('inventory.problems', { inventory });
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={`Left out of ${inventory}`}
      description="These objects of the source are not listed as profiles, or not as they are now."
      size="large"
    >
      {failure && <Failure failure={failure} onRetry={reload} />}
      {!value && !failure && <Loading label="Reading the objects" />}
      {value && (
        <DataTable
          caption="Objects that are left out"
          columns={[{ label: 'Object', mono: true }, { label: 'Why' }]}
          rows={value.problems.map(({ namespace, name, text }, index) => ({
            key: String(index),
            cells: [
              name === null ? (namespace ?? '–') : `${namespace === null ? '' : `${namespace}/`}${name}`,
              sentence(text),
            ],
          }))}
        />
      )}
    </Dialog>
  );
}
