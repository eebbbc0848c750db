import type { Health } from '../../main/contract/ui/health.ts';
import { classes } from './classes.ts';
import styles from './status-mark.module.css';

/** The label of each mark. */
export const healthWords: Readonly<Record<Health, string>> = {
  good: 'Good',
  soon: 'Expiring soon',
  need: 'Needs attention',
  bad: 'Failing',
  locked: 'Locked',
  idle: 'No credential',
};

/** A health by shape and colour. `label` null: the label is beside it already. */
export function StatusMark({ health, label }: { health: Health; label?: string | null }) {
  const name = label === undefined ? healthWords[health] : label;
  return (
    <span
      className={classes(styles.mark, styles[health])}
      {...(name === null ? { 'aria-hidden': true } : { role: 'img', 'aria-label': name })}
    >
      <svg viewBox="0 0 12 12" aria-hidden="true">
        <Shape health={health} />
      </svg>
    </span>
  );
}

function Shape({ health }: { health: Health }) {
  switch (health) {
    case 'good':
      return <circle cx="6" cy="6" r="5" fill="currentColor" />;
    case 'soon':
      return <circle cx="6" cy="6" r="3.6" fill="none" stroke="currentColor" strokeWidth="2.8" />;
    case 'need':
      return (
        <circle
          cx="6"
          cy="6"
          r="4.4"
          fill="none"
          stroke="currentColor"
          strokeWidth="1.9"
          strokeDasharray="3.3 2.23"
        />
      );
    case 'bad':
      return (
        <rect x="2" y="2" width="8" height="8" rx="1.4" transform="rotate(45 6 6)" fill="currentColor" />
      );
    case 'locked':
      return (
        <g fill="none" stroke="currentColor" strokeWidth="1.5">
          <path d="M3.6 5.6V4a2.4 2.4 0 0 1 4.8 0v1.6" />
          <rect x="2" y="5.6" width="8" height="5.4" rx="1.2" fill="currentColor" stroke="none" />
        </g>
      );
    case 'idle':
      return <circle cx="6" cy="6" r="4.4" fill="none" stroke="currentColor" strokeWidth="1.3" />;
  }
}
