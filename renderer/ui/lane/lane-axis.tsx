import styles from './lane.module.css';
import { axisLabels } from './lane-geometry.ts';

/** The round times under a lane, and now. */
export function LaneAxis(props: { since: number; until: number; width: number; now: number }) {
  return (
    <div className={styles['axis']} aria-hidden="true">
      {axisLabels(props, props.now).map(({ at, x, text, isNow }) => (
        <span key={at} className={isNow ? styles['axisNow'] : undefined} style={{ left: `${x}px` }}>
          {text}
        </span>
      ))}
    </div>
  );
}
