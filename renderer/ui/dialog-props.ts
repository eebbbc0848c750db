import type { ReactNode, RefObject } from 'react';

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
