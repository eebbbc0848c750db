import { classes } from '../../../ui/classes.ts';
import { GridPart } from '../../../ui/grid-parts.tsx';
import { NeedCells } from '../../entries/need-cells.tsx';
import styles from './cluster-list.module.css';
import type { ListRow } from './list-rows.ts';
import type { RowActions } from './use-row-actions.ts';

export interface NeedRowProps {
  row: Extract<ListRow, { kind: 'need' }>;
  top: number;
  index: number;
  isPrimary: boolean;
  actions: RowActions;
}

/** One thing to do for several clusters: `corp: log in · 240 clusters`. */
export function NeedRow({ row: { cluster, remedy, count }, top, index, isPrimary, actions }: NeedRowProps) {
  return (
    <GridPart
      part="row"
      aria-rowindex={index}
      className={classes(styles.row, styles.need)}
      style={{ transform: `translateY(${top}px)` }}
    >
      <NeedCells
        account={cluster.account}
        remedy={remedy}
        count={count}
        things="clusters"
        span={6}
        isPrimary={isPrimary}
        // Tab stops at the grid once. L at one of the clusters does the same.
        isTabStop={false}
        onAct={() => actions[remedy](cluster)}
      />
    </GridPart>
  );
}
