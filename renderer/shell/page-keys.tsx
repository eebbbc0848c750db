import {
  createContext,
  lazy,
  type ReactNode,
  Suspense,
  useCallback,
  useContext,
  useEffect,
  useState,
} from 'react';
import { isTyping, useSingleKeys } from '../ui/keys/index.ts';

const loadPalette = () => import('../features/palette/index.tsx');
const Palette = lazy(async () => ({ default: (await loadPalette()).Palette }));
const KeysSheet = lazy(async () => ({
  default: (await import('../features/palette/keys-sheet.tsx')).KeysSheet,
}));

const OpenPaletteContext = createContext<() => void>(() => {});

/** Opens the search over everything: for a view's search button. */
export function useOpenPalette(): () => void {
  return useContext(OpenPaletteContext);
}

/** The keys that count everywhere: Ctrl-K or Cmd-K and `/` search, `?` shows them all. */
export function PageKeys({ children }: { children: ReactNode }) {
  const [shown, setShown] = useState<'palette' | 'keys' | null>(null);
  const { on } = useSingleKeys();
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.altKey) {
        return;
      }
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault();
        setShown((before) => (before === 'palette' ? null : 'palette'));
        return;
      }
      const free =
        on && !event.ctrlKey && !event.metaKey && !isTyping(event.target) && !isInDialog(event.target);
      if (free && (event.key === '/' || event.key === '?')) {
        event.preventDefault();
        setShown(event.key === '/' ? 'palette' : 'keys');
      }
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, [on]);
  const close = useCallback(() => setShown(null), []);
  const openPalette = useCallback(() => setShown('palette'), []);
  return (
    <OpenPaletteContext value={openPalette}>
      {children}
      <Suspense>
        {shown === 'palette' && <Palette onClose={close} onKeys={() => setShown('keys')} />}
        {shown === 'keys' && <KeysSheet onClose={close} />}
      </Suspense>
    </OpenPaletteContext>
  );
}

function isInDialog(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('[role="dialog"]') !== null;
}
