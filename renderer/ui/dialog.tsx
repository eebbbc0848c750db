import { Suspense, useState } from 'react';
import type { DialogProps } from './dialog-props.ts';
import { part } from './part.tsx';

export type { DialogProps } from './dialog-props.ts';

const DialogParts = part(async () => (await import('./dialog-parts.tsx')).DialogParts);

/** Loads ahead what every dialog is drawn with. */
export function loadDialogs(): void {
  DialogParts.load();
}

/**
 * A dialog over the page: the focus stays inside, Esc closes, and the focus goes back to where it was. Its parts are
 * loaded with the first one that opens: no view needs them to be shown.
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
