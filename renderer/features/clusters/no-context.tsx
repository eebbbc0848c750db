import { sentence } from '../../../main/contract/ui/sentence.ts';
import type { ClusterView } from '../../../main/contract/ui/state.ts';
import { Button } from '../../ui/button.tsx';
import styles from './no-context.module.css';

export interface NoContextProps {
  cluster: Pick<ClusterView, 'context'>;
  /** Opens Lanyard’s own window, where the user chooses how kubectl finds clusters. */
  onAdd(): void;
}

export const addContextLabel = 'Add to kubectl';

/** In a row: kubectl has no context for the cluster, and the button that mends it. */
export function NoContextMark({ cluster: { context }, onAdd }: NoContextProps) {
  return context === null || context.problem === null ? null : (
    <Button
      size="small"
      calls
      className={styles.mark}
      // Tab stops at the grid once. The panel has the same button.
      tabIndex={-1}
      title={sentence(context.problem)}
      onClick={(event) => {
        event.stopPropagation();
        onAdd();
      }}
    >
      {addContextLabel}
    </Button>
  );
}

/** The same where there is room for the sentence. */
export function NoContext({ cluster: { context }, onAdd }: NoContextProps) {
  return context === null || context.problem === null ? null : (
    <div className={styles.missing}>
      <p>{sentence(context.problem)}</p>
      <Button size="small" calls onClick={onAdd}>
        {addContextLabel}
      </Button>
    </div>
  );
}
