import { useVirtualizer } from '@tanstack/react-virtual';
import {
  type KeyboardEvent,
  type RefObject,
  useCallback,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { ActivityEvent } from '../../../main/contract/ui/calls/activity.ts';
import { stepOf } from '../../ui/grid-keys.ts';
import { GridPart } from '../../ui/grid-parts.tsx';
import { useNow } from '../../ui/time/index.ts';
import styles from './activity.module.css';
import { type ActivityRow, grouped, rowsOf } from './event-list.ts';
import { EventRow } from './event-row.tsx';

/** How near the end the view requests the next page. */
const nearEnd = 30;

export interface EventGridProps {
  events: readonly ActivityEvent[];
  hasMore: boolean;
  onMore(): void;
  onTop(): void;
  gridRef: RefObject<HTMLDivElement | null>;
}

/**
 * The history as a grid that renders only the visible rows. Equal neighbours are one row. Enter opens and closes a row:
 * a group shows its events, an event its details. → opens, ← closes.
 */
export function EventGrid({ events, hasMore, onMore, onTop, gridRef }: EventGridProps) {
  const id = useId();
  const now = useNow(60_000);
  const [selected, setSelected] = useState<string | null>(null);
  const [open, setOpen] = useState<ReadonlySet<string>>(() => new Set());
  const [isMoved, setMoved] = useState(false);
  const groups = useMemo(() => grouped(events), [events]);
  const rows = useMemo(() => rowsOf(groups, open), [groups, open]);
  const heads = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => gridRef.current,
    estimateSize: () => 34,
    getItemKey: (index) => rows[index]?.key ?? index,
    overscan: 8,
    scrollMargin: heads.current?.offsetHeight ?? 0,
    scrollPaddingStart: heads.current?.offsetHeight ?? 0,
  });
  const items = virtual.getVirtualItems();
  const at = Math.max(
    0,
    rows.findIndex(
      ({ key, events: of }) => key === selected || of.some((each) => `group ${each.id}` === selected),
    ),
  );
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (hasMore && last >= rows.length - nearEnd) {
      onMore();
    }
  }, [hasMore, last, rows.length, onMore]);
  useEffect(() => {
    if (isMoved) {
      virtual.scrollToIndex(at);
      setMoved(false);
    }
  }, [isMoved, at, virtual]);
  const toggle = useCallback((row: ActivityRow) => {
    setSelected(row.key);
    setOpen((before) => {
      const next = new Set(before);
      for (const key of keysOf(row)) {
        next.delete(key);
      }
      return next.size < before.size ? next : next.add(row.key);
    });
  }, []);
  const onKeyDown = (key: KeyboardEvent) => {
    if (key.altKey || key.ctrlKey || key.metaKey || key.target !== key.currentTarget) {
      return;
    }
    const step = stepOf(key.key, 12);
    const row = rows[at];
    const isOpen = row !== undefined && keysOf(row).some((each) => open.has(each));
    const turns = isOpen ? ['Enter', ' ', 'ArrowLeft'] : ['Enter', ' ', 'ArrowRight'];
    if (step !== null) {
      const to = Math.max(0, Math.min(rows.length - 1, at + step));
      setSelected(rows[to]?.key ?? null);
      setMoved(true);
    } else if (row && turns.includes(key.key)) {
      toggle(row);
    } else if (row?.level === 2 && key.key === 'ArrowLeft') {
      setSelected(rows.slice(0, at).findLast(({ level }) => level === 1)?.key ?? null);
      setMoved(true);
    } else {
      return;
    }
    key.preventDefault();
  };
  return (
    <GridPart
      part="treegrid"
      ref={gridRef}
      aria-label="Activity"
      aria-rowcount={hasMore ? -1 : rows.length + 1}
      aria-activedescendant={items.some(({ index }) => index === at) ? `${id}-${at}` : undefined}
      tabIndex={0}
      className={styles.grid}
      onKeyDown={onKeyDown}
      onScroll={(event) => event.currentTarget.scrollTop <= 0 && onTop()}
    >
      <GridPart ref={heads} part="row" aria-rowindex={1} className={styles.heads}>
        <GridPart part="columnheader" className={styles.mark}>
          <span className="unseen">State</span>
        </GridPart>
        <GridPart part="columnheader">Time</GridPart>
        <GridPart part="columnheader">Program</GridPart>
        <GridPart part="columnheader">For</GridPart>
        <GridPart part="columnheader">Result</GridPart>
        <GridPart part="columnheader" className={styles.account}>
          Account
        </GridPart>
      </GridPart>
      <GridPart part="rowgroup" className={styles.rows} style={{ height: virtual.getTotalSize() }}>
        {items.map(({ index, start }) => {
          const row = rows[index];
          return row ? (
            <EventRow
              key={row.key}
              id={`${id}-${index}`}
              row={row}
              now={now}
              index={index + 2}
              place={index}
              top={start - virtual.options.scrollMargin}
              isSelected={index === at}
              isOpen={keysOf(row).some((each) => open.has(each))}
              measure={virtual.measureElement}
              onPick={toggle}
            />
          ) : null;
        })}
      </GridPart>
    </GridPart>
  );
}

/** What may stand for a row among the open ones: a group was opened by what was its oldest event then. */
function keysOf({ key, events }: ActivityRow): string[] {
  return events.length === 1 ? [key] : events.map(({ id }) => `group ${id}`);
}
