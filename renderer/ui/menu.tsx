import { cloneElement, Suspense, useState } from 'react';
import type { MenuProps } from './menu-props.ts';
import { part } from './part.tsx';

export type { MenuItem, MenuProps } from './menu-props.ts';

const MenuParts = part(async () => (await import('./menu-parts.tsx')).MenuParts);

/**
 * A button with a menu. Its parts are loaded with the first menu that opens, and preloaded when one may be about to.
 */
export function Menu(props: MenuProps) {
  const [wasOpened, setWasOpened] = useState(false);
  const closed = cloneElement(props.trigger, {
    'aria-haspopup': 'menu',
    'aria-expanded': false,
    onClick: () => setWasOpened(true),
    onPointerEnter: () => MenuParts.load(),
    onFocus: () => MenuParts.load(),
    onKeyDown: (event) => {
      if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
        event.preventDefault();
        setWasOpened(true);
      }
    },
  });
  return wasOpened ? (
    <Suspense fallback={closed}>
      <MenuParts {...props} />
    </Suspense>
  ) : (
    closed
  );
}
