import { remedyLabels } from '../../../../main/contract/ui/health-words.ts';
import { useAccountNames } from '../../../stores/use-short-names.ts';
import { Button } from '../../../ui/button.tsx';
import { classes } from '../../../ui/classes.ts';
import { GridPart } from '../../../ui/grid-parts.tsx';
import { Name } from '../../../ui/name.tsx';
import styles from './cluster-list.module.css';
import type { ListRow } from './list-rows.ts';
import type { RowActions } from './use-row-actions.ts';

const words = { logIn: 'log in', setSecret: 'set its secret', confirm: 'approve', why: 'failing' } as const;

export interface NeedRowProps {
  row: Extract<ListRow, { kind: 'need' }>;
  top: number;
  index: number;
  isPrimary: boolean;
  actions: RowActions;
}

/** One thing to do for several clusters: `corp: log in · 240 clusters`. */
export function NeedRow({ row: { cluster, remedy, count }, top, index, isPrimary, actions }: NeedRowProps) {
  const { account } = cluster;
  const shown = useAccountNames().get(account)?.short ?? account;
  const act = {
    logIn: actions.logIn,
    setSecret: actions.setSecret,
    confirm: actions.confirm,
    why: actions.open,
  };
  return (
    <GridPart
      part="row"
      aria-rowindex={index}
      className={classes(styles.row, styles.need)}
      style={{ transform: `translateY(${top}px)` }}
    >
      <GridPart part="gridcell" aria-colspan={6}>
        <span className={styles.needWords}>
          <Name as="strong" text={shown} full={account} />
          <span>
            : {words[remedy]} · {count} clusters
          </span>
        </span>
      </GridPart>
      <GridPart part="gridcell" className={styles.needButton}>
        <Button
          kind={isPrimary ? 'primary' : 'plain'}
          size="small"
          // Tab stops at the grid once. L at one of the clusters does the same.
          tabIndex={-1}
          calls={remedy === 'logIn' || remedy === 'confirm'}
          onClick={() => act[remedy](cluster)}
        >
          {remedyLabels[remedy]}
          <span className="unseen"> to {account}</span>
        </Button>
      </GridPart>
    </GridPart>
  );
}
