import { hrefOf } from '../../../navigation/route.ts';
import { Back, useLeaveKey } from '../../../ui/back.tsx';
import { Page } from '../../../ui/page.tsx';
import styles from '../registries.module.css';
import { DockerSection } from './docker-section.tsx';
import { ProvidersSection } from './providers-section.tsx';

/** What this machine has already: docker’s logins, and a kubelet’s credential providers. */
export function ImportRegistries() {
  useLeaveKey(hrefOf('registries'));
  return (
    <Page title="Import registries" actions={<Back href={hrefOf('registries')} label="All registries" />}>
      <div className={styles.page}>
        <DockerSection />
        <ProvidersSection />
      </div>
    </Page>
  );
}
