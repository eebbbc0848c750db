import {
  cloneElement,
  type HTMLAttributes,
  type KeyboardEvent,
  type ReactElement,
  type ReactNode,
  useId,
  useRef,
  useState,
} from 'react';
import { classes } from './classes.ts';
import { moved } from './keys/index.ts';
import styles from './menu.module.css';
import { placePopover } from './place-popover.ts';

export interface MenuItem {
  label: string;
  icon?: ReactNode;
  onSelect(): void;
  danger?: boolean;
}

export interface MenuProps {
  /** The button that opens it: `<Button>…</Button>`. */
  trigger: ReactElement<HTMLAttributes<HTMLElement>>;
  items: readonly MenuItem[];
}

/**
 * A button with a menu, by the keys of the ARIA practices. The browser’s own popover shows it over all else, closes it
 * by Esc and by a click elsewhere, and gives the focus back to the button.
 */
export function Menu({ trigger, items }: MenuProps) {
  const id = useId();
  const popup = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);
  const button = () => document.getElementById(`${id}-button`);
  const entries = () => [...(popup.current?.querySelectorAll<HTMLElement>('[role="menuitem"]') ?? [])];
  const onKeyDown = (event: KeyboardEvent) => {
    const all = entries();
    const at = all.indexOf(document.activeElement as HTMLElement);
    const isLetter = event.key.length === 1 && event.key !== ' ' && !event.ctrlKey && !event.metaKey;
    const next = event.key.startsWith('Arrow') ? around(event.key, at, all.length) : null;
    const to = isLetter ? lettered(all, at, event.key) : (next ?? moved(event.key, at, all.length));
    if (to !== null) {
      all[to]?.focus();
    } else if (event.key === 'Tab') {
      popup.current?.hidePopover();
      return;
    } else if (!isLetter) {
      return;
    }
    event.preventDefault();
    // A letter is none of the page’s keys here.
    event.stopPropagation();
  };
  return (
    <>
      {cloneElement<HTMLAttributes<HTMLElement> & { popoverTarget: string }>(
        trigger as ReactElement<HTMLAttributes<HTMLElement> & { popoverTarget: string }>,
        {
          id: `${id}-button`,
          popoverTarget: id,
          'aria-haspopup': 'menu',
          'aria-expanded': isOpen,
          onKeyDown: (event) => {
            const isBlocked = event.currentTarget.getAttribute('aria-disabled') === 'true';
            if (!isBlocked && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
              event.preventDefault();
              popup.current?.showPopover();
            }
          },
        },
      )}
      <div
        ref={popup}
        id={id}
        role="menu"
        popover="auto"
        aria-labelledby={`${id}-button`}
        className={styles.menu}
        onToggle={(event) => {
          setOpen(event.newState === 'open');
          if (event.newState === 'open') {
            placePopover(event.currentTarget, button());
          }
        }}
        onKeyDown={onKeyDown}
      >
        {items.map(({ label, icon, onSelect, danger }, index) => (
          <button
            key={label}
            ref={index === 0 ? focusedOnOpening : undefined}
            type="button"
            role="menuitem"
            tabIndex={-1}
            className={classes(styles.item, danger && styles.danger)}
            onClick={() => {
              popup.current?.hidePopover();
              onSelect();
            }}
          >
            {icon && (
              <span className={styles.icon} aria-hidden="true">
                {icon}
              </span>
            )}
            {label}
          </button>
        ))}
      </div>
    </>
  );
}

/**
 * The browser focuses it as the popover opens: an event comes after the user’s next key. React’s own `autoFocus` sets no
 * attribute.
 */
function focusedOnOpening(item: HTMLElement | null): void {
  item?.setAttribute('autofocus', '');
}

/** After the last comes the first. */
function around(key: string, at: number, count: number): number | null {
  const by = key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : 0;
  return by === 0 || count === 0 ? null : (at + by + count) % count;
}

/** The next that begins with this letter. */
function lettered(all: readonly HTMLElement[], at: number, letter: string): number | null {
  const from = [...all.keys()].map((index) => (at + 1 + index) % all.length);
  const begins = (index: number) =>
    all[index]?.textContent?.trim().toLowerCase().startsWith(letter.toLowerCase()) ?? false;
  return from.find(begins) ?? null;
}
