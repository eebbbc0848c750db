import { Page } from '../../../ui/page.tsx';
import { Back, useLeaveKey } from '../back.tsx';
import styles from '../registries.module.css';
import { DockerSection } from './docker-section.tsx';
import { ProvidersSection } from './providers-section.tsx';

/** What this machine has already: docker’s logins, and a kubelet’s credential providers. */
export function ImportRegistries() {
  useLeaveKey();
  return (
    <Page title="Import registries" actions={<Back />}>
      <div className={styles.page}>
        <DockerSection />
        <ProvidersSection />
      </div>
    </Page>
  );
}
