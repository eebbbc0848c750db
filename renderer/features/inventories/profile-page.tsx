import { ArrowLeft } from 'lucide-react';
import { useEffect } from 'react';
import type { ProfileNameView } from '../../../main/contract/ui/calls/inventories.ts';
import { useCall } from '../../stores/use-call.ts';
import { useHashQuery } from '../../stores/use-hash-query.ts';
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
          <Back href={back} />
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

export function Back({ href, label = 'All profiles' }: { href: string; label?: string }) {
  return (
    <a className={styles.back} href={href}>
      <ArrowLeft aria-hidden="true" /> {label}
    </a>
  );
}

/** Esc goes there, unless the user is typing. */
export function useLeaveKey(href: string): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement | null;
      const isOthers = target?.closest('input, textarea, select, [role="dialog"], [role="menu"]') != null;
      if (event.key === 'Escape' && !event.defaultPrevented && !isOthers) {
        event.preventDefault();
        window.location.hash = href;
      }
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [href]);
}
