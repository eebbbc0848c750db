import { useState } from 'react';
import { remedyOf } from '../../../../main/contract/ui/health-words.ts';
import { Button } from '../../../ui/button.tsx';
import { SelectionBar } from '../../../ui/selection-bar.tsx';
import { useRemoveEntries } from '../../entries/use-remove-entries.ts';
import { useLogin } from '../../login/use-login.ts';
import type { ClusterWithHealth } from './list-rows.ts';
import { RemoveClusters } from './remove-clusters.tsx';
import { SetApproval } from './set-approval.tsx';

export interface SelectedClustersProps {
  selected: readonly ClusterWithHealth[];
  /** Those that the search and the filters leave out. */
  hidden: ReadonlySet<string>;
  onClear(): void;
}

/** What can be done with the selected clusters, each by one step for all of them. */
export function SelectedClusters({ selected, hidden, onClear }: SelectedClustersProps) {
  const login = useLogin();
  const remove = useRemoveEntries('cluster');
  const [dialog, setDialog] = useState<'approval' | 'remove' | null>(null);
  const logins = new Set(
    selected.flatMap(({ cluster, health }) =>
      remedyOf(cluster, health) === 'logIn' ? [cluster.account] : [],
    ),
  );
  const [firstLogin, ...nextLogins] = logins;
  // Profiles in use are chosen, changed and removed in their inventory.
  const own = selected
    .flatMap(({ cluster: { name, origin } }) => (origin === null ? [name] : []))
    // First what the user doesn’t see in the list.
    .sort((a, b) => Number(hidden.has(b)) - Number(hidden.has(a)));
  const others = selected.length - own.length;
  return (
    <>
      <SelectionBar
        label="Selected clusters"
        count={selected.length.toLocaleString('en-US')}
        notes={[
          ...(hidden.size === 0 ? [] : [`${hidden.size.toLocaleString('en-US')} not shown by the filter.`]),
          ...(others === 0 ? [] : [`${othersText(others)} to change in Inventories.`]),
        ]}
        failure={null}
        onClear={onClear}
      >
        {firstLogin !== undefined && (
          <Button size="small" onClick={() => login.open(firstLogin, ...nextLogins)}>
            {logins.size === 1 ? `Log in to ${firstLogin}` : `Log in to ${logins.size} accounts`}
          </Button>
        )}
        {own.length > 0 && (
          <>
            <Button size="small" onClick={() => setDialog('approval')}>
              Set approval…
            </Button>
            <Button size="small" onClick={() => setDialog('remove')}>
              Remove…
            </Button>
          </>
        )}
      </SelectionBar>
      {dialog === 'approval' && <SetApproval names={own} onClose={() => setDialog(null)} onDone={onClear} />}
      {dialog === 'remove' && (
        <RemoveClusters names={own} remove={remove} onClose={() => setDialog(null)} onDone={onClear} />
      )}
    </>
  );
}

function othersText(count: number): string {
  return count === 1 ? '1 is a profile,' : `${count} are profiles,`;
}
