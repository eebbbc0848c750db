import { lazy, Suspense, useState } from 'react';
import type { DialogProps } from './dialog-props.ts';

export type { DialogProps } from './dialog-props.ts';

const DialogParts = lazy(async () => ({ default: (await import('./dialog-parts.tsx')).DialogParts }));

/**
 * A dialog over the page: the focus stays inside, Esc closes, and the focus goes back to where it was. Its parts are loaded
 * with the first one that opens: no view needs them to be looked at.
 */
export function Dialog(props: DialogProps) {
  const [wasOpen, setWasOpen] = useState(props.open);
  if (props.open && !wasOpen) {
    setWasOpen(true);
  }
  return wasOpen ? (
    <Suspense>
      <DialogParts {...props} />
    </Suspense>
  ) : null;
}
