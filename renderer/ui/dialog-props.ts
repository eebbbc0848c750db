import type { ReactNode, RefObject } from 'react';

export interface DialogProps {
  open: boolean;
  onOpenChange(open: boolean): void;
  title: string;
  /** One sentence under the title. Screen readers read it with the title. */
  description?: ReactNode;
  children?: ReactNode;
  footer?: ReactNode;
  size?: 'small' | 'medium' | 'large';
  /** The element that gets the focus. Default: the first one that can. */
  initialFocus?: RefObject<HTMLElement | null>;
}
