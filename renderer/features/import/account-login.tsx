import { counted } from '../../../main/contract/ui/count-text.ts';
import { Button } from '../../ui/button.tsx';
import { useLogin } from '../login/use-login.ts';
import styles from './import.module.css';

/** The login that an imported account needs. */
export function AccountLogin({
  account,
  clusters,
  primary,
}: {
  account: string;
  /** How many it serves. */
  clusters: number;
  primary: boolean;
}) {
  const login = useLogin();
  return (
    <div className={`${styles.login} ${styles.row}`}>
      <span className={styles.grow}>
        <strong>{account}</strong> <span className={styles.muted}>{counted(clusters, 'cluster')}</span>
      </span>
      <Button
        kind={primary ? 'primary' : 'plain'}
        aria-label={`Log in to ${account}`}
        calls
        onClick={() => login.open(account)}
      >
        Log in
      </Button>
    </div>
  );
}
