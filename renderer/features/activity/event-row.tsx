import { memo } from 'react';
import type { ActivityEvent } from '../../../main/contract/ui/calls/activity.ts';
import { sentence } from '../../../main/contract/ui/sentence.ts';
import { hrefOf } from '../../navigation/route.ts';
import { classes } from '../../ui/classes.ts';
import { GridPart } from '../../ui/grid-parts.tsx';
import { KeyValues } from '../../ui/key-values.tsx';
import { StatusMark } from '../../ui/status-mark.tsx';
import { clockText } from '../../ui/time/index.ts';
import styles from './activity.module.css';

const marks = {
  good: { health: 'good', label: 'Good' },
  plain: { health: 'idle', label: 'Noted' },
  refused: { health: 'soon', label: 'Denied' },
  failed: { health: 'bad', label: 'Failed' },
} as const;

export interface EventRowProps {
  id: string;
  event: ActivityEvent;
  /** Changes once a minute. The row shows the day if the event was on another day. */
  now: number;
  index: number;
  top: number;
  isSelected: boolean;
  isOpen: boolean;
  measure(element: HTMLElement | null): void;
  place: number;
  onPick(event: ActivityEvent): void;
}

/** One event. Its details are one click away. */
export const EventRow = memo(function EventRow(props: EventRowProps) {
  const { id, event, now, index, top, isSelected, isOpen, measure, place, onPick } = props;
  const { health, label } = marks[event.tone];
  return (
    <GridPart
      part="row"
      id={id}
      ref={measure}
      data-index={place}
      aria-rowindex={index}
      aria-selected={isSelected}
      aria-expanded={isOpen}
      className={classes(styles.event, isSelected && styles.selected)}
      style={{ transform: `translateY(${top}px)` }}
    >
      <GridPart part="gridcell" className={styles.line} onClick={() => onPick(event)}>
        <span className={styles.mark}>
          <StatusMark health={health} label={label} />
        </span>
        <time dateTime={new Date(event.at).toISOString()}>{secondsText(event.at, now)}</time>
        <span className={styles.sentence}>{wordsOf(event)}</span>
        <span className={styles.account} title={event.account ?? undefined}>
          {event.account}
        </span>
      </GridPart>
      {isOpen && (
        <GridPart part="gridcell" className={styles.details}>
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

/** A program's name keeps its case at the start of a sentence. */
function wordsOf({ kind, sentence: words }: ActivityEvent): string {
  return kind === 'call' || kind === 'approval' || kind === 'request' ? `${words}.` : sentence(words);
}

/** `14:31:05`, or `6 Mar 14:31:05` on another day. */
function secondsText(at: number, now: number): string {
  const date = new Date(at);
  const text = clockText(at, now);
  return /:\d\d$/.test(text) ? `${text}:${String(date.getSeconds()).padStart(2, '0')}` : text;
}
