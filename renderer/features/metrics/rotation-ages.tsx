import { countText } from '../../../main/contract/ui/call-words.ts';
import { ageBucketTexts, type OverTime } from './figures.ts';
import styles from './metrics.module.css';

/** The ages of certificates when they were replaced: a table whose numbers are also bars. */
export function RotationAges({ buckets }: { buckets: OverTime['rotationAges'] }) {
  const most = Math.max(0, ...buckets.map(({ rotations }) => rotations));
  const texts = ageBucketTexts(buckets);
  const all = buckets.reduce((sum, { rotations }) => sum + rotations, 0);
  return (
    <div>
      <h3 className={styles.chartTitle}>Age of certificates when replaced</h3>
      <p className={styles.chartSummary}>
        {all === 0
          ? 'Buckets as in client-go’s metric'
          : `${countText(all)} ${all === 1 ? 'certificate' : 'certificates'}, in buckets as in client-go’s metric`}
      </p>
      {all === 0 ? (
        <p className={styles.nothing}>No certificate was replaced in this time.</p>
      ) : (
        <table className={styles.ages}>
          <caption className="unseen">Age of certificates when replaced</caption>
          <thead className="unseen">
            <tr>
              <th scope="col">Age</th>
              <th scope="col">Certificates</th>
            </tr>
          </thead>
          <tbody>
            {buckets.map(({ upToSeconds, rotations }, index) => (
              <tr key={upToSeconds ?? 'more'}>
                <th scope="row">{texts[index]}</th>
                <td>
                  <span className={styles.ageCell}>
                    <span className={styles.ageBar} style={{ width: `${(rotations / most) * 100}%` }} />
                    <span className={rotations === 0 ? styles.nothing : undefined}>
                      {countText(rotations)}
                    </span>
                  </span>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </div>
  );
}
