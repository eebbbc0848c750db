import { type ReactNode, useState } from 'react';

export interface KeptFoldProps {
  /** What it is remembered by. */
  name: string;
  summary: ReactNode;
  className?: string | undefined;
  children: ReactNode;
}

/** A part that is folded until the user opens it. It stays as it was left, wherever it is shown, while the page is open. */
export function KeptFold({ name, summary, className, children }: KeptFoldProps) {
  const kept = `lanyard.fold.${name}`;
  const [isOpen, setIsOpen] = useState(() => window.sessionStorage.getItem(kept) === 'open');
  return (
    <details
      className={className}
      open={isOpen}
      onToggle={({ currentTarget: { open } }) => {
        window.sessionStorage.setItem(kept, open ? 'open' : 'folded');
        setIsOpen(open);
      }}
    >
      <summary>{summary}</summary>
      {children}
    </details>
  );
}
