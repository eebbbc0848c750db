import { sentence } from '../../../../main/contract/ui/sentence.ts';
import type { Standing } from '../../../../main/contract/ui/standing.ts';
import { leftWords, standingSentence } from '../../../../main/contract/ui/standing-words.ts';
import type { ClusterView } from '../../../../main/contract/ui/state.ts';
import { StatusMark } from '../../../ui/status-mark.tsx';
import { useOfNow } from '../../../ui/time/index.ts';
import styles from './cluster.module.css';

/** What it is, and how long it is good. */
export function ClusterHead({ cluster, standing }: { cluster: ClusterView; standing: Standing }) {
  const large = useOfNow((now) => leftWords(cluster, standing, now).large);
  const words = useOfNow((now) => standingSentence(cluster, standing, now));
  return (
    <header>
      <h2 className={styles.name}>{cluster.name}</h2>
      <p className={`mono ${styles.server}`}>{cluster.server}</p>
      <p className={styles.left}>
        <StatusMark standing={standing} />
        {large}
      </p>
      {words !== large && <p className={styles.words}>{sentence(words)}</p>}
      {cluster.problem !== null && (
        <p className={standing === 'good' ? styles.words : styles.problem}>{cluster.problem}</p>
      )}
    </header>
  );
}
