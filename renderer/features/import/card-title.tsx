import { type ReactNode, useEffect, useRef } from 'react';
import styles from './import.module.css';

/** The heading of a step. It takes the focus: the button that led here is gone. */
export function CardTitle({ children }: { children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <h2 ref={heading} tabIndex={-1} className={styles.cardTitle}>
      {children}
    </h2>
  );
}
