import { useLayoutEffect, useRef } from 'react';

/**
 * Files that are dropped on the view. The desktop app’s preload gives their paths. A browser gives none: there
 * `onNoPath` is called. No content is read: a kubeconfig contains secrets, and no page may have them.
 */
export function useDroppedFiles(listener: {
  onFiles(paths: readonly string[]): void;
  onNoPath(): void;
}): void {
  const current = useRef(listener);
  current.current = listener;
  // As soon as the view is there: a drop that nothing takes makes the browser leave the page.
  useLayoutEffect(() => {
    const { lanyard: bridge } = window;
    if (bridge) {
      bridge.listenDrops((paths) => current.current.onFiles(paths));
      return () => bridge.listenDrops(null);
    }
    const leaving = new AbortController();
    const take = (event: DragEvent) => {
      if (event.dataTransfer?.types.includes('Files')) {
        // Else the browser would leave the page and show the file.
        event.preventDefault();
        if (event.type === 'drop') {
          current.current.onNoPath();
        }
      }
    };
    window.addEventListener('dragover', take, { signal: leaving.signal });
    window.addEventListener('drop', take, { signal: leaving.signal });
    return () => leaving.abort();
  }, []);
}
