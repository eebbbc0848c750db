import { Button } from '../../ui/button.tsx';
import { useLogin } from '../login/use-login.ts';
import styles from './import.module.css';

/** The login that an imported account needs. */
export function AccountLogin({ account, primary }: { account: string; primary: boolean }) {
  const login = useLogin();
  return (
    <div className={`${styles.question} ${styles.row}`}>
      <strong className={styles.grow}>{account}</strong>
      <Button kind={primary ? 'primary' : 'plain'} onClick={() => login.open(account, { atOnce: true })}>
        Log in
      </Button>
    </div>
  );
}
