import { useId } from 'react';
import styles from './import.module.css';

/** Where kubectl finds the imported contexts afterwards. */
export function PlaceChoice({ inPlace, onInPlace }: { inPlace: boolean; onInPlace(inPlace: boolean): void }) {
  const name = useId();
  return (
    <fieldset className={styles.choices}>
      <legend className="unseen">Where the contexts are found afterwards</legend>
      <label className={styles.choice}>
        <input type="radio" name={name} checked={inPlace} onChange={() => onInPlace(true)} />
        <span>
          <strong>In place</strong>
          <span className={styles.muted}>
            Your contexts keep their names and go on working in every terminal. The secrets leave the file; a
            backup is kept in the vault and can be restored.
          </span>
        </span>
      </label>
      <label className={styles.choice}>
        <input type="radio" name={name} checked={!inPlace} onChange={() => onInPlace(false)} />
        <span>
          <strong>A separate kubeconfig</strong>
          <span className={styles.muted}>
            Your files stay as they are, with their secrets. Programs find the new one by KUBECONFIG.
          </span>
        </span>
      </label>
    </fieldset>
  );
}
