import styles from './import.module.css';

const nameLimit = 6;

/** Lets accounts without a refresh token request one: this adds a scope that the kubeconfig doesn't have. */
export function OfflineAccess({
  accounts,
  wanted,
  onWanted,
}: {
  accounts: readonly string[];
  wanted: boolean;
  onWanted(wanted: boolean): void;
}) {
  const more = accounts.length - nameLimit;
  const names = `${accounts.slice(0, nameLimit).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  return (
    <label className={styles.choice}>
      <input type="checkbox" checked={wanted} onChange={(event) => onWanted(event.target.checked)} />
      <span>
        <strong>Stay logged in (recommended)</strong>
        <span className={styles.muted}>
          Add the scope offline_access to {names}. Without a refresh token you log in again whenever the token
          expires.
        </span>
      </span>
    </label>
  );
}
