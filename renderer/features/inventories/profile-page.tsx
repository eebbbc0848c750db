import type { ProfileNameView } from '../../../main/contract/ui/calls/inventories.ts';
import { useCall } from '../../stores/use-call.ts';
import { useHashQuery } from '../../stores/use-hash-query.ts';
import { Back, useLeaveKey } from '../../ui/back.tsx';
import { Page } from '../../ui/page.tsx';
import { Empty, Failure, Loading } from '../../ui/states.tsx';
import styles from './inventories.module.css';
import { ProfileButtons } from './profile-buttons.tsx';
import { ProfileDetail } from './profile-detail.tsx';
import { useProfileActions } from './use-profile-actions.ts';
import { useVersion } from './use-version.ts';

/** One profile by itself. Esc goes back to the list, as it was. */
export function ProfilePage({ profile }: { profile: ProfileNameView }) {
  const { namespace, name } = profile;
  const version = useVersion();
  const { value, failure, reload } = useCall('inventory.profile', { profile }, { refreshOn: version });
  const actions = useProfileActions();
  const [query] = useHashQuery();
  const back = `#/inventories${query === '' ? '' : `?${query}`}`;
  useLeaveKey(back);
  return (
    <Page
      title={`${namespace}/${name}`}
      actions={
        <>
          <Back href={back} label="All profiles" />
          {value && <ProfileButtons row={value.row} actions={actions} />}
        </>
      }
    >
      <div className={styles.page}>
        {actions.failure && <Failure failure={actions.failure} />}
        {failure?.reason === 'notFound' ? (
          <Empty
            title={`There is no profile ${namespace}/${name}`}
            text="Its hub has removed it, or it was never there."
            action={<a href={back}>All profiles</a>}
          />
        ) : (
          failure && <Failure failure={failure} onRetry={reload} />
        )}
        {value && !failure && <ProfileDetail profile={value} />}
        {!value && !failure && <Loading label="Reading the profile" />}
      </div>
    </Page>
  );
}
