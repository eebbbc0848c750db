import styles from './command-line.module.css';
import { CopyButton } from './copy-button.tsx';

/** A command for a terminal, with a button to copy it. */
export function CommandLine({ command }: { command: string }) {
  return (
    <div className={styles.line}>
      <code className={styles.command}>{command}</code>
      <CopyButton text={command} label="Copy this line" />
    </div>
  );
}
