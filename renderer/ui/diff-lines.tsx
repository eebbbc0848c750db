import { classes } from './classes.ts';
import styles from './diff-lines.module.css';

/** The lines of a diff, which begin with `+`, `-` or neither. */
export function DiffLines({ lines, label }: { lines: readonly string[]; label: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <section className={styles.scroll} aria-label={label} tabIndex={0}>
      <pre className={styles.diff}>
        {lines.map((line, index) => (
          <span
            // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name, and don't move
            key={index}
            className={classes(
              styles.line,
              /^\s*\+/.test(line) && styles.added,
              /^\s*-/.test(line) && styles.removed,
            )}
          >
            {line || ' '}
          </span>
        ))}
      </pre>
    </section>
  );
}
