import { classes } from '../../../ui/classes.ts';
import { GridPart } from '../../../ui/grid-parts.tsx';
import { LaneLegend } from '../../../ui/lane/lane-legend.tsx';
import styles from './cluster-list.module.css';
import type { ListRow } from './list-rows.ts';

export function ColumnHeads() {
  return (
    <GridPart part="row" aria-rowindex={1} className={classes(styles.row, styles.heads)}>
      <GridPart part="columnheader" className={styles.box}>
        <span className="unseen">Selected</span>
      </GridPart>
      <GridPart part="columnheader" className={styles.mark}>
        <span className="unseen">State</span>
      </GridPart>
      <GridPart part="columnheader" className={styles.name}>
        Cluster
      </GridPart>
      <GridPart part="columnheader" className={styles.account}>
        Account
      </GridPart>
      <GridPart part="columnheader" className={classes(styles.lane, styles.scale)}>
        <span>−4 h</span>
        <b>now</b>
        <span>
          +4 h{' '}
          <LaneLegend words="Credentials from 4 hours ago until 4 hours from now. What lasts longer is told in words." />
        </span>
      </GridPart>
      <GridPart part="columnheader" className={styles.asked}>
        Used by
      </GridPart>
      <GridPart part="columnheader" className={styles.left}>
        Expires
      </GridPart>
    </GridPart>
  );
}

/** The head of a group of rows. */
export function Heading({
  row,
  top,
  index,
}: {
  row: Extract<ListRow, { kind: 'heading' }>;
  top: number;
  index: number;
}) {
  return (
    <GridPart
      part="row"
      aria-rowindex={index}
      className={classes(styles.row, styles.heading)}
      style={{ transform: `translateY(${top}px)` }}
    >
      <GridPart part="rowheader" aria-colspan={7}>
        {row.label} <span className={styles.count}>{row.count}</span>
      </GridPart>
    </GridPart>
  );
}
