import { useOfNow } from '../../ui/time/index.ts';
import styles from './login.module.css';
import { countdownText } from './login-text.ts';

/** The time that is left for a login. */
export function Countdown({ endsAt }: { endsAt: number }) {
  const left = useOfNow((now) => countdownText(endsAt - now));
  return (
    <p className={styles.countdown}>
      <span role="timer" aria-label="Time left">
        {left}
      </span>{' '}
      left
    </p>
  );
}
