import { Dialog as Base } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import { IconButton } from './button.tsx';
import { classes } from './classes.ts';
import styles from './dialog.module.css';
import type { DialogProps } from './dialog-props.ts';

/** The parts of `Dialog` (dialog.tsx), loaded when it first opens. */
export function DialogParts({
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
