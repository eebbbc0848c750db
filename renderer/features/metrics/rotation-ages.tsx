import { counted, countText } from '../../../main/contract/ui/count-text.ts';
import { agesInUse, type OverTime } from './figures.ts';
import styles from './metrics.module.css';

/** The ages of certificates when they were replaced: a table whose numbers are also bars. */
export function RotationAges({ buckets }: { buckets: OverTime['rotationAges'] }) {
  const ages = agesInUse(buckets);
  const most = Math.max(...ages.map(({ rotations }) => rotations));
  const all = ages.reduce((sum, { rotations }) => sum + rotations, 0);
  return (
    <div>
      <h3 className={styles.chartTitle}>Age of certificates when replaced</h3>
      <p className={styles.chartSummary}>{counted(all, 'certificate')}</p>
      <table className={styles.ages}>
        <caption className="unseen">Age of certificates when replaced</caption>
        <thead className="unseen">
          <tr>
            <th scope="col">Age</th>
            <th scope="col">Certificates</th>
          </tr>
        </thead>
        <tbody>
          {ages.map(({ text, rotations }) => (
            <tr key={text}>
              <th scope="row">{text}</th>
              <td>
                <span className={styles.ageCell}>
                  <span className={styles.ageBar} style={{ width: `${(rotations / most) * 100}%` }} />
                  <span className={rotations === 0 ? styles.nothing : undefined}>{countText(rotations)}</span>
                </span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
