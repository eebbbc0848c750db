import { remedyLabels } from '../../../main/contract/ui/health-words.ts';
import { useAccountNames } from '../../stores/use-short-names.ts';
import { Button } from '../../ui/button.tsx';
import { GridPart } from '../../ui/grid-parts.tsx';
import { Name } from '../../ui/name.tsx';
import styles from './need-cells.module.css';
import type { SharedNeed } from './shared-needs.ts';

const words = { logIn: 'log in', setSecret: 'set its secret' } as const;

export interface NeedCellsProps extends Pick<SharedNeed<unknown>, 'remedy' | 'count'> {
  account: string;
  /** What it is for, as a word for several. */
  things: 'clusters' | 'registries';
  /** How many columns of the grid the words take. */
  span: number;
  isPrimary: boolean;
  /** Tab stops at the button. */
  isTabStop: boolean;
  onAct(): void;
}

/** The cells of a row for one thing to do for several: `corp: log in · 240 clusters`, and its button. */
export function NeedCells({
  account,
  remedy,
  count,
  things,
  span,
  isPrimary,
  isTabStop,
  onAct,
}: NeedCellsProps) {
  const shown = useAccountNames().get(account)?.short ?? account;
  return (
    <>
      <GridPart part="gridcell" aria-colspan={span} className={styles.cell}>
        <span className={styles.words}>
          <Name as="strong" text={shown} full={account} />
          <span>
            : {words[remedy]} · {count} {things}
          </span>
        </span>
      </GridPart>
      <GridPart part="gridcell" className={styles.button}>
        <Button
          kind={isPrimary ? 'primary' : 'plain'}
          size="small"
          tabIndex={isTabStop ? undefined : -1}
          calls={remedy === 'logIn'}
          onClick={onAct}
        >
          {remedyLabels[remedy]}
          <span className="unseen">
            {remedy === 'logIn' ? ' to' : ' of'} {account}
          </span>
        </Button>
      </GridPart>
    </>
  );
}
