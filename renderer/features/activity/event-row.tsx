import { memo } from 'react';
import type { ActivityEvent } from '../../../main/contract/ui/calls/activity.ts';
import { hrefOf } from '../../navigation/route.ts';
import { classes } from '../../ui/classes.ts';
import { GridPart } from '../../ui/grid-parts.tsx';
import { KeyValues } from '../../ui/key-values.tsx';
import { StatusMark } from '../../ui/status-mark.tsx';
import { clockText } from '../../ui/time/index.ts';
import styles from './activity.module.css';
import type { ActivityRow } from './event-list.ts';

const marks = {
  good: { health: 'good', label: 'Good' },
  plain: { health: 'idle', label: 'Noted' },
  refused: { health: 'soon', label: 'Denied' },
  failed: { health: 'bad', label: 'Failed' },
} as const;

export interface EventRowProps {
  id: string;
  row: ActivityRow;
  /** Changes once a minute. The row shows the day if the event was on another day. */
  now: number;
  index: number;
  top: number;
  isSelected: boolean;
  isOpen: boolean;
  measure(element: HTMLElement | null): void;
  place: number;
  onPick(row: ActivityRow): void;
}

/** One event, whose details are one click away, or several that say the same, which are. */
export const EventRow = memo(function EventRow(props: EventRowProps) {
  const { id, row, now, index, top, isSelected, isOpen, measure, place, onPick } = props;
  const { event, events, level } = row;
  const { health, label } = marks[event.tone];
  return (
    <GridPart
      part="row"
      id={id}
      ref={measure}
      data-index={place}
      aria-rowindex={index}
      aria-level={level}
      aria-selected={isSelected}
      aria-expanded={isOpen}
      className={classes(styles.event, isSelected && styles.selected, level === 2 && styles.ofGroup)}
      style={{ transform: `translateY(${top}px)` }}
      onClick={() => onPick(row)}
    >
      <div className={styles.line} role="presentation">
        <GridPart part="gridcell" className={styles.mark}>
          <StatusMark health={health} label={label} />
        </GridPart>
        <GridPart part="gridcell">
          <time dateTime={new Date(event.at).toISOString()}>{secondsText(event.at, now)}</time>
        </GridPart>
        <GridPart part="gridcell" className={styles.cut} title={event.program ?? undefined}>
          {event.program}
        </GridPart>
        <GridPart part="gridcell" className={styles.cut} title={event.target ?? undefined}>
          {event.target}
        </GridPart>
        <GridPart part="gridcell" className={styles.result}>
          {event.result}
          {events.length > 1 && <span className={styles.times}> · {timesText(events, now)}</span>}
        </GridPart>
        <GridPart part="gridcell" className={styles.account} title={event.account ?? undefined}>
          {event.account}
        </GridPart>
      </div>
      {isOpen && events.length === 1 && (
        <GridPart part="gridcell" className={styles.details} onClick={(click) => click.stopPropagation()}>
          <KeyValues rows={event.details} />
          {event.cluster !== null && <a href={hrefOf('clusters', event.cluster)}>Open {event.cluster}</a>}
          {event.registry !== null && (
            <a href={hrefOf('registries', event.registry)}>Open registry {event.registry}</a>
          )}
          {event.inventory !== null && (
            <a href={hrefOf('inventories', event.inventory)}>Open inventory {event.inventory}</a>
          )}
        </GridPart>
      )}
    </GridPart>
  );
});

/** `11 times, 10:02–10:05`. */
function timesText(events: readonly ActivityEvent[], now: number): string {
  const [from, until] = [events.at(-1)?.at ?? 0, events[0]?.at ?? 0];
  const [first, last] = [clockText(from, now), clockText(until, from)];
  return `${events.length.toLocaleString('en-US')} times, ${first.endsWith(last) ? first : `${first}–${last}`}`;
}

/** `14:31:05`, or `6 Mar 14:31:05` on another day. */
function secondsText(at: number, now: number): string {
  const date = new Date(at);
  const text = clockText(at, now);
  return /:\d\d$/.test(text) ? `${text}:${String(date.getSeconds()).padStart(2, '0')}` : text;
}
