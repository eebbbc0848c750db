import styles from './demo-strip.module.css';
import { useDemo } from './use-demo.ts';

/** Always there while the demo runs: nobody should take invented clusters for their own. */
export function DemoStrip() {
  const { running, leave } = useDemo();
  return running ? (
    <aside className={styles['strip']} aria-label="Demo">
      <span>Invented data: nothing here is yours, and nothing reaches the broker.</span>
      <button type="button" className={styles['leave']} onClick={leave}>
        Leave the demo
      </button>
    </aside>
  ) : null;
}
