import { Menu as Base } from '@base-ui/react/menu';
import { classes } from './classes.ts';
import styles from './menu.module.css';
import type { MenuProps } from './menu-props.ts';

/** The parts of `Menu` (menu.tsx), loaded when it first opens. */
export function MenuParts({ trigger, items }: MenuProps) {
  return (
    <Base.Root modal={false} defaultOpen>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner className={styles.positioner} sideOffset={4} align="end">
          <Base.Popup className={styles.menu}>
            {items.map((item, index) =>
              item === null ? (
                // biome-ignore lint/suspicious/noArrayIndexKey: a line has no other name
                <Base.Separator key={`line-${index}`} className={styles.line} />
              ) : (
                <Base.Item
                  key={item.label}
                  className={classes(styles.item, item.danger && styles.danger)}
                  disabled={item.disabled ?? false}
                  onClick={item.onSelect}
                >
                  <span className={styles.icon} aria-hidden="true">
                    {item.icon}
                  </span>
                  {item.label}
                </Base.Item>
              ),
            )}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
