import type { HTMLAttributes, ReactElement, ReactNode } from 'react';

export interface MenuItem {
  label: string;
  icon?: ReactNode;
  onSelect(): void;
  disabled?: boolean;
  danger?: boolean;
}

export interface MenuProps {
  /** The button that opens it: `<Button>…</Button>`. */
  trigger: ReactElement<HTMLAttributes<HTMLElement>>;
  /** Null: a separator. */
  items: readonly (MenuItem | null)[];
}
