import { useMemo } from 'react';
import { classes } from './classes.ts';
import { cutName } from './cut-name.ts';
import styles from './name.module.css';

export interface NameProps {
  /** What is shown. It takes the room there is, and is cut in its middle. */
  text: string;
  /** The whole name, in the tooltip and for screen readers, where `text` is a short one or the user’s own. */
  full?: string;
  as?: 'span' | 'strong' | 'small';
  className?: string | undefined;
}

/** The name of a cluster or account, or an address: in any script, and told apart by its end. */
export function Name({ text, full = text, as: Tag = 'span', className }: NameProps) {
  const [head, tail] = useMemo(() => cutName(text), [text]);
  if (tail === '' && text === full) {
    return (
      <Tag className={classes(styles.whole, className)} title={full} dir="auto">
        {text}
      </Tag>
    );
  }
  const told = full.includes(text) ? full : `${text}, ${full}`;
  return (
    <Tag className={classes(styles.cut, className)} title={told} dir="auto">
      <span className="unseen">{told}</span>
      <span className={styles.head} aria-hidden="true">
        {head}
      </span>
      {tail !== '' && (
        <span className={styles.tail} aria-hidden="true">
          {tail}
        </span>
      )}
    </Tag>
  );
}
