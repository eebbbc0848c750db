import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react';
import styles from './button.module.css';
import { classes } from './classes.ts';

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** At most one `primary` on the whole screen. */
  kind?: 'primary' | 'plain' | 'danger' | 'quiet';
  /** What was asked for is under way: it can't be asked for again. */
  busy?: boolean;
  icon?: ReactNode;
  size?: 'normal' | 'small';
  ref?: Ref<HTMLButtonElement>;
}

export function Button({
  kind = 'plain',
  busy = false,
  icon,
  size = 'normal',
  className,
  onClick,
  children,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      // Busy, it keeps the focus: `disabled` would lose it.
      aria-disabled={busy || rest['aria-disabled']}
      aria-busy={busy || undefined}
      className={classes(styles.button, styles[kind], size === 'small' && styles.small, className)}
      onClick={busy ? (event) => event.preventDefault() : onClick}
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
  /** What it does, in words. */
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
