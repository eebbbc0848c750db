import { useEffect, useState } from 'react';
import type { ProfileRowView } from '../../../main/contract/ui/calls/inventories.ts';
import { useCall } from '../../stores/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { Failure, Loading } from '../../ui/states.tsx';
import { SidePanel } from '../entries/side-panel.tsx';
import styles from './inventories.module.css';
import { ProfileButtons } from './profile-buttons.tsx';
import { ProfileDetail } from './profile-detail.tsx';
import { wholeNameOf } from './profile-place.ts';
import type { ProfileActions } from './use-profile-actions.ts';

export interface ProfilePanelProps {
  /** Undefined: it is loading. The panel stays, so that the list keeps its width. */
  row: ProfileRowView | undefined;
  version: string;
  actions: ProfileActions;
  onOpen(): void;
}

/** The profile that the user is at, beside the list in a wide window. */
export function ProfilePanel({ row, ...rest }: ProfilePanelProps) {
  return row ? (
    <Loaded row={row} {...rest} />
  ) : (
    <SidePanel label="Profile" actions={null}>
      <Loading label="Reading the profile" />
    </SidePanel>
  );
}

function Loaded({ row, version, actions, onOpen }: ProfilePanelProps & { row: ProfileRowView }) {
  const { inventory, namespace, name } = row;
  const rests = useResting(wholeNameOf(row));
  const { value, failure, reload } = useCall(
    'inventory.profile',
    { profile: { inventory, namespace, name } },
    { skip: !rests, refreshOn: version },
  );
  return (
    <SidePanel
      label={`Profile ${namespace}/${name}`}
      actions={
        <>
          <ProfileButtons row={row} actions={actions} />
          <Button size="small" onClick={onOpen}>
            Open profile
          </Button>
        </>
      }
    >
      <h2 className={styles.name}>
        {namespace}/{name}
      </h2>
      {failure && <Failure failure={failure} onRetry={reload} />}
      {value ? <ProfileDetail profile={value} /> : !failure && <Loading label="Reading the profile" />}
    </SidePanel>
  );
}

/** Whether the list has stayed at this row for a moment: only the row at which the arrow keys stop is requested. */
function useResting(name: string): boolean {
  const [resting, setResting] = useState<string | null>(null);
  useEffect(() => {
    const timer = setTimeout(() => setResting(name), 120);
    return () => clearTimeout(timer);
  }, [name]);
  return resting === name;
}
