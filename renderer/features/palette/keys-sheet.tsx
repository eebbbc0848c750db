import { Dialog } from '../../ui/dialog.tsx';
import { Switch } from '../../ui/field.tsx';
import { KeyValues } from '../../ui/key-values.tsx';
import { useSingleKeys } from '../../ui/keys/index.ts';

/** All keys, and the switch for single letters and signs. */
export function KeysSheet({ onClose }: { onClose(): void }) {
  const { on, set } = useSingleKeys();
  return (
    <Dialog open onOpenChange={onClose} title="Keyboard shortcuts" size="small">
      <KeyValues
        rows={[
          ['Ctrl K or ⌘ K', 'Search clusters, accounts and actions'],
          ['/', 'The same; in a list, search the list'],
          ['↑ ↓', 'Move in a list'],
          ['Enter', 'Open'],
          ['L, R, C', 'Log in, renew, copy a kubectl command: in the list of clusters'],
          ['F', 'Add to favourites, or remove: in the list of clusters'],
          ['Space, Shift ↑ ↓, Ctrl A', 'Select: in the lists of clusters and profiles'],
          ['T', 'Charts as tables, and back'],
          ['Esc', 'Close'],
          ['?', 'This sheet'],
        ]}
      />
      <br />
      <Switch
        checked={on}
        onCheckedChange={set}
        label="Single-key shortcuts"
        hint="Turn off if you use voice control or press keys by accident."
      />
    </Dialog>
  );
}
