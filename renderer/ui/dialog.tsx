import { Suspense, useState } from 'react';
import type { DialogProps } from './dialog-props.ts';
import { part } from './part.tsx';

export type { DialogProps } from './dialog-props.ts';

const DialogParts = part(async () => (await import('./dialog-parts.tsx')).DialogParts);

/** Preloads the parts of dialogs. */
export function loadDialogs(): void {
  DialogParts.load();
}

/**
 * A dialog over the page. The focus stays inside, Esc closes it, and the focus returns to where it was. Its parts are
 * loaded with the first one that opens, because no view needs them earlier.
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
