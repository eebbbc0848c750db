import type { PageBridge } from '../../main/contract/ui/page-bridge.ts';

/** What is used of the DOM: the app’s own code knows no DOM otherwise. */
export interface DropEvent {
  readonly isTrusted: boolean;
  readonly dataTransfer: {
    readonly types: readonly string[];
    readonly files: Iterable<File>;
    dropEffect: string;
  } | null;
  preventDefault(): void;
  stopImmediatePropagation(): void;
}

export interface DropTarget {
  addEventListener(
    kind: 'dragover' | 'drop',
    listener: (event: DropEvent) => void,
    options: { capture: true },
  ): void;
}

/**
 * Takes files that are dropped on the window, before any listener of the page: the page’s usual code gets their
 * paths, and no File whose content it could read by accident: a kubeconfig contains secrets
 * (rule: page-without-secrets). A page that was taken over gets around it, as by `document.open()`, which erases
 * listeners.
 */
export function takeDrops(target: DropTarget, pathOf: (file: File) => string): PageBridge['listenDrops'] {
  let listen: ((paths: string[]) => void) | null = null;
  const hasFiles = ({ dataTransfer }: DropEvent) => dataTransfer?.types.includes('Files') === true;
  const options = { capture: true } as const;
  target.addEventListener(
    'dragover',
    (event) => {
      if (listen && event.dataTransfer && hasFiles(event)) {
        // Without it there would be no drop.
        event.preventDefault();
        event.dataTransfer.dropEffect = 'copy';
      }
    },
    options,
  );
  target.addEventListener(
    'drop',
    (event) => {
      if (!event.dataTransfer || !hasFiles(event)) {
        return;
      }
      event.preventDefault();
      event.stopImmediatePropagation();
      // Files in an event that the page made are at no path.
      const paths = event.isTrusted ? [...event.dataTransfer.files].map(pathOf) : [];
      const there = paths.filter((path) => path !== '');
      if (there.length > 0) {
        listen?.(there);
      }
    },
    options,
  );
  return (listener) => {
    listen = listener;
  };
}
