import { Dialog as Base } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import type { ReactNode, RefObject } from 'react';
import { IconButton } from './button.tsx';
import { classes } from './classes.ts';
import styles from './dialog.module.css';

export interface DialogProps {
  open: boolean;
  onOpenChange(open: boolean): void;
  title: string;
  /** One sentence below the title, which is read with it. */
  description?: ReactNode;
  children?: ReactNode;
  footer?: ReactNode;
  size?: 'small' | 'medium' | 'large';
  /** What has the focus first; else the first thing that can have it. */
  initialFocus?: RefObject<HTMLElement | null>;
}

/** A dialog over the page: the focus stays inside, Esc closes, and the focus goes back to where it was. */
export function Dialog({
  open,
  onOpenChange,
  title,
  description,
  children,
  footer,
  size = 'medium',
  initialFocus,
}: DialogProps) {
  return (
    <Base.Root open={open} onOpenChange={(next) => onOpenChange(next)}>
      <Base.Portal>
        <Base.Backdrop className={styles.veil} />
        <Base.Popup className={classes(styles.dialog, styles[size])} {...(initialFocus && { initialFocus })}>
          <div className={styles.head}>
            <Base.Title className={styles.title}>{title}</Base.Title>
            <Base.Close render={<IconButton label="Close" icon={<X />} size="small" />} />
          </div>
          {description !== undefined && (
            <Base.Description className={styles.description}>{description}</Base.Description>
          )}
          <div className={styles.body}>{children}</div>
          {footer && <div className={styles.footer}>{footer}</div>}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
