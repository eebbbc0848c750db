import type { Health } from '../../../../main/contract/ui/health.ts';
import { healthSentence, leftWords } from '../../../../main/contract/ui/health-words.ts';
import { sentence } from '../../../../main/contract/ui/sentence.ts';
import { shortName } from '../../../../main/contract/ui/short-name.ts';
import type { ClusterView } from '../../../../main/contract/ui/state.ts';
import { ColorMark } from '../../../ui/color-mark.tsx';
import { StatusMark } from '../../../ui/status-mark.tsx';
import { useOfNow } from '../../../ui/time/index.ts';
import styles from './cluster.module.css';
import { ClusterLabels } from './cluster-labels.tsx';
import { OriginLink } from './origin-link.tsx';

/** The cluster's name, and how long its credential is valid. */
export function ClusterHead({ cluster, health }: { cluster: ClusterView; health: Health }) {
  const large = useOfNow((now) => leftWords(cluster, health, now).large);
  const words = useOfNow((now) => healthSentence(cluster, health, now));
  const { short } = shortName(cluster);
  return (
    <header>
      <div className={styles.called}>
        <h2 className={styles.name} dir="auto">
          {short}
        </h2>
        {cluster.mark && <ColorMark mark={cluster.mark} />}
      </div>
      {short !== cluster.name && <p className={`mono ${styles.server}`}>{cluster.name}</p>}
      <p className={`mono ${styles.server}`}>{cluster.server}</p>
      <ClusterLabels cluster={cluster} />
      {cluster.origin && (
        <p className={styles.words}>
          <OriginLink origin={cluster.origin} />
        </p>
      )}
      <p className={styles.left}>
        <StatusMark health={health} />
        {large}
      </p>
      {words !== large && <p className={styles.words}>{sentence(words)}</p>}
      {cluster.problem !== null && (
        <p className={health === 'good' ? styles.words : styles.problem}>{cluster.problem}</p>
      )}
    </header>
  );
}
