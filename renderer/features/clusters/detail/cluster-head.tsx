import type { Health } from '../../../../main/contract/ui/health.ts';
import { healthSentence, leftWords } from '../../../../main/contract/ui/health-words.ts';
import { sentence } from '../../../../main/contract/ui/sentence.ts';
import type { ClusterView } from '../../../../main/contract/ui/state.ts';
import { StatusMark } from '../../../ui/status-mark.tsx';
import { useOfNow } from '../../../ui/time/index.ts';
import { TlsMark } from '../tls-mark.tsx';
import styles from './cluster.module.css';
import { OriginLink } from './origin-link.tsx';

/** The cluster's name, and how long its credential is valid. */
export function ClusterHead({ cluster, health }: { cluster: ClusterView; health: Health }) {
  const large = useOfNow((now) => leftWords(cluster, health, now).large);
  const words = useOfNow((now) => healthSentence(cluster, health, now));
  return (
    <header>
      <h2 className={styles.name}>{cluster.name}</h2>
      <p className={`mono ${styles.server}`}>
        {cluster.server} {cluster.isInsecure && <TlsMark />}
      </p>
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
