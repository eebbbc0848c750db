import { useId } from 'react';
import styles from './import.module.css';

/** Where kubectl finds the imported contexts afterwards. */
export function PlaceChoice({ inPlace, onInPlace }: { inPlace: boolean; onInPlace(inPlace: boolean): void }) {
  const name = useId();
  return (
    <fieldset className={styles.choices}>
      <legend className="unseen">How should Lanyard manage your contexts?</legend>
      <label className={styles.choice}>
        <input type="radio" name={name} checked={inPlace} onChange={() => onInPlace(true)} />
        <span>
          <strong>Update my kubeconfig (recommended)</strong>
          <span className={styles.muted}>
            Context names stay the same and work in every terminal. Secrets move to the vault; you can undo
            this at any time.
          </span>
        </span>
      </label>
      <label className={styles.choice}>
        <input type="radio" name={name} checked={!inPlace} onChange={() => onInPlace(false)} />
        <span>
          <strong>Create a separate kubeconfig</strong>
          <span className={styles.muted}>
            Your files aren’t changed and keep their plain-text secrets. You set KUBECONFIG to use the new
            file.
          </span>
        </span>
      </label>
    </fieldset>
  );
}
