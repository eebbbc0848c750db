import { insecureWords } from '../../../main/contract/ui/health-words.ts';
import styles from './tls-mark.module.css';

/** Marks a cluster whose server isn’t verified: anyone between can read what is sent, the credential included. */
export function TlsMark() {
  return (
    <span
      className={styles.mark}
      title="Lanyard doesn’t check this server’s certificate (insecureSkipTlsVerify)."
    >
      {insecureWords}
    </span>
  );
}
