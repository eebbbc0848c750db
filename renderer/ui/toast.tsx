import { X } from 'lucide-react';
import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { UiFailure } from '../../main/contract/ui/messages.ts';
import { sentence } from '../../main/contract/ui/sentence.ts';
import { Button, IconButton } from './button.tsx';
import { classes } from './classes.ts';
import styles from './toast.module.css';

/** An action offered while the message is shown, such as Undo. */
export interface ToastAction {
  label: string;
  run(): void;
}

export interface Toasts {
  /** Reports success. Disappears automatically. */
  show(text: string, detail?: string, action?: ToastAction): void;
  /** Reports a failure. Stays until it is closed. */
  fail(failure: Pick<UiFailure, 'message' | 'hint'>): void;
}

interface ToastItem {
  id: number;
  text: string;
  detail: string | null;
  bad: boolean;
  action: ToastAction | null;
}

const ToastContext = createContext<Toasts | null>(null);
const shownMilliseconds = 6000;
/** A message with an action stays longer. */
const actionMilliseconds = 20_000;
const most = 4;

export function ToastProvider({ children }: { children: ReactNode }) {
  const [items, setItems] = useState<readonly ToastItem[]>([]);
  const lastId = useRef(0);
  const toasts = useMemo<Toasts>(() => {
    const add = (item: Omit<ToastItem, 'id'>) => {
      const id = ++lastId.current;
      // The same message again takes the place of the one that is shown.
      setItems((before) => [...before.filter((each) => !isSame(each, item)), { ...item, id }].slice(-most));
    };
    return {
      show: (text, detail, action) =>
        add({ text, detail: detail ?? null, bad: false, action: action ?? null }),
      fail: ({ message, hint }) =>
        add({ text: sentence(message), detail: hint ? sentence(hint) : null, bad: true, action: null }),
    };
  }, []);
  const close = useCallback(
    (id: number) => setItems((before) => before.filter((item) => item.id !== id)),
    [],
  );
  return (
    <ToastContext value={toasts}>
      {children}
      <section className={styles.corner} aria-label="Messages" aria-live="polite">
        {items.map((item) => (
          <ToastView key={item.id} item={item} onClose={close} />
        ))}
      </section>
    </ToastContext>
  );
}

function isSame(one: Omit<ToastItem, 'id'>, other: Omit<ToastItem, 'id'>): boolean {
  return one.text === other.text && one.detail === other.detail && one.bad === other.bad;
}

function ToastView({ item, onClose }: { item: ToastItem; onClose(id: number): void }) {
  const { id, bad, action } = item;
  const [held, setHeld] = useState(false);
  useEffect(() => {
    if (bad || held) {
      return undefined;
    }
    const timer = setTimeout(() => onClose(id), action ? actionMilliseconds : shownMilliseconds);
    return () => clearTimeout(timer);
  }, [id, bad, held, action, onClose]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: no action, it only stays while it has the pointer or the focus
    <div
      className={classes(styles.toast, bad && styles.bad)}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <div className={styles.words}>
        <p>{item.text}</p>
        {item.detail && <p className={styles.detail}>{item.detail}</p>}
      </div>
      {action && (
        <Button
          size="small"
          calls
          onClick={() => {
            onClose(id);
            action.run();
          }}
        >
          {action.label}
        </Button>
      )}
      <IconButton label="Close this message" icon={<X />} size="small" onClick={() => onClose(id)} />
    </div>
  );
}

/** Shows messages in the corner of the page. */
export function useToast(): Toasts {
  const toasts = useContext(ToastContext);
  if (!toasts) {
    throw new Error('no ToastProvider above');
  }
  return toasts;
}
