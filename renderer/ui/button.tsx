import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react';
import styles from './button.module.css';
import { classes } from './classes.ts';
import { useOutOfReach } from './out-of-reach.ts';

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** At most one `primary` on the screen. */
  kind?: 'primary' | 'plain' | 'danger' | 'quiet';
  /** The action is running, and can't be started again. */
  busy?: boolean;
  /** It calls the broker, and is disabled while that is out of reach. One with `busy` does unless told otherwise. */
  calls?: boolean;
  icon?: ReactNode;
  size?: 'normal' | 'small';
  ref?: Ref<HTMLButtonElement>;
}

export function Button({
  kind = 'plain',
  busy,
  calls = busy !== undefined,
  icon,
  size = 'normal',
  className,
  onClick,
  children,
  ...rest
}: ButtonProps) {
  const outOfReach = useOutOfReach();
  const why = calls ? outOfReach : null;
  const isBlocked = busy === true || why !== null;
  return (
    <button
      type="button"
      {...rest}
      // Not `disabled`, which would lose the focus.
      aria-disabled={isBlocked || rest['aria-disabled']}
      title={why ?? rest.title}
      aria-busy={busy || undefined}
      className={classes(styles.button, styles[kind], size === 'small' && styles.small, className)}
      onClick={isBlocked ? (event) => event.preventDefault() : onClick}
    >
      {icon && (
        <span className={styles.icon} aria-hidden="true">
          {icon}
        </span>
      )}
      {children}
    </button>
  );
}

export interface IconButtonProps extends Omit<ButtonProps, 'children' | 'icon'> {
  /** The action, for screen readers and as a tooltip. */
  label: string;
  icon: ReactNode;
}

export function IconButton({ label, icon, kind = 'quiet', className, ...rest }: IconButtonProps) {
  return (
    <Button
      kind={kind}
      {...rest}
      icon={icon}
      aria-label={label}
      title={label}
      className={classes(styles.iconOnly, className)}
    />
  );
}
