import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type RefObject, useCallback, useEffect, useId, useState } from 'react';
import type { ActivityEvent } from '../../../main/contract/ui/calls/activity.ts';
import { stepOf } from '../../ui/grid-keys.ts';
import { GridPart } from '../../ui/grid-parts.tsx';
import { useNow } from '../../ui/time/index.ts';
import styles from './activity.module.css';
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

/** The history as a grid that renders only the visible rows. Enter shows and hides the details. */
export function EventGrid({ events, hasMore, onMore, onTop, gridRef }: EventGridProps) {
  const id = useId();
  const now = useNow(60_000);
  const [selected, setSelected] = useState<number | null>(null);
  const [open, setOpen] = useState<ReadonlySet<number>>(() => new Set());
  const [isMoved, setMoved] = useState(false);
  const virtual = useVirtualizer({
    count: events.length,
    getScrollElement: () => gridRef.current,
    estimateSize: () => 34,
    getItemKey: (index) => events[index]?.id ?? index,
    overscan: 8,
  });
  const items = virtual.getVirtualItems();
  const at = Math.max(
    0,
    events.findIndex((event) => event.id === selected),
  );
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (hasMore && last >= events.length - nearEnd) {
      onMore();
    }
  }, [hasMore, last, events.length, onMore]);
  useEffect(() => {
    if (isMoved) {
      virtual.scrollToIndex(at);
      setMoved(false);
    }
  }, [isMoved, at, virtual]);
  const toggle = useCallback((event: ActivityEvent) => {
    setSelected(event.id);
    setOpen((before) => {
      const next = new Set(before);
      if (!next.delete(event.id)) {
        next.add(event.id);
      }
      return next;
    });
  }, []);
  const onKeyDown = (key: KeyboardEvent) => {
    if (key.altKey || key.ctrlKey || key.metaKey || key.target !== key.currentTarget) {
      return;
    }
    const step = stepOf(key.key, 12);
    const event = events[at];
    if (step !== null) {
      const to = Math.max(0, Math.min(events.length - 1, at + step));
      setSelected(events[to]?.id ?? null);
      setMoved(true);
    } else if ((key.key === 'Enter' || key.key === ' ') && event) {
      toggle(event);
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
      aria-rowcount={hasMore ? -1 : events.length}
      aria-activedescendant={items.some(({ index }) => index === at) ? `${id}-${at}` : undefined}
      tabIndex={0}
      className={styles.grid}
      onKeyDown={onKeyDown}
      onScroll={(event) => event.currentTarget.scrollTop <= 0 && onTop()}
    >
      <GridPart part="rowgroup" className={styles.rows} style={{ height: virtual.getTotalSize() }}>
        {items.map(({ index, start }) => {
          const event = events[index];
          return event ? (
            <EventRow
              key={event.id}
              id={`${id}-${index}`}
              event={event}
              now={now}
              index={index + 1}
              place={index}
              top={start}
              isSelected={index === at}
              isOpen={open.has(event.id)}
              measure={virtual.measureElement}
              onPick={toggle}
            />
          ) : null;
        })}
      </GridPart>
    </GridPart>
  );
}
