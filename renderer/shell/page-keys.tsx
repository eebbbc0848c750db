import { type ReactNode, useCallback, useEffect, useState } from 'react';
import { loadDialogs } from '../ui/dialog.tsx';
import { isTyping, useSingleKeys } from '../ui/keys/index.ts';
import { part } from '../ui/part.tsx';
import { PartBoundary } from '../ui/part-boundary.tsx';

const Palette = part(async () => (await import('../features/palette/index.tsx')).Palette);
const KeysSheet = part(async () => (await import('../features/palette/keys-sheet.tsx')).KeysSheet);

/** Preloads the search, so that it appears immediately. */
export function loadPalette(): void {
  Palette.load();
  loadDialogs();
}

/** The keys that work everywhere: Ctrl-K or Cmd-K and `/` search, `?` shows all keys. */
export function PageKeys({ children }: { children: ReactNode }) {
  const [shown, setShown] = useState<'palette' | 'keys' | null>(null);
  const [query, setQuery] = useState('');
  const { on } = useSingleKeys();
  const openPalette = useCallback(() => {
    setQuery('');
    setShown('palette');
  }, []);
  const close = useCallback(() => setShown(null), []);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.altKey) {
        return;
      }
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault();
        if (shown === 'palette') {
          close();
        } else {
          openPalette();
        }
        return;
      }
      // A letter finds an option of a select; no option begins with a question mark.
      const asksAtSelect = event.key === '?' && event.target instanceof HTMLSelectElement;
      const free =
        on &&
        !event.ctrlKey &&
        !event.metaKey &&
        (asksAtSelect || !isTyping(event.target)) &&
        !isInDialog(event.target);
      if (free && event.key === '/') {
        event.preventDefault();
        openPalette();
      } else if (free && event.key === '?') {
        event.preventDefault();
        setShown('keys');
      }
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, [on, shown, close, openPalette]);
  useEffect(() => {
    // Until the search has the focus, takes its letters, which would go to what had the focus before.
    const pressEarly = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isInDialog(event.target)) {
        return;
      }
      if (event.key.length === 1) {
        setQuery((before) => before + event.key);
      } else if (event.key === 'Backspace') {
        setQuery((before) => before.slice(0, -1));
      } else if (event.key === 'Escape') {
        close();
      } else if (event.key !== 'Enter') {
        return;
      }
      event.preventDefault();
      event.stopPropagation();
    };
    if (shown === 'palette') {
      window.addEventListener('keydown', pressEarly, { capture: true });
    }
    return () => window.removeEventListener('keydown', pressEarly, { capture: true });
  }, [shown, close]);
  return (
    <>
      {children}
      <PartBoundary key={shown} onFailed={close}>
        {shown === 'palette' && (
          <Palette query={query} onQuery={setQuery} onClose={close} onKeys={() => setShown('keys')} />
        )}
        {shown === 'keys' && <KeysSheet onClose={close} />}
      </PartBoundary>
    </>
  );
}

function isInDialog(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('[role="dialog"]') !== null;
}
