import { memo } from 'react';
import type { LaneView } from '../../../main/contract/ui/lane.ts';
import styles from './lane.module.css';
import { barsPath, type LanePoint, laneShape } from './lane-geometry.ts';
import { laneWords } from './lane-words.ts';

export interface LaneProps {
  lane: LaneView;
  /** When the current credential will be renewed automatically. */
  renewsAt?: number | null;
  /** The broker's time, in milliseconds since 1970. Rounded to minutes, because seconds don't matter here. */
  now: number;
  since: number;
  until: number;
  /** In pixels. */
  width: number;
  height?: number;
  /** The health of the current credential, which sets its colour. */
  tone?: 'good' | 'soon' | 'bad';
}

/** One lane: past credentials, the current one up to its expiry, its renewal, and where a server rejected one. */
export const Lane = memo(function Lane({
  lane,
  renewsAt = null,
  now,
  since,
  until,
  width,
  height = 20,
  tone = 'good',
}: LaneProps) {
  const window = { since, until, width };
  const shape = laneShape({ ...lane, renewsAt }, now, window);
  const bar = Math.round(height * 0.4);
  const top = Math.round((height - bar) / 2);
  return (
    <svg
      className={styles['lane']}
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={laneWords({ ...lane, renewsAt }, window, now)}
    >
      {shape.past.length > 0 && <path className={styles['past']} d={barsPath(shape.past, top, bar)} />}
      {shape.current && (
        <path className={styles[tone]} d={barsPath([shape.current], top, bar)} data-part="current" />
      )}
      {shape.now !== null && (
        <line className={styles['now']} x1={shape.now} x2={shape.now} y1={0} y2={height} />
      )}
      {shape.renewal !== null && (
        <line
          className={styles['renewal']}
          x1={shape.renewal}
          x2={shape.renewal}
          y1={top - 3}
          y2={top + bar + 3}
          data-part="renewal"
        />
      )}
      {shape.marks.map((mark) => (
        <Mark key={mark.x} mark={mark} y={top + bar / 2} size={Math.min(4.5, bar / 2 - 0.5)} />
      ))}
    </svg>
  );
});

/**
 * A point where a server rejected one, a cross where a renewal failed, a small ring at a login: never only a colour.
 */
function Mark({ mark: { x, kind }, y, size }: { mark: LanePoint; y: number; size: number }) {
  if (kind === 'rejected') {
    return <circle className={styles['rejected']} cx={x} cy={y} r={size} data-part="rejected" />;
  }
  return kind === 'failed' ? (
    <path
      className={styles['failed']}
      d={`M${x - size} ${y - size}L${x + size} ${y + size}M${x - size} ${y + size}L${x + size} ${y - size}`}
      data-part="failed"
    />
  ) : (
    <circle className={styles['login']} cx={x} cy={y} r={Math.max(1.5, size - 1.5)} data-part="login" />
  );
}
