import type { ClusterView } from '../../../../main/contract/ui/state.ts';
import styles from './cluster.module.css';

/** Its labels, each a way to all clusters that have it, and its other names. */
export function ClusterLabels({ cluster: { labels, aliases } }: { cluster: ClusterView }) {
  const pairs = Object.entries(labels).map(([key, value]) => `${key}=${value}`);
  return (
    <>
      {aliases.length > 0 && <p className={styles.quiet}>Also {aliases.join(', ')}</p>}
      {pairs.length > 0 && (
        <ul className={styles.labels} aria-label="Labels">
          {pairs.map((pair) => (
            <li key={pair}>
              <a href={`#/clusters?q=${encodeURIComponent(pair)}`} title={`All clusters with ${pair}`}>
                {pair}
              </a>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
