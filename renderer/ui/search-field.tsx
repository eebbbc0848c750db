import { Search } from 'lucide-react';
import { type Ref, useEffect, useRef } from 'react';
import { TextInput } from './field.tsx';
import styles from './search-field.module.css';

export interface SearchFieldProps {
  label: string;
  value: string;
  onChange(value: string): void;
  /** Down or Enter: to what was found. */
  onDown(): void;
  /** Esc. */
  onLeave(): void;
}

/** A view’s search. `/` focuses it from anywhere in the view, unless the user is typing. */
export function SearchField({ label, value, onChange, onDown, onLeave }: SearchFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  useSearchKey(input);
  return (
    <div className={styles.search}>
      <Search aria-hidden="true" />
      <TextInput
        ref={input as Ref<HTMLInputElement>}
        type="search"
        aria-label={label}
        placeholder="Search"
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'ArrowDown' || event.key === 'Enter') {
            event.preventDefault();
            onDown();
          } else if (event.key === 'Escape') {
            onLeave();
          }
        }}
      />
      <kbd>/</kbd>
    </div>
  );
}

/** `/` focuses the search from anywhere in the view, unless the user is typing. */
function useSearchKey(search: React.RefObject<HTMLInputElement | null>): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement | null;
      const isTyping = target?.closest('input, textarea, select, [contenteditable], [role="dialog"]') != null;
      if (event.key === '/' && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey) {
        event.preventDefault();
        search.current?.focus();
        search.current?.select();
      }
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [search]);
}
