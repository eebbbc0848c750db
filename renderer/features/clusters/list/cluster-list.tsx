import { useVirtualizer } from '@tanstack/react-virtual';
import {
  type KeyboardEvent,
  useCallback,
  useDeferredValue,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import type { ClusterView } from '../../../../main/contract/ui/state.ts';
import { useAccountNames } from '../../../stores/use-short-names.ts';
import { classes } from '../../../ui/classes.ts';
import { stepOf } from '../../../ui/grid-keys.ts';
import { GridPart } from '../../../ui/grid-parts.tsx';
import { useNow } from '../../../ui/time/index.ts';
import { useSlots } from '../../../ui/use-slots.ts';
import styles from './cluster-list.module.css';
import { ClusterRow } from './cluster-row.tsx';
import { ColumnHeads, Heading } from './list-heads.tsx';
import { type ListRow, moved } from './list-rows.ts';
import { NeedRow } from './need-row.tsx';
import { useLanes } from './use-lanes.ts';
import { useMeasures } from './use-measures.ts';
import type { RowActions } from './use-row-actions.ts';
import type { Selecting } from './use-selecting.ts';

/** In rem, because they grow with the user's text size. */
const heights = { cluster: 3.54, need: 3.08, heading: 2.6, columns: 2.3 };

export interface ClusterListProps {
  rows: readonly ListRow[];
  /** What the rows are: a search, filters and an order. */
  asked: string;
  /** How wide the column of names is, in rem. */
  names: number;
  selected: string | null;
  /** The cluster whose button is the primary one. */
  primary: string | null;
  actions: RowActions;
  onSelect(name: string): void;
  /** A row was clicked. */
  onPick(name: string): void;
  /** The clusters that are selected, for one action on all of them. */
  selecting: Selecting;
  /** A row’s button was pressed. */
  onAct(name: string): void;
  /** Esc. */
  onLeave(): void;
  gridRef: React.RefObject<HTMLDivElement | null>;
}

/** The clusters as a grid that renders only the visible rows. Tab stops at it once; the list handles its keys. */
export function ClusterList({
  rows,
  asked,
  names,
  selected,
  primary,
  actions,
  onSelect,
  onPick,
  selecting,
  onAct,
  onLeave,
  gridRef,
}: ClusterListProps) {
  const id = useId();
  const { rem, laneWidth, size } = useMeasures(gridRef, names);
  const accounts = useAccountNames();
  const margin = heights.columns * rem;
  // What a letter of the search finds is drawn where it can be seen, then a little around that.
  const isDrawn = useDeferredValue(asked, null) === asked;
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => gridRef.current,
    estimateSize: (index) => heights[rows[index]?.kind ?? 'cluster'] * rem,
    getItemKey: (index) => rows[index]?.key ?? index,
    overscan: isDrawn ? 3 : 0,
    scrollPaddingStart: margin,
    scrollMargin: margin,
  });
  // The virtual list caches the heights that it has measured: a new rem is a new height of all rows.
  const measuredFor = useRef(rem);
  useLayoutEffect(() => {
    if (measuredFor.current !== rem) {
      measuredFor.current = rem;
      virtual.measure();
    }
  }, [rem, virtual]);
  const at = rows.findIndex(({ key }) => key === selected);
  const items = virtual.getVirtualItems();
  const clusters = items.flatMap(({ index }): ClusterView[] => {
    const row = rows[index];
    return row?.kind === 'cluster' ? [row.cluster] : [];
  });
  const slots = useSlots(clusters.map(({ name }) => name));
  const lanes = useLanes(clusters, useNow(60_000));
  const [isMoved, setMoved] = useState(false);
  // Scrolls only to a row that the keys selected. The list stays when rows change their order.
  useEffect(() => {
    if (isMoved && at !== -1) {
      virtual.scrollToIndex(at <= 1 ? 0 : at);
      setMoved(false);
    }
  }, [isMoved, at, virtual]);
  const select = useCallback(
    (name: string | null) => {
      if (name !== null) {
        onSelect(name);
        setMoved(true);
      }
    },
    [onSelect],
  );
  const { selection, pick } = selecting;
  // As a key does: the row that it ends at is the one that the user is at.
  const check = useCallback(
    (name: string, how: 'box' | 'range') => {
      pick(name, how);
      onSelect(name);
    },
    [pick, onSelect],
  );
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.target !== event.currentTarget) {
      return;
    }
    if (event.ctrlKey || event.metaKey) {
      if (event.key.toLowerCase() === 'a') {
        selecting.all();
        event.preventDefault();
      }
      return;
    }
    const row = rows[at];
    const of = row?.kind === 'cluster' ? row.cluster : null;
    const page = Math.max(1, Math.floor((gridRef.current?.clientHeight ?? 0) / (heights.cluster * rem)) - 2);
    const step = stepOf(event.key, page);
    const favor = (cluster: ClusterView) =>
      actions.favorite(cluster, row?.kind === 'cluster' && !row.isFavorite);
    const act = of && { enter: actions.open, l: actions.logIn, r: actions.renew, c: actions.copy, f: favor };
    const key = event.key.toLowerCase();
    if (step !== null) {
      const to = moved(rows, selected, step);
      if (!event.shiftKey) {
        selecting.leaveAnchor();
      } else if (to !== null) {
        pick(to, 'range');
      }
      select(to);
    } else if (key === ' ' && of) {
      pick(of.name, event.shiftKey ? 'range' : 'box');
    } else if (key === 'escape') {
      onLeave();
    } else if (act && (key === 'enter' || key === 'l' || key === 'r' || key === 'c' || key === 'f')) {
      act[key](of);
    } else {
      return;
    }
    event.preventDefault();
  };
  const isInSight = items.some(({ index }) => index === at);
  return (
    <GridPart
      ref={gridRef}
      part="grid"
      aria-label="Clusters"
      aria-rowcount={rows.length + 1}
      aria-activedescendant={isInSight ? `${id}-${at}` : undefined}
      aria-keyshortcuts="Enter L R C F Space Control+A"
      tabIndex={0}
      className={classes(styles.grid, styles[size])}
      style={{ '--lane': `${laneWidth}px` } as React.CSSProperties}
      onKeyDown={onKeyDown}
    >
      <ColumnHeads />
      <GridPart part="rowgroup" className={styles.rows} style={{ height: virtual.getTotalSize() }}>
        {items.map(({ index, start }) => {
          const row = rows[index];
          if (row?.kind === 'heading') {
            return <Heading key={row.key} row={row} top={start - margin} index={index + 2} />;
          }
          if (row?.kind === 'need') {
            return (
              <NeedRow
                key={row.key}
                row={row}
                top={start - margin}
                index={index + 2}
                isPrimary={row.key === primary}
                actions={actions}
              />
            );
          }
          return row ? (
            <ClusterRow
              key={slots.get(row.key)}
              id={`${id}-${index}`}
              cluster={row.cluster}
              health={row.health}
              short={row.shown.short}
              detail={row.shown.detail}
              accountShort={accounts.get(row.cluster.account)?.short ?? row.cluster.account}
              isFavorite={row.isFavorite}
              lane={lanes.get(row.key)}
              laneWidth={laneWidth}
              index={index + 2}
              top={start - margin}
              isSelected={row.key === selected}
              isChecked={selection.has(row.key)}
              isPrimary={row.key === primary}
              isShared={row.isShared}
              actions={actions}
              onSelect={onPick}
              onCheck={check}
              onAct={onAct}
            />
          ) : null;
        })}
      </GridPart>
    </GridPart>
  );
}
