import styles from './command-line.module.css';
import { CopyButton } from './copy-button.tsx';

/** A line for a terminal, to be copied. */
export function CommandLine({ command }: { command: string }) {
  return (
    <div className={styles.line}>
      <code className={styles.command}>{command}</code>
      <CopyButton text={command} label="Copy this line" />
    </div>
  );
}
