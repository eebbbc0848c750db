import { useVirtualizer } from '@tanstack/react-virtual';
import {
  type KeyboardEvent,
  type RefObject,
  useCallback,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { ProfileField } from '../../../main/contract/ui/calls/inventories.ts';
import { countText } from '../../../main/contract/ui/count-text.ts';
import type { ValueCount } from '../../../main/contract/ui/profile-query.ts';
import { classes } from '../../ui/classes.ts';
import { stepOf } from '../../ui/grid-keys.ts';
import { GridPart } from '../../ui/grid-parts.tsx';
import { isLost } from '../../ui/lost-focus.ts';
import styles from './list.module.css';
import { listLayout } from './list-layout.ts';
import { type ListPages, rowAt } from './list-pages.ts';
import { wholeNameOf } from './profile-place.ts';
import { ProfileRow } from './profile-row.tsx';
import { valueWords } from './profile-words.ts';
import type { ProfileSelection } from './selection.ts';
import { useRem } from './use-rem.ts';

/** In rem, because they grow with the user's text size. */
const heights = { row: 3.54, heading: 2.6, columns: 2.3 };

export interface ProfileGridProps {
  list: ListPages;
  group: ProfileField | null;
  /** The place of the row that the user is at. */
  at: number;
  selection: ProfileSelection;
  /** There are several inventories. */
  named: boolean;
  /** By the keys; `extends`: with Shift. */
  onMove(offset: number, how: { extends: boolean }): void;
  onPick(offset: number, how: 'plain' | 'box' | 'range'): void;
  onOpen(offset: number): void;
  onAll(): void;
  /** Esc. */
  onLeave(): void;
  /** The places of the rows in sight. */
  onSight(first: number, last: number): void;
  /** The user comes back from a profile: the list gets the focus again. */
  isBack: boolean;
  gridRef: RefObject<HTMLDivElement | null>;
}

/**
 * Profiles as a grid that renders only the visible rows. Tab stops at it once; it handles its keys. What a row shows is
 * selected by Space, not by moving there.
 */
export function ProfileGrid(props: ProfileGridProps) {
  const { list, group, at, selection, named, onMove, onPick, onOpen, onAll, onLeave, onSight, gridRef } =
    props;
  const id = useId();
  const { isBack } = props;
  useEffect(() => {
    if (isBack && isLost(document.activeElement)) {
      gridRef.current?.focus({ preventScroll: true });
    }
  }, [isBack, gridRef]);
  const heads = useRef<HTMLDivElement>(null);
  const rem = useRem(heads);
  const margin = heights.columns * rem;
  const { matching, groups } = list.whole;
  const layout = useMemo(() => listLayout(matching, groups), [matching, groups]);
  const virtual = useVirtualizer({
    count: layout.count,
    getScrollElement: () => gridRef.current,
    estimateSize: (index) => heights[layout.itemAt(index).kind] * rem,
    overscan: 6,
    scrollPaddingStart: margin,
    scrollMargin: margin,
    initialOffset: () => (at < 4 ? 0 : layout.indexOf(at) * heights.row * rem),
  });
  // The virtual list caches heights: they change with the text size, and where headings are.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useLayoutEffect(() => virtual.measure(), [rem, layout, virtual]);
  const items = virtual.getVirtualItems();
  const inSight = items.flatMap(({ index }) => {
    const item = layout.itemAt(index);
    return item.kind === 'row' ? [item.offset] : [];
  });
  const [first, last] = [inSight[0] ?? 0, inSight.at(-1) ?? 0];
  useEffect(() => onSight(first, last), [first, last, onSight]);
  const [isMoved, setMoved] = useState(false);
  // Scrolls only to a row that the keys moved to.
  useEffect(() => {
    if (isMoved) {
      virtual.scrollToIndex(at === 0 ? 0 : layout.indexOf(at));
      setMoved(false);
    }
  }, [isMoved, at, virtual, layout]);
  // Another query begins at its top.
  const shownKey = useRef(list.key);
  useEffect(() => {
    if (shownKey.current !== list.key) {
      shownKey.current = list.key;
      virtual.scrollToOffset(0);
    }
  }, [list.key, virtual]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget || event.altKey) {
      return;
    }
    const command = event.ctrlKey || event.metaKey;
    const page = Math.max(1, Math.floor((gridRef.current?.clientHeight ?? 0) / (heights.row * rem)) - 2);
    const step = command ? null : stepOf(event.key, page);
    if (step !== null) {
      onMove(Math.max(0, Math.min(matching - 1, at + step)), { extends: event.shiftKey });
      setMoved(true);
    } else if (command && event.key.toLowerCase() === 'a') {
      onAll();
    } else if (command) {
      return;
    } else if (event.key === ' ') {
      onPick(at, event.shiftKey ? 'range' : 'box');
    } else if (event.key === 'Enter') {
      onOpen(at);
    } else if (event.key === 'Escape') {
      onLeave();
    } else {
      return;
    }
    event.preventDefault();
  };
  const pick = useLatest(onPick);
  const open = useLatest(onOpen);
  const hereIndex = layout.indexOf(at);
  return (
    <GridPart
      ref={gridRef}
      part="grid"
      aria-label="Profiles"
      aria-multiselectable="true"
      aria-rowcount={layout.count + 1}
      aria-activedescendant={
        items.some(({ index }) => index === hereIndex) ? `${id}-${hereIndex}` : undefined
      }
      aria-keyshortcuts="Enter Space Control+A"
      tabIndex={0}
      className={styles.grid}
      onKeyDown={onKeyDown}
    >
      <GridPart ref={heads} part="row" aria-rowindex={1} className={classes(styles.row, styles.heads)}>
        <ColumnHeads />
      </GridPart>
      <GridPart part="rowgroup" className={styles.rows} style={{ height: virtual.getTotalSize() }}>
        {items.map(({ index, start }) => {
          const item = layout.itemAt(index);
          if (item.kind === 'heading') {
            return (
              <Heading
                key={index}
                label={group === null ? item.group.value : valueWords(group, item.group.value)}
                count={item.group.count}
                top={start - margin}
                index={index + 2}
              />
            );
          }
          const row = rowAt(list, item.offset);
          return (
            <ProfileRow
              key={index}
              id={`${id}-${index}`}
              row={row}
              offset={item.offset}
              index={index + 2}
              top={start - margin}
              isHere={index === hereIndex}
              isSelected={row !== undefined && selection.has(wholeNameOf(row))}
              named={named}
              onPick={pick}
              onOpen={open}
            />
          );
        })}
      </GridPart>
    </GridPart>
  );
}

/** The same function for all time: rows are rendered anew only when something of them changes. */
function useLatest<Args extends unknown[]>(run: (...args: Args) => void): (...args: Args) => void {
  const latest = useRef(run);
  latest.current = run;
  return useCallback((...args: Args) => latest.current(...args), []);
}

function ColumnHeads() {
  return (
    <>
      <GridPart part="columnheader" className={styles.box}>
        <span className="unseen">Selected</span>
      </GridPart>
      <GridPart part="columnheader" className={styles.mark}>
        <span className="unseen">Health</span>
      </GridPart>
      <GridPart part="columnheader">Profile</GridPart>
      <GridPart part="columnheader" className={styles.clusterset}>
        Clusterset
      </GridPart>
      <GridPart part="columnheader" className={styles.location}>
        Location
      </GridPart>
      <GridPart part="columnheader" className={styles.version}>
        Version
      </GridPart>
      <GridPart part="columnheader" className={styles.provider}>
        Provider
      </GridPart>
      <GridPart part="columnheader" className={styles.state}>
        State
      </GridPart>
    </>
  );
}

function Heading({ label, count, top, index }: ValueHeading) {
  return (
    <GridPart
      part="row"
      aria-rowindex={index}
      className={classes(styles.row, styles.heading)}
      style={{ transform: `translateY(${top}px)` }}
    >
      <GridPart part="rowheader" aria-colspan={8} className={styles.group}>
        <span className={styles.label} title={label}>
          {label}
        </span>{' '}
        <span className={styles.count}>{countText(count)}</span>
      </GridPart>
    </GridPart>
  );
}

interface ValueHeading extends Pick<ValueCount, 'count'> {
  label: string;
  top: number;
  index: number;
}
